/*
 * What the connections of one thread share: its epoll set, its buffer and its reading of the clock.
 * Nothing of it is written by another thread while load runs.
 */
#ifndef MOHS_LOOP_H
#define MOHS_LOOP_H

#include <stdbool.h>
#include <stdint.h>

#include "socket.h"

#define MOHS_BUFFER_BYTES 65536

struct mohs_loop {
    int epoll;
    int wake; /* eventfd: readable when the thread should stop waiting */
    char *buffer;
    uint64_t epoch_ns;
    struct mohs_wall wall;
    uint64_t woken_ns; /* when epoll_wait last returned with events: their first bytes were there */
    uint64_t now_ns;   /* the last reading of the clock: one for each event */
    uint64_t look_ns;  /* when timeouts and pauses are checked next */
    uint64_t due_ns;   /* open loop: when to begin the next request; or MOHS_NO_LIMIT */
};

/* A loop without descriptors or memory, which mohs_loop_free accepts. */
#define MOHS_LOOP_NONE ((struct mohs_loop){.epoll = -1, .wake = -1})

/* Returns 0 or -errno; needs mohs_loop_free either way. */
int mohs_loop_init(struct mohs_loop *loop);

void mohs_loop_free(struct mohs_loop *loop);

/* Sleeps until `until_ns` or a wake-up. Returns false when it was woken. */
bool mohs_loop_rest(const struct mohs_loop *loop, uint64_t until_ns);

/* Makes sure that timeouts and pauses are checked at `at_ns`. */
static inline void mohs_loop_look_at(struct mohs_loop *loop, uint64_t at_ns) {
    if (at_ns < loop->look_ns) loop->look_ns = at_ns;
}

#endif
