/* Due times compared with the wanted process: by formula, by counting, and for every split. */
#include "core/arrivals.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "core/clock.h"
#include "runner.h"

#define MAX 400000

static uint64_t all[MAX];
static uint64_t parts[MAX];

/* The due times of worker `worker` of `workers`, over so many connections; returns how many. */
static size_t walk(const struct mohs_arrivals *arrivals, uint64_t duration_ns, uint64_t count,
                   uint32_t connections, uint32_t workers, uint32_t worker, uint64_t *times) {
    const uint32_t numbers[] = {0, 1, 2, 3};
    struct mohs_share share = {
        .workers = numbers, .worker_count = workers, .connections = connections, .worker = worker};
    struct mohs_schedule schedule;
    size_t found = 0;
    mohs_schedule_init(&schedule, arrivals, &share, 0, duration_ns, count);
    for (; schedule.due_ns != UINT64_MAX && found < MAX; mohs_schedule_next(&schedule))
        times[found++] = schedule.due_ns;
    CHECK_EQUAL(found, schedule.passed);
    return found;
}

static size_t whole(const struct mohs_arrivals *arrivals, uint64_t duration_ns, uint64_t count) {
    return walk(arrivals, duration_ns, count, 1, 1, 0, all);
}

static struct mohs_arrivals process(enum mohs_arrivals_kind kind, double from, double to) {
    return (struct mohs_arrivals){
        .kind = kind, .rate_per_s = from, .to_per_s = to, .burst = 1, .seed = 42};
}

/* Variance over mean of the counts in `windows` equal windows: 1 for Poisson, 0 for a clock. */
static double dispersion(size_t count, uint64_t duration_ns, size_t windows) {
    double *counts = calloc(windows, sizeof *counts);
    double mean = (double)count / (double)windows, variance = 0;
    for (size_t at = 0; at < count; at++) counts[all[at] * windows / duration_ns]++;
    for (size_t at = 0; at < windows; at++)
        variance += (counts[at] - mean) * (counts[at] - mean) / (double)(windows - 1);
    free(counts);
    return variance / mean;
}

TEST(a_constant_rate_is_evenly_spaced) {
    struct mohs_arrivals arrivals = process(MOHS_REGULAR, 800, 800);
    CHECK_EQUAL(8000, whole(&arrivals, 10 * MOHS_SECOND, UINT64_MAX));
    for (size_t at = 0; at < 8000; at++) CHECK_EQUAL(at * 1250000, all[at]);
    CHECK(dispersion(8000, 10 * MOHS_SECOND, 1000) < 0.01);
    CHECK_EQUAL(5, whole(&arrivals, 0, 5));
    CHECK_EQUAL(1, whole(&arrivals, 1, UINT64_MAX)); // the first is due at once
    arrivals.rate_per_s = arrivals.to_per_s = 3;     // 333 333 333.3 ns: no error adds up
    CHECK_EQUAL(30, whole(&arrivals, 10 * MOHS_SECOND, UINT64_MAX));
    CHECK_EQUAL(9 * MOHS_SECOND, all[27]);
}

TEST(poisson_arrivals_have_a_dispersion_of_one) {
    struct mohs_arrivals arrivals = process(MOHS_POISSON, 2000, 2000);
    uint64_t seconds = 100 * MOHS_SECOND;
    size_t count = whole(&arrivals, seconds, UINT64_MAX);
    CHECK(fabs((double)count - 200000) < 4 * sqrt(200000)); // four standard deviations
    const size_t windows[] = {1000, 10000, 100000};
    for (size_t at = 0; at < 3; at++) // its standard error is sqrt(2 / windows)
        CHECK(fabs(dispersion(count, seconds, windows[at]) - 1) <
              4 * sqrt(2.0 / (double)windows[at]));
    size_t long_gaps = 0;
    for (size_t at = 1; at < count; at++) long_gaps += all[at] - all[at - 1] > 1500000;
    CHECK(fabs((double)long_gaps / (double)count - exp(-3)) < 0.003); // three mean gaps
}

TEST(a_seed_decides_the_times) {
    struct mohs_arrivals arrivals = process(MOHS_POISSON, 100, 100);
    size_t count = whole(&arrivals, 0, 1000);
    CHECK_EQUAL(1000, count);
    CHECK_EQUAL(1000, walk(&arrivals, 0, 1000, 1, 1, 0, parts));
    CHECK(memcmp(all, parts, sizeof *all * count) == 0);
    arrivals.seed++;
    CHECK_EQUAL(1000, walk(&arrivals, 0, 1000, 1, 1, 0, parts));
    CHECK(memcmp(all, parts, sizeof *all * count) != 0);
}

/* Arrivals between two moments of a ramp are the integral of its rate. */
static void check_ramp(enum mohs_arrivals_kind kind, double from, double to) {
    struct mohs_arrivals arrivals = process(kind, from, to);
    uint64_t duration = 10 * MOHS_SECOND;
    size_t count = whole(&arrivals, duration, UINT64_MAX), place = 0;
    for (uint64_t tenth = 0; tenth < 10; tenth++) {
        double middle = from + (to - from) * ((double)tenth + 0.5) / 10; // a second each
        double tolerance = kind == MOHS_REGULAR ? 1.01 : 4 * sqrt(middle) + 1;
        size_t before = place;
        while (place < count && all[place] < (tenth + 1) * MOHS_SECOND) place++;
        CHECK(fabs((double)(place - before) - middle) <= tolerance);
    }
    CHECK_EQUAL(count, place);
    for (size_t at = 1; at < count; at++) CHECK(all[at] >= all[at - 1]);
}

