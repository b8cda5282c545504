/* A worker's share of a target: its connections to it, where they record, and what they count. */
#ifndef MOHS_LANE_H
#define MOHS_LANE_H

#include "check.h"
#include "error.h"
#include "recording.h"
#include "target.h"

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
    bool gone;
};

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
    size_t connection_count;
    struct mohs_recording recording;
    struct mohs_specimen specimen;

    // of the step under way
    struct mohs_tally *tally;
    uint64_t quota;       /* requests yet to begin, over all connections; or MOHS_NO_LIMIT */
    uint64_t deadline_ns; /* no request begins from here on; 0 for a counted step */
    uint64_t drain_ns;    /* what is in flight then is given up */
    uint64_t failing_ns;  /* since when no answer came, only failures; 0 when one came */
    uint64_t in_flight;
    bool warm_up;
    bool stopped; /* no request begins: the server is gone, or the load was stopped */

    // read by another thread while load runs; relaxed atomic stores, plain moves
    uint64_t live_completed;
    uint64_t live_failed;
};

/* Whether a request may begin on this lane at all. */
static inline bool mohs_lane_open(const struct mohs_lane *lane, uint64_t now) {
    return !lane->stopped && lane->quota > 0 && (lane->deadline_ns == 0 || now < lane->deadline_ns);
}

/* Nothing under way and nothing to come. */
static inline bool mohs_lane_finished(const struct mohs_lane *lane, uint64_t now) {
    return lane->in_flight == 0 && !mohs_lane_open(lane, now);
}

#endif
