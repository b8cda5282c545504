/*
 * Publishes messages that a server should send to all who listen to its event streams (listener.h):
 * each is the body of a POST, on one connection of the load's own, which is kept. They go out one
 * after another as they fall due; while the server has not answered one, the next ones wait here,
 * and their times go on. A message whose POST does not get a status of 2xx was not sent, nor was
 * one whose turn came when nobody listened.
 */
#ifndef MOHS_PUBLISHER_H
#define MOHS_PUBLISHER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "http.h"
#include "job.h"
#include "loop.h"
#include "talk.h"
#include "target.h"

enum mohs_publisher_state {
    MOHS_PUBLISHER_CLOSED,
    MOHS_PUBLISHER_DIALLING,   /* a unix socket's backlog is full */
    MOHS_PUBLISHER_CONNECTING, /* the connection is not there yet */
    MOHS_PUBLISHER_IDLE,       /* it can carry a POST */
    MOHS_PUBLISHER_SENDING,    /* a POST is partly sent */
    MOHS_PUBLISHER_WAITING     /* for its response, or the rest of that */
};

struct mohs_publisher {
    char *request;    /* the POST: its last MOHS_MESSAGE_BYTES are the message. NULL: none */
    size_t size;      /* of it */
    uint64_t settled; /* messages whose POST was answered or has failed: the first so many. What has
                         not got 2xx has its error in the message */
    struct mohs_failed_response failed_response; /* the first */

    // while it runs
    struct mohs_target *target;
    struct mohs_loop *loop;
    struct mohs_messages *messages;
    char *line; /* of HTTP */
    int fd;     /* -1: not connected */
    uint8_t state;
    bool used;           /* the connection has carried a POST */
    bool refused;        /* the server takes no more of this one */
    bool stopped;        /* nothing is sent any more */
    bool held;           /* nor while nobody listens */
    size_t handed_over;  /* bytes of the POST */
    uint64_t retry_ns;   /* when to dial again */
    uint64_t give_up_ns; /* when to give up the POST under way; MOHS_NO_LIMIT without */
    struct mohs_http http;
};

/* A publisher that mohs_publisher_free accepts, and that sends nothing. */
#define MOHS_PUBLISHER_NONE ((struct mohs_publisher){.fd = -1, .give_up_ns = MOHS_NO_LIMIT})

/* Copies the POST. Returns 0, -EINVAL if it has no room for a message, or -ENOMEM. Needs
 * mohs_publisher_free either way. */
int mohs_publisher_set(struct mohs_publisher *publisher, struct mohs_span request);

void mohs_publisher_free(struct mohs_publisher *publisher);

/* Opens its connection, so that the first message finds it. */
void mohs_publisher_begin(struct mohs_publisher *publisher, struct mohs_target *target,
                          struct mohs_loop *loop, struct mohs_messages *messages);

/* Publishes a message that was due at due_ns, now or when those before it were answered. There must
 * be room for it. */
void mohs_publisher_add(struct mohs_publisher *publisher, uint64_t due_ns);

/* While it is held, messages wait until somebody listens, who will come back. */
void mohs_publisher_hold(struct mohs_publisher *publisher, bool held);

/* Handles the events that epoll reports for its socket. */
void mohs_publisher_ready(struct mohs_publisher *publisher, uint32_t events);

/* Gives up a POST that takes too long, and dials again if the backlog was full. */
void mohs_publisher_look(struct mohs_publisher *publisher);

/* The load has dropped everybody whom a message was sent to, before it came to them all: it counts
 * no more. */
void mohs_publisher_cut(struct mohs_publisher *publisher, uint64_t number);

/* The load is over: gives up what was not answered, and closes the connection. */
void mohs_publisher_end(struct mohs_publisher *publisher);

#endif