TEST(a_ramp_follows_its_rate) {
    const enum mohs_arrivals_kind kinds[] = {MOHS_REGULAR, MOHS_POISSON};
    for (size_t at = 0; at < 2; at++) {
        check_ramp(kinds[at], 100, 2000);
        check_ramp(kinds[at], 2000, 100);
        check_ramp(kinds[at], 1000, 0); // its integral ends: so do the arrivals
        check_ramp(kinds[at], 1000, 1000.001);
    }
}

TEST(bursts_fall_due_together) {
    struct mohs_arrivals arrivals = process(MOHS_REGULAR, 100, 100);
    arrivals.burst = 20;
    CHECK_EQUAL(1000, whole(&arrivals, 10 * MOHS_SECOND, UINT64_MAX));
    for (size_t at = 0; at < 1000; at++) CHECK_EQUAL(at / 20 * 200 * MOHS_MILLISECOND, all[at]);
    arrivals.kind = MOHS_POISSON;
    size_t count = whole(&arrivals, 1000 * MOHS_SECOND, UINT64_MAX);
    CHECK(fabs((double)count - 100000) < 4 * 20 * sqrt(5000));
    CHECK(fabs(dispersion(count, 1000 * MOHS_SECOND, 1000) / 20 - 1) < 0.2);
    for (size_t at = 0; at < count; at++) CHECK_EQUAL(all[at / 20 * 20], all[at]);
}

TEST(given_times_are_kept) {
    const uint64_t times[] = {0, 5, 5, 700, MOHS_SECOND};
    struct mohs_arrivals arrivals = {.kind = MOHS_TIMES, .times = times, .time_count = 5};
    CHECK_EQUAL(5, whole(&arrivals, 0, UINT64_MAX));
    CHECK(memcmp(all, times, sizeof times) == 0);
    CHECK_EQUAL(3, whole(&arrivals, 700, UINT64_MAX));
    CHECK_EQUAL(2, whole(&arrivals, 0, 2));
}

static int ascending(const void *left, const void *right) {
    uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;
    return a < b ? -1 : a > b;
}

/* Several workers together make the same process as one, in proportion to their connections. */
static void check_split(const struct mohs_arrivals *arrivals, uint32_t connections,
                        uint32_t workers) {
    size_t together = 0;
    size_t count = whole(arrivals, 2 * MOHS_SECOND, 5000);
    for (uint32_t worker = 0; worker < workers; worker++) {
        uint32_t own = connections / workers + (worker < connections % workers);
        size_t found =
            walk(arrivals, 2 * MOHS_SECOND, 5000, connections, workers, worker, parts + together);
        CHECK(fabs((double)found - (double)count * own / connections) <= own);
        together += found;
    }
    CHECK_EQUAL(count, together);
    qsort(parts, together, sizeof *parts, ascending);
    CHECK(memcmp(all, parts, sizeof *all * count) == 0);
}

TEST(any_number_of_workers_makes_the_same_process) {
    struct mohs_arrivals kinds[] = {process(MOHS_REGULAR, 1000, 1000),
                                    process(MOHS_POISSON, 1000, 1000),
                                    process(MOHS_POISSON, 10, 900)};
    for (size_t at = 0; at < 3; at++) {
        kinds[at].burst = at == 1 ? 7 : 1;
        for (uint32_t workers = 1; workers <= 4; workers++)
            for (uint32_t connections = 1; connections <= 9; connections += 2)
                check_split(&kinds[at], connections, workers);
    }
}

TEST(passing_arrivals_counts_them) {
    struct mohs_arrivals arrivals = process(MOHS_REGULAR, 1000, 1000);
    const uint32_t worker = 0;
    struct mohs_share share = {.workers = &worker, .worker_count = 1, .connections = 1};
    struct mohs_schedule schedule;
    mohs_schedule_init(&schedule, &arrivals, &share, 500, MOHS_SECOND, UINT64_MAX);
    CHECK_EQUAL(0, mohs_schedule_pass(&schedule, 499));
    CHECK_EQUAL(1, mohs_schedule_pass(&schedule, 500));
    CHECK_EQUAL(10, mohs_schedule_pass(&schedule, 500 + 10 * MOHS_MILLISECOND));
    CHECK_EQUAL(989, mohs_schedule_pass(&schedule, UINT64_MAX));
    CHECK_EQUAL(0, mohs_schedule_pass(&schedule, UINT64_MAX));
}

int main(void) {
    RUN(a_constant_rate_is_evenly_spaced);
    RUN(poisson_arrivals_have_a_dispersion_of_one);
    RUN(a_seed_decides_the_times);
    RUN(a_ramp_follows_its_rate);
    RUN(bursts_fall_due_together);
    RUN(given_times_are_kept);
    RUN(any_number_of_workers_makes_the_same_process);
    RUN(passing_arrivals_counts_them);
    return report();
}
