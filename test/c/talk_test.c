/* WebSockets to a server that echoes, or does otherwise: what is sent, comes back, and is lost. */
#include "core/talk.h"

#include <signal.h>
#include <sys/wait.h>
#include <time.h>

#include "core/clock.h"
#include "echo.h"
#include "streaming.h"

static const char request[] =
    "GET /cable?" MOHS_STREAM_KEY " HTTP/1.1\r\nHost: a\r\nUpgrade: websocket\r\n"
    "Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
    "Sec-WebSocket-Key: " MOHS_STREAM_KEY "\r\n\r\n";

/* A load of 4 connections for `ms`, with so many messages per second. Times leave room for a busy
 * machine: the last connection is due 100 ms before the first message. */
static struct mohs_streams *load_of(const struct echo_server *server, uint64_t ms, double rate) {
    struct mohs_streams *streams = streams_of(&server->address, request, 4, ms);
    streams->websocket = true;
    streams->open_per_s = 10; // messages are due from 400 ms on
    streams->drain_ns = MOHS_SECOND;
    send_at(streams, rate);
    return streams;
}

static void run(struct mohs_streams *streams) {
    await(streams);
    CHECK_EQUAL(streams->messages.sent + streams->unsent, streams->echoes.size);
}

static enum echo_deed always(unsigned long number, unsigned long connection) {
    (void)number, (void)connection;
    return ECHO;
}

TEST(every_message_comes_back) {
    struct echo_server server;
    echo_start(&server, always);
    struct mohs_streams *streams = load_of(&server, 600, 1000);
    run(streams);
    CHECK_EQUAL(4, streams->counts.opened);
    CHECK_EQUAL(200, streams->messages.sent); // from 400 ms on
    CHECK_EQUAL(200, streams->messages.received);
    CHECK_EQUAL(200, streams->counts.events);
    CHECK_EQUAL(0, streams->messages.disordered + streams->messages.repeated +
                       streams->messages.others + streams->unsent + streams->counts.dropped);
    CHECK_EQUAL(4, streams->ends[MOHS_STREAM_LASTS]);
    struct mohs_run records;
    CHECK_EQUAL(1, mohs_recording_runs(&streams->echoes, 0, 200, &records, 1));
    for (size_t at = 0; at < records.count; at++) {
        const struct mohs_record *record = &records.records[at];
        CHECK_EQUAL(400 * MOHS_MILLISECOND + at * MOHS_MILLISECOND, record->due_ns);
        CHECK_EQUAL(MOHS_OK, record->error);
        CHECK_EQUAL((streams->messages.all[at].talk), record->connection);
        CHECK(record->done_ns > 0);
    }
    for (size_t at = 0; at < 200; at++) CHECK_EQUAL(at % 4, streams->messages.all[at].talk);
    free_load(streams);
    echo_stop(&server);
    CHECK_EQUAL(4, atomic_load(&server.closes)); // it says goodbye
}

TEST(a_brief_load_ends_when_all_are_open_and_the_messages_came_back) {
    struct echo_server server;
    echo_start(&server, always);
    struct mohs_streams *streams = load_of(&server, 20000, 1000);
    streams->brief = true;
    streams->count = 8;
    run(streams);
    CHECK_EQUAL(4, streams->counts.opened);
    CHECK_EQUAL(8, streams->messages.sent);
    CHECK_EQUAL(8, streams->messages.received);
    free_load(streams);
    streams = load_of(&server, 20000, 1000);
    streams->brief = true;
    streams->arrivals.kind = MOHS_CLOSED_LOOP; // no messages
    run(streams);
    CHECK_EQUAL(4, streams->counts.opened);
    CHECK(streams->ended_ns - streams->epoch_ns < 10 * MOHS_SECOND);
    free_load(streams);
    echo_stop(&server);
}

static enum echo_deed mixed(unsigned long number, unsigned long connection) {
    (void)connection;
    switch (number % 40) {
    case 5:
        return SWALLOW;
    case 10:
        return TWICE;
    case 15:
        return DELAY;
    case 20:
        return ANOTHER;
    case 25:
        return PING_FIRST;
    default:
        return ECHO;
    }
}

