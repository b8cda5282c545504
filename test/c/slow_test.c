/* Slow clients against a server that records when it got or could send which byte. */
#include "core/slow.h"

#include <fcntl.h>
#include <stdlib.h>

#include "runner.h"
#include "server.h"

#define GET        "GET / HTTP/1.1\r\nHost: a\r\n\r\n"
#define POST       "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1000\r\n\r\n"
#define BODY_BYTES 1000
#define POST_BYTES ((ssize_t)(sizeof POST - 1 + BODY_BYTES))

static struct mohs_slow *clients_of(const struct sockaddr_in *address, const char *bytes,
                                    size_t size, uint32_t count) {
    size_t all = sizeof(struct mohs_slow);
    struct mohs_slow *slow = aligned_alloc(_Alignof(struct mohs_slow), all);
    struct mohs_check check = {.mode = MOHS_CHECK_STATUS};
    if (!slow || mohs_slow_init(slow)) abort();
    CHECK_EQUAL(0, mohs_check_allow(&check, 200));
    CHECK_EQUAL(0, mohs_target_set_address(&slow->target, address, sizeof *address));
    CHECK_EQUAL(0, mohs_target_add_request(&slow->target, bytes, size, 1, false, &check));
    slow->target.connections = count;
    return slow;
}

static struct mohs_slow *sender_to(const struct sockaddr_in *address) {
    char request[POST_BYTES];
    memcpy(request, POST, sizeof POST - 1);
    memset(request + sizeof POST - 1, 'b', BODY_BYTES);
    struct mohs_slow *slow = clients_of(address, request, sizeof request, 1);
    slow->sends = true;
    return slow;
}

static void pause_ms(uint64_t ms) {
    struct timespec time = {.tv_nsec = (long)(ms * 1000000)};
    nanosleep(&time, NULL);
}

/* Waits, 10 s at most, until *count is at least `wanted`. */
static bool reaches(const uint64_t *count, uint64_t wanted) {
    for (int tries = 0; tries < 1000 && mohs_live_get(count) < wanted; tries++) pause_ms(10);
    return mohs_live_get(count) >= wanted;
}

static void end(struct mohs_slow *slow) {
    mohs_slow_stop(slow);
    mohs_slow_join(slow);
}

static void free_clients(struct mohs_slow *slow) {
    mohs_slow_free(slow);
    free(slow);
}

static enum deed hello(unsigned long number, const char **answer) {
    (void)number;
    (void)answer;
    return ANSWER;
}

TEST(requests_follow_each_other_on_kept_connections) {
    struct server server;
    server_start(&server, hello);
    struct mohs_slow *slow = clients_of(&server.address, GET, sizeof GET - 1, 3);
    slow->bytes_per_s = 2000; // 43 bytes: 21 ms each
    CHECK_EQUAL(0, mohs_slow_start(slow));
    CHECK(reaches(&slow->counts.completed, 9));
    end(slow);
    CHECK_EQUAL(3, slow->counts.opened);
    CHECK_EQUAL(3, server.accepted);
    CHECK_EQUAL(0, slow->counts.failed);
    CHECK(slow->counts.received_bytes >= 43 * slow->counts.completed);
    CHECK_EQUAL(slow->counts.sent_bytes,
                (sizeof GET - 1) * (slow->counts.completed + slow->counts.underway));
    server_stop(&server);
    free_clients(slow);
}

static enum deed refuse(unsigned long number, const char **answer) {
    static const char wrong[] = "HTTP/1.1 503 Busy\r\nContent-Length: 0\r\n\r\n";
    static const char endless[] = "HTTP/1.1 200 OK\r\n\r\nuntil it closes";
    *answer = number == 1 ? wrong : endless;
    return number == 3 ? RESET : number == 4 ? CLOSE : ANSWER_AND_CLOSE;
}

TEST(what_fails_is_counted_and_begun_again) {
    struct server server;
    server_start(&server, refuse);
    struct mohs_slow *slow = clients_of(&server.address, GET, sizeof GET - 1, 1);
    slow->bytes_per_s = 1e5;
    CHECK_EQUAL(0, mohs_slow_start(slow));
    CHECK(reaches(&slow->counts.completed, 2));
    end(slow);
    CHECK_EQUAL(3, slow->counts.failed);
    CHECK_EQUAL(1, slow->errors[MOHS_WRONG_STATUS]);
    CHECK_EQUAL(1, slow->errors[MOHS_RESET_FRESH]);
    CHECK_EQUAL(1, slow->errors[MOHS_CLOSED_FRESH]);
    server_stop(&server);
    free_clients(slow);
}

