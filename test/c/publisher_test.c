/* Messages that are posted to a server, and should come as events of all streams. */
#include "core/publisher.h"

#include "hub.h"
#include "streaming.h"

static const char request[] = "GET /events HTTP/1.1\r\nHost: a\r\n\r\n";
static const char post[] = "POST /publish HTTP/1.1\r\nHost: a\r\nContent-Length: 21\r\n\r\n"
                           "mohs 0000000000000000";

/* A load of 4 streams for `ms`, with so many messages per second, from 400 ms on. */
static struct mohs_streams *load_of(const struct sockaddr_in *address, uint64_t ms, double rate) {
    struct mohs_streams *streams = streams_of(address, request, 4, ms);
    CHECK_EQUAL(0,
                mohs_publisher_set(&streams->publisher, (struct mohs_span){post, sizeof post - 1}));
    streams->fans_out = true;
    streams->open_per_s = 10;
    streams->drain_ns = MOHS_SECOND;
    send_at(streams, rate);
    return streams;
}

static void run(struct mohs_streams *streams) {
    await(streams);
    uint64_t due = streams->messages.sent + streams->unsent;
    CHECK_EQUAL(due, streams->echoes.size);
    CHECK_EQUAL(due, streams->halves.size);
    CHECK_EQUAL(due, streams->mosts.size);
    CHECK_EQUAL(due, streams->alls.size);
}

static enum hub_deed tell(unsigned long number) {
    (void)number;
    return TELL;
}

TEST(every_message_comes_to_all_over_one_connection) {
    struct hub *hub = hub_start(tell);
    struct mohs_streams *streams = load_of(&hub->address, 10000, 500);
    streams->count = 100; // not by time: events that come after it are not counted
    run(streams);
    CHECK_EQUAL(4, streams->counts.opened);
    CHECK_EQUAL(100, streams->messages.sent); // from 400 ms on
    CHECK_EQUAL(100, streams->messages.received);
    CHECK_EQUAL(400, streams->fan_out.due);
    CHECK_EQUAL(400, streams->fan_out.came);
    CHECK_EQUAL(400, streams->counts.events);
    CHECK_EQUAL(0, streams->gaps.size); // times between our own messages: a flood would fill memory
    CHECK_EQUAL(0, streams->messages.repeated + streams->messages.others + streams->unsent +
                       streams->messages.disordered + streams->counts.dropped);
    CHECK_EQUAL(100, count_of(&streams->alls, MOHS_OK));
    CHECK_EQUAL(100, count_of(&streams->echoes, MOHS_OK));
    CHECK_EQUAL(1, atomic_load(&hub->posters));
    CHECK_EQUAL(100, atomic_load(&hub->posts));
    struct mohs_run halves, alls, echoes;
    mohs_recording_runs(&streams->halves, 0, 100, &halves, 1);
    mohs_recording_runs(&streams->alls, 0, 100, &alls, 1);
    mohs_recording_runs(&streams->echoes, 0, 100, &echoes, 1);
    for (size_t at = 0; at < 100; at++) {
        CHECK_EQUAL((400 + at * 2) * MOHS_MILLISECOND, alls.records[at].due_ns);
        CHECK(alls.records[at].done_ns >= halves.records[at].done_ns);
        CHECK(halves.records[at].done_ns > 0);
        CHECK_EQUAL(204, echoes.records[at].status);
        CHECK_EQUAL(4, echoes.records[at].connection); // behind those of the streams
        CHECK(echoes.records[at].done_ns >= echoes.records[at].sent_ns);
    }
    free_load(streams);
    hub_stop(hub);
}

static enum hub_deed tell_late(unsigned long number) {
    (void)number;
    return TELL_LATE;
}

