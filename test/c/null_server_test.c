/* The null server: one answer per whole request, however the bytes are cut. */
#include "core/null_server.h"

#include <errno.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "runner.h"

#define REQUEST_BYTES 40

static int dial(const struct mohs_null_server *server) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(server->port)};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    CHECK_EQUAL(0, connect(fd, (struct sockaddr *)&address, sizeof address));
    return fd;
}

static void say(int fd, size_t size) {
    char bytes[4 * REQUEST_BYTES] = {0};
    CHECK_EQUAL(size, send(fd, bytes, size, MSG_NOSIGNAL));
}

/* Expects `count` answers and nothing after them. */
static void check_answers(const struct mohs_null_server *server, int fd, size_t count) {
    size_t size = count * server->answer_bytes;
    char *bytes = malloc(size + 1);
    CHECK_EQUAL(size, recv(fd, bytes, size, MSG_WAITALL));
    for (size_t at = 0; at < count; at++)
        CHECK_EQUAL(
            0, memcmp(bytes + at * server->answer_bytes, server->answer, server->answer_bytes));
    CHECK_EQUAL(-1, recv(fd, bytes, 1, MSG_DONTWAIT));
    free(bytes);
}

TEST(every_whole_request_gets_an_answer) {
    struct mohs_null_server server;
    CHECK_EQUAL(0, mohs_null_server_init(&server, 5, NULL, 0));
    CHECK_EQUAL(0, strncmp("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nxxxxx", server.answer,
                           server.answer_bytes));
    CHECK_EQUAL(0, mohs_null_server_start(&server, REQUEST_BYTES));
    int one = dial(&server), other = dial(&server);
    say(one, REQUEST_BYTES + 7);
    check_answers(&server, one, 1);
    say(other, 3 * REQUEST_BYTES);
    check_answers(&server, other, 3);
    say(one, REQUEST_BYTES - 7);
    check_answers(&server, one, 1);
    close(other);
    other = dial(&server); // its number is used again: what it sends counts from 0
    say(other, REQUEST_BYTES);
    check_answers(&server, other, 1);
    mohs_null_server_free(&server);
    CHECK(recv(one, &(char){0}, 1, 0) <= 0);
    close(one);
    close(other);
}

TEST(a_large_answer_goes_out_whole) {
    struct mohs_null_server server;
    CHECK_EQUAL(0, mohs_null_server_init(&server, 8 << 20, NULL, 0));
    CHECK_EQUAL(0, mohs_null_server_start(&server, REQUEST_BYTES));
    int fd = dial(&server);
    say(fd, REQUEST_BYTES);
    check_answers(&server, fd, 1);
    close(fd);
    mohs_null_server_free(&server);
}

static void pause_ms(long ms) {
    nanosleep(&(struct timespec){.tv_nsec = ms * 1000000}, NULL);
}

TEST(a_reader_that_is_too_slow_for_an_answer_is_dropped) {
    struct mohs_null_server server;
    struct sockaddr_in address = {.sin_family = AF_INET};
    char bytes[16384];
    size_t got = 0;
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0), few = 4096;
    CHECK_EQUAL(0, mohs_null_server_init(&server, 8 << 20, NULL, 0));
    server.answer_limit = (struct timeval){.tv_usec = 100000};
    CHECK_EQUAL(0, mohs_null_server_start(&server, REQUEST_BYTES));
    setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &few, sizeof few);
    address.sin_port = htons(server.port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    CHECK_EQUAL(0, connect(fd, (struct sockaddr *)&address, sizeof address));
    say(fd, REQUEST_BYTES);
    while (got < server.answer_bytes) { // always a little, so that no single wait is long
        ssize_t part = recv(fd, bytes, sizeof bytes, 0);
        if (part <= 0) break;
        got += (size_t)part;
        pause_ms(2);
    }
    CHECK(got < server.answer_bytes);
    close(fd);
    mohs_null_server_free(&server);
}

TEST(a_server_without_a_free_descriptor_waits_for_one) {
    struct mohs_null_server server;
    struct rlimit before, full;
    struct timespec spent;
    clockid_t clock;
    CHECK_EQUAL(0, mohs_null_server_init(&server, 5, NULL, 0));
    CHECK_EQUAL(0, mohs_null_server_start(&server, REQUEST_BYTES));
    getrlimit(RLIMIT_NOFILE, &before);
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    full = (struct rlimit){.rlim_cur = (rlim_t)fd + 1, .rlim_max = before.rlim_max};
    setrlimit(RLIMIT_NOFILE, &full);
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(server.port)};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    CHECK_EQUAL(0, connect(fd, (struct sockaddr *)&address, sizeof address));
    pause_ms(300);
    CHECK_EQUAL(0, pthread_getcpuclockid(server.thread, &clock));
    CHECK_EQUAL(0, clock_gettime(clock, &spent));
    CHECK(spent.tv_sec == 0 && spent.tv_nsec < 100000000);
    setrlimit(RLIMIT_NOFILE, &before);
    say(fd, REQUEST_BYTES);
    check_answers(&server, fd, 1);
    close(fd);
    mohs_null_server_free(&server);
}

TEST(it_listens_where_it_is_told_on_a_port_of_its_own) {
    struct mohs_null_server server;
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(1)};
    struct sockaddr_storage huge = {.ss_family = AF_INET};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK + 1); // 127.0.0.2
    CHECK_EQUAL(0, mohs_null_server_init(&server, 0, (struct sockaddr *)&address, sizeof address));
    socklen_t size = sizeof address;
    CHECK_EQUAL(0, getsockname(server.listener, (struct sockaddr *)&address, &size));
    CHECK_EQUAL(htonl(INADDR_LOOPBACK + 1), address.sin_addr.s_addr);
    CHECK_EQUAL(server.port, ntohs(address.sin_port));
    CHECK(server.port > 1);
    mohs_null_server_free(&server);
    CHECK_EQUAL(-EINVAL, mohs_null_server_init(&server, 0, (struct sockaddr *)&huge, sizeof huge));
    mohs_null_server_free(&server);
}

TEST(a_server_that_never_started_can_be_freed_twice) {
    struct mohs_null_server server;
    CHECK_EQUAL(0, mohs_null_server_init(&server, 0, NULL, 0));
    CHECK(mohs_null_server_start(&server, 0) < 0);
    mohs_null_server_free(&server);
    mohs_null_server_free(&server);
}

int main(void) {
    RUN(every_whole_request_gets_an_answer);
    RUN(a_large_answer_goes_out_whole);
    RUN(a_reader_that_is_too_slow_for_an_answer_is_dropped);
    RUN(a_server_without_a_free_descriptor_waits_for_one);
    RUN(it_listens_where_it_is_told_on_a_port_of_its_own);
    RUN(a_server_that_never_started_can_be_freed_twice);
    return report();
}
