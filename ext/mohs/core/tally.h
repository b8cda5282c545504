/* What the connections to a target count in one step: a lane's share of it, or the sum of several.
 */
#ifndef MOHS_TALLY_H
#define MOHS_TALLY_H

#include "error.h"
#include "thread_stats.h"

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

#endif
