/* Reproducible random numbers, determined by the initial state. */
#ifndef MOHS_RANDOM_H
#define MOHS_RANDOM_H

#include <stddef.h>
#include <stdint.h>

/* 64 random bits; advances *state. splitmix64 (Steele, Lea and Flood 2014): one addition of state,
 * good bits from any seed. */
static inline uint64_t mohs_random(uint64_t *state) {
    uint64_t bits = *state += 0x9e3779b97f4a7c15u;
    bits = (bits ^ bits >> 30) * 0xbf58476d1ce4e5b9u;
    bits = (bits ^ bits >> 27) * 0x94d049bb133111ebu;
    return bits ^ bits >> 31;
}

/* A number below `limit`, which is at most 2^32. */
static inline uint64_t mohs_random_below(uint64_t *state, uint64_t limit) {
    return (mohs_random(state) >> 32) * limit >> 32;
}

/* An index below `count`, drawn by weight; the cumulative weights end below 2^32. */
static inline uint32_t mohs_random_pick(uint64_t *state, const uint64_t *weights, size_t count) {
    uint64_t point = mohs_random_below(state, weights[count - 1]);
    uint32_t low = 0, high = (uint32_t)count - 1;
    while (low < high) {
        uint32_t middle = (low + high) / 2;
        if (point < weights[middle]) high = middle;
        else low = middle + 1;
    }
    return low;
}

#endif
