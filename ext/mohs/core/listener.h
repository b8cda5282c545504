/*
 * What an event stream brings of messages that were published: a message has come when an event is
 * complete whose data has its text. A message must be within one line of the data, and an event may
 * bring several. Nothing else of the data is kept.
 */
#ifndef MOHS_LISTENER_H
#define MOHS_LISTENER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sse.h"
#include "talk.h"

#define MOHS_EVENT_MESSAGES 64 /* new ones that an event brings at most: further are missed */

struct mohs_listener {
    uint64_t since_ns; /* when its stream was open; earlier messages are none of its */
    uint64_t latest;   /* highest number that came, plus one */
    uint32_t number;   /* its stream's */
    uint32_t again;    /* messages in the event under way that had come before, */
    bool known;        /* and whether there are these, or some from before the stream was open; */
    uint8_t count;     /* new ones: */
    uint32_t brought[MOHS_EVENT_MESSAGES];
    struct mohs_number_finder finder;
};

/* Prepares for the stream of this number, which is open. */
void mohs_listener_begin(struct mohs_listener *listener, uint32_t number, uint64_t since_ns);

/* What was found in a stream's bytes (mohs_sse_next) says of the messages in them: one of the next
 * three. */
void mohs_listener_hear(struct mohs_listener *listener, struct mohs_messages *messages,
                        const struct mohs_sse *sse, enum mohs_sse_found found,
                        struct mohs_span piece, uint64_t came_ns);

/* Reads a piece of a line of data, and notes the end of a line. */
void mohs_listener_read(struct mohs_listener *listener, const struct mohs_messages *messages,
                        struct mohs_span piece);
void mohs_listener_end_line(struct mohs_listener *listener);

/* The event is complete: what it brought came at came_ns. */
void mohs_listener_event(struct mohs_listener *listener, struct mohs_messages *messages,
                         uint64_t came_ns);

#endif