/* The truth is what the server waits before it tells the k-th stream. */
TEST(the_times_are_those_at_which_the_server_told_half_and_all) {
    struct hub *hub = hub_start(tell_late);
    hub->step_ms = 40;
    struct mohs_streams *streams = load_of(&hub->address, 1400, 2);
    run(streams);
    CHECK_EQUAL(2, streams->messages.sent);
    struct mohs_run halves, alls, echoes;
    mohs_recording_runs(&streams->halves, 0, 2, &halves, 1);
    mohs_recording_runs(&streams->alls, 0, 2, &alls, 1);
    mohs_recording_runs(&streams->echoes, 0, 2, &echoes, 1);
    for (size_t at = 0; at < 2; at++) {
        uint64_t half = halves.records[at].done_ns, all = alls.records[at].done_ns;
        CHECK(half >= 40 * MOHS_MILLISECOND); // the second of four
        CHECK(all >= 120 * MOHS_MILLISECOND); // the fourth
        CHECK(all >= half + 80 * MOHS_MILLISECOND - MOHS_MILLISECOND);
        CHECK(all < 400 * MOHS_MILLISECOND);      // on a busy machine
        CHECK(echoes.records[at].done_ns >= all); // it answers afterwards
    }
    free_load(streams);
    hub_stop(hub);
}

static enum hub_deed mixed(unsigned long number) {
    switch (number % 20) {
    case 3:
        return TELL_HALF;
    case 5:
        return TELL_TWICE;
    case 7:
        return TELL_IN_PIECES;
    case 9:
        return TELL_AND_CLOSE;
    case 11:
        return TELL_SPLIT;
    case 13:
        return REFUSE;
    case 15:
        return TELL_AND_REFUSE;
    default:
        return TELL;
    }
}

TEST(what_a_server_does_otherwise_is_counted) {
    struct hub *hub = hub_start(mixed);
    struct mohs_streams *streams = load_of(&hub->address, 800, 100);
    run(streams);
    CHECK_EQUAL(40, atomic_load(&hub->posts));
    CHECK_EQUAL(36, streams->messages.sent); // without two of each that was refused
    CHECK_EQUAL(4, streams->unsent);
    CHECK_EQUAL(34, streams->messages.received); // without two that were split
    CHECK_EQUAL(36 * 4, streams->fan_out.due);
    CHECK_EQUAL(34 * 4 - 2 * 2, streams->fan_out.came);
    CHECK_EQUAL(2 * 4, streams->messages.repeated);
    CHECK_EQUAL(2 * 4, streams->messages.others); // events without a message: the split ones
    CHECK_EQUAL(32, count_of(&streams->alls, MOHS_OK));
    CHECK_EQUAL(34, count_of(&streams->halves, MOHS_OK));
    CHECK_EQUAL(4, count_of(&streams->alls, MOHS_ABORTED));
    CHECK_EQUAL(4, count_of(&streams->alls, MOHS_WRONG_STATUS));
    CHECK_EQUAL(4, count_of(&streams->echoes, MOHS_WRONG_STATUS));
    CHECK_EQUAL(3, atomic_load(&hub->posters)); // two connections were closed
    CHECK_EQUAL(403, streams->publisher.failed_response.status);
    CHECK_EQUAL(7, streams->publisher.failed_response.size);
    free_load(streams);
    hub_stop(hub);
}

static enum hub_deed refuse_in_turn(unsigned long number) {
    (void)number;
    return REFUSE_IN_TURN;
}

TEST(what_a_refusal_says_is_kept_however_it_comes) {
    struct hub *hub = hub_start(refuse_in_turn);
    struct mohs_streams *streams = load_of(&hub->address, 500, 20);
    run(streams);
    CHECK_EQUAL(0, streams->messages.sent);
    CHECK_EQUAL(403, streams->publisher.failed_response.status);
    CHECK_EQUAL(7, streams->publisher.failed_response.size);
    free_load(streams);
    hub_stop(hub);
}

static enum hub_deed broken(unsigned long number) {
    static const enum hub_deed deeds[] = {TELL, LEAVE, TELL, NONSENSE, TELL_AND_CUT, TELL, LEAVE};
    return deeds[number % 7];
}

/* Wherever the text of a message came: without 2xx it was not sent. */
TEST(a_post_without_an_answer_is_a_message_that_was_not_sent) {
    struct hub *hub = hub_start(broken);
    struct mohs_streams *streams = load_of(&hub->address, 750, 20);
    run(streams);
    CHECK_EQUAL(3, streams->messages.sent);
    CHECK_EQUAL(4, streams->unsent);
    CHECK_EQUAL(12, streams->fan_out.due);
    CHECK_EQUAL(12, streams->fan_out.came);
    CHECK_EQUAL(3, count_of(&streams->alls, MOHS_OK));
    CHECK_EQUAL(2, count_of(&streams->echoes, MOHS_CLOSED_REUSED));
    CHECK_EQUAL(1, count_of(&streams->echoes, MOHS_CLOSED_FRESH));
    CHECK_EQUAL(1, count_of(&streams->echoes, MOHS_BAD_STATUS_LINE));
    free_load(streams);
    hub_stop(hub);
}

