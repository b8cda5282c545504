#include "tally.h"

/* The sooner one. */
static struct mohs_reading sooner_of(struct mohs_reading one, struct mohs_reading other) {
    return !one.at_ns || (other.at_ns && other.at_ns < one.at_ns) ? other : one;
}

void mohs_tally_add(struct mohs_tally *total, const struct mohs_tally *part) {
    MOHS_STEP_COUNTS(MOHS_MERGE_FIELD)
    MOHS_CONNECTION_COUNTS(MOHS_MERGE_FIELD)
    MOHS_OPEN_LOOP_COUNTS(MOHS_MERGE_FIELD)
    MOHS_SCENARIO_COUNTS(MOHS_MERGE_FIELD)
    for (int error = 0; error < MOHS_ERROR_COUNT; error++)
        total->errors[error] += part->errors[error];
    if (part->last_ns > total->last_ns) total->last_ns = part->last_ns;
    bool sooner = part->full_until_ns && part->full_until_ns < total->full_until_ns;
    if (sooner || !total->full_until_ns) total->full_until_ns = part->full_until_ns;
    total->first = sooner_of(total->first, part->first);
    total->full = sooner_of(total->full, part->full);
    if (part->down_until_ns > total->down_until_ns) total->down_until_ns = part->down_until_ns;
    if (part->outage_ns < total->outage_ns) {
        total->outage_ns = part->outage_ns;
        total->outage_from_ns = part->outage_from_ns;
    }
    total->gone |= part->gone;
    mohs_thread_stats_add(&total->thread_stats, &part->thread_stats);
}
