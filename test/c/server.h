/*
 * A single-threaded server for tests of the engine: it reads requests that end in a blank line, and
 * answers each as a function of its number decides.
 */
#ifndef MOHS_TEST_SERVER_H
#define MOHS_TEST_SERVER_H

#include <errno.h>
#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define SERVER_CONNECTIONS 128

enum deed { ANSWER, ANSWER_AND_CLOSE, CLOSE, RESET, HANG };

/* Chooses what to do with request `number` (from 1), and its answer if it isn't the usual one. */
typedef enum deed (*server_script)(unsigned long number, const char **answer);

struct server {
    struct sockaddr_in address;
    server_script script;
    pthread_t thread;
    int stop[2]; /* a pipe: closed to end */
    atomic_ulong requests;
    atomic_ulong accepted;
    nfds_t count;
    struct pollfd fds[SERVER_CONNECTIONS];
    unsigned seen[SERVER_CONNECTIONS]; /* of the blank line's four bytes */
};

static inline void server_drop(struct server *server, nfds_t at, bool reset) {
    struct linger now = {.l_onoff = reset, .l_linger = 0};
    setsockopt(server->fds[at].fd, SOL_SOCKET, SO_LINGER, &now, sizeof now);
    close(server->fds[at].fd);
    server->count--;
    server->fds[at] = server->fds[server->count];
    server->seen[at] = server->seen[server->count];
}

/* Returns false if the connection is gone. */
static bool server_answer(struct server *server, nfds_t at) {
    const char *answer = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello";
    enum deed deed = server->script(atomic_fetch_add(&server->requests, 1) + 1, &answer);
    if (deed == HANG) return true;
    if (deed == ANSWER || deed == ANSWER_AND_CLOSE) {
        ssize_t size = send(server->fds[at].fd, answer, strlen(answer), MSG_NOSIGNAL);
        if (size == (ssize_t)strlen(answer) && deed == ANSWER) return true;
    }
    server_drop(server, at, deed == RESET);
    return false;
}

static inline void server_read(struct server *server, nfds_t at) {
    char bytes[4096];
    ssize_t size = recv(server->fds[at].fd, bytes, sizeof bytes, 0);
    if (size <= 0) {
        server_drop(server, at, false);
        return;
    }
    for (ssize_t place = 0; place < size; place++) {
        bool next = bytes[place] == "\r\n\r\n"[server->seen[at]];
        server->seen[at] = next ? server->seen[at] + 1 : bytes[place] == '\r';
        if (server->seen[at] < 4) continue;
        server->seen[at] = 0;
        if (!server_answer(server, at)) return;
    }
}

static inline void *server_serve(void *argument) {
    struct server *server = argument;
    for (;;) {
        poll(server->fds, server->count, -1);
        if (server->fds[0].revents) return NULL;
        for (nfds_t at = server->count; at-- > 2;)
            if (server->fds[at].revents) server_read(server, at);
        if (!server->fds[1].revents || server->count == SERVER_CONNECTIONS) continue;
        int fd = accept(server->fds[1].fd, NULL, NULL);
        if (fd < 0) continue;
        atomic_fetch_add(&server->accepted, 1);
        server->seen[server->count] = 0;
        server->fds[server->count++] = (struct pollfd){.fd = fd, .events = POLLIN};
    }
}

static inline int server_listen(struct sockaddr_in *address) {
    socklen_t size = sizeof *address;
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    *address = (struct sockaddr_in){.sin_family = AF_INET};
    address->sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (bind(fd, (struct sockaddr *)address, size) || listen(fd, 128)) return -1;
    getsockname(fd, (struct sockaddr *)address, &size);
    return fd;
}

static inline void server_start(struct server *server, server_script script) {
    *server = (struct server){.script = script, .count = 2};
    server->fds[1] = (struct pollfd){.fd = server_listen(&server->address), .events = POLLIN};
    if (pipe(server->stop)) return;
    server->fds[0] = (struct pollfd){.fd = server->stop[0], .events = POLLIN};
    pthread_create(&server->thread, NULL, server_serve, server);
}

static inline void server_stop(struct server *server) {
    close(server->stop[1]);
    pthread_join(server->thread, NULL);
    for (nfds_t at = 0; at < server->count; at++) close(server->fds[at].fd);
}

#endif
