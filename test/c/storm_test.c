/* A load that drops connections all at once and opens them again: who is back, and when. */
#include "core/storm.h"

#include <stdlib.h>

#include "core/clock.h"
#include "echo.h"
#include "server.h"
#include "streaming.h"

#define HEAD "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n"

/* ---- alone ----------------------------------------------------------------------------------- */

static struct mohs_storm begun(uint32_t open, double share, uint64_t seed) {
    struct mohs_storm storm = {.share = share, .after_ns = 1};
    CHECK_EQUAL(0, mohs_storm_init(&storm, open));
    for (uint32_t at = 0; at < open; at++) storm.numbers[at] = at;
    CHECK(mohs_storm_waits(&storm));
    mohs_storm_begin(&storm, open, seed, 1000);
    CHECK(!mohs_storm_waits(&storm));
    return storm;
}

TEST(a_share_is_chosen_at_random_and_nobody_twice) {
    struct mohs_storm storm = begun(1000, 0.2, 7), other = begun(1000, 0.2, 8);
    char chosen[1000] = {0};
    uint32_t both = 0, low = 0;
    CHECK_EQUAL(200, storm.dropped);
    for (uint32_t at = 0; at < 200; at++) chosen[storm.numbers[at]]++;
    for (uint32_t at = 0; at < 200; at++) both += chosen[other.numbers[at]] > 0;
    for (uint32_t at = 0; at < 1000; at++) {
        CHECK(chosen[at] <= 1);
        low += at < 500 && chosen[at];
    }
    CHECK(low > 70 && low < 130); // 5 standard deviations around 100
    CHECK(both < 90);             // 40 by chance
    mohs_storm_free(&storm);
    mohs_storm_free(&other);
}

TEST(at_least_one_is_dropped_and_at_most_all) {
    struct mohs_storm few = begun(3, 0.01, 1), all = begun(3, 1, 1);
    CHECK_EQUAL(1, few.dropped);
    CHECK_EQUAL(3, all.dropped);
    mohs_storm_free(&few);
    mohs_storm_free(&all);
    struct mohs_storm none = {.share = 0.5};
    CHECK_EQUAL(0, mohs_storm_init(&none, 3));
    mohs_storm_begin(&none, 0, 1, 5); // none was open
    CHECK_EQUAL(0, none.dropped);
    CHECK_EQUAL(5, none.ended_ns);
    mohs_storm_free(&none);
}

TEST(the_times_are_those_of_the_connections_that_complete_a_share) {
    struct mohs_storm storm = begun(200, 1, 1);
    for (uint32_t at = 0; at < 199; at++) mohs_storm_back(&storm, 2000 + at);
    CHECK_EQUAL(2099, storm.parts.half_ns);
    CHECK_EQUAL(2197, storm.parts.most_ns); // the 198th
    CHECK_EQUAL(0, storm.parts.all_ns + storm.ended_ns);
    mohs_storm_failed(&storm, MOHS_REFUSED, 3000);
    CHECK_EQUAL(0, storm.parts.all_ns);
    CHECK_EQUAL(3000, storm.ended_ns);
    CHECK_EQUAL(1, storm.errors[MOHS_REFUSED]);
    mohs_storm_free(&storm);
}

TEST(what_the_others_saw_is_before_or_meanwhile) {
    struct mohs_storm storm = {.share = 0.5, .after_ns = 1};
    CHECK_EQUAL(0, mohs_storm_init(&storm, 2));
    storm.calm_ns = 500;
    CHECK(mohs_storm_part(&storm, false, 499, 600) == NULL); // connections were still opened
    CHECK(mohs_storm_part(&storm, false, 500, 600) == &storm.before);
    mohs_storm_begin(&storm, 2, 1, 1000);
    CHECK(mohs_storm_part(&storm, true, 500, 999) == &storm.before);
    CHECK(mohs_storm_part(&storm, false, 500, 1000) == &storm.during); // it falls into it
    CHECK(mohs_storm_part(&storm, true, 500, 1000) == NULL);
    CHECK(mohs_storm_part(&storm, false, 9000, 9001) == &storm.during);
    mohs_storm_back(&storm, 2000);
    CHECK(mohs_storm_part(&storm, false, 2000, 2001) == &storm.during);
    CHECK(mohs_storm_part(&storm, false, 2001, 2002) == NULL);
    mohs_storm_free(&storm);
    CHECK(mohs_storm_part(&(struct mohs_storm){.share = 0}, false, 1, 2) == NULL);
}

