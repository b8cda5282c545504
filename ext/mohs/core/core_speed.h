/*
 * How fast the core and the memory behind it are just now: the times of two pieces of work that are
 * always the same. On a virtual machine a core is often half of one, whose other half belongs to a
 * neighbour, and everything on it, server and driver alike, slows by a third while that one works;
 * and cache and memory are shared with more of them. What a slice of load cost can be held against
 * both then (Stats::Pace).
 *
 * The work goes round a ring of as many lines of memory as the nearest cache holds, 16 to 64 KB,
 * with sums beside each step that keep the core's other units busy: both are what a neighbour takes
 * half of. A first round fetches all, so that what the server left in the caches does not change
 * the second, which is timed.
 */
#ifndef MOHS_CORE_SPEED_H
#define MOHS_CORE_SPEED_H

#include <stdint.h>

/* Nanoseconds that the work takes, 1000 to 2000; it is done twice. */
uint64_t mohs_core_speed_ns(void);

/*
 * Nanoseconds of some steps through 2 MB in random order, some 3000. *place says where they begin
 * (at first any number) and ends where they do: a line is come back to after a second only, by when
 * whatever serves has long put it out of the nearest caches.
 */
uint64_t mohs_memory_speed_ns(uint32_t *place);

#endif
