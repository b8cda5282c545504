/*
 * The engine: targets, worker threads, and a list of steps that they carry out back to back.
 *
 * Life cycle: init; fill the targets (target.h); ready. Then, as often as wanted: start a list of
 * steps, wait until it is over or stop it, join, read the results. Connections and recordings
 * outlive a list. free ends everything.
 *
 * A step: every worker opens its connections; all workers meet at a barrier, load, and meet again,
 * where one of them reads the CPU clocks of the watched processes. A timed step ends with a
 * response: after its deadline nothing more is sent, and what is in flight is waited for. In an
 * open loop, requests that fell due before the deadline are still sent after it, while the drain
 * lasts.
 */
#ifndef MOHS_ENGINE_H
#define MOHS_ENGINE_H

#include <pthread.h>
#include <stdatomic.h>

#include "lane.h"
#include "target.h"
#include "worker.h"

struct mohs_step {
    uint64_t duration_ns; /* 0: the count limits the step */
    uint64_t count;       /* requests on each target, spread evenly over its connections */
    uint64_t limit_ns;    /* counted closed loop: no request begins after this; 0: no limit */
    uint64_t targets;     /* a bit for each target that is loaded: at most 64 */
    uint64_t edge_ns;     /* timed closed loop: length of the edges of the rate (select.h), or
                             MOHS_EDGE_BY_TIMES */
    bool hang_up;         /* closed loop: close connections that have nothing more to send */
    bool warm_up;
    bool followed;                 /* another list follows at once: this one ends without a rest */
    bool login;                    /* scenario: the login, once for each connection */
    struct mohs_arrivals arrivals; /* open loop: count or duration limits these */
};

#define MOHS_MAX_TARGETS 64

/* Edges of two bunches, if a server works on all connections at once. */
#define MOHS_EDGE_BY_TIMES UINT64_MAX

struct mohs_step_result {
    struct mohs_tally total; /* over all workers; outage_from_ns since the step began */
    MOHS_STEP_TIMES(MOHS_DECLARE_FIELD)
    int64_t cpu_ns;                  /* of the watched processes; -1: unknown */
    int64_t loaded_cpu_ns;           /* the same in loaded_ns, at the pace that they have between
                                        the first good response and its end */
    const int64_t *processes_cpu_ns; /* of each, in their order, until the next list begins */
    size_t process_count;
    bool open_loop;
    bool scenario;
    bool has_p50;    /* the median request had a correct response */
    uint64_t p50_ns; /* its service time; 0 without has_p50 */
    bool has_lag;    /* open loop: there are requests of the kind MOHS_LAG */
    bool has_queue;
    uint64_t lag_ns[2];   /* p50 and p99 of MOHS_LAG; 0 if there are none */
    uint64_t queue_ns[2]; /* the same for MOHS_QUEUE */
};

/* Counts of the list of steps under way. Each FIELD is a uint64_t and a member of Load::Live. */
#define MOHS_LIVE_FIELDS(FIELD)                                                                    \
    FIELD(step, ONCE)                                                                              \
    FIELD(completed, ONCE)                                                                         \
    FIELD(failed, ONCE)

struct mohs_live {
    MOHS_LIVE_FIELDS(MOHS_DECLARE_FIELD)
    uint64_t times[MOHS_TIME_STEPS];   /* good responses by time: response time in an open loop,
                                          else service time */
    uint64_t waiting[MOHS_TIME_STEPS]; /* unanswered requests, by how long they have waited */
};

struct mohs_engine {
    struct mohs_target *targets;
    size_t target_count;
    struct mohs_worker *workers;
    size_t worker_count;
    struct mohs_lane *lanes; /* worker by worker, each with every target */
    struct mohs_connection *connections;
    uint32_t connection_count;
    char *scratch; /* the connections' lines and samples: mapped, mostly never touched */
    size_t scratch_bytes;
    int *cpus;
    size_t cpu_count;
    uint64_t epoch_ns;
    uint64_t drain_ns;
    uint64_t gone_ns;
    bool spin; /* open loop: threads do not sleep between arrivals. Set before the first start */
    bool measures_speed;               /* threads measure the speed of their cores */
    enum mohs_sched_class sched_class; /* of the next list's threads, if permitted */

