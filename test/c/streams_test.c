/* Event streams from a scripted server: what is opened, counted, dropped and refused. */
#include "core/streams.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/un.h>

#include "server.h"
#include "streaming.h"

#define HEAD  "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n"
#define CHUNK "Transfer-Encoding: chunked\r\n\r\n"

static const char request[] = "GET /events HTTP/1.1\r\nHost: a\r\n\r\n";

/* Makes a load of the server, which is not started. */
static struct mohs_streams *load_of(const struct server *server, uint32_t connections,
                                    uint64_t ms) {
    struct mohs_streams *streams = streams_of(&server->address, request, connections, ms);
    streams->open_per_s = 2000;
    return streams;
}

static void run(struct mohs_streams *streams) {
    await(streams);
    CHECK_EQUAL(streams->counts.asked, streams->counts.opened + streams->counts.failed);
    CHECK_EQUAL(streams->counts.asked, streams->openings.size);
    CHECK_EQUAL(streams->counts.opened, streams->firsts.size);
    CHECK_EQUAL(streams->counts.dropped, count_of(&streams->drops, MOHS_DROPPED));
}

static enum deed three_events(unsigned long number, const char **answer) {
    (void)number;
    *answer = HEAD CHUNK "9\r\ndata: a\n\n\r\n1\r\n:\r\n1\r\n\n\r\n16\r\ndata: b\n\nid: 1\ndata:c"
                         "\n\r\n1\r\n\n\r\n3\r\nda";
    return ANSWER;
}

TEST(events_are_counted_and_streams_last_until_the_end) {
    struct server server;
    server_start(&server, three_events);
    struct mohs_streams *streams = load_of(&server, 20, 300);
    run(streams);
    CHECK_EQUAL(20, streams->counts.opened);
    CHECK_EQUAL(20, streams->counts.speaking);
    CHECK_EQUAL(60, streams->counts.events);
    CHECK_EQUAL(60, streams->counts.bytes);
    CHECK_EQUAL(0, streams->counts.failed + streams->counts.dropped);
    CHECK_EQUAL(20, streams->ends[MOHS_STREAM_LASTS]);
    CHECK_EQUAL(20, count_of(&streams->openings, MOHS_OK));
    CHECK_EQUAL(20, count_of(&streams->firsts, MOHS_OK));
    CHECK_EQUAL(40, count_of(&streams->gaps, MOHS_OK));
    CHECK_EQUAL(20, count_of(&streams->gaps, MOHS_ABORTED)); // silent for longer than any gap
    CHECK(streams->ended_ns - streams->epoch_ns >= 300 * MOHS_MILLISECOND);
    CHECK_EQUAL(20, atomic_load(&server.accepted));
    CHECK_EQUAL(20, atomic_load(&server.requests));
    struct mohs_run openings;
    mohs_recording_runs(&streams->openings, 0, 20, &openings, 1);
    for (size_t at = 0; at < 20; at++) {
        const struct mohs_record *record = &openings.records[at];
        CHECK_EQUAL(record->connection * 500 * MOHS_MICROSECOND, record->due_ns);
        CHECK(record->sent_ns > 0 && record->first_ns >= record->sent_ns);
        CHECK(record->done_ns >= record->first_ns);
        CHECK_EQUAL(200, record->status);
    }
    free_load(streams);
    server_stop(&server);
}

static enum deed no_event(unsigned long number, const char **answer) {
    (void)number;
    *answer = HEAD "\r\n: welcome\n\ndata: never complete";
    return ANSWER;
}

TEST(a_stream_without_an_event_is_open_and_its_first_event_in_flight) {
    struct server server;
    server_start(&server, no_event);
    struct mohs_streams *streams = load_of(&server, 3, 100);
    run(streams);
    CHECK_EQUAL(3, streams->counts.opened);
    CHECK_EQUAL(0, streams->counts.speaking + streams->counts.events + streams->gaps.size);
    CHECK_EQUAL(3, count_of(&streams->firsts, MOHS_ABORTED));
    CHECK_EQUAL(3, streams->ends[MOHS_STREAM_LASTS]);
    free_load(streams);
    server_stop(&server);
}

