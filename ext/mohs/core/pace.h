/*
 * How fast the core is just now: the time of a piece of work that is always the same. On a virtual
 * machine a core is often half of one, whose other half belongs to a neighbour, and everything on
 * it, server and driver alike, slows by a third while that one works. What a slice of load cost
 * can be held against the pace of its core then (Stats::Pace).
 *
 * The work keeps several units of the core busy at once, with 20 KB of instructions and 32 KB of
 * data, as much as the nearest caches hold: these are what a neighbour takes half of. A first pass
 * fetches both, so that what the server left in the caches does not change it.
 */
#ifndef MOHS_PACE_H
#define MOHS_PACE_H

#include <stdint.h>

/* Nanoseconds that the work takes, some 300; it is done twice. */
uint64_t mohs_pace_ns(void);

#endif