/* ---- a load ---------------------------------------------------------------------------------- */

static const char events[] = "GET /events HTTP/1.1\r\nHost: a\r\n\r\n";
static const char socket_request[] =
    "GET /cable HTTP/1.1\r\nHost: a\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: " MOHS_STREAM_KEY "\r\n\r\n";

/* 20 connections, opened within 100 ms; a storm over a quarter of them after 400 ms. */
static struct mohs_streams *load_of(const struct sockaddr_in *address, const char *request) {
    struct mohs_streams *streams = streams_of(address, request, 20, 800);
    streams->open_per_s = 200;
    streams->drain_ns = MOHS_SECOND;
    streams->storm.share = 0.25;
    streams->storm.after_ns = 400 * MOHS_MILLISECOND;
    return streams;
}

static void run(struct mohs_streams *streams) {
    await(streams);
    const struct mohs_storm *storm = &streams->storm;
    CHECK_EQUAL(20, streams->counts.opened);
    CHECK_EQUAL(20, streams->openings.size);
    CHECK_EQUAL(0, streams->counts.failed);
    CHECK_EQUAL(5, storm->dropped);
    CHECK_EQUAL(5, storm->returns.size);
    CHECK_EQUAL(5, storm->back + storm->failed);
    CHECK(storm->began_ns >= streams->epoch_ns + storm->after_ns);
}

static enum deed two_events(unsigned long number, const char **answer) {
    (void)number;
    *answer = HEAD "data: a\n\ndata: b\n\n";
    return ANSWER;
}

TEST(dropped_streams_are_back_with_their_first_event) {
    struct server server;
    server_start(&server, two_events);
    struct mohs_streams *streams = load_of(&server.address, events);
    run(streams);
    const struct mohs_storm *storm = &streams->storm;
    CHECK_EQUAL(5, storm->back);
    CHECK_EQUAL(25, atomic_load(&server.accepted));
    CHECK_EQUAL(50, streams->counts.events);
    CHECK_EQUAL(20, streams->firsts.size); // those of the storm are its own
    CHECK_EQUAL(20, streams->counts.speaking);
    CHECK_EQUAL(0, streams->counts.dropped + streams->counts.away);
    CHECK_EQUAL(20, streams->ends[MOHS_STREAM_LASTS]);
    CHECK(storm->parts.half_ns > storm->began_ns && storm->parts.most_ns >= storm->parts.half_ns);
    CHECK(storm->parts.all_ns >= storm->began_ns + 20 * MOHS_MILLISECOND); // the fifth's turn
    CHECK_EQUAL(storm->parts.all_ns, storm->ended_ns);
    struct mohs_run returns;
    CHECK_EQUAL(1, mohs_recording_runs(&storm->returns, 0, 5, &returns, 1));
    for (size_t at = 0; at < returns.count; at++) {
        const struct mohs_record *record = &returns.records[at];
        uint64_t due = streams->epoch_ns + record->due_ns - storm->began_ns;
        CHECK_EQUAL(0, due % (5 * MOHS_MILLISECOND)); // 200 per second
        CHECK_EQUAL(MOHS_OK, record->error);
        CHECK(record->sent_ns > 0 && record->done_ns >= record->sent_ns);
    }
    free_load(streams);
    server_stop(&server);
}

static enum deed refuse_later(unsigned long number, const char **answer) {
    if (number <= 20) return two_events(number, answer);
    *answer = "HTTP/1.1 503 Busy\r\nContent-Length: 0\r\n\r\n";
    if (number == 21) return ANSWER;
    if (number == 22) return RESET;
    if (number == 23) return HANG;
    *answer = HEAD ": no event\n\n";
    return number == 24 ? ANSWER : ANSWER_AND_CLOSE;
}

