/*
 * What the connections of one thread share: its epoll set, its buffer and its reading of the
 * clock. No other thread writes any of it while load runs.
 */
#ifndef MOHS_LOOP_H
#define MOHS_LOOP_H

#include <stdbool.h>
#include <stdint.h>

#include "clock.h"
#include "socket.h"

#define MOHS_BUFFER_BYTES 65536
#define MOHS_READS        16 /* 1 MB at a time: an endless body must not block the others */

/* A thread that runs so much later than it should was kept from its core: waking takes less. */
#define MOHS_GAP_NS (200 * MOHS_MICROSECOND)

/* A thread that runs this much later than it should was stalled: no scheduler lets a thread that
 * is alone on its core wait that long. */
#define MOHS_STALL_NS (20 * MOHS_MILLISECOND)

/* How late a thread ran, in one step. */
struct mohs_stalls {
    uint64_t gap_max_ns; /* the longest time from when it should have run to when it did */
    uint64_t gaps_ns;    /* what they exceed MOHS_GAP_NS by, added up: the parts spent asleep, */
    uint64_t held_ns;    /* and awake, in which the thread computed or was stopped */
    uint64_t stalls;     /* such times above MOHS_STALL_NS, */
    uint64_t stalled_ns; /* their sum, */
    uint64_t from_ns;    /* when the last of them began */
    uint64_t to_ns;
    uint64_t behind_ns; /* until when the thread caught up after it */
};

struct mohs_loop {
    int epoll;
    int wake; /* eventfd: readable when the thread should stop waiting */
    char *buffer;
    uint64_t epoch_ns;
    struct mohs_wall wall;
    uint64_t slept_ns; /* when the thread last began to wait for events */
    uint64_t woken_ns; /* when epoll_wait last returned with events: their first bytes were there */
    uint64_t now_ns;   /* the last reading of the clock: one for each event */
    uint64_t look_ns;  /* when timeouts and pauses are checked next */
    uint64_t due_ns;   /* open loop: when to begin the next request; or MOHS_NO_LIMIT */
    uint64_t ran_ns;   /* when the thread was last seen to run */
    struct mohs_stalls stalls;
};

/* A loop without descriptors or memory, which mohs_loop_free accepts. */
#define MOHS_LOOP_NONE ((struct mohs_loop){.epoll = -1, .wake = -1})

/* Returns 0 or -errno; needs mohs_loop_free either way. */
int mohs_loop_init(struct mohs_loop *loop);

void mohs_loop_free(struct mohs_loop *loop);

/* Make an eventfd readable, and unreadable again. wait: up to `ms` until it is readable, and makes
 * it unreadable. */
void mohs_eventfd_set(int fd);
void mohs_eventfd_clear(int fd);
void mohs_eventfd_wait(int fd, int ms);

/* Sleeps until `until_ns` or a wake-up. Returns false when it was woken. */
bool mohs_loop_rest(const struct mohs_loop *loop, uint64_t until_ns);

/* Makes sure that timeouts and pauses are checked at `at_ns`. */
static inline void mohs_loop_look_at(struct mohs_loop *loop, uint64_t at_ns) {
    if (at_ns < loop->look_ns) loop->look_ns = at_ns;
}

/* To be called when a step begins. */
static inline void mohs_loop_begin(struct mohs_loop *loop, uint64_t now_ns) {
    loop->ran_ns = now_ns;
    loop->stalls = (struct mohs_stalls){0};
}

/* Counts a gap that began at from_ns: what the thread slept of it, and what it was awake. */
static inline void mohs_loop_split(struct mohs_loop *loop, uint64_t from_ns, uint64_t gap) {
    uint64_t woken = loop->woken_ns > loop->slept_ns ? loop->woken_ns : loop->now_ns;
    uint64_t from = from_ns > loop->slept_ns ? from_ns : loop->slept_ns;
    uint64_t asleep = woken > from ? woken - from : 0;
    uint64_t awake = gap - asleep;
    if (asleep > MOHS_GAP_NS) loop->stalls.gaps_ns += asleep - MOHS_GAP_NS;
    if (awake > MOHS_GAP_NS) loop->stalls.held_ns += awake - MOHS_GAP_NS;
}

/* The thread runs now. It could have run since `came_ns`, when the bytes that it reads had come,
 * or since the planned end of its wait, whichever was first, but not before it last ran. */
static inline void mohs_loop_ran(struct mohs_loop *loop, uint64_t came_ns) {
    struct mohs_stalls *stalls = &loop->stalls;
    uint64_t from = loop->due_ns < loop->look_ns ? loop->due_ns : loop->look_ns;
    if (came_ns < from) from = came_ns;
    if (loop->ran_ns > from) from = loop->ran_ns;
    uint64_t gap = loop->now_ns > from ? loop->now_ns - from : 0;
    loop->ran_ns = loop->now_ns;
    if (gap > MOHS_GAP_NS) mohs_loop_split(loop, from, gap);
    if (gap <= stalls->gap_max_ns && gap <= MOHS_STALL_NS) return;
    if (gap > stalls->gap_max_ns) stalls->gap_max_ns = gap;
    if (gap <= MOHS_STALL_NS) return;
    stalls->stalls++;
    stalls->stalled_ns += gap;
    stalls->from_ns = from;
    stalls->to_ns = stalls->behind_ns = loop->now_ns;
}

/* Whether a request that was due at due_ns, and could not begin before now, waited for this
 * thread: it fell due while the thread stood still, or while the thread caught up with such
 * requests, for which at most as much time again counts. */
static inline bool mohs_loop_held_up(struct mohs_loop *loop, uint64_t due_ns) {
    struct mohs_stalls *stalls = &loop->stalls;
    if (due_ns < stalls->from_ns || due_ns >= stalls->behind_ns) return false;
    uint64_t most = stalls->to_ns + (stalls->to_ns - stalls->from_ns);
    uint64_t until = loop->now_ns < most ? loop->now_ns : most;
    if (until > stalls->behind_ns) stalls->behind_ns = until;
    return true;
}

#endif
