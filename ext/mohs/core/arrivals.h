/*
 * When requests fall due in an open loop. Arrivals are a process of rate one (regular, or Poisson:
 * gaps of -log U) mapped through the integral of the wanted rate: an arrival at position x of the
 * process is due when the integral reaches x (time rescaling; Cinlar 1975). So a ramp of either
 * kind needs no thinning, and its times are as exact as those of a constant rate.
 *
 * Every worker walks the whole process from the same seed and keeps the arrivals whose connection,
 * number % connections, is its own. This costs 20 ns per arrival of another worker, but due times
 * don't depend on the number of workers, and all workers together produce exactly the wanted
 * process.
 */
#ifndef MOHS_ARRIVALS_H
#define MOHS_ARRIVALS_H

#include <stddef.h>
#include <stdint.h>

#include "fields.h"

#define MOHS_ARRIVALS_KINDS(NAME)                                                                  \
    NAME(REGULAR, constant)                                                                        \
    NAME(POISSON, poisson)                                                                         \
    NAME(TIMES, times) /* given one by one */

enum mohs_arrivals_kind {
    MOHS_CLOSED_LOOP, /* a request is due when its connection is free */
    MOHS_ARRIVALS_KINDS(MOHS_DECLARE_NAME)
};

/* The arrival process of a step, on each of its targets. */
struct mohs_arrivals {
    enum mohs_arrivals_kind kind;
    double rate_per_s;     /* request rate where the step begins, above 0 */
    double to_per_s;       /* rate where it ends; a rate other than rate_per_s needs a duration */
    uint32_t burst;        /* requests that fall due together, 1 or more */
    uint64_t seed;         /* for MOHS_POISSON */
    const uint64_t *times; /* for MOHS_TIMES: ns since the step began, ascending */
    size_t time_count;
};

/* The arrivals of one worker: those with workers[n % connections % worker_count] == worker. */
struct mohs_share {
    const uint32_t *workers;
    size_t worker_count;
    uint32_t connections;
    uint32_t worker;
};

/* A walk over the arrivals of one share. */
struct mohs_schedule {
    struct mohs_arrivals arrivals;
    struct mohs_share share;
    uint64_t begin_ns;
    uint64_t duration_ns; /* 0: only the count ends it */
    uint64_t count;       /* arrivals of all shares together, or UINT64_MAX */
    uint64_t number;      /* of the next arrival, over all shares */
    uint64_t passed;      /* arrivals of this share so far */
    uint64_t random;
    double position; /* of the next arrival in the process of rate one */
    uint64_t due_ns; /* of this share's next arrival; UINT64_MAX after the last */
};

/* Starts at the first arrival of its share. Times count from begin_ns. */
void mohs_schedule_init(struct mohs_schedule *schedule, const struct mohs_arrivals *arrivals,
                        const struct mohs_share *share, uint64_t begin_ns, uint64_t duration_ns,
                        uint64_t count);

/* Moves to the next arrival. Must not be called after the last one. */
void mohs_schedule_next(struct mohs_schedule *schedule);

/* Moves on until the next arrival is after until_ns. Returns how many were passed. */
uint64_t mohs_schedule_pass(struct mohs_schedule *schedule, uint64_t until_ns);

#endif
