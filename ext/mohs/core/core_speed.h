/*
 * How fast the core and the memory behind it are at this moment: the times of two fixed pieces of
 * work. On a virtual machine a core is often half of one, whose other half belongs to a neighbour;
 * everything on it, server and driver alike, slows by a third while that neighbour works, and cache
 * and memory are shared with more of them. The cost of a slice of load can be adjusted for both
 * (lib/mohs/stats).
 *
 * The work walks a ring of as many lines of memory as the nearest cache holds, 16 to 64 KB, with
 * sums beside each step that keep the core's other units busy: a neighbour takes half of both. A
 * first round fetches all lines, so that what the server left in the caches does not change the
 * second round, which is timed.
 */
#ifndef MOHS_CORE_SPEED_H
#define MOHS_CORE_SPEED_H

#include <stdint.h>

/* Nanoseconds of the timed round, 1000 to 2000; it runs twice. */
uint64_t mohs_core_speed_ns(void);

/*
 * Nanoseconds of some steps through 2 MB in random order, about 3000. *place is where they begin
 * (at first any number) and is set to where they end: the walk comes back to a line only after a
 * second, when the server's work has long evicted it from the nearest caches.
 */
uint64_t mohs_memory_speed_ns(uint32_t *place);

#endif