static const char *const endings[] = {
    HEAD CHUNK "9\r\ndata: a\n\n\r\n0\r\n\r\n",  // ended
    HEAD CHUNK "9\r\ndata: a\n\n\r\n9\r\ndata",  // closed
    HEAD "\r\ndata: a\n\n",                      // ended: only closing can end it
    HEAD "Content-Length: 9\r\n\r\ndata: a\n\n", // ended
    HEAD CHUNK "9\r\ndata: a\n\n\r\nz\r\n",      // broken
    HEAD CHUNK "9\r\ndata: a\n\n!!\r\n",         // broken
};

static enum deed end_each(unsigned long number, const char **answer) {
    *answer = endings[(number - 1) % 6];
    return ANSWER_AND_CLOSE;
}

TEST(dropped_streams_are_counted_by_how_they_ended) {
    struct server server;
    server_start(&server, end_each);
    struct mohs_streams *streams = load_of(&server, 12, 3000);
    run(streams);
    CHECK_EQUAL(12, streams->counts.opened);
    CHECK_EQUAL(12, streams->counts.dropped);
    CHECK_EQUAL(12, streams->counts.events);
    CHECK_EQUAL(0, streams->ends[MOHS_STREAM_LASTS]);
    CHECK_EQUAL(6, streams->ends[MOHS_STREAM_ENDED]);
    CHECK_EQUAL(2, streams->ends[MOHS_STREAM_CLOSED]);
    CHECK_EQUAL(4, streams->ends[MOHS_STREAM_BROKEN]);
    CHECK(streams->ended_ns - streams->epoch_ns < 2 * MOHS_SECOND); // nothing is left to wait for
    free_load(streams);
    server_stop(&server);
}

/* Two events, then silence. */
static enum deed fall_silent(unsigned long number, const char **answer) {
    *answer = HEAD CHUNK "9\r\ndata: a\n\n\r\n9\r\ndata: b\n\n\r\n";
    (void)number;
    return ANSWER;
}

TEST(a_silence_that_ends_in_a_drop_is_a_gap_without_an_end) {
    struct server server;
    server_start(&server, fall_silent);
    struct mohs_streams *streams = load_of(&server, 2, 20000);
    CHECK_EQUAL(0, mohs_streams_start(streams));
    mohs_streams_wait(streams, 300);
    for (nfds_t at = 2; at < 4; at++) shutdown(server.fds[at].fd, SHUT_RDWR);
    while (!mohs_streams_wait(streams, 100)) continue;
    mohs_streams_join(streams);
    CHECK_EQUAL(2, streams->counts.dropped);
    CHECK_EQUAL(2, count_of(&streams->gaps, MOHS_OK));
    CHECK_EQUAL(2, count_of(&streams->gaps, MOHS_CLOSED_BODY));
    free_load(streams);
    server_stop(&server);
}

/* One event, then silence. */
static enum deed one_event(unsigned long number, const char **answer) {
    *answer = HEAD CHUNK "9\r\ndata: a\n\n\r\n";
    (void)number;
    return ANSWER;
}

/* What a silence is compared with is the stream's own, however long another one paused once. */
TEST(a_long_gap_of_one_stream_does_not_hide_the_silence_of_another) {
    struct server server;
    server_start(&server, fall_silent);
    struct mohs_streams *streams = load_of(&server, 2, 20000);
    struct mohs_stream_counts counts = {0};
    streams->open_per_s = 4; // the second begins when the first is silent
    CHECK_EQUAL(0, mohs_streams_start(streams));
    while (counts.events < 4 && !mohs_streams_wait(streams, 1)) mohs_streams_live(streams, &counts);
    mohs_streams_wait(streams, 200);
    CHECK_EQUAL(9 + 6, send(server.fds[2].fd, "9\r\ndata: c\n\n\r\n", 9 + 6, MSG_NOSIGNAL));
    while (counts.events < 5 && !mohs_streams_wait(streams, 1)) mohs_streams_live(streams, &counts);
    mohs_streams_stop(streams);
    mohs_streams_join(streams);
    struct mohs_run gaps[2];
    CHECK_EQUAL(1, mohs_recording_runs(&streams->gaps, 0, streams->gaps.size, gaps, 2));
    uint64_t longest = 0, silence = 0;
    for (size_t at = 0; at < gaps[0].count; at++) {
        const struct mohs_record *record = &gaps[0].records[at];
        if (record->error == MOHS_OK && record->done_ns > longest) longest = record->done_ns;
        if (record->error == MOHS_ABORTED && record->connection == 1) silence = record->done_ns;
    }
    CHECK(silence >= 200 * MOHS_MILLISECOND);
    CHECK(silence < longest);
    free_load(streams);
    server_stop(&server);
}

