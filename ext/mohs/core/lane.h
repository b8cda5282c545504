/*
 * A worker's share of a target: its connections to the target, what they work on, and, in an open
 * loop, which connection sends the next request that is due.
 */
#ifndef MOHS_LANE_H
#define MOHS_LANE_H

#include "connection.h"
#include "job.h"

struct mohs_lane {
    struct mohs_job job; /* first member: a job's address is its lane's */
    struct mohs_connection *connections;
    size_t connection_count; /* connections that this step uses */
    size_t connection_base;  /* connections that it starts with */
    size_t connection_limit; /* connections that it may use at most */

    // in an open loop
    bool dispatching;
    struct mohs_schedule arrived; /* counts what has fallen due; job.schedule, what was begun */
    struct mohs_connection *idle; /* the connection that has been free for longest */
    struct mohs_connection *idle_last;
};

/* Sets the target and the thread's loop of a zeroed lane. */
void mohs_lane_init(struct mohs_lane *lane, struct mohs_target *target, struct mohs_loop *loop);

/* Resets the live counters to 0. */
void mohs_lane_forget(struct mohs_lane *lane);

/* ---- open loop ------------------------------------------------------------------------------- */

/* Begins the step, with the schedule at its first arrival and all connections free. */
void mohs_lane_start(struct mohs_lane *lane);

/* Begins requests that are due, while there are free connections. */
void mohs_lane_dispatch(struct mohs_lane *lane);

/* Counts the requests that wait for a connection, since no event reports them. */
void mohs_lane_look(struct mohs_lane *lane);

/* When the next request can be begun; MOHS_NO_LIMIT while every connection is busy. */
uint64_t mohs_lane_due(const struct mohs_lane *lane);

/* After the step: counts and records requests that were never begun because no connection was
 * free. */
void mohs_lane_settle(struct mohs_lane *lane);

/* Closes the connections opened during the step. */
void mohs_lane_close(struct mohs_lane *lane);

#endif