TEST(what_a_server_does_otherwise_is_counted) {
    struct echo_server server;
    echo_start(&server, mixed);
    struct mohs_streams *streams = load_of(&server, 600, 1000);
    uint64_t begun = mohs_now_ns();
    run(streams);
    CHECK_EQUAL(200, streams->messages.sent);
    CHECK_EQUAL(195, streams->messages.received);
    CHECK_EQUAL(5, streams->messages.repeated);
    CHECK_EQUAL(5, streams->messages.disordered);
    CHECK_EQUAL(5, streams->messages.others);
    CHECK_EQUAL(5, atomic_load(&server.pongs));
    CHECK_EQUAL(0, streams->counts.dropped);
    CHECK(mohs_now_ns() - begun >= 1600 * MOHS_MILLISECOND); // it waited for the lost ones
    struct mohs_run records;
    uint64_t lost = 0;
    mohs_recording_runs(&streams->echoes, 0, 200, &records, 1);
    for (size_t at = 0; at < records.count; at++) {
        const struct mohs_record *record = &records.records[at];
        lost += record->error == MOHS_ABORTED && record->flags & MOHS_RECORD_IN_FLIGHT;
    }
    CHECK_EQUAL(5, lost);
    free_load(streams);
    echo_stop(&server);
}

static enum echo_deed end_each(unsigned long number, unsigned long connection) {
    static const enum echo_deed deeds[] = {SAY_CLOSE, CUT, NONSENSE, CUT};
    (void)number;
    return deeds[(connection - 1) % 4];
}

TEST(connections_that_end_take_their_messages_with_them) {
    struct echo_server server;
    echo_start(&server, end_each);
    struct mohs_streams *streams = load_of(&server, 20000, 1000);
    run(streams);
    CHECK_EQUAL(4, streams->counts.dropped);
    CHECK_EQUAL(1, streams->ends[MOHS_STREAM_ENDED]);
    CHECK_EQUAL(1, streams->ends[MOHS_STREAM_BROKEN]);
    CHECK_EQUAL(2, streams->ends[MOHS_STREAM_CLOSED]);
    CHECK_EQUAL(0, streams->messages.received);
    CHECK(streams->ended_ns - streams->epoch_ns < 10 * MOHS_SECOND); // nothing is left to wait for
    struct mohs_run records;
    mohs_recording_runs(&streams->echoes, 0, streams->echoes.size, &records, 1);
    uint64_t gone = 0; // none that fell due later was sent
    for (size_t at = 0; at < records.count; at++)
        gone += records.records[at].error == MOHS_CLOSED_FRESH;
    CHECK(gone >= 4);
    free_load(streams);
    echo_stop(&server);
}

TEST(answers_that_are_no_upgrade_fail_by_class) {
    const struct {
        const char *answer;
        enum mohs_error error;
    } cases[] = {
        {"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok", MOHS_WRONG_STATUS},
        {"HTTP/1.1 101 No\r\n\r\n", MOHS_BAD_UPGRADE},
        {"HTTP/1.1 101 No\r\nUpgrade: websocket\r\nConnection: upgrade\r\n"
         "Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n\r\n",
         MOHS_BAD_UPGRADE},
        {"nothing like it\r\n", MOHS_BAD_STATUS_LINE},
    };
    for (size_t at = 0; at < sizeof cases / sizeof *cases; at++) {
        struct echo_server server;
        echo_start(&server, always);
        server.answer = cases[at].answer;
        struct mohs_streams *streams = load_of(&server, 20000, 100);
        run(streams);
        CHECK_EQUAL(4, streams->errors[cases[at].error]);
        CHECK_EQUAL(0, streams->messages.sent);
        free_load(streams);
        echo_stop(&server);
    }
}

TEST(the_proofs_of_an_upgrade) {
    const struct {
        const char *name, *value;
    } headers[] = {{"Upgrade", "WebSocket"},
                   {"Connection", "keep-alive ,Upgrade"},
                   {"Sec-WebSocket-Accept", "s3pPLMBiTxaQ9kYGzzhZRbK+xOo="}};
    for (size_t left_out = 0; left_out <= 3; left_out++) {
        struct mohs_upgrade upgrade = {.key = "dGhlIHNhbXBsZSBub25jZQ=="};
        for (size_t at = 0; at < 3; at++) {
            const char *name = headers[at].name, *value = headers[at].value;
            if (at == left_out) continue;
            mohs_upgrade_tell(&upgrade, (struct mohs_span){name, strlen(name)},
                              (struct mohs_span){value, strlen(value)});
        }
        CHECK_EQUAL(left_out == 3, mohs_upgrade_proven(&upgrade));
        struct mohs_span extension = {"Sec-WebSocket-Extensions", 24};
        mohs_upgrade_tell(&upgrade, extension, (struct mohs_span){"permessage-deflate", 18});
        CHECK(!mohs_upgrade_proven(&upgrade));
    }
}

