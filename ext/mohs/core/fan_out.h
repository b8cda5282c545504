/*
 * How soon each message has reached everybody: which connections it came to, and when half of those
 * that were open as it was sent had it, 99 % of them, and the last.
 */
#ifndef MOHS_FAN_OUT_H
#define MOHS_FAN_OUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "parts.h"

/* Of one message. */
struct mohs_fan {
    struct mohs_parts parts; /* of its audience */
    uint32_t audience; /* connections that were open when it was sent, but for those that the load
                          itself dropped before it came to them */
    uint32_t heard;    /* connections it came to */
    bool cut;          /* the load itself dropped who had sent it, or the whole audience */
};

struct mohs_fan_out {
    struct mohs_fan *fans; /* by the number of the message */
    uint8_t *heard_by;     /* a bit for each connection, `stride` bytes for each message */
    uint64_t capacity;     /* messages */
    uint64_t stride;
    uint64_t due;  /* over all messages: connections they should come to, */
    uint64_t came; /* and did */
};

/* Maps memory, which is only used as it is needed. Returns 0 or -errno. */
int mohs_fan_out_init(struct mohs_fan_out *fan_out, uint64_t messages, uint32_t connections);

void mohs_fan_out_free(struct mohs_fan_out *fan_out);

/* Message `number` was sent while so many connections were open. */
void mohs_fan_out_sent(struct mohs_fan_out *fan_out, uint64_t number, uint32_t audience);

/* Whether it came to a connection. */
bool mohs_fan_out_heard(const struct mohs_fan_out *fan_out, uint64_t number, uint32_t connection);

/* The load has dropped a connection that it had yet to come to: the others remain. */
void mohs_fan_out_leave(struct mohs_fan_out *fan_out, uint64_t number);

/* The load has dropped the connection that had sent it: it counts no more. */
void mohs_fan_out_cut(struct mohs_fan_out *fan_out, uint64_t number);

/* It came to a connection. Returns false if it had come there before. */
bool mohs_fan_out_came(struct mohs_fan_out *fan_out, uint64_t number, uint32_t connection,
                       uint64_t came_ns);

#endif
