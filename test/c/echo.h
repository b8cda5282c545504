/*
 * A single-threaded WebSocket server for tests: what it does with each message is decided by a
 * function of the message's own number and of its connection's, so that it does not matter in which
 * order it reads what several connections have sent. Reads frames of up to 125 bytes.
 */
#ifndef MOHS_TEST_ECHO_H
#define MOHS_TEST_ECHO_H

#include <stdio.h>
#include <stdlib.h>

#include "core/websocket.h"
#include "server.h"

enum echo_deed {
    ECHO,
    ECHO_TO_ALL,
    SWALLOW,
    TWICE,
    DELAY, /* keeps it until the next message of the connection has been sent back */
    ANOTHER,
    PING_FIRST,
    SAY_CLOSE,
    CUT,
    NONSENSE
};

/* Chooses what to do with message `number` (from 1) on connection `connection` (from 1). */
typedef enum echo_deed (*echo_script)(unsigned long number, unsigned long connection);

#define ECHO_PATIENCE_MS 5000 /* for connections that the client has left open */

struct echo_client {
    unsigned long number;
    size_t size;
    bool upgraded;
    size_t kept_size;
    char bytes[4096];
    char kept[130];
};

struct echo_server {
    struct sockaddr_in address;
    echo_script script;
    const char *answer; /* to the handshake; NULL: the right one */
    pthread_t thread;
    int stop[2];
    unsigned long accepted;
    atomic_ulong pongs;
    atomic_ulong closes;
    nfds_t count;
    struct pollfd fds[SERVER_CONNECTIONS];
    struct echo_client *clients;
};

static inline void echo_send(int fd, const char *bytes, size_t size) {
    ssize_t sent = send(fd, bytes, size, MSG_NOSIGNAL);
    (void)sent;
}

static inline void echo_upgrade(struct echo_server *server, nfds_t at) {
    struct echo_client *client = &server->clients[at];
    char key[MOHS_WS_KEY_MAX] = {0}, accept[MOHS_WS_ACCEPT_MAX], head[256];
    char *end = strstr(client->bytes, "\r\n\r\n");
    char *place = strstr(client->bytes, "Sec-WebSocket-Key: ");
    if (!end || !place) return;
    memcpy(key, place + 19, 24);
    mohs_websocket_accept(key, accept);
    int size = snprintf(head, sizeof head,
                        "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: "
                        "keep-alive, Upgrade\r\nSec-WebSocket-Accept: %s\r\n\r\n",
                        accept);
    if (server->answer) echo_send(server->fds[at].fd, server->answer, strlen(server->answer));
    else echo_send(server->fds[at].fd, head, (size_t)size);
    client->upgraded = true;
    client->size = 0;
}

/* The number of a message "mohs " and 16 digits, of which the first 8 mark the load, from 1. */
static inline unsigned long echo_number(const char *frame) {
    char digits[9] = {0};
    memcpy(digits, frame + 2 + 5 + 8, sizeof digits - 1);
    return strtoul(digits, NULL, 16) + 1;
}

static inline void echo_to_all(struct echo_server *server, const char *frame, size_t size) {
    for (nfds_t at = 2; at < server->count; at++)
        if (server->clients[at].upgraded) echo_send(server->fds[at].fd, frame, size);
}

/* Returns false if the connection is over. */
static inline bool echo_act(struct echo_server *server, nfds_t at, char *frame, size_t size) {
    struct echo_client *client = &server->clients[at];
    int fd = server->fds[at].fd;
    unsigned opcode = frame[0] & 15;
    if (opcode == MOHS_WS_PONG) {
        atomic_fetch_add(&server->pongs, size == 4 && memcmp(frame + 2, "hi", 2) == 0);
        return true;
    }
    if (opcode == MOHS_WS_CLOSE) {
        atomic_fetch_add(&server->closes, 1);
        return false;
    }
    switch (server->script(echo_number(frame), client->number)) {
    case PING_FIRST:
        echo_send(fd, "\x89\2hi", 4);
        echo_send(fd, frame, size);
        break;
    case TWICE:
        echo_send(fd, frame, size);
        echo_send(fd, frame, size);
        break;
    case DELAY:
        memcpy(client->kept, frame, size);
        client->kept_size = size;
        return true;
    case ANOTHER:
        echo_send(fd, "\x81\7welcome", 9);
        echo_send(fd, frame, size);
        break;
    case SAY_CLOSE:
        echo_send(fd, "\x88\2\3\xe9", 4);
        return true;
    case CUT:
        return false;
    case NONSENSE:
        echo_send(fd, "\xff\xff", 2);
        return true;
    case SWALLOW:
        return true;
    case ECHO_TO_ALL:
        echo_to_all(server, frame, size);
        break;
    case ECHO:
        echo_send(fd, frame, size);
    }
    if (client->kept_size) echo_send(fd, client->kept, client->kept_size);
    client->kept_size = 0;
    return true;
}

