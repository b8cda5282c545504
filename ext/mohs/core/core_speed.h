/*
 * The present speed of the core and of the memory behind it: the times that two fixed pieces of
 * work take. On a virtual machine a core is often one of a physical core's two hyperthreads, and
 * the other one belongs to a neighbour. Everything on it, server and driver alike, slows down by a
 * third while that neighbour works, and cache and memory are shared with more neighbours. The cost
 * of a slice of load can be adjusted for both (lib/mohs/stats).
 *
 * The work walks a ring of as many lines of memory as the nearest cache holds, 16 to 64 KB, with
 * additions beside each step that keep the core's other units busy: a neighbour takes half of
 * both. A first round fetches all lines, so that what the server left in the caches does not
 * affect the second round, which is timed.
 */
#ifndef MOHS_CORE_SPEED_H
#define MOHS_CORE_SPEED_H

#include <stdint.h>

/* Nanoseconds of the timed round, 1000 to 2000; the round runs twice. */
uint64_t mohs_core_speed_ns(void);

/*
 * Nanoseconds that some steps through 2 MB in random order take, about 3000. *place is where they
 * begin (any number the first time) and is set to where they end. The walk returns to a line only
 * after a second, when the server's work has long evicted it from the nearest caches.
 */
uint64_t mohs_memory_speed_ns(uint32_t *place);

#endif