TEST(nobody_listens) {
    struct server server;
    server_start(&server, hello);
    server_stop(&server);
    struct mohs_slow *slow = clients_of(&server.address, GET, sizeof GET - 1, 1);
    slow->bytes_per_s = 1e5;
    CHECK_EQUAL(0, mohs_slow_start(slow));
    CHECK(reaches(&slow->counts.failed, 1));
    end(slow);
    CHECK_EQUAL(slow->counts.failed, slow->errors[MOHS_REFUSED]);
    CHECK_EQUAL(0, slow->counts.opened);
    free_clients(slow);
}

TEST(a_body_is_needed_to_be_slow_with_it) {
    struct sockaddr_in address = {.sin_family = AF_INET};
    struct mohs_slow *slow = clients_of(&address, GET, sizeof GET - 1, 1);
    slow->bytes_per_s = 1;
    slow->sends = true;
    CHECK_EQUAL(-EINVAL, mohs_slow_start(slow));
    free_clients(slow);
}

/* Lets clients run for half a second. */
static void run_for_half_a_second(struct mohs_slow *slow) {
    CHECK_EQUAL(0, mohs_slow_start(slow));
    pause_ms(500);
    end(slow);
    CHECK_EQUAL(0, slow->counts.failed);
}

TEST(answers_shorter_than_a_piece_take_their_time_too) {
    struct server server;
    server_start(&server, hello);
    struct mohs_slow *slow = clients_of(&server.address, GET, sizeof GET - 1, 1);
    slow->bytes_per_s = 430; // a whole answer a tenth of a second
    run_for_half_a_second(slow);
    CHECK(slow->counts.completed >= 2 && slow->counts.completed <= 6);
    server_stop(&server);
    free_clients(slow);
}

static enum deed head_only(unsigned long number, const char **answer) {
    (void)number;
    *answer = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n";
    return ANSWER;
}

TEST(the_answer_to_a_head_request_has_no_body) {
    static const char head[] = "HEAD / HTTP/1.1\r\nHost: a\r\n\r\n";
    struct server server;
    server_start(&server, head_only);
    struct mohs_slow *slow = clients_of(&server.address, head, sizeof head - 1, 1);
    slow->target.requests->head = true;
    slow->bytes_per_s = 1e4;
    CHECK_EQUAL(0, mohs_slow_start(slow));
    CHECK(reaches(&slow->counts.completed, 3));
    end(slow);
    CHECK_EQUAL(0, slow->counts.failed);
    server_stop(&server);
    free_clients(slow);
}

static enum deed twice(unsigned long number, const char **answer) {
    (void)number;
    *answer = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello"
              "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello";
    return ANSWER;
}

TEST(a_second_answer_is_not_that_to_the_next_request) {
    struct server server;
    server_start(&server, twice);
    struct mohs_slow *slow = clients_of(&server.address, GET, sizeof GET - 1, 1);
    slow->bytes_per_s = 430; // an answer is a piece
    CHECK_EQUAL(0, mohs_slow_start(slow));
    CHECK(reaches(&slow->counts.failed, 3));
    end(slow);
    CHECK_EQUAL(0, slow->counts.completed);
    CHECK_EQUAL(slow->counts.failed, slow->errors[MOHS_EXTRA_BYTES]);
    server_stop(&server);
    free_clients(slow);
}

/* ---- times, by the other side ---------------------------------------------------------------- */

/* Accepts one connection. */
static int accept_one(int listener) {
    int fd = accept(listener, NULL, NULL);
    CHECK(fd >= 0);
    return fd;
}

TEST(a_body_takes_its_time_and_its_head_does_not) {
    char bytes[4096];
    struct sockaddr_in address;
    int listener = server_listen(&address);
    struct mohs_slow *slow = sender_to(&address);
    slow->bytes_per_s = 5000; // 200 ms
    CHECK_EQUAL(0, mohs_slow_start(slow));
    int fd = accept_one(listener);
    size_t got = 0;
    uint64_t head_ns = 0, end_ns = 0;
    while (got < POST_BYTES) {
        ssize_t size = recv(fd, bytes, sizeof bytes, 0);
        CHECK(size > 0);
        if (size <= 0) break;
        got += (size_t)size;
        end_ns = mohs_now_ns();
        if (!head_ns && got >= sizeof POST - 1) head_ns = end_ns;
        CHECK(size <= POST_BYTES); // never more than one request
    }
    CHECK_EQUAL(POST_BYTES, got);
    // The first piece, of 500 bytes at most, may come with the head.
    CHECK(end_ns - head_ns >= 90 * MOHS_MILLISECOND);
    const char answer[] = "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\n\r\nok";
    CHECK_EQUAL(sizeof answer - 1, send(fd, answer, sizeof answer - 1, MSG_NOSIGNAL));
    CHECK(reaches(&slow->counts.completed, 1));
    end(slow);
    close(fd);
    close(listener);
    free_clients(slow);
}