/* One event each, and a second one of the first. */
TEST(a_stream_without_a_gap_of_its_own_is_compared_with_the_others) {
    struct server server;
    server_start(&server, one_event);
    struct mohs_streams *streams = load_of(&server, 2, 20000);
    struct mohs_stream_counts counts = {0};
    streams->open_per_s = 2;
    CHECK_EQUAL(0, mohs_streams_start(streams));
    while (counts.events < 2 && !mohs_streams_wait(streams, 1)) mohs_streams_live(streams, &counts);
    CHECK_EQUAL(9 + 6, send(server.fds[2].fd, "9\r\ndata: b\n\n\r\n", 9 + 6, MSG_NOSIGNAL));
    while (counts.events < 3 && !mohs_streams_wait(streams, 1)) mohs_streams_live(streams, &counts);
    mohs_streams_stop(streams);
    mohs_streams_join(streams);
    CHECK_EQUAL(1, streams->gaps.size); // of 500 ms or more
    free_load(streams);
    server_stop(&server);
}

static enum deed refuse_each(unsigned long number, const char **answer) {
    static const char *const answers[] = {
        "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 5\r\n\r\nhello",
        "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello",
        "HTTP/1.1 503 Busy\r\nContent-Type: text/event-stream\r\nContent-Length: 0\r\n\r\n",
        "HTTP/1.1 204 No Content\r\n\r\n",
        "SSH-2.0-OpenSSH\r\n",
        "HTTP/1.1 200 OK\r\nContent-Type: text/ev",
    };
    *answer = answers[(number - 1) % 8 < 6 ? (number - 1) % 8 : 0];
    if (number % 8 == 7) return CLOSE;
    if (number % 8 == 0) return RESET;
    return number % 8 == 6 ? ANSWER_AND_CLOSE : ANSWER;
}

TEST(answers_that_are_no_event_stream_fail_by_class) {
    struct server server;
    server_start(&server, refuse_each);
    struct mohs_streams *streams = load_of(&server, 8, 3000);
    streams->open_per_s = 100; // one after the other
    run(streams);
    CHECK_EQUAL(8, streams->counts.failed);
    CHECK_EQUAL(2, streams->errors[MOHS_WRONG_TYPE]);
    CHECK_EQUAL(2, streams->errors[MOHS_WRONG_STATUS]);
    CHECK_EQUAL(1, streams->errors[MOHS_BAD_STATUS_LINE]);
    CHECK_EQUAL(1, streams->errors[MOHS_CLOSED_HEADER]);
    CHECK_EQUAL(1, streams->errors[MOHS_CLOSED_FRESH]);
    CHECK_EQUAL(1, streams->errors[MOHS_RESET_FRESH]);
    CHECK_EQUAL(200, streams->failed_response.status);
    CHECK_EQUAL(MOHS_WRONG_TYPE, streams->failed_response.error);
    CHECK_EQUAL(5, streams->failed_response.size);
    CHECK(memcmp("hello", streams->failed_response.bytes, 5) == 0);
    free_load(streams);
    server_stop(&server);
}

static enum deed hang(unsigned long number, const char **answer) {
    (void)number, (void)answer;
    return HANG;
}

TEST(a_server_that_does_not_answer_is_in_flight_or_timed_out) {
    struct server server;
    server_start(&server, hang);
    struct mohs_streams *streams = load_of(&server, 2, 100);
    run(streams);
    CHECK_EQUAL(2, streams->errors[MOHS_ABORTED]);
    free_load(streams);
    streams = load_of(&server, 2, 3000);
    streams->target.timeout_ns = 20 * MOHS_MILLISECOND;
    run(streams);
    CHECK_EQUAL(2, streams->errors[MOHS_TIMEOUT_FIRST]);
    free_load(streams);
    server_stop(&server);
}

TEST(nobody_listens) {
    struct server server;
    close(server_listen(&server.address));
    struct mohs_streams *streams = load_of(&server, 4, 3000);
    run(streams);
    CHECK_EQUAL(4, streams->errors[MOHS_REFUSED]);
    free_load(streams);
}