static enum hub_deed ignore_third(unsigned long number) {
    return number == 2 ? IGNORE : TELL;
}

/* The next ones wait for it, and their times go on. */
TEST(a_post_that_is_not_answered_is_given_up) {
    struct hub *hub = hub_start(ignore_third);
    struct mohs_streams *streams = load_of(&hub->address, 800, 20);
    streams->target.timeout_ns = 250 * MOHS_MILLISECOND;
    run(streams);
    CHECK_EQUAL(7, streams->messages.sent);
    CHECK_EQUAL(1, streams->unsent);
    CHECK_EQUAL(1, count_of(&streams->echoes, MOHS_TIMEOUT_FIRST));
    struct mohs_run alls;
    mohs_recording_runs(&streams->alls, 0, 8, &alls, 1);
    CHECK(alls.records[3].done_ns >= 190 * MOHS_MILLISECOND); // due 50 ms after it
    CHECK_EQUAL(MOHS_OK, alls.records[3].error);
    CHECK_EQUAL(2, atomic_load(&hub->posters));
    free_load(streams);
    hub_stop(hub);
}

TEST(what_is_not_answered_when_the_load_ends_was_not_sent) {
    struct hub *hub = hub_start(ignore_third);
    struct mohs_streams *streams = load_of(&hub->address, 800, 20);
    streams->drain_ns = 100 * MOHS_MILLISECOND;
    run(streams);
    CHECK_EQUAL(2, streams->messages.sent);
    CHECK_EQUAL(6, streams->unsent);
    CHECK_EQUAL(6, count_of(&streams->echoes, MOHS_ABORTED));
    CHECK_EQUAL(6, count_of(&streams->mosts, MOHS_ABORTED));
    CHECK_EQUAL(8, streams->fan_out.due);
    free_load(streams);
    hub_stop(hub);
}

static enum hub_deed refuse(unsigned long number) {
    (void)number;
    return REFUSE;
}

TEST(a_brief_load_ends_when_its_messages_are_everywhere_or_refused) {
    const hub_script scripts[] = {tell, refuse};
    for (size_t at = 0; at < 2; at++) {
        struct hub *hub = hub_start(scripts[at]);
        struct mohs_streams *streams = load_of(&hub->address, 20000, 200);
        streams->brief = true;
        streams->count = 6;
        run(streams);
        CHECK_EQUAL(at ? 0 : 6, streams->messages.sent);
        CHECK_EQUAL(at ? 0 : 24, streams->fan_out.came);
        CHECK(streams->ended_ns - streams->epoch_ns < 5 * MOHS_SECOND);
        free_load(streams);
        hub_stop(hub);
    }
}

/* Nobody listens there: the streams fail, and there is nothing to publish. */
TEST(without_a_server_no_message_is_sent) {
    struct sockaddr_in address;
    int listener = server_listen(&address);
    close(listener);
    struct mohs_streams *streams = load_of(&address, 500, 100);
    run(streams);
    CHECK_EQUAL(4, streams->errors[MOHS_REFUSED]);
    CHECK_EQUAL(0, streams->messages.sent);
    free_load(streams);
}

/* A storm: those that stay have every message, those that were dropped are back when they are
 * open. */
TEST(messages_go_on_while_a_storm_lasts) {
    struct hub *hub = hub_start(tell);
    struct mohs_streams *streams = load_of(&hub->address, 1400, 50);
    streams->storm.share = 0.5;
    streams->storm.after_ns = 700 * MOHS_MILLISECOND;
    run(streams);
    CHECK_EQUAL(2, streams->storm.dropped);
    CHECK_EQUAL(2, streams->storm.back);
    CHECK_EQUAL(0, streams->storm.failed);
    CHECK_EQUAL(streams->messages.sent, streams->messages.received);
    CHECK_EQUAL(streams->fan_out.due, streams->fan_out.came);
    CHECK_EQUAL(streams->messages.sent, count_of(&streams->alls, MOHS_OK));
    CHECK(streams->storm.before.size >= 10 && streams->storm.before.size <= 20);
    CHECK(streams->storm.during.size > 0);
    CHECK(streams->storm.during.size + streams->storm.before.size <= streams->alls.size);
    free_load(streams);
    hub_stop(hub);
}