TEST(bodies_shorter_than_a_piece_take_their_time_too) {
    static const char answer[] = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";
    char bytes[POST_BYTES];
    struct sockaddr_in address;
    int listener = server_listen(&address);
    struct mohs_slow *slow = sender_to(&address);
    slow->bytes_per_s = 1e4; // a whole body a tenth of a second
    CHECK_EQUAL(0, mohs_slow_start(slow));
    int fd = accept_one(listener);
    uint64_t begun = mohs_now_ns();
    for (int requests = 0; requests < 4; requests++) {
        CHECK_EQUAL(POST_BYTES, recv(fd, bytes, sizeof bytes, MSG_WAITALL));
        CHECK_EQUAL(sizeof answer - 1, send(fd, answer, sizeof answer - 1, MSG_NOSIGNAL));
    }
    CHECK(mohs_now_ns() - begun >= 280 * MOHS_MILLISECOND);
    end(slow);
    CHECK_EQUAL(0, slow->counts.failed);
    close(fd);
    close(listener);
    free_clients(slow);
}

TEST(an_early_answer_is_taken) {
    char bytes[4096];
    struct sockaddr_in address;
    int listener = server_listen(&address);
    struct mohs_slow *slow = sender_to(&address);
    slow->bytes_per_s = 10;
    CHECK_EQUAL(0, mohs_slow_start(slow));
    int fd = accept_one(listener);
    CHECK(recv(fd, bytes, sizeof bytes, 0) > 0);
    const char answer[] = "HTTP/1.1 408 Too slow\r\nContent-Length: 0\r\n\r\n";
    CHECK_EQUAL(sizeof answer - 1, send(fd, answer, sizeof answer - 1, MSG_NOSIGNAL));
    CHECK(reaches(&slow->counts.failed, 1));
    end(slow);
    CHECK_EQUAL(1, slow->errors[MOHS_WRONG_STATUS]);
    close(fd);
    close(listener);
    free_clients(slow);
}

/* A server whose own buffer is small is held by a reader that takes 100 kB a second. */
TEST(a_slow_reader_holds_its_server) {
    static char answer[300000];
    char bytes[4096];
    struct sockaddr_in address;
    int listener = server_listen(&address), own_bytes = 4096;
    setsockopt(listener, SOL_SOCKET, SO_SNDBUF, &own_bytes, sizeof own_bytes);
    struct mohs_slow *slow = clients_of(&address, GET, sizeof GET - 1, 1);
    slow->bytes_per_s = 1e6;
    CHECK_EQUAL(0, mohs_slow_start(slow));
    int fd = accept_one(listener);
    CHECK(recv(fd, bytes, sizeof bytes, 0) > 0);
    size_t used = (size_t)snprintf(answer, sizeof answer,
                                   "HTTP/1.1 200 OK\r\nContent-Length: 250000\r\n\r\n");
    size_t size = used + 250000;
    uint64_t begun = mohs_now_ns();
    for (size_t sent = 0; sent < size;) { // blocks while no more is taken
        ssize_t some = send(fd, answer + sent, size - sent, MSG_NOSIGNAL);
        CHECK(some > 0);
        if (some <= 0) break;
        sent += (size_t)some;
    }
    // 250 ms, but for what lies in buffers: 100 kB would be far too much.
    CHECK(mohs_now_ns() - begun >= 150 * MOHS_MILLISECOND);
    CHECK(reaches(&slow->counts.completed, 1));
    CHECK(mohs_now_ns() - begun >= 230 * MOHS_MILLISECOND);
    end(slow);
    CHECK_EQUAL(size, slow->counts.received_bytes);
    close(fd);
    close(listener);
    free_clients(slow);
}

int main(void) {
    RUN(requests_follow_each_other_on_kept_connections);
    RUN(what_fails_is_counted_and_begun_again);
    RUN(nobody_listens);
    RUN(a_body_is_needed_to_be_slow_with_it);
    RUN(answers_shorter_than_a_piece_take_their_time_too);
    RUN(the_answer_to_a_head_request_has_no_body);
    RUN(a_second_answer_is_not_that_to_the_next_request);
    RUN(a_body_takes_its_time_and_its_head_does_not);
    RUN(bodies_shorter_than_a_piece_take_their_time_too);
    RUN(an_early_answer_is_taken);
    RUN(a_slow_reader_holds_its_server);
    return report();
}
