/* One connection, driven by hand: what comes when its thread is late, and what nobody asked for. */
#include "core/connection.h"

#include <sys/epoll.h>
#include <sys/resource.h>
#include <time.h>

#include "bench.h"

#define FINE    "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello"
#define CLOSING "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 5\r\n\r\nhello"

static void rest(uint64_t ns) {
    struct timespec time = mohs_timespec_of(ns);
    nanosleep(&time, NULL);
}

/* A connection that is open, in a step without end. */
static void open_bench(struct bench *bench) {
    struct sockaddr_in address;
    bench->listener = server_listen(&address);
    set_up(&bench->engine, &address, 1, 1, MOHS_KEEP_ALIVE);
    connect_bench(bench);
}

/* Sends one request; none follows. */
static void ask(struct bench *bench) {
    char bytes[512];
    bench->connection->quota = bench->job->quota = 1;
    bench->job->loop->now_ns = mohs_now_ns();
    mohs_connection_begin(bench->connection, bench->job->loop->now_ns);
    CHECK(recv(bench->peer, bytes, sizeof bytes, 0) > 0);
}

static void tell(struct bench *bench, const char *bytes) {
    CHECK_EQUAL(strlen(bytes), send(bench->peer, bytes, strlen(bytes), 0));
    rest(5 * MOHS_MILLISECOND);
}

static struct mohs_record *record(struct bench *bench, size_t at) {
    CHECK(bench->job->recording.size > at);
    return &bench->job->recording.first->records[at];
}

/* Whether the kernel stamps: it begins when it can. */
static bool stamped(struct bench *bench) {
    for (int tries = 0; tries < 100; tries++) {
        ask(bench);
        tell(bench, FINE);
        mohs_connection_ready(bench->connection, EPOLLIN);
        if (bench->connection->came_ns) return true;
    }
    return false;
}

TEST(an_answer_from_before_its_request_is_none) {
    struct bench bench;
    open_bench(&bench);
    CHECK(stamped(&bench));
    uint64_t good = bench.tally.good, lost = bench.tally.lost;
    tell(&bench, FINE); // in the socket, unread, when the next request is sent
    ask(&bench);
    mohs_connection_ready(bench.connection, EPOLLIN);
    CHECK_EQUAL(MOHS_EXTRA_BYTES, record(&bench, bench.job->recording.size - 1)->error);
    CHECK_EQUAL(good, bench.tally.good);
    CHECK_EQUAL(1, bench.tally.errors[MOHS_EXTRA_BYTES]);
    CHECK_EQUAL(lost + 1, bench.tally.lost);
    CHECK_EQUAL(-1, bench.connection->fd);
    CHECK_EQUAL(MOHS_EXTRA_BYTES, bench.job->failed_response.error);
    close_bench(&bench);
}

TEST(a_clock_that_was_set_accuses_nobody) {
    struct bench bench;
    open_bench(&bench);
    CHECK(stamped(&bench));
    uint64_t good = bench.tally.good;
    tell(&bench, FINE);
    ask(&bench);
    bench.job->loop->wall.ahead_ns -= (int64_t)MOHS_SECOND; // it was set forward by a second
    mohs_connection_ready(bench.connection, EPOLLIN);
    CHECK_EQUAL(good + 1, bench.tally.good);
    close_bench(&bench);
}

TEST(unasked_bytes_take_the_last_answer_back) {
    struct bench bench;
    open_bench(&bench);
    ask(&bench);
    tell(&bench, FINE);
    mohs_connection_ready(bench.connection, EPOLLIN);
    CHECK_EQUAL(1, bench.tally.good);
    mohs_connection_check(bench.connection);
    CHECK_EQUAL(1, bench.tally.good);
    tell(&bench, "more");
    mohs_connection_check(bench.connection);
    CHECK_EQUAL(MOHS_EXTRA_BYTES, record(&bench, 0)->error);
    CHECK_EQUAL(0, bench.tally.good);
    CHECK_EQUAL(0, bench.tally.completed);
    CHECK_EQUAL(0, bench.tally.latency_sum_ns);
    CHECK_EQUAL(0, bench.tally.errors[MOHS_OK]);
    CHECK_EQUAL(0, bench.job->live_completed);
    CHECK_EQUAL(1, bench.job->live_failed);
    for (size_t step = 0; step < MOHS_TIME_STEPS; step++)
        CHECK_EQUAL(0, bench.job->live_times[step]);
    CHECK_EQUAL(4, bench.job->failed_response.size);
    CHECK_EQUAL(-1, bench.connection->fd);
    close_bench(&bench);
}