/* Three headers that prove an upgrade, and one more. */
static bool proven_with(const char *name, const char *value, const char *offered) {
    struct mohs_upgrade upgrade = {.key = "dGhlIHNhbXBsZSBub25jZQ==",
                                   .protocols = {offered, strlen(offered)}};
    const char *headers[][2] = {{"Upgrade", "websocket"},
                                {"Connection", "Upgrade"},
                                {"Sec-WebSocket-Accept", "s3pPLMBiTxaQ9kYGzzhZRbK+xOo="},
                                {name, value}};
    for (size_t at = 0; at < 4; at++)
        mohs_upgrade_tell(&upgrade, (struct mohs_span){headers[at][0], strlen(headers[at][0])},
                          (struct mohs_span){headers[at][1], strlen(headers[at][1])});
    return mohs_upgrade_proven(&upgrade);
}

TEST(what_refutes_an_upgrade) {
    CHECK(proven_with("Server", "a", ""));
    CHECK(!proven_with("Sec-WebSocket-Accept", "nonsense", ""));
    CHECK(!proven_with("Sec-WebSocket-Accept", "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=", ""));
    CHECK(!proven_with("Sec-WebSocket-Protocol", "never-asked", ""));
    CHECK(!proven_with("Sec-WebSocket-Protocol", "never-asked", " soap, wamp"));
    CHECK(proven_with("Sec-WebSocket-Protocol", "wamp", " soap, wamp"));
}

TEST(a_request_without_a_place_for_its_key_is_refused) {
    struct echo_server server;
    struct mohs_check check = {.mode = MOHS_CHECK_STATUS};
    echo_start(&server, always);
    struct mohs_streams *streams = load_of(&server, 100, 100);
    mohs_target_free(&streams->target);
    mohs_target_set_address(&streams->target, &server.address, sizeof server.address);
    mohs_target_add_request(&streams->target, "GET / HTTP/1.1\r\n\r\n", 18, 1, false, &check);
    streams->target.connections = 1;
    CHECK_EQUAL(-EINVAL, mohs_streams_start(streams));
    free_load(streams);
    echo_stop(&server);
}

static enum echo_deed cut_second(unsigned long number, unsigned long connection) {
    (void)connection;
    return number == 2 ? CUT : ECHO;
}

TEST(nothing_is_waited_for_that_went_with_its_connection) {
    struct echo_server server;
    echo_start(&server, cut_second);
    struct mohs_streams *streams = load_of(&server, 500, 200);
    streams->drain_ns = 20 * MOHS_SECOND;
    run(streams);
    CHECK_EQUAL(1, streams->counts.dropped);
    CHECK_EQUAL(20, streams->echoes.size);
    CHECK(streams->messages.received < streams->messages.sent);
    CHECK(streams->ended_ns - streams->epoch_ns < 10 * MOHS_SECOND);
    free_load(streams);
    echo_stop(&server);
}

static void stop_for(uint64_t ns) {
    pid_t child = fork();
    if (child == 0) {
        struct timespec time = mohs_timespec_of(ns);
        kill(getppid(), SIGSTOP);
        nanosleep(&time, NULL);
        kill(getppid(), SIGCONT);
        _exit(0);
    }
    CHECK_EQUAL(child, waitpid(child, NULL, 0));
}

/* 6000 messages fall due within 600 ms, and this process stands still beyond that: all of them are
 * sent late, and have their time to come back. */
