#include "tally.h"

void mohs_tally_add(struct mohs_tally *total, const struct mohs_tally *part) {
    total->sent += part->sent;
    total->completed += part->completed;
    total->good += part->good;
    for (int error = 0; error < MOHS_ERROR_COUNT; error++)
        total->errors[error] += part->errors[error];
    total->bytes += part->bytes;
    total->latency_sum_ns += part->latency_sum_ns;
    if (part->max_ns > total->max_ns) total->max_ns = part->max_ns;
    if (part->last_ns > total->last_ns) total->last_ns = part->last_ns;
    total->opened += part->opened;
    total->lost += part->lost;
    total->served += part->served;
    if (part->requests_min < total->requests_min) total->requests_min = part->requests_min;
    if (part->requests_max > total->requests_max) total->requests_max = part->requests_max;
    total->driver_cpu_ns += part->driver_cpu_ns;
    total->queued += part->queued;
    total->late += part->late;
    total->unsent += part->unsent;
    total->waiting_max += part->waiting_max; // at most: each worker's own moment
    total->actions += part->actions;
    total->finished += part->finished;
    total->gone |= part->gone;
    mohs_thread_stats_add(&total->thread_stats, &part->thread_stats);
}