/* All are dropped: messages wait until one is back. */
TEST(a_storm_that_drops_all_holds_messages_back) {
    struct hub *hub = hub_start(tell);
    struct mohs_streams *streams = load_of(&hub->address, 1400, 50);
    streams->storm.share = 1;
    streams->storm.after_ns = 700 * MOHS_MILLISECOND;
    run(streams);
    CHECK_EQUAL(4, streams->storm.back);
    CHECK_EQUAL(0, streams->unsent);
    CHECK_EQUAL(streams->messages.sent, streams->messages.received);
    CHECK_EQUAL(50 - streams->storm.cut, streams->messages.sent);
    CHECK_EQUAL(streams->fan_out.due, streams->fan_out.came);
    free_load(streams);
    hub_stop(hub);
}

static enum hub_deed wait_and_tell(unsigned long number) {
    (void)number;
    return WAIT_AND_TELL;
}

/* Messages that wait for the POST before them are not sent while nobody listens. */
TEST(what_waits_for_a_post_waits_for_a_listener_as_well) {
    struct hub *hub = hub_start(wait_and_tell);
    hub->step_ms = 70;
    struct mohs_streams *streams = load_of(&hub->address, 1000, 20);
    streams->drain_ns = 5 * MOHS_SECOND;
    streams->storm.share = 1;
    streams->storm.after_ns = 700 * MOHS_MILLISECOND;
    run(streams);
    CHECK_EQUAL(4, streams->storm.back);
    CHECK_EQUAL(0, streams->unsent);
    CHECK_EQUAL(12 - streams->storm.cut, streams->messages.sent);
    CHECK_EQUAL(streams->messages.sent, streams->messages.received);
    CHECK_EQUAL(0, count_of(&streams->alls, MOHS_ABORTED));
    free_load(streams);
    hub_stop(hub);
}

/* However long a message waited for its turn, those whom the storm drops are not waited for. */
TEST(a_storm_shrinks_the_audience_of_what_was_sent_late) {
    struct hub *hub = hub_start(wait_and_tell);
    hub->step_ms = 100;
    struct mohs_streams *streams = load_of(&hub->address, 1000, 50);
    streams->drain_ns = 150 * MOHS_MILLISECOND;
    streams->storm.share = 0.5;
    streams->storm.after_ns = 750 * MOHS_MILLISECOND;
    run(streams);
    CHECK_EQUAL(2, streams->storm.dropped);
    CHECK(streams->fan_out.due > 0);
    CHECK_EQUAL(streams->fan_out.due, streams->fan_out.came);
    free_load(streams);
    hub_stop(hub);
}

TEST(a_request_without_room_for_a_message_is_refused) {
    struct mohs_publisher publisher = MOHS_PUBLISHER_NONE;
    CHECK_EQUAL(-EINVAL, mohs_publisher_set(&publisher, (struct mohs_span){post, 20}));
    CHECK_EQUAL(0, mohs_publisher_set(&publisher, (struct mohs_span){post, 21}));
    CHECK_EQUAL(0, mohs_publisher_set(&publisher, (struct mohs_span){post, sizeof post - 1}));
    mohs_publisher_free(&publisher);
    mohs_publisher_end(&publisher); // which has not begun
}

int main(void) {
    RUN(every_message_comes_to_all_over_one_connection);
    RUN(the_times_are_those_at_which_the_server_told_half_and_all);
    RUN(what_a_server_does_otherwise_is_counted);
    RUN(what_a_refusal_says_is_kept_however_it_comes);
    RUN(a_post_without_an_answer_is_a_message_that_was_not_sent);
    RUN(a_post_that_is_not_answered_is_given_up);
    RUN(what_is_not_answered_when_the_load_ends_was_not_sent);
    RUN(a_brief_load_ends_when_its_messages_are_everywhere_or_refused);
    RUN(without_a_server_no_message_is_sent);
    RUN(messages_go_on_while_a_storm_lasts);
    RUN(a_storm_that_drops_all_holds_messages_back);
    RUN(what_waits_for_a_post_waits_for_a_listener_as_well);
    RUN(a_storm_shrinks_the_audience_of_what_was_sent_late);
    RUN(a_request_without_room_for_a_message_is_refused);
    return report();
}
