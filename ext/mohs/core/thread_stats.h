/*
 * What a worker's thread measures about itself under load: whether it was the bottleneck, or was
 * kept from its core. This costs a comparison per wake-up and per event, and a reading of the
 * thread's clock every 100 ms.
 */
#ifndef MOHS_THREAD_STATS_H
#define MOHS_THREAD_STATS_H

#include <stdbool.h>
#include <stdint.h>

#include "clock.h"
#include "step_fields.h"

#define MOHS_WINDOW_NS (100 * MOHS_MILLISECOND)

/* How often the core's speed is measured, which costs 1 % of the core: neighbours come and go
 * within milliseconds. A waiting thread is woken for it less often, since waking takes the core
 * away from the server. */
#define MOHS_SPEED_EVERY_NS (500 * MOHS_MICROSECOND)
#define MOHS_SPEED_WAIT_MS  4

/* The share of its core that a thread used in a window: above the first it is near its limit,
 * above the second it has reached it (a thread at 93 % makes others wait). */
#define MOHS_BUSY_PERCENT 50
#define MOHS_FULL_PERCENT 85

/* Statistics of one step, for one thread or several together. */
struct mohs_thread_stats {
    MOHS_THREAD_COUNTS(MOHS_DECLARE_FIELD)
    int64_t waited_ns; /* ready to run without a core; -1 if the kernel does not report it */
    uint64_t speeds;   /* how often the core's speed was measured */
    double core_log;   /* sum of logarithms of the core's times (core_speed.h, ns) */
    double memory_log; /* the same for the memory's times */
};

/* A thread that is measured over its life. */
struct mohs_thread_watch {
    struct mohs_thread_stats stats;
    int schedstat;        /* -1: the kernel has no such file */
    bool spins;           /* it uses its whole core by design: no windows */
    bool measures_speed;  /* measure the core's speed */
    uint64_t next_ns;     /* when the current window ends */
    uint64_t speed_at_ns; /* when to measure the core's speed next */
    uint32_t place;       /* where in memory to measure next */
    uint64_t since_ns;    /* when the window began */
    uint64_t cpu_ns;      /* the thread's CPU clock at that time */
    uint64_t first_ns;    /* when this wake-up's first event was read; 0: not yet */
    uint64_t preempted;   /* at the step's start, by the kernel's counters */
    int64_t waited_ns;
};

/* Opens the kernel's statistics of the calling thread, which is the one to be measured. */
void mohs_thread_watch_open(struct mohs_thread_watch *watch, bool spins, bool measures_speed);

void mohs_thread_watch_close(struct mohs_thread_watch *watch);

/* A step begins or ends: `stats` covers the time between. */
void mohs_thread_watch_begin(struct mohs_thread_watch *watch, uint64_t now_ns);
void mohs_thread_watch_end(struct mohs_thread_watch *watch);

/* Ends the current window. */
void mohs_thread_watch_turn(struct mohs_thread_watch *watch, uint64_t now_ns);

/* Measures the core's speed. To be called when that is due. */
void mohs_thread_watch_speed(struct mohs_thread_watch *watch, uint64_t now_ns);

/* Adds the statistics of another thread in the same step. */
void mohs_thread_stats_add(struct mohs_thread_stats *total, const struct mohs_thread_stats *part);

/* epoll_wait returned this many events, 1 or more. */
static inline void mohs_thread_watch_woken(struct mohs_thread_watch *watch, uint64_t events) {
    watch->stats.wakeups++;
    watch->stats.events += events;
    if (events > watch->stats.events_max) watch->stats.events_max = events;
    watch->first_ns = 0;
}

/* The next of these events was handled; it was read at read_ns. */
static inline void mohs_thread_watch_handled(struct mohs_thread_watch *watch, uint64_t read_ns) {
    if (!watch->first_ns) watch->first_ns = read_ns;
    uint64_t age = read_ns - watch->first_ns;
    watch->stats.age_sum_ns += age;
    if (age > watch->stats.age_max_ns) watch->stats.age_max_ns = age;
}

#endif