/* Begins a request on a new connection, which the server accepts; the old one stays with it. */
static int ask_anew(struct bench *bench) {
    char bytes[512];
    int before = bench->peer;
    bench->connection->quota = bench->job->quota = 1;
    bench->job->loop->now_ns = mohs_now_ns();
    mohs_connection_begin(bench->connection, bench->job->loop->now_ns);
    bench->peer = accept_peer(bench->listener);
    if (bench->connection->state == MOHS_CONNECTING)
        mohs_connection_ready(bench->connection, EPOLLOUT);
    CHECK(recv(bench->peer, bytes, sizeof bytes, 0) > 0);
    return before;
}

TEST(what_follows_an_answer_that_closes_takes_it_back) {
    struct bench bench;
    open_bench(&bench);
    ask(&bench);
    tell(&bench, CLOSING);
    mohs_connection_ready(bench.connection, EPOLLIN);
    CHECK_EQUAL(1, bench.tally.good);
    CHECK_EQUAL(-1, bench.connection->fd);
    tell(&bench, "more");
    int before = ask_anew(&bench);
    CHECK_EQUAL(1, bench.tally.good); // it shows with the next answer
    tell(&bench, CLOSING);
    mohs_connection_ready(bench.connection, EPOLLIN);
    CHECK_EQUAL(MOHS_EXTRA_BYTES, record(&bench, 0)->error);
    CHECK_EQUAL(MOHS_OK, record(&bench, 1)->error);
    CHECK_EQUAL(1, bench.tally.good);
    CHECK_EQUAL(0, bench.tally.lost);
    tell(&bench, "more");
    mohs_connection_check(bench.connection); // or after the step
    CHECK_EQUAL(MOHS_EXTRA_BYTES, record(&bench, 1)->error);
    CHECK_EQUAL(0, bench.tally.good);
    CHECK_EQUAL(2, bench.tally.errors[MOHS_EXTRA_BYTES]);
    CHECK_EQUAL(4, bench.job->failed_response.size);
    CHECK_EQUAL(-1, bench.connection->left);
    close(before);
    close_bench(&bench);
}

TEST(a_server_that_closes_as_it_says_is_no_fault) {
    struct bench bench;
    open_bench(&bench);
    ask(&bench);
    tell(&bench, CLOSING);
    mohs_connection_ready(bench.connection, EPOLLIN);
    int before = ask_anew(&bench);
    char byte;
    CHECK_EQUAL(0, recv(before, &byte, 1, 0)); // our side is closed: the server need not wait
    close(before);
    tell(&bench, CLOSING);
    mohs_connection_ready(bench.connection, EPOLLIN);
    mohs_connection_check(bench.connection);
    CHECK_EQUAL(2, bench.tally.good);
    CHECK_EQUAL(0, bench.tally.errors[MOHS_EXTRA_BYTES]);
    close_bench(&bench);
}

TEST(a_socket_that_was_left_takes_no_descriptor_from_the_next) {
    struct bench bench;
    open_bench(&bench);
    ask(&bench);
    tell(&bench, CLOSING);
    mohs_connection_ready(bench.connection, EPOLLIN);
    int left = bench.connection->left;
    CHECK(left >= 0);
    int highest = dup(left);
    close(highest);
    struct rlimit before, none;
    getrlimit(RLIMIT_NOFILE, &before);
    none = (struct rlimit){.rlim_cur = (rlim_t)highest, .rlim_max = before.rlim_max};
    CHECK_EQUAL(0, setrlimit(RLIMIT_NOFILE, &none));
    bench.connection->quota = bench.job->quota = 1;
    mohs_connection_begin(bench.connection, mohs_now_ns());
    CHECK_EQUAL(0, setrlimit(RLIMIT_NOFILE, &before));
    CHECK_EQUAL(0, bench.tally.errors[MOHS_NO_DESCRIPTOR]);
    CHECK_EQUAL(left, bench.connection->fd);
    CHECK_EQUAL(-1, bench.connection->left);
    close_bench(&bench);
}

