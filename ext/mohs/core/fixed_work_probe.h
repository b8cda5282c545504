/*
 * A probe on each core: a thread pinned there that does units of fixed work, one after the other,
 * and reads the clock between them. Whatever takes the core away (another process, the hypervisor,
 * an interrupt) shows as a gap between two readings; whatever slows it down (frequency, a
 * hyperthread, a shared cache) as fewer units in a bin of time. Reading order: spin() in the .c.
 */
#ifndef MOHS_FIXED_WORK_PROBE_H
#define MOHS_FIXED_WORK_PROBE_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define MOHS_FIXED_WORK_GAP_NS   20000ull /* a unit takes about 1 us; a longer gap is time away */
#define MOHS_FIXED_WORK_BIN_NS   100000000ull /* short against a drift, long against a tick */
#define MOHS_FIXED_WORK_BINS_MAX 600          /* it never spins longer than a minute */

/* What was measured on one core. Times count from the common start, on CLOCK_MONOTONIC. */
struct mohs_probed_core {
    int cpu;
    uint64_t wall_ns;
    uint64_t cpu_ns;     /* the thread's own CPU time within it */
    uint64_t away_ns;    /* all gaps together */
    uint64_t longest_ns; /* the longest gap */
    uint32_t *bins;      /* units of work finished in each bin */
    /* Used by the thread only. */
    uint64_t *table;
    uint64_t result; /* result of the work, so that the compiler can't omit it */
    struct mohs_fixed_work_probe *probe;
    pthread_t thread;
    bool started;
};

struct mohs_fixed_work_probe {
    struct mohs_probed_core *cores;
    size_t core_count;
    size_t bin_count;
    uint64_t start_ns;
    int wake; /* eventfd: a thread has ended, or mohs_fixed_work_poke was called */
    atomic_size_t running;
    atomic_bool stop;
};

/*
 * Makes room for one thread on each of `cpus`, to spin for `bin_count` bins. Returns 0 or -errno;
 * needs free in either case.
 */
int mohs_fixed_work_init(struct mohs_fixed_work_probe *probe, const int *cpus, size_t cpu_count,
                         size_t bin_count);

/* Starts all threads. Returns 0 or -errno (-EINVAL: no such CPU); stop and join in either case. */
int mohs_fixed_work_start(struct mohs_fixed_work_probe *probe);

/* Returns true when all threads have ended; false if it was poked or patience_ms have passed. */
bool mohs_fixed_work_wait(struct mohs_fixed_work_probe *probe, int patience_ms);

/* Makes a waiter return. Async-signal-safe. */
void mohs_fixed_work_poke(struct mohs_fixed_work_probe *probe);

/* Ends the threads early; join follows. */
void mohs_fixed_work_stop(struct mohs_fixed_work_probe *probe);

/* Waits for the threads to end. Safe to call again. */
void mohs_fixed_work_join(struct mohs_fixed_work_probe *probe);

void mohs_fixed_work_free(struct mohs_fixed_work_probe *probe);

#endif
