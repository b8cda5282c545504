/*
 * What a worker's thread notices about itself while it loads: whether it was the bottleneck, or was
 * kept from its core. It costs a comparison for each wake-up and each event, and a reading of the
 * thread's clock every 100 ms.
 */
#ifndef MOHS_THREAD_STATS_H
#define MOHS_THREAD_STATS_H

#include <stdbool.h>
#include <stdint.h>

#include "clock.h"
#include "step_fields.h"

#define MOHS_WINDOW_NS (100 * MOHS_MILLISECOND)

/* The pace is taken so often, which costs 1 % of the core: neighbours come and go within
 * milliseconds. A thread that waits longer is woken for it, less often, since that takes the core
 * from the server. */
#define MOHS_SPEED_EVERY_NS (500 * MOHS_MICROSECOND)
#define MOHS_SPEED_WAIT_MS  4

/* Of its core, that a thread took in a window: above the one it is near its limit, above the other
 * at it (a thread at 93 % is one that is waited for). */
#define MOHS_BUSY_PERCENT 50
#define MOHS_FULL_PERCENT 85

/* Of one step, or of several threads together. */
struct mohs_thread_stats {
    MOHS_THREAD_COUNTS(MOHS_DECLARE_FIELD)
    int64_t waited_ns; /* ready to run, without a core; -1 where the kernel does not report it */
    uint64_t speeds;   /* times that the core's pace was taken, */
    double core_log;   /* and the sum of its logarithms (core_speed.h, ns), */
    double memory_log; /* and of the memory's */
};

/* Of a thread, over its life. */
struct mohs_thread_watch {
    struct mohs_thread_stats stats;
    int schedstat;        /* -1: the kernel has none */
    bool spins;           /* takes its core whole by design: no windows */
    bool measures_speed;  /* measure the speed of its core */
    uint64_t next_ns;     /* when the window under way ends */
    uint64_t speed_at_ns; /* when the core's speed is measured next, */
    uint32_t place;       /* and where in the memory */
    uint64_t since_ns;    /* when it began, */
    uint64_t cpu_ns;      /* and the thread's clock then */
    uint64_t first_ns;    /* when this wake-up's first event was read; 0: not yet */
    uint64_t preempted;   /* at the step's start, as of the kernel's counts */
    int64_t waited_ns;
};

/* Opens what the kernel tells of the calling thread, which is the one to be watched. */
void mohs_thread_watch_open(struct mohs_thread_watch *watch, bool spins, bool measures_speed);

void mohs_thread_watch_close(struct mohs_thread_watch *watch);

/* A step begins or ends: `told` is of what lies between. */
void mohs_thread_watch_begin(struct mohs_thread_watch *watch, uint64_t now_ns);
void mohs_thread_watch_end(struct mohs_thread_watch *watch);

/* The window under way has ended. */
void mohs_thread_watch_turn(struct mohs_thread_watch *watch, uint64_t now_ns);

/* Takes the pace of the core, which is due. */
void mohs_thread_watch_speed(struct mohs_thread_watch *watch, uint64_t now_ns);

/* Adds what another thread noticed in the same step. `windows` and the times then are of both. */
void mohs_thread_stats_add(struct mohs_thread_stats *total, const struct mohs_thread_stats *part);

/* epoll_wait has brought so many events, 1 or more. */
static inline void mohs_thread_watch_woken(struct mohs_thread_watch *watch, uint64_t events) {
    watch->stats.wakeups++;
    watch->stats.events += events;
    if (events > watch->stats.events_max) watch->stats.events_max = events;
    watch->first_ns = 0;
}

/* The next of them was handled; it was read at that time. */
static inline void mohs_thread_watch_handled(struct mohs_thread_watch *watch, uint64_t read_ns) {
    if (!watch->first_ns) watch->first_ns = read_ns;
    uint64_t age = read_ns - watch->first_ns;
    watch->stats.age_sum_ns += age;
    if (age > watch->stats.age_max_ns) watch->stats.age_max_ns = age;
}

#endif