/* The answer fills the buffer to its last byte, so that the rest is still in the socket. */
TEST(what_follows_an_answer_together_with_its_end_is_found) {
    static char bytes[MOHS_BUFFER_BYTES + 5];
    struct bench bench;
    open_bench(&bench);
    bench.engine.targets[0].requests[0].check.mode = MOHS_CHECK_STATUS;
    memset(bytes, 'x', sizeof bytes - 1);
    const int head = 42; // bytes, of which the length takes five
    int size = snprintf(bytes, sizeof bytes, "HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n",
                        MOHS_BUFFER_BYTES - head);
    bytes[size] = 'x'; // where snprintf ended it
    CHECK_EQUAL(head, size);
    ask(&bench);
    tell(&bench, bytes);
    close(bench.peer);
    rest(5 * MOHS_MILLISECOND);
    mohs_connection_ready(bench.connection, EPOLLIN | EPOLLRDHUP);
    CHECK_EQUAL(MOHS_EXTRA_BYTES, record(&bench, 0)->error);
    bench.peer = -1;
    close_bench(&bench);
}

/* The kernel joins both parts and keeps the stamp of the later one. */
TEST(the_first_byte_came_before_its_thread_woke) {
    struct bench bench;
    open_bench(&bench);
    ask(&bench);
    tell(&bench, "HTTP/1.1 200 OK\r\n");
    bench.job->loop->woken_ns = mohs_now_ns();
    rest(20 * MOHS_MILLISECOND);
    tell(&bench, "Content-Length: 5\r\n\r\nhello");
    mohs_connection_ready(bench.connection, EPOLLIN);
    const struct mohs_record *only = record(&bench, 0);
    CHECK_EQUAL(MOHS_OK, only->error);
    CHECK(only->done_ns >= mohs_record_first_ns(only) + 20 * MOHS_MILLISECOND);
    CHECK(mohs_record_first_ns(only) >= mohs_record_sent_ns(only));
    close_bench(&bench);
}

/* Lets a used connection end without an answer, so long after its request began; its error. */
static int closed_after(uint64_t ns, bool reset) {
    const struct linger now = {.l_onoff = reset, .l_linger = 0};
    struct bench bench;
    open_bench(&bench);
    ask(&bench);
    tell(&bench, FINE);
    mohs_connection_ready(bench.connection, EPOLLIN);
    ask(&bench);
    setsockopt(bench.peer, SOL_SOCKET, SO_LINGER, &now, sizeof now);
    close(bench.peer);
    rest(5 * MOHS_MILLISECOND);
    // this thread may be late: the request begins now
    bench.connection->begun_ns = mohs_now_ns() + MOHS_SECOND - ns;
    mohs_connection_ready(bench.connection, EPOLLIN | EPOLLRDHUP);
    CHECK_EQUAL(1, bench.tally.good);
    int error = record(&bench, 1)->error;
    bench.peer = -1;
    close_bench(&bench);
    return error;
}

TEST(a_server_that_closes_long_after_a_request_lost_no_race) {
    CHECK_EQUAL(MOHS_CLOSED_REUSED, closed_after(0, false));
    CHECK_EQUAL(MOHS_RESET_REUSED, closed_after(0, true));
    CHECK_EQUAL(MOHS_CLOSED_FRESH, closed_after(1500 * MOHS_MILLISECOND, false));
    CHECK_EQUAL(MOHS_RESET_FRESH, closed_after(1500 * MOHS_MILLISECOND, true));
}

int main(void) {
    RUN(an_answer_from_before_its_request_is_none);
    RUN(a_clock_that_was_set_accuses_nobody);
    RUN(unasked_bytes_take_the_last_answer_back);
    RUN(what_follows_an_answer_that_closes_takes_it_back);
    RUN(a_server_that_closes_as_it_says_is_no_fault);
    RUN(a_socket_that_was_left_takes_no_descriptor_from_the_next);
    RUN(what_follows_an_answer_together_with_its_end_is_found);
    RUN(the_first_byte_came_before_its_thread_woke);
    RUN(a_server_that_closes_long_after_a_request_lost_no_race);
    return report();
}