TEST(it_ends_after_enough_events_or_when_stopped) {
    struct server server;
    server_start(&server, three_events);
    struct mohs_streams *streams = load_of(&server, 100, 10000);
    streams->open_per_s = 10;
    streams->count = 3;
    run(streams);
    CHECK_EQUAL(3, streams->counts.events);
    CHECK_EQUAL(1, streams->counts.asked);
    free_load(streams);
    streams = load_of(&server, 2, 10000);
    CHECK_EQUAL(0, mohs_streams_start(streams));
    struct mohs_stream_counts counts = {0};
    for (int turn = 0; turn < 500 && counts.events < 6; turn++) {
        mohs_streams_wait(streams, 10);
        mohs_streams_live(streams, &counts);
    }
    CHECK_EQUAL(6, counts.events);
    mohs_streams_stop(streams);
    mohs_streams_join(streams);
    CHECK(streams->ended_ns - streams->epoch_ns < 8 * MOHS_SECOND);
    CHECK(mohs_streams_bytes(streams) > 0);
    free_load(streams);
    server_stop(&server);
}

/* Three events at once, an end without any, a refusal, three events. */
static enum deed speak_or_not(unsigned long number, const char **answer) {
    if (number == 2) *answer = HEAD CHUNK "0\r\n\r\n";
    else if (number == 3) *answer = "HTTP/1.1 404 No\r\nContent-Length: 0\r\n\r\n";
    else return three_events(number, answer);
    return ANSWER_AND_CLOSE;
}

TEST(a_brief_load_ends_when_each_stream_has_spoken_or_will_not) {
    struct server server;
    server_start(&server, speak_or_not);
    struct mohs_streams *streams = load_of(&server, 4, 20000);
    streams->open_per_s = 20;
    streams->count = 3;
    streams->brief = true;
    run(streams);
    CHECK_EQUAL(4, streams->counts.asked); // though the first had all of the count
    CHECK_EQUAL(2, streams->counts.speaking);
    CHECK_EQUAL(6, streams->counts.events);
    CHECK(streams->ended_ns - streams->epoch_ns < 10 * MOHS_SECOND);
    free_load(streams);
    server_stop(&server);
}

/* The head is answered, and the end of the body. */
static enum deed answer_early(unsigned long number, const char **answer) {
    *answer = number == 1 ? HEAD CHUNK "9\r\ndata: a\n\n\r\n" : "9\r\ndata: b\n\n\r\n";
    return ANSWER;
}

/* More than the buffers of both sides hold. */
#define BODY_BYTES (16 << 20)

/* A load of a request of so many bytes, with a blank line at its start and its end. */
static struct mohs_streams *large_load_of(const struct server *server, uint32_t connections) {
    struct mohs_streams *streams = load_of(server, connections, 20000);
    struct mohs_check check = {.mode = MOHS_CHECK_STATUS};
    char *bytes = malloc(BODY_BYTES);
    if (!bytes) abort();
    memset(bytes, 'x', BODY_BYTES);
    memcpy(bytes, "POST / HTTP/1.1\r\n\r\n", 19);
    memcpy(bytes + BODY_BYTES - 4, "\r\n\r\n", 4);
    mohs_target_free(&streams->target);
    mohs_target_set_address(&streams->target, &server->address, sizeof server->address);
    mohs_target_add_request(&streams->target, bytes, BODY_BYTES, 1, false, &check);
    streams->target.connections = connections;
    streams->target.timeout_ns = 5 * MOHS_SECOND;
    free(bytes);
    return streams;
}

TEST(a_server_may_answer_before_it_has_read_the_request) {
    struct server server;
    server_start(&server, answer_early);
    struct mohs_streams *streams = large_load_of(&server, 1);
    streams->count = 2;
    run(streams);
    CHECK_EQUAL(2, streams->counts.events);
    CHECK_EQUAL(1, streams->counts.opened);
    CHECK_EQUAL(0, streams->counts.dropped);
    CHECK_EQUAL(2, atomic_load(&server.requests)); // all of it was sent
    free_load(streams);
    server_stop(&server);
}

/* Says so and closes, unless it read all of the request. */
static enum deed refuse_large(unsigned long number, const char **answer) {
    static const char *const answers[] = {
        "HTTP/1.1 413 Too Large\r\nContent-Length: 5\r\n\r\nlarge",
        HEAD CHUNK "9\r\ndata: a\n\n\r\n0\r\n\r\n",
    };
    *answer = answers[(number - 1) % 2];
    return ANSWER_AND_CLOSE;
}

