#include "arrivals.h"

#include <assert.h>
#include <math.h>
#include <stdbool.h>

#include "clock.h"

#define NEVER UINT64_MAX

/* Uniform in (0, 1], with 53 random bits: splitmix64 (Steele, Lea and Flood 2014). */
static double uniform(uint64_t *random) {
    uint64_t bits = *random += 0x9e3779b97f4a7c15u;
    bits = (bits ^ bits >> 30) * 0xbf58476d1ce4e5b9u;
    bits = (bits ^ bits >> 27) * 0x94d049bb133111ebu;
    bits ^= bits >> 31;
    return (double)((bits >> 11) + 1) * 0x1p-53;
}

/* Seconds from the step's start until the integral of the rate reaches `position`; INFINITY if it
 * never does. Solves a t + b t^2 / 2 = x for a ramp, in the form that loses no digits if b is
 * small. */
static double second_of(const struct mohs_schedule *schedule, double position) {
    const struct mohs_arrivals *arrivals = &schedule->arrivals;
    double from = arrivals->rate_per_s;
    if (arrivals->to_per_s == from) return position / from;
    double seconds = (double)schedule->duration_ns / (double)MOHS_SECOND;
    double slope = (arrivals->to_per_s - from) / seconds;
    double square = from * from + 2 * slope * position;
    return square < 0 ? INFINITY : 2 * position / (from + sqrt(square));
}

static uint64_t due_of(const struct mohs_schedule *schedule) {
    const struct mohs_arrivals *arrivals = &schedule->arrivals;
    uint64_t end = schedule->duration_ns ? schedule->duration_ns : NEVER;
    if (schedule->number >= schedule->count) return NEVER;
    if (arrivals->kind == MOHS_TIMES) {
        if (schedule->number >= arrivals->time_count) return NEVER;
        uint64_t time = arrivals->times[schedule->number];
        return time < end ? schedule->begin_ns + time : NEVER;
    }
    // rounded: the last arrival of a step must not slip to just before its end
    double ns = second_of(schedule, schedule->position) * (double)MOHS_SECOND + 0.5;
    if (!(ns < 0x1p62) || (uint64_t)ns >= end) return NEVER;
    return schedule->begin_ns + (uint64_t)ns;
}

static bool ours(const struct mohs_schedule *schedule) {
    const struct mohs_share *share = &schedule->share;
    uint64_t connection = schedule->number % share->connections;
    return share->workers[connection % share->worker_count] == share->worker;
}

/* Sets the position of arrival `number`, which all arrivals of a burst share. For a regular
 * process it is computed from the number, so that rounding errors don't add up. */
static void place(struct mohs_schedule *schedule) {
    const struct mohs_arrivals *arrivals = &schedule->arrivals;
    if (arrivals->kind == MOHS_TIMES || schedule->number % arrivals->burst) return;
    if (arrivals->kind == MOHS_REGULAR) schedule->position = (double)schedule->number;
    else schedule->position -= log(uniform(&schedule->random)) * (double)arrivals->burst;
}

static void find_ours(struct mohs_schedule *schedule) {
    for (;;) {
        place(schedule);
        schedule->due_ns = due_of(schedule);
        if (schedule->due_ns == NEVER || ours(schedule)) return;
        schedule->number++;
    }
}

void mohs_schedule_init(struct mohs_schedule *schedule, const struct mohs_arrivals *arrivals,
                        const struct mohs_share *share, uint64_t begin_ns, uint64_t duration_ns,
                        uint64_t count) {
    assert(arrivals->kind != MOHS_CLOSED_LOOP && share->connections > 0);
    assert(arrivals->kind == MOHS_TIMES || (arrivals->rate_per_s > 0 && arrivals->burst > 0));
    *schedule = (struct mohs_schedule){.arrivals = *arrivals,
                                       .share = *share,
                                       .begin_ns = begin_ns,
                                       .duration_ns = duration_ns,
                                       .count = count,
                                       .random = arrivals->seed};
    find_ours(schedule);
}

void mohs_schedule_next(struct mohs_schedule *schedule) {
    assert(schedule->due_ns != NEVER);
    schedule->passed++;
    schedule->number++;
    find_ours(schedule);
}

uint64_t mohs_schedule_pass(struct mohs_schedule *schedule, uint64_t until_ns) {
    uint64_t before = schedule->passed;
    while (schedule->due_ns <= until_ns && schedule->due_ns != NEVER) mohs_schedule_next(schedule);
    return schedule->passed - before;
}