TEST(messages_that_fell_due_while_the_driver_stood_still_count) {
    struct echo_server server;
    echo_start(&server, always);
    struct mohs_streams *streams = load_of(&server, 1000, 10000);
    CHECK_EQUAL(0, mohs_streams_start(streams));
    mohs_streams_wait(streams, 450);
    stop_for(2500 * MOHS_MILLISECOND);
    while (!mohs_streams_wait(streams, 100)) continue;
    mohs_streams_join(streams);
    CHECK_EQUAL(6000, streams->messages.sent + streams->unsent);
    CHECK_EQUAL(6000, streams->messages.received);
    CHECK_EQUAL(6000, streams->echoes.size);
    free_load(streams);
    echo_stop(&server);
}

/* A load that is stopped has the messages that fell due until then, sent or not. */
TEST(messages_that_are_not_begun_in_time_are_unsent) {
    struct echo_server server;
    echo_start(&server, always);
    struct mohs_streams *streams = load_of(&server, 600, 5e6);
    streams->drain_ns = 1;
    run(streams);
    CHECK_EQUAL(1000000, streams->echoes.size);
    CHECK(streams->unsent > 0);
    free_load(streams);
    echo_stop(&server);
}

static enum echo_deed swallow_last(unsigned long number, unsigned long connection) {
    (void)connection;
    return number < 20 ? ECHO : SWALLOW;
}

/* The server's end after the time of the load is no drop, and draining takes no time of it. */
TEST(what_ends_while_echoes_are_waited_for_has_lasted) {
    struct echo_server server;
    echo_start(&server, swallow_last);
    struct mohs_streams *streams = load_of(&server, 500, 200);
    streams->drain_ns = 20 * MOHS_SECOND;
    CHECK_EQUAL(0, mohs_streams_start(streams));
    mohs_streams_wait(streams, 1000);
    for (nfds_t at = 2; at < 6; at++) shutdown(server.fds[at].fd, SHUT_RDWR);
    while (!mohs_streams_wait(streams, 100)) continue;
    mohs_streams_join(streams);
    CHECK_EQUAL(0, streams->counts.dropped);
    CHECK_EQUAL(4, streams->ends[MOHS_STREAM_LASTS]);
    CHECK_EQUAL(1, streams->messages.sent - streams->messages.received);
    CHECK(streams->loaded_ns - streams->epoch_ns < 900 * MOHS_MILLISECOND);
    CHECK(streams->ended_ns - streams->loaded_ns < 10 * MOHS_SECOND);
    free_load(streams);
    echo_stop(&server);
}

/* A socket that takes no more: messages wait, in order, and are sent when there is room. */
TEST(messages_wait_while_the_socket_is_full) {
    int pair[2], small = 1;
    char bytes[65536];
    struct mohs_messages messages;
    static struct mohs_talk talk;
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, pair)) abort();
    setsockopt(pair[0], SOL_SOCKET, SO_SNDBUF, &small, sizeof small);
    CHECK_EQUAL(0, mohs_messages_init(&messages, 10000));
    static char frame[MOHS_WS_CONTROL_MAX + MOHS_WS_HEAD_MAX];
    mohs_talk_begin(&talk, &messages, 0, frame);
    bool left = false;
    while (!left && messages.size < 10000) {
        mohs_talk_add(&talk, &messages, 1);
        left = mohs_talk_send(&talk, &messages, pair[0]);
    }
    CHECK(left);
    for (int more = 0; more < 10; more++) mohs_talk_add(&talk, &messages, 1);
    uint64_t sent = messages.sent;
    CHECK(mohs_talk_send(&talk, &messages, pair[0]));
    CHECK_EQUAL(sent, messages.sent);
    ssize_t size, total = 0;
    do {
        while ((size = recv(pair[1], bytes, sizeof bytes, 0)) > 0) total += size;
    } while (mohs_talk_send(&talk, &messages, pair[0]));
    while ((size = recv(pair[1], bytes, sizeof bytes, 0)) > 0) total += size;
    CHECK_EQUAL(messages.size, messages.sent);
    CHECK_EQUAL(messages.size * (MOHS_MESSAGE_BYTES + 6), total);
    mohs_messages_free(&messages);
    close(pair[0]);
    close(pair[1]);
}

/* The text of message `number` from a server. */
static void hear_number(struct mohs_talk *talk, struct mohs_messages *messages, uint64_t number,
                        uint64_t came_ns) {
    char frame[2 + MOHS_MESSAGE_BYTES] = {(char)0x81, MOHS_MESSAGE_BYTES};
    mohs_message_write(frame + 2, number);
    CHECK_EQUAL(MOHS_TALK_GOES_ON, mohs_talk_read(talk, messages, frame, sizeof frame, came_ns));
}

