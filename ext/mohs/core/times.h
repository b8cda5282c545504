/*
 * Times counted by size, for live figures: steps of 1 ns below 16 ns, then 16 steps between each
 * power of two and the next, so that no step is wider than 6 % of its times.
 */
#ifndef MOHS_TIMES_H
#define MOHS_TIMES_H

#include <stddef.h>
#include <stdint.h>

enum {
    MOHS_TIME_BITS = 4,     /* 16 steps to a power of two */
    MOHS_TIME_LONGEST = 40, /* bits of the longest time, as in a record; longer ones count as it */
    MOHS_TIME_STEPS = (MOHS_TIME_LONGEST - MOHS_TIME_BITS + 1) << MOHS_TIME_BITS
};

/* The step in which a time is counted: 0 to MOHS_TIME_STEPS - 1. */
static inline size_t mohs_time_step(uint64_t ns) {
    if (ns >> MOHS_TIME_LONGEST) return MOHS_TIME_STEPS - 1;
    if (ns >> MOHS_TIME_BITS == 0) return (size_t)ns;
    unsigned shift = 63 - (unsigned)__builtin_clzll(ns) - MOHS_TIME_BITS;
    return (size_t)((ns >> shift) + ((uint64_t)shift << MOHS_TIME_BITS));
}

#endif