TEST(what_a_server_says_that_refuses_a_large_request_is_read) {
    struct server server;
    server_start(&server, refuse_large);
    struct mohs_streams *streams = large_load_of(&server, 2);
    streams->open_per_s = 20; // one after the other
    streams->duration_ns = 3 * MOHS_SECOND;
    run(streams);
    CHECK_EQUAL(1, streams->errors[MOHS_WRONG_STATUS]);
    CHECK_EQUAL(413, streams->failed_response.status);
    CHECK_EQUAL(1, streams->counts.opened);
    CHECK_EQUAL(1, streams->counts.events);
    CHECK_EQUAL(1, streams->ends[MOHS_STREAM_ENDED]);
    free_load(streams);
    server_stop(&server);
}

static enum deed reset_large(unsigned long number, const char **answer) {
    (void)number, (void)answer;
    return RESET;
}

TEST(a_server_that_resets_a_large_request_is_no_riddle) {
    struct server server;
    server_start(&server, reset_large);
    struct mohs_streams *streams = large_load_of(&server, 2);
    streams->duration_ns = 3 * MOHS_SECOND;
    run(streams);
    CHECK_EQUAL(2, streams->errors[MOHS_RESET_FRESH]);
    free_load(streams);
    server_stop(&server);
}

static enum deed compress(unsigned long number, const char **answer) {
    *answer = number == 1 ? HEAD "Content-Encoding: GZip\r\n\r\n\x1f\x8b"
                          : HEAD "Content-Encoding: Identity\r\n\r\ndata: a\n\n";
    return ANSWER;
}

TEST(events_that_are_compressed_are_none) {
    struct server server;
    server_start(&server, compress);
    struct mohs_streams *streams = load_of(&server, 2, 300);
    streams->open_per_s = 20;
    run(streams);
    CHECK_EQUAL(1, streams->errors[MOHS_WRONG_TYPE]);
    CHECK_EQUAL(1, streams->counts.events);
    free_load(streams);
    server_stop(&server);
}

static atomic_ulong dials;

/* In place of libc's: each attempt to connect begins with it. */
int socket(int family, int type, int protocol) {
    atomic_fetch_add(&dials, 1);
    return (int)syscall(SYS_socket, family, type, protocol);
}

/* A unix socket's backlog is full for all that wait for it: one of them finds out. If each tried
 * again every millisecond, nothing else would be read in time. */
TEST(one_at_a_time_looks_whether_a_full_backlog_has_room_again) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    snprintf(address.sun_path + 1, 64, "mohs-streams-%d", (int)getpid()); // abstract: no file
    int listener = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    CHECK_EQUAL(0, bind(listener, (struct sockaddr *)&address, sizeof address));
    CHECK_EQUAL(0, listen(listener, 1));
    struct server nobody = {.count = 0};
    struct mohs_streams *streams = load_of(&nobody, 400, 500);
    mohs_target_set_address(&streams->target, &address, sizeof address);
    streams->open_per_s = 100000;
    atomic_store(&dials, 0);
    run(streams);
    CHECK_EQUAL(400, streams->errors[MOHS_ABORTED]);
    CHECK(atomic_load(&dials) <= 400 + 500 + 10);
    free_load(streams);
    close(listener);
}

int main(void) {
    RUN(one_at_a_time_looks_whether_a_full_backlog_has_room_again);
    RUN(what_a_server_says_that_refuses_a_large_request_is_read);
    RUN(a_server_that_resets_a_large_request_is_no_riddle);
    RUN(events_that_are_compressed_are_none);
    RUN(a_server_may_answer_before_it_has_read_the_request);
    RUN(events_are_counted_and_streams_last_until_the_end);
    RUN(a_stream_without_an_event_is_open_and_its_first_event_in_flight);
    RUN(dropped_streams_are_counted_by_how_they_ended);
    RUN(a_silence_that_ends_in_a_drop_is_a_gap_without_an_end);
    RUN(a_long_gap_of_one_stream_does_not_hide_the_silence_of_another);
    RUN(a_stream_without_a_gap_of_its_own_is_compared_with_the_others);
    RUN(answers_that_are_no_event_stream_fail_by_class);
    RUN(a_server_that_does_not_answer_is_in_flight_or_timed_out);
    RUN(nobody_listens);
    RUN(it_ends_after_enough_events_or_when_stopped);
    RUN(a_brief_load_ends_when_each_stream_has_spoken_or_will_not);
    return report();
}