/* Takes a frame off the client's bytes and takes its mask away. */
static inline bool echo_frame(struct echo_server *server, nfds_t at) {
    struct echo_client *client = &server->clients[at];
    size_t length = (size_t)client->bytes[1] & 0x7f, size = length + 6;
    char frame[130];
    frame[0] = client->bytes[0];
    frame[1] = (char)length;
    for (size_t byte = 0; byte < length; byte++)
        frame[2 + byte] = client->bytes[6 + byte] ^ client->bytes[2 + byte % 4];
    memmove(client->bytes, client->bytes + size, client->size - size);
    client->size -= size;
    return echo_act(server, at, frame, length + 2);
}

static inline bool echo_read(struct echo_server *server, nfds_t at) {
    struct echo_client *client = &server->clients[at];
    ssize_t size = recv(server->fds[at].fd, client->bytes + client->size,
                        sizeof client->bytes - 1 - client->size, 0);
    if (size <= 0) return false;
    client->size += (size_t)size;
    client->bytes[client->size] = 0;
    if (!client->upgraded) {
        echo_upgrade(server, at);
        return true;
    }
    while (client->size >= 2 && client->size >= ((size_t)client->bytes[1] & 0x7f) + 6)
        if (!echo_frame(server, at)) return false;
    return true;
}

static inline void echo_accept(struct echo_server *server) {
    int fd = accept(server->fds[1].fd, NULL, NULL);
    if (fd < 0) return;
    struct echo_client *client = &server->clients[server->count];
    memset(client, 0, sizeof *client);
    client->number = ++server->accepted;
    server->fds[server->count++] = (struct pollfd){.fd = fd, .events = POLLIN};
}

/* Serves until it is stopped and every connection is over: what a client sent last is read. */
static inline void *echo_serve(void *argument) {
    struct echo_server *server = argument;
    bool stopped = false;
    while (!stopped || server->count > 2) {
        int ready = poll(server->fds, server->count, stopped ? ECHO_PATIENCE_MS : -1);
        if (stopped && ready == 0) return NULL;
        for (nfds_t at = server->count; at-- > 2;) {
            if (!server->fds[at].revents || echo_read(server, at)) continue;
            close(server->fds[at].fd);
            server->count--;
            server->fds[at] = server->fds[server->count];
            server->clients[at] = server->clients[server->count];
        }
        if (server->fds[1].revents && server->count < SERVER_CONNECTIONS) echo_accept(server);
        if (!server->fds[0].revents) continue;
        stopped = true;
        server->fds[0].fd = -1;
    }
    return NULL;
}

static inline void echo_start(struct echo_server *server, echo_script script) {
    *server = (struct echo_server){.script = script, .count = 2};
    server->clients = calloc(SERVER_CONNECTIONS, sizeof *server->clients);
    server->fds[1] = (struct pollfd){.fd = server_listen(&server->address), .events = POLLIN};
    if (!server->clients || pipe(server->stop)) abort();
    server->fds[0] = (struct pollfd){.fd = server->stop[0], .events = POLLIN};
    pthread_create(&server->thread, NULL, echo_serve, server);
}

static inline void echo_stop(struct echo_server *server) {
    close(server->stop[1]);
    pthread_join(server->thread, NULL);
    for (nfds_t at = 0; at < server->count; at++) close(server->fds[at].fd);
    free(server->clients);
}

#endif