/* What a server still has of a load before this one, with the same numbers, is not its echo. */
TEST(messages_of_another_load_are_others) {
    static struct mohs_talk talk;
    struct mohs_messages messages;
    char frame[MOHS_WS_CONTROL_MAX + MOHS_WS_HEAD_MAX];
    CHECK_EQUAL(0, mohs_messages_init(&messages, 10));
    messages.mark = 7;
    messages.size = 1;
    messages.all[0] = (struct mohs_message){.due_ns = 90, .sent_ns = 100, .talk = 0};
    mohs_talk_begin(&talk, &messages, 0, frame);
    talk.since_ns = 1;
    hear_number(&talk, &messages, 0, 120);
    hear_number(&talk, &messages, 8ull << 32, 121);
    CHECK_EQUAL(0, messages.received);
    CHECK_EQUAL(2, messages.others);
    hear_number(&talk, &messages, 7ull << 32, 122);
    CHECK_EQUAL(1, messages.received);
    mohs_messages_free(&messages);
}

TEST(each_load_marks_its_messages_otherwise) {
    struct echo_server server;
    uint32_t marks[2];
    echo_start(&server, always);
    for (int load = 0; load < 2; load++) {
        struct mohs_streams *streams = load_of(&server, 450, 100);
        run(streams);
        CHECK_EQUAL(5, streams->messages.received);
        marks[load] = streams->messages.mark;
        free_load(streams);
    }
    CHECK(marks[0] != marks[1]);
    echo_stop(&server);
}

/* A connection that opens after a message was sent is not one of those that should get it. */
TEST(a_newcomer_does_not_count_for_a_message_from_before) {
    static struct mohs_talk talks[2];
    struct mohs_messages messages;
    struct mohs_fan_out fan_out;
    char frame[MOHS_WS_CONTROL_MAX + MOHS_WS_HEAD_MAX];
    CHECK_EQUAL(0, mohs_messages_init(&messages, 10));
    CHECK_EQUAL(0, mohs_fan_out_init(&fan_out, 10, 2));
    messages.fan_out = &fan_out;
    messages.size = 1;
    messages.all[0] = (struct mohs_message){.due_ns = 90, .sent_ns = 100, .talk = 0};
    mohs_fan_out_sent(&fan_out, 0, 1);
    for (uint32_t at = 0; at < 2; at++) mohs_talk_begin(&talks[at], &messages, at, frame);
    talks[0].since_ns = 100;
    talks[1].since_ns = 101;
    hear_number(&talks[1], &messages, 0, 120);
    CHECK_EQUAL(0, fan_out.came);
    CHECK_EQUAL(0, fan_out.fans[0].parts.all_ns);
    CHECK_EQUAL(0, messages.others);
    hear_number(&talks[0], &messages, 0, 150);
    CHECK_EQUAL(1, fan_out.came);
    CHECK_EQUAL(150, fan_out.fans[0].parts.all_ns);
    CHECK_EQUAL(1, messages.received);
    mohs_fan_out_free(&fan_out);
    mohs_messages_free(&messages);
}

int main(void) {
    RUN(every_message_comes_back);
    RUN(a_brief_load_ends_when_all_are_open_and_the_messages_came_back);
    RUN(what_a_server_does_otherwise_is_counted);
    RUN(connections_that_end_take_their_messages_with_them);
    RUN(answers_that_are_no_upgrade_fail_by_class);
    RUN(the_proofs_of_an_upgrade);
    RUN(what_refutes_an_upgrade);
    RUN(a_request_without_a_place_for_its_key_is_refused);
    RUN(nothing_is_waited_for_that_went_with_its_connection);
    RUN(messages_that_fell_due_while_the_driver_stood_still_count);
    RUN(messages_that_are_not_begun_in_time_are_unsent);
    RUN(what_ends_while_echoes_are_waited_for_has_lasted);
    RUN(messages_wait_while_the_socket_is_full);
    RUN(messages_of_another_load_are_others);
    RUN(each_load_marks_its_messages_otherwise);
    RUN(a_newcomer_does_not_count_for_a_message_from_before);
    return report();
}
