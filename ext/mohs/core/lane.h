/* A worker's share of a target: its connections to it, where they record, and what they count. */
#ifndef MOHS_LANE_H
#define MOHS_LANE_H

#include "arrivals.h"
#include "check.h"
#include "error.h"
#include "thread_stats.h"
#include "recording.h"
#include "target.h"
#include "times.h"

struct mohs_connection;
struct mohs_worker;

#define MOHS_NO_LIMIT UINT64_MAX

/* What happened on a lane in one step. */
struct mohs_tally {
    uint64_t sent; /* requests begun, each of which ends as one record */
    uint64_t completed;
    uint64_t good;
    uint64_t errors[MOHS_ERROR_COUNT];
    uint64_t bytes;
    uint64_t latency_sum_ns; /* due to done, good ones only */
    uint64_t max_ns;         /* of the same */
    uint64_t last_ns;        /* when the last answer was complete */
    uint64_t opened;         /* connections */
    uint64_t lost;
    uint64_t served;
    uint64_t requests_min; /* good answers on the connection with the fewest */
    uint64_t requests_max;
    uint64_t first_record; /* the step's records on this lane: [first, end) */
    uint64_t end_record;
    uint64_t driver_cpu_ns;
    uint64_t queued;      /* open loop: requests that waited for a connection, */
    uint64_t late;        /* that were begun after the step's time only, */
    uint64_t unsent;      /* that fell due and were never begun, */
    uint64_t waiting_max; /* and the most that waited at once */
    uint64_t actions;     /* scenario: begun, */
    uint64_t finished;    /* and of these every step was right */
    bool gone;
    struct mohs_thread_stats thread_stats; /* of the thread, in all its lanes alike */
};

/* Adds what another lane counted in the same step. */
void mohs_tally_add(struct mohs_tally *total, const struct mohs_tally *part);

/* The first wrong answer. */
struct mohs_specimen {
    uint64_t at_ns; /* 0: there was none */
    uint16_t status;
    uint8_t error;
    uint32_t size;
    char bytes[MOHS_SAMPLE_MAX];
};

struct mohs_lane {
    struct mohs_target *target;
    struct mohs_worker *worker;
    struct mohs_connection *connections;
    size_t connection_count; /* of those that this step uses, */
    size_t connection_base;  /* at its start, */
    size_t connection_limit; /* and at most */
    struct mohs_recording recording;
    struct mohs_specimen specimen;

    // of the step under way
    struct mohs_tally *tally;
    uint64_t quota;       /* requests yet to begin, over all connections; or MOHS_NO_LIMIT */
    uint64_t deadline_ns; /* no request begins from here on; 0 for a counted step */
    uint64_t drain_ns;    /* what is in flight then is given up */
    uint64_t failing_ns;  /* since when no answer came, only failures; 0 when one came */
    uint64_t in_flight;   /* and clients that think between two steps of an action */
    bool warm_up;
    bool login;   /* scenario: each client does its login, not its actions */
    bool stopped; /* no request begins: the server is gone, or the load was stopped */

    // in an open loop: the oldest arrival not yet begun, which the waiting ones follow
    bool open_loop;
    bool dispatching;
    struct mohs_schedule schedule;
    struct mohs_schedule arrived; /* a walk behind it, that passed what has fallen due */
    struct mohs_connection *idle; /* the connection free for longest */
    struct mohs_connection *idle_last;

    // read by another thread while load runs; relaxed atomic stores, plain moves
    uint64_t live_completed;
    uint64_t live_failed;
    uint64_t live_times[MOHS_TIME_STEPS]; /* good ones by their time, as mohs_live has it */
};

/* Whether a request may begin on this lane at all. */
static inline bool mohs_lane_open(const struct mohs_lane *lane, uint64_t now) {
    if (lane->open_loop) return !lane->stopped && lane->schedule.due_ns != MOHS_NO_LIMIT;
    return !lane->stopped && lane->quota > 0 && (lane->deadline_ns == 0 || now < lane->deadline_ns);
}

/* Whether an action under way may send its next step at that time. In an open loop the drain is for
 * that too. */
static inline bool mohs_lane_goes_on(const struct mohs_lane *lane, uint64_t at_ns) {
    if (lane->stopped) return false;
    return lane->open_loop || lane->deadline_ns == 0 || at_ns < lane->deadline_ns;
}

/* Nothing under way and nothing to come. An open loop lasts its time also without arrivals. */
static inline bool mohs_lane_finished(const struct mohs_lane *lane, uint64_t now) {
    return lane->in_flight == 0 && !mohs_lane_open(lane, now) &&
           (lane->stopped || now >= lane->deadline_ns);
}

/* What is read while load runs begins at 0 again. */
void mohs_lane_forget(struct mohs_lane *lane);

/* ---- open loop: lane.c ----------------------------------------------------------------------- */

/* Begins the step on a lane whose schedule stands on its first arrival: all connections free. */
void mohs_lane_start(struct mohs_lane *lane);

/* This connection is free: it gets what has waited for longest. */
void mohs_lane_free(struct mohs_lane *lane, struct mohs_connection *connection);

/* Begins what is due, as far as there are connections. */
void mohs_lane_dispatch(struct mohs_lane *lane);

/* When something can be begun next by itself: MOHS_NO_LIMIT while every connection is busy. */
uint64_t mohs_lane_due(const struct mohs_lane *lane);

/* After the step: counts what was never begun, closes the connections that were grown. */
void mohs_lane_settle(struct mohs_lane *lane);

#endif
