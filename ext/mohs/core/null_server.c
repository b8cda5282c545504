#include "null_server.h"

#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#define BUFFER_BYTES 65536
#define EVENTS       64
/* Enough for the largest answers over a slow network: a reader holds up all others meanwhile. */
#define ANSWER_LIMIT_S 5
/* Until the next accept, which would fail at once while no descriptor is free. */
#define FULL_PAUSE_NS 10000000

static const char *const HEAD = "HTTP/1.1 200 OK\r\nContent-Length: %zu\r\n\r\n";

/* The port is at the same offset in addresses of both families. */
union place {
    struct sockaddr any;
    struct sockaddr_in four;
    struct sockaddr_in6 six;
};

static int listen_at(struct mohs_null_server *server, const struct sockaddr *address,
                     socklen_t size) {
    union place own = {.four = {.sin_family = AF_INET}};
    socklen_t room = sizeof own;
    own.four.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (address) {
        if (size > sizeof own) return -EINVAL;
        memcpy(&own, address, size);
        own.four.sin_port = 0;
    }
    server->listener = socket(own.any.sa_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (server->listener < 0) return -errno;
    if (bind(server->listener, &own.any, address ? size : sizeof own.four)) return -errno;
    if (listen(server->listener, SOMAXCONN)) return -errno;
    if (getsockname(server->listener, &own.any, &room)) return -errno;
    server->port = ntohs(own.four.sin_port);
    return 0;
}

static int watch(const struct mohs_null_server *server, int fd) {
    struct epoll_event event = {.events = EPOLLIN, .data.fd = fd};
    return epoll_ctl(server->epoll, EPOLL_CTL_ADD, fd, &event) ? -errno : 0;
}

int mohs_null_server_init(struct mohs_null_server *server, size_t body_bytes,
                          const struct sockaddr *address, socklen_t address_bytes) {
    *server = (struct mohs_null_server){.listener = -1, .stop = -1, .epoll = -1};
    server->answer_limit.tv_sec = ANSWER_LIMIT_S;
    server->answer = malloc(body_bytes + 80);
    if (!server->answer) return -ENOMEM;
    size_t head = (size_t)sprintf(server->answer, HEAD, body_bytes);
    memset(server->answer + head, 'x', body_bytes);
    server->answer_bytes = head + body_bytes;
    server->stop = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    if (server->stop < 0) return -errno;
    server->epoll = epoll_create1(EPOLL_CLOEXEC);
    if (server->epoll < 0) return -errno;
    int result = listen_at(server, address, address_bytes);
    if (result == 0) result = watch(server, server->stop);
    return result ? result : watch(server, server->listener);
}

/* Starts the connection's byte count at 0. Returns false without memory; the connection is then
 * refused. */
static bool make_room(struct mohs_null_server *server, int fd) {
    size_t index = (size_t)fd;
    if (index >= server->place_count) {
        size_t count = 2 * (index + 1), had = server->place_count;
        struct mohs_null_place *grown = realloc(server->places, count * sizeof *grown);
        if (!grown) return false;
        memset(grown + had, 0, (count - had) * sizeof *grown);
        server->places = grown;
        server->place_count = count;
    }
    server->places[index] = (struct mohs_null_place){.open = true};
    return true;
}

static void drop(struct mohs_null_server *server, int fd) {
    server->places[fd].open = false;
    close(fd);
}

/* Sending blocks: a response larger than the socket's buffer is sent whole, since the driver
 * always reads. A connection that does not read in time is dropped. */
static void take_connection(struct mohs_null_server *server) {
    int fd = accept4(server->listener, NULL, NULL, SOCK_CLOEXEC), on = 1;
    if (fd < 0) {
        if (errno != EAGAIN) nanosleep(&(struct timespec){.tv_nsec = FULL_PAUSE_NS}, NULL);
        return;
    }
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &server->answer_limit, sizeof server->answer_limit);
    if (!make_room(server, fd)) close(fd);
    else if (watch(server, fd)) drop(server, fd);
}

/* Returns false when the connection is over. */
static bool answer(struct mohs_null_server *server, int fd, char *buffer) {
    ssize_t size = recv(fd, buffer, BUFFER_BYTES, MSG_DONTWAIT);
    if (size < 0 && (errno == EAGAIN || errno == EINTR)) return true;
    if (size <= 0) return false;
    size_t *seen = &server->places[fd].seen;
    for (*seen += (size_t)size; *seen >= server->request_bytes; *seen -= server->request_bytes)
        /* One call, since the limit is of each: it sends less only when its time is over. */
        if (send(fd, server->answer, server->answer_bytes, MSG_NOSIGNAL) !=
            (ssize_t)server->answer_bytes)
            return false;
    return true;
}

static void *serve(void *argument) {
    struct mohs_null_server *server = argument;
    struct epoll_event events[EVENTS];
    char *buffer = malloc(BUFFER_BYTES);
    while (buffer) {
        int count = epoll_wait(server->epoll, events, EVENTS, -1);
        for (int at = 0; at < count; at++) {
            int fd = events[at].data.fd;
            if (fd == server->stop) {
                free(buffer);
                return NULL;
            }
            if (fd == server->listener) take_connection(server);
            else if (!answer(server, fd, buffer)) drop(server, fd);
        }
    }
    return NULL;
}

int mohs_null_server_start(struct mohs_null_server *server, size_t request_bytes) {
    sigset_t all, before;
    if (request_bytes == 0) return -EINVAL;
    server->request_bytes = request_bytes;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    int result = pthread_create(&server->thread, NULL, serve, server);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (result) server->request_bytes = 0;
    return -result;
}

void mohs_null_server_free(struct mohs_null_server *server) {
    uint64_t one = 1;
    if (server->request_bytes && write(server->stop, &one, sizeof one) == sizeof one)
        pthread_join(server->thread, NULL);
    for (size_t fd = 0; fd < server->place_count; fd++)
        if (server->places[fd].open) close((int)fd);
    if (server->listener >= 0) close(server->listener);
    if (server->stop >= 0) close(server->stop);
    if (server->epoll >= 0) close(server->epoll);
    free(server->answer);
    free(server->places);
    *server = (struct mohs_null_server){.listener = -1, .stop = -1, .epoll = -1};
}