    // of the current or last list of steps
    struct mohs_step *steps;
    size_t step_count;
    uint64_t *times;            /* given arrivals of all steps */
    struct mohs_tally *tallies; /* step by step, lane by lane */
    int64_t *clocks;            /* step by step, process by process: its CPU clock when the step
                                   began, then what it spent; -1: unknown */
    size_t *first_clock;        /* of each target in a step; the last entry is their count */
    uint64_t *started_ns;       /* step by step */
    uint64_t *ended_ns;
    size_t steps_done;
    size_t live_step;
    size_t threads;
    bool started;
    pthread_mutex_t gate; /* threads wait here until all of them exist */
    pthread_barrier_t barrier;
    bool halted; /* decided by one worker for all, between two barriers */
    atomic_bool stop;
    atomic_size_t running; /* workers that have not ended */
    int done;              /* eventfd: the last worker has ended, or mohs_engine_poke was called */
};

/* Makes room for targets and workers. Worker i is pinned to cpus[i % cpu_count]; without cpus no
 * worker is pinned. Returns 0, or -errno and then needs no free. */
int mohs_engine_init(struct mohs_engine *engine, size_t targets, size_t workers, const int *cpus,
                     size_t cpu_count);

/* Changes the CPUs of the next list's workers; there must be as many as before. */
void mohs_engine_pin(struct mohs_engine *engine, const int *cpus);

/* To be called when every target has its address, requests, workers and connections. Makes the
 * connections (`seed` determines their request mixes) and the recordings, with touched memory for
 * `capacity` records of each target. Returns 0 or -errno. */
int mohs_engine_ready(struct mohs_engine *engine, uint64_t seed, size_t capacity);

/* Starts the workers on a copy of `steps`, including given times. Returns 0, or -errno and then
 * nothing runs. */
int mohs_engine_start(struct mohs_engine *engine, const struct mohs_step *steps, size_t count);

/* Waits up to `ms` for the list to end. Returns true when it has. */
bool mohs_engine_wait(struct mohs_engine *engine, int ms);

/* Makes a waiter return. Safe in a signal handler. */
void mohs_engine_poke(struct mohs_engine *engine);

/* Gives up what is in flight and skips the remaining steps. Does not wait. */
void mohs_engine_stop(struct mohs_engine *engine);

/* Waits for the workers' threads. Results are complete afterwards. */
void mohs_engine_join(struct mohs_engine *engine);

void mohs_engine_live(const struct mohs_engine *engine, struct mohs_live *live);

/* Number of steps of the last list that ran and ended, completely or not. Call after join. */
size_t mohs_engine_steps_done(const struct mohs_engine *engine);

/* Makes one of these steps, a closed loop, on one target warm-up after all: its records are marked
 * so. */
void mohs_engine_set_aside(struct mohs_engine *engine, size_t step, size_t target);

/* Fills in the result of one of these steps on one target. Returns 0 or -ENOMEM. */
int mohs_engine_result(const struct mohs_engine *engine, size_t step, size_t target,
                       struct mohs_step_result *result);

/* The lowest scheduling class of the last list's threads, as each read it back. Call after
 * join. */
enum mohs_sched_class mohs_engine_sched_class(const struct mohs_engine *engine);

/* Gives a target's records, or with `unsent` those of its requests that were never sent, as up to
 * `max` runs, worker by worker. Returns how many runs there are. */
size_t mohs_engine_runs(const struct mohs_engine *engine, size_t target, bool unsent,
                        struct mohs_run *runs, size_t max);

/* A target's first wrong response, or NULL. */
const struct mohs_failed_response *mohs_engine_failed_response(const struct mohs_engine *engine,
                                                               size_t target);

/* Adds up a target's TLS handshakes in all steps so far. Returns false if it has no TLS. */
bool mohs_engine_handshakes(const struct mohs_engine *engine, size_t target,
                            struct mohs_handshakes *handshakes);

/* How many records were lost for lack of memory. If not 0, no figure is valid. */
uint64_t mohs_engine_lost_records(const struct mohs_engine *engine);

/* Closes the connections. Recordings stay readable. */
void mohs_engine_close(struct mohs_engine *engine);

void mohs_engine_free(struct mohs_engine *engine);

/* Bytes held, for Ruby's memory accounting. */
size_t mohs_engine_bytes(const struct mohs_engine *engine);

#endif
