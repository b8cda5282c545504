/* What the connections to a target count in one step: one lane, or the sum of several. */
#ifndef MOHS_TALLY_H
#define MOHS_TALLY_H

#include "error.h"
#include "step_fields.h"
#include "thread_stats.h"

struct mohs_tally {
    MOHS_STEP_COUNTS(MOHS_DECLARE_FIELD)
    MOHS_CONNECTION_COUNTS(MOHS_DECLARE_FIELD)
    MOHS_OPEN_LOOP_COUNTS(MOHS_DECLARE_FIELD)
    MOHS_SCENARIO_COUNTS(MOHS_DECLARE_FIELD)
    uint64_t errors[MOHS_ERROR_COUNT];
    uint64_t last_ns;      /* when the last answer was complete */
    uint64_t first_record; /* the step's records on this lane: [first, end) */
    uint64_t end_record;
    bool gone;
    struct mohs_thread_stats thread_stats; /* of the thread: the same in all its lanes */
};

/* Adds the counts of another lane in the same step. */
void mohs_tally_add(struct mohs_tally *total, const struct mohs_tally *part);

#endif