TEST(a_stream_that_does_not_come_back_fails_by_class) {
    struct server server;
    server_start(&server, refuse_later);
    struct mohs_streams *streams = load_of(&server.address, events);
    run(streams);
    const struct mohs_storm *storm = &streams->storm;
    CHECK_EQUAL(5, storm->failed);
    CHECK_EQUAL(1, storm->errors[MOHS_WRONG_STATUS]);
    CHECK_EQUAL(1, storm->errors[MOHS_RESET_FRESH]);
    CHECK_EQUAL(2, storm->errors[MOHS_ABORTED]); // no answer, and no event
    CHECK_EQUAL(1, storm->errors[MOHS_CLOSED_BODY]);
    CHECK_EQUAL(3, streams->counts.away);
    CHECK_EQUAL(1, streams->counts.dropped);
    CHECK_EQUAL(0, storm->parts.half_ns + storm->parts.most_ns + storm->parts.all_ns);
    CHECK_EQUAL(503, streams->failed_response.status);
    free_load(streams);
    server_stop(&server);
}

/* The load is over before the last have to be opened again. What the others get then is no part of
 * it. */
TEST(connections_that_are_dropped_late_are_waited_for) {
    struct server server;
    server_start(&server, two_events);
    struct mohs_streams *streams = load_of(&server.address, events);
    streams->open_per_s = 20;
    streams->storm.after_ns = 1150 * MOHS_MILLISECOND;
    streams->duration_ns = 1260 * MOHS_MILLISECOND; // time for two or three of them
    streams->drain_ns = 20 * MOHS_SECOND;
    run(streams);
    CHECK_EQUAL(5, streams->storm.back);
    CHECK_EQUAL(0, streams->counts.away);
    CHECK(streams->loaded_ns < streams->storm.ended_ns);
    CHECK(streams->ended_ns - streams->loaded_ns < 10 * MOHS_SECOND);
    CHECK(streams->counts.events < 50); // the others' 40, and what came in time
    CHECK_EQUAL(20, streams->ends[MOHS_STREAM_LASTS]);
    free_load(streams);
    server_stop(&server);
}

/* Who has come, and never gets an event, is waited for as long as for messages. */
static enum deed silent_later(unsigned long number, const char **answer) {
    if (number <= 20) return two_events(number, answer);
    *answer = HEAD ": no event\n\n";
    return ANSWER;
}

TEST(a_dropped_connection_has_the_time_of_messages_to_come_back) {
    struct server server;
    server_start(&server, silent_later);
    struct mohs_streams *streams = load_of(&server.address, events);
    streams->drain_ns = 300 * MOHS_MILLISECOND;
    run(streams);
    CHECK_EQUAL(5, streams->storm.errors[MOHS_ABORTED]);
    CHECK(streams->ended_ns - streams->loaded_ns >= streams->drain_ns);
    struct mohs_run gaps; // a silence ends with the load
    uint64_t count = streams->gaps.size;
    CHECK_EQUAL(1, mohs_recording_runs(&streams->gaps, 0, count, &gaps, 1));
    for (size_t at = 0; at < gaps.count; at++) {
        const struct mohs_record *record = &gaps.records[at];
        uint64_t end = streams->epoch_ns + record->due_ns + record->done_ns;
        CHECK(end <= streams->loaded_ns);
    }
    free_load(streams);
    server_stop(&server);
}

/* Everybody is dropped, and nobody is let in again. */
static enum deed once(unsigned long number, const char **answer) {
    if (number <= 20) return two_events(number, answer);
    return CLOSE;
}

TEST(a_load_ends_when_nobody_comes_back) {
    struct server server;
    server_start(&server, once);
    struct mohs_streams *streams = load_of(&server.address, events);
    streams->storm.share = 1;
    streams->duration_ns = 20 * MOHS_SECOND;
    CHECK_EQUAL(0, mohs_streams_start(streams));
    while (!mohs_streams_wait(streams, 100)) continue;
    mohs_streams_join(streams);
    CHECK_EQUAL(20, streams->storm.errors[MOHS_CLOSED_FRESH]);
    CHECK_EQUAL(20, streams->counts.away);
    CHECK(streams->ended_ns - streams->epoch_ns < 10 * MOHS_SECOND);
    free_load(streams);
    server_stop(&server);
}

