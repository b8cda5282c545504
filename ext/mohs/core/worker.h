/*
 * One thread and what it owns: an epoll set, a buffer, and a lane for each target it has
 * connections to. Nothing of it is written by another thread while load runs.
 */
#ifndef MOHS_WORKER_H
#define MOHS_WORKER_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lane.h"
#include "loop.h"
#include "thread_stats.h"
#include "shield.h"

struct mohs_worker {
    void *owner; /* whoever runs its thread */
    pthread_t thread;
    struct mohs_loop loop; /* woken to look at the owner's stop flag */
    int timer;   /* timerfd, where the kernel's epoll_wait knows milliseconds only; else -1 */
    int stamped; /* mohs_socket_stamped: else connections that come and go switch stamps */
    struct mohs_lane *lanes; /* one for each target, in their order */
    size_t lane_count;
    uint64_t late_ns;    /* by so much three of four sleeps end late, */
    uint64_t woken_ns;   /* and what the last one that ended was for */
    uint64_t heard_ns;   /* when events were handled last, */
    uint64_t gap_ns;     /* and how far they are apart of late */
    bool spin;           /* open loop: do not sleep */
    bool measures_speed; /* measure the speed of the core */
    struct mohs_thread_watch watch;
    int sched_class; /* how its last thread stood, read back: enum mohs_sched_class, or -errno */
} __attribute__((aligned(64)));

/* Returns 0 or -errno. The lanes are the engine's to fill. */
int mohs_worker_init(struct mohs_worker *worker);

void mohs_worker_free(struct mohs_worker *worker);

/* What its thread, which ends with the list, does first: stands so, where that is permitted. */
void mohs_worker_begin(struct mohs_worker *worker, enum mohs_sched_class sched_class);

/* What it does last. */
void mohs_worker_end(struct mohs_worker *worker);

/* How the threads of several stood: the least of them. After their end. */
enum mohs_sched_class mohs_workers_sched_class(const struct mohs_worker *workers, size_t count);

/* Opens the connections of the lanes that have a tally, spread one after the other. */
void mohs_worker_prepare(struct mohs_worker *worker, uint64_t deadline_ns);

/* Loads until every lane is finished or *stop is set, which gives up what is in flight. */
void mohs_worker_load(struct mohs_worker *worker, uint64_t gone_ns, const atomic_bool *stop);

#endif
