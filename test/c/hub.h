/*
 * A single-threaded server of event streams for tests, which sends what is posted to it to all of
 * them: what it does with each message is decided by a function of the message's own number.
 */
#ifndef MOHS_TEST_HUB_H
#define MOHS_TEST_HUB_H

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "core/cable.h"
#include "core/clock.h"
#include "server.h"

enum hub_deed {
    TELL,            /* to all, and 204 */
    WAIT_AND_TELL,   /* hub.step_ms later */
    TELL_LATE,       /* connection number k of the streams, from 0, after k * hub.step_ms */
    TELL_HALF,       /* every second stream */
    TELL_TWICE,      /* to each */
    TELL_IN_PIECES,  /* cut within the text, with a comment before it and 1 ms between */
    TELL_SPLIT,      /* the text over two lines of data: no message */
    TELL_AND_CLOSE,  /* "Connection: close" */
    TELL_AND_CUT,    /* closes without an answer */
    TELL_AND_REFUSE, /* 500 */
    REFUSE,          /* 403, with a body */
    REFUSE_IN_TURN,  /* the same in chunks, 1 ms between head, body and end */
    IGNORE,          /* no answer */
    NONSENSE,        /* no HTTP */
    LEAVE            /* closes without an answer, and says nothing */
};

/* Chooses what to do with message `number`, from 0. */
typedef enum hub_deed (*hub_script)(unsigned long number);

struct hub_client {
    bool streams;
    unsigned posts; /* over this connection */
    size_t size;
    char bytes[1024];
};

struct hub {
    struct sockaddr_in address;
    hub_script script;
    long step_ms;
    pthread_t thread;
    int stop[2];
    atomic_ulong posters; /* connections that have posted */
    atomic_ulong posts;
    nfds_t count;
    struct pollfd fds[SERVER_CONNECTIONS];
    struct hub_client clients[SERVER_CONNECTIONS];
};

static inline void hub_send(int fd, const char *text) {
    ssize_t sent = send(fd, text, strlen(text), MSG_NOSIGNAL);
    (void)sent;
}

static inline void hub_wait(long ms) {
    struct timespec time = {.tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000};
    nanosleep(&time, NULL);
}

static inline void hub_tell_one(int fd, enum hub_deed deed, const char *text) {
    char event[128];
    if (deed == TELL_SPLIT)
        snprintf(event, sizeof event, "data: %.10s\ndata: %s\n\n", text, text + 10);
    else snprintf(event, sizeof event, "id: 1\ndata: {\"said\":\"%s\"}\n\n", text);
    if (deed != TELL_IN_PIECES) {
        hub_send(fd, event);
        if (deed == TELL_TWICE) hub_send(fd, event);
        return;
    }
    char rest[128], *middle = strstr(event, text) + 7;
    memcpy(rest, middle, strlen(middle) + 1);
    *middle = 0;
    hub_send(fd, ": hello\n\n");
    hub_send(fd, event);
    hub_wait(1);
    hub_send(fd, rest);
}

static inline void hub_tell(struct hub *hub, enum hub_deed deed, const char *text) {
    unsigned number = 0;
    for (nfds_t at = 2; at < hub->count; at++) {
        if (!hub->clients[at].streams) continue;
        if (deed == TELL_LATE && number) hub_wait(hub->step_ms);
        if (deed != TELL_HALF || number % 2 == 0) hub_tell_one(hub->fds[at].fd, deed, text);
        number++;
    }
}