/* ---- WebSockets ------------------------------------------------------------------------------ */

/* The same with so many messages per second, from 100 ms on. */
static struct mohs_streams *talks_of(const struct echo_server *server, double rate) {
    struct mohs_streams *streams = load_of(&server->address, socket_request);
    streams->websocket = true;
    send_at(streams, rate);
    return streams;
}

static enum echo_deed always(unsigned long number, unsigned long connection) {
    (void)number, (void)connection;
    return ECHO;
}

TEST(dropped_websockets_are_back_when_they_are_open_and_talk_on) {
    struct echo_server server;
    echo_start(&server, always);
    struct mohs_streams *streams = talks_of(&server, 500);
    streams->drain_ns = 20 * MOHS_SECOND;
    run(streams);
    const struct mohs_storm *storm = &streams->storm;
    CHECK(streams->ended_ns - streams->loaded_ns < 10 * MOHS_SECOND); // nothing is waited for
    CHECK_EQUAL(5, storm->back);
    CHECK_EQUAL(25, server.accepted);
    CHECK_EQUAL(350, streams->messages.sent + storm->cut); // from 100 ms on
    CHECK_EQUAL(streams->messages.sent, streams->messages.received);
    CHECK_EQUAL(0, streams->messages.others + streams->messages.repeated + streams->unsent);
    CHECK_EQUAL(350 - storm->cut, streams->echoes.size);
    CHECK(storm->before.size > 0 && storm->during.size > 0);
    CHECK(storm->before.size + storm->during.size < streams->echoes.size);
    CHECK_EQUAL(0, streams->counts.away);
    free_load(streams);
    echo_stop(&server);
}

static enum echo_deed newcomers_only(unsigned long number, unsigned long connection) {
    (void)number;
    return connection > 20 ? ECHO : SWALLOW;
}

/* Whether the load has dropped the connection of a message that was due before. */
static bool cut_off(const struct mohs_streams *streams, const struct mohs_message *message) {
    const struct mohs_storm *storm = &streams->storm;
    bool gone = false;
    for (uint32_t at = 0; at < storm->dropped; at++)
        gone = gone || storm->numbers[at] == message->talk;
    return gone && message->due_ns < storm->began_ns && !message->came_ns;
}

/* What was under way on a connection that the load drops is no loss of the server's. */
TEST(messages_that_the_load_cuts_off_count_nowhere) {
    struct echo_server server;
    echo_start(&server, newcomers_only);
    struct mohs_streams *streams = talks_of(&server, 500);
    run(streams);
    const struct mohs_storm *storm = &streams->storm;
    uint64_t cut = 0;
    for (uint64_t at = 0; at < streams->messages.size; at++) {
        const struct mohs_message *message = &streams->messages.all[at];
        CHECK_EQUAL(cut_off(streams, message), message->cut);
        cut += message->cut;
    }
    CHECK(cut > 0);
    CHECK_EQUAL(cut, storm->cut);
    CHECK_EQUAL(350 - storm->cut, streams->echoes.size);
    CHECK_EQUAL(streams->echoes.size, streams->messages.sent + streams->unsent);
    CHECK(streams->messages.received > 0);
    free_load(streams);
    echo_stop(&server);
}

/* A message that fell due before any connection was open: on a host that is late at the start. */
static bool too_early(const struct mohs_streams *streams, const struct mohs_record *record) {
    bool before = streams->epoch_ns + record->due_ns < streams->storm.began_ns;
    return before && record->flags & MOHS_RECORD_QUEUED;
}

static enum echo_deed stand_still(unsigned long number, unsigned long connection) {
    (void)connection;
    if (number == 51) nanosleep(&(struct timespec){.tv_nsec = 400 * MOHS_MILLISECOND}, NULL);
    return ECHO_TO_ALL;
}

/* Two thirds of the messages from before the storm are under way as it begins, of which a quarter
 * is lost with those who sent them. How long the others took shows how long the server stood still.
 * It does not before the 51st, so that a host that opens connections 100 ms late opens all. */
