/* The null server: one answer per whole request, however the bytes are cut. */
#include "core/null_server.h"

#include <errno.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <sys/socket.h>
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
    RUN(it_listens_where_it_is_told_on_a_port_of_its_own);
    RUN(a_server_that_never_started_can_be_freed_twice);
    return report();
}
