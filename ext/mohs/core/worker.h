/*
 * One thread and what it owns: an epoll set, a buffer, and a lane for each target it has
 * connections to. No other thread writes any of it while load runs.
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

#define MOHS_WORKER_EVENTS 64 /* handled after one wait */

struct mohs_worker {
    void *owner; /* whoever runs its thread */
    pthread_t thread;
    struct mohs_loop loop;   /* woken to look at the owner's stop flag */
    int timer;               /* timerfd, if epoll_wait only knows milliseconds here; else -1 */
    int stamped;             /* mohs_socket_stamped: else each connection would switch stamps */
    struct mohs_lane *lanes; /* one for each target, in their order */
    size_t lane_count;
    uint64_t late_ns;    /* three of four sleeps end at least this late */
    uint64_t woken_ns;   /* the time that the last completed sleep was meant to end at */
    uint64_t heard_ns;   /* when events were last handled */
    uint64_t gap_ns;     /* recent mean time between events */
    bool spin;           /* open loop: do not sleep */
    bool measures_speed; /* measure the core's speed meanwhile */
    struct mohs_thread_watch watch;
    int sched_class; /* of its last thread, read back: enum mohs_sched_class, or -errno */
} __attribute__((aligned(64)));

/* Returns 0 or -errno. The engine fills the lanes. */
int mohs_worker_init(struct mohs_worker *worker);

void mohs_worker_free(struct mohs_worker *worker);

/* Starts its thread, kept on this CPU (-1: any), with all signals blocked, which would cut pauses
 * and waits short. Returns 0 or -errno. */
int mohs_worker_run(struct mohs_worker *worker, int cpu, void *(*work)(void *), void *argument);

/* Called first on its thread, which lives for one list of steps: sets the scheduling class, if
 * permitted. */
void mohs_worker_begin(struct mohs_worker *worker, enum mohs_sched_class sched_class);

/* Called last on its thread. */
void mohs_worker_end(struct mohs_worker *worker);

/* The lowest scheduling class that a thread of these workers had. Call after their end. */
enum mohs_sched_class mohs_workers_sched_class(const struct mohs_worker *workers, size_t count);

/* Opens the connections of all lanes with a tally, one after the other. */
void mohs_worker_prepare(struct mohs_worker *worker, uint64_t deadline_ns);

/* After a step: looks at its connections once more for bytes that no request asked for, having
 * given them `rest_ns` to come. */
void mohs_worker_check(struct mohs_worker *worker, uint64_t rest_ns);

/* For another kind of load on its thread, which handles events itself. start and finish: its clocks
 * and statistics begin and end. wait: sleeps until an event comes, loop.due_ns or loop.look_ns,
 * whichever is first; returns how many events came. */
struct epoll_event;
void mohs_worker_start(struct mohs_worker *worker);
int mohs_worker_wait(struct mohs_worker *worker, struct epoll_event *events);
void mohs_worker_finish(struct mohs_worker *worker);

/* Loads until every lane is finished. *stop ends it early and gives up what is in flight. */
void mohs_worker_load(struct mohs_worker *worker, uint64_t gone_ns, const atomic_bool *stop);

#endif