TEST(a_message_to_all_is_still_waited_for_on_the_connections_that_stay) {
    struct echo_server server;
    echo_start(&server, stand_still);
    struct mohs_streams *streams = talks_of(&server, 500);
    streams->fans_out = true;
    streams->drain_ns = 20 * MOHS_SECOND;
    run(streams);
    const struct mohs_storm *storm = &streams->storm;
    CHECK(storm->cut <= 80); // 25 of 100, if all connections were open in time
    CHECK_EQUAL(350 - storm->cut, streams->alls.size);
    CHECK_EQUAL(streams->fan_out.due, streams->fan_out.came);
    struct mohs_run alls;
    CHECK_EQUAL(1, mohs_recording_runs(&streams->alls, 0, streams->alls.size, &alls, 1));
    uint64_t early = 0, longest = 0;
    for (size_t at = 0; at < alls.count; at++) {
        const struct mohs_record *record = &alls.records[at];
        if (!too_early(streams, record)) CHECK_EQUAL(MOHS_OK, record->error);
        early += streams->epoch_ns + record->due_ns < storm->began_ns;
        if (record->done_ns > longest) longest = record->done_ns;
    }
    CHECK(early >= 50);
    CHECK(longest >= 350 * MOHS_MILLISECOND);
    free_load(streams);
    echo_stop(&server);
}

static enum echo_deed pause_before_the_storm(unsigned long number, unsigned long connection) {
    (void)connection;
    if (number == 51) nanosleep(&(struct timespec){.tv_nsec = 400 * MOHS_MILLISECOND}, NULL);
    return ECHO;
}

/* The server lets nobody back for 200 ms. What falls due meanwhile is not the server's failure, but
 * it is late. */
TEST(messages_wait_while_a_storm_leaves_no_connection) {
    struct echo_server server;
    echo_start(&server, pause_before_the_storm);
    struct mohs_streams *streams = talks_of(&server, 500);
    streams->storm.share = 1;
    streams->drain_ns = 20 * MOHS_SECOND;
    CHECK_EQUAL(0, mohs_streams_start(streams));
    while (!mohs_streams_wait(streams, 100)) continue;
    mohs_streams_join(streams);
    const struct mohs_storm *storm = &streams->storm;
    CHECK_EQUAL(20, storm->back);
    CHECK_EQUAL(350 - storm->cut, streams->echoes.size);
    CHECK_EQUAL(streams->echoes.size, streams->messages.received + streams->unsent);
    uint64_t late = 0;
    struct mohs_run echoes;
    CHECK_EQUAL(1, mohs_recording_runs(&streams->echoes, 0, streams->echoes.size, &echoes, 1));
    for (size_t at = 0; at < echoes.count; at++) {
        const struct mohs_record *record = &echoes.records[at];
        if (!too_early(streams, record)) CHECK_EQUAL(MOHS_OK, record->error);
        late += record->error == MOHS_OK && record->sent_ns > 50 * MOHS_MILLISECOND;
    }
    CHECK(late > 20 && late < 250); // of 200 ms, 150: 75
    CHECK(streams->ended_ns - streams->loaded_ns < 10 * MOHS_SECOND);
    free_load(streams);
    echo_stop(&server);
}

int main(void) {
    RUN(a_share_is_chosen_at_random_and_nobody_twice);
    RUN(at_least_one_is_dropped_and_at_most_all);
    RUN(the_times_are_those_of_the_connections_that_complete_a_share);
    RUN(what_the_others_saw_is_before_or_meanwhile);
    RUN(dropped_streams_are_back_with_their_first_event);
    RUN(a_stream_that_does_not_come_back_fails_by_class);
    RUN(connections_that_are_dropped_late_are_waited_for);
    RUN(a_dropped_connection_has_the_time_of_messages_to_come_back);
    RUN(a_load_ends_when_nobody_comes_back);
    RUN(dropped_websockets_are_back_when_they_are_open_and_talk_on);
    RUN(messages_that_the_load_cuts_off_count_nowhere);
    RUN(a_message_to_all_is_still_waited_for_on_the_connections_that_stay);
    RUN(messages_wait_while_a_storm_leaves_no_connection);
    return report();
}
