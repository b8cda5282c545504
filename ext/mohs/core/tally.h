/* The counts of the connections to a target in one step, for one lane or summed over several. */
#ifndef MOHS_TALLY_H
#define MOHS_TALLY_H

#include "error.h"
#include "step_fields.h"
#include "thread_stats.h"

/* The CPU time that a target's watched processes had spent by at_ns; -1: unknown. */
struct mohs_reading {
    uint64_t at_ns; /* 0: there is none */
    int64_t cpu_ns;
};

struct mohs_tally {
    MOHS_STEP_COUNTS(MOHS_DECLARE_FIELD)
    MOHS_CONNECTION_COUNTS(MOHS_DECLARE_FIELD)
    MOHS_OPEN_LOOP_COUNTS(MOHS_DECLARE_FIELD)
    MOHS_SCENARIO_COUNTS(MOHS_DECLARE_FIELD)
    uint64_t errors[MOHS_ERROR_COUNT];
    uint64_t last_ns;        /* when the last response was complete */
    uint64_t full_until_ns;  /* closed loop: when a connection first had nothing to send; 0: none */
    uint64_t down_until_ns;  /* until when requests failed after that; 0: none did */
    uint64_t outage_from_ns; /* the longest time without a response in which requests failed: */
    uint64_t outage_ns;      /* since when, and how long; 0: there was none */
    uint64_t first_record;   /* the step's records on this lane: [first, end) */
    uint64_t end_record;
    struct mohs_reading first; /* closed loop: at the first good response, */
    struct mohs_reading full;  /* and at full_until_ns */
    bool gone;
    struct mohs_thread_stats thread_stats; /* of the thread: the same in all its lanes */
};

/* The start of a sum. */
#define MOHS_TALLY_NONE ((struct mohs_tally){.requests_min = UINT64_MAX, .outage_ns = UINT64_MAX})

/* Adds the counts of another lane in the same step. An outage is one of all lanes, so the shortest
 * counts. */
void mohs_tally_add(struct mohs_tally *total, const struct mohs_tally *part);

#endif