/* Returns false if the connection is over. */
static inline bool hub_post(struct hub *hub, nfds_t at, const char *text) {
    char digits[9] = {0};
    int fd = hub->fds[at].fd;
    memcpy(digits, text + 5 + 8, sizeof digits - 1);
    enum hub_deed deed = hub->script(strtoul(digits, NULL, 16));
    atomic_fetch_add(&hub->posters, hub->clients[at].posts++ == 0);
    atomic_fetch_add(&hub->posts, 1);
    if (deed == WAIT_AND_TELL) hub_wait(hub->step_ms);
    if (deed < REFUSE) hub_tell(hub, deed, text);
    switch (deed) {
    case TELL_AND_CLOSE:
        hub_send(fd, "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\n\r\nok");
        return false;
    case TELL_AND_REFUSE:
        hub_send(fd, "HTTP/1.1 500 Oh\r\nContent-Length: 0\r\n\r\n");
        return true;
    case REFUSE:
        hub_send(fd, "HTTP/1.1 403 No\r\nContent-Length: 7\r\n\r\nno CSRF");
        return true;
    case REFUSE_IN_TURN:
        hub_send(fd, "HTTP/1.1 403 No\r\nTransfer-Encoding: chunked\r\n\r\n");
        hub_wait(1);
        hub_send(fd, "7\r\nno CSRF\r\n");
        hub_wait(1);
        hub_send(fd, "0\r\n\r\n");
        return true;
    case NONSENSE:
        hub_send(fd, "SSH-2.0-OpenSSH\r\n");
        return true;
    case IGNORE:
        return true;
    case TELL_AND_CUT:
    case LEAVE:
        return false;
    default:
        hub_send(fd, "HTTP/1.1 204 No Content\r\n\r\n");
        return true;
    }
}

/* Returns false if the connection is over. */
static inline bool hub_read(struct hub *hub, nfds_t at) {
    struct hub_client *client = &hub->clients[at];
    ssize_t size = recv(hub->fds[at].fd, client->bytes + client->size,
                        sizeof client->bytes - 1 - client->size, 0);
    if (size <= 0) return false;
    client->size += (size_t)size;
    client->bytes[client->size] = 0;
    char *end = strstr(client->bytes, "\r\n\r\n");
    if (!end) return true;
    if (strncmp(client->bytes, "GET ", 4) == 0) {
        client->streams = true;
        client->size = 0;
        hub_send(hub->fds[at].fd, "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n");
        return true;
    }
    if (strlen(end + 4) < MOHS_MESSAGE_BYTES) return true;
    char text[MOHS_MESSAGE_BYTES + 1] = {0};
    memcpy(text, end + 4, MOHS_MESSAGE_BYTES);
    client->size = 0;
    return hub_post(hub, at, text);
}

static inline void hub_accept(struct hub *hub) {
    int fd = accept(hub->fds[1].fd, NULL, NULL);
    if (fd < 0) return;
    hub->clients[hub->count] = (struct hub_client){.size = 0};
    hub->fds[hub->count++] = (struct pollfd){.fd = fd, .events = POLLIN};
}

static inline void *hub_serve(void *argument) {
    struct hub *hub = argument;
    for (;;) {
        poll(hub->fds, hub->count, -1);
        if (hub->fds[0].revents) return NULL;
        for (nfds_t at = hub->count; at-- > 2;) {
            if (!hub->fds[at].revents || hub_read(hub, at)) continue;
            close(hub->fds[at].fd);
            hub->count--;
            hub->fds[at] = hub->fds[hub->count];
            hub->clients[at] = hub->clients[hub->count];
        }
        if (hub->fds[1].revents && hub->count < SERVER_CONNECTIONS) hub_accept(hub);
    }
}

static inline struct hub *hub_start(hub_script script) {
    struct hub *hub = calloc(1, sizeof *hub);
    if (!hub || pipe(hub->stop)) abort();
    hub->script = script;
    hub->count = 2;
    hub->fds[1] = (struct pollfd){.fd = server_listen(&hub->address), .events = POLLIN};
    hub->fds[0] = (struct pollfd){.fd = hub->stop[0], .events = POLLIN};
    pthread_create(&hub->thread, NULL, hub_serve, hub);
    return hub;
}

static inline void hub_stop(struct hub *hub) {
    close(hub->stop[1]);
    pthread_join(hub->thread, NULL);
    for (nfds_t at = 0; at < hub->count; at++) close(hub->fds[at].fd);
    free(hub);
}

#endif
