/*
 * A worker's share of a target: its connections to it, what they work on, and in an open loop which
 * of them sends what is due.
 */
#ifndef MOHS_LANE_H
#define MOHS_LANE_H

#include "connection.h"
#include "job.h"

struct mohs_lane {
    struct mohs_job job; /* first: a job's lane is found by its address */
    struct mohs_connection *connections;
    size_t connection_count; /* of those that this step uses, */
    size_t connection_base;  /* at its start, */
    size_t connection_limit; /* and at most */

    // in an open loop
    bool dispatching;
    struct mohs_schedule arrived; /* a walk behind job.schedule, that passed what has fallen due */
    struct mohs_connection *idle; /* the connection free for longest */
    struct mohs_connection *idle_last;
};

/* A lane of zeros gets its target and its thread's loop. */
void mohs_lane_init(struct mohs_lane *lane, struct mohs_target *target, struct mohs_loop *loop);

/* What is read while load runs begins at 0 again. */
void mohs_lane_forget(struct mohs_lane *lane);

/* ---- open loop ------------------------------------------------------------------------------- */

/* Begins the step on a lane whose schedule is at its first arrival: all connections free. */
void mohs_lane_start(struct mohs_lane *lane);

/* Begins what is due, as far as there are connections. */
void mohs_lane_dispatch(struct mohs_lane *lane);

/* When something can be begun next by itself: MOHS_NO_LIMIT while every connection is busy. */
uint64_t mohs_lane_due(const struct mohs_lane *lane);

/* After the step: counts what was never begun, closes the connections that were grown. */
void mohs_lane_settle(struct mohs_lane *lane);

#endif
