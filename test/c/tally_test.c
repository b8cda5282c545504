/* The counts of several lanes in one step, added up. */
#include "core/tally.h"

#include "runner.h"

TEST(counts_add_up_and_extremes_stay) {
    struct mohs_tally total = MOHS_TALLY_NONE;
    struct mohs_tally one = {.sent = 7,
                             .good = 5,
                             .errors = {[MOHS_OK] = 5, [MOHS_REFUSED] = 2},
                             .max_ns = 90,
                             .last_ns = 1000,
                             .requests_min = 2,
                             .requests_max = 3,
                             .waiting_max = 4,
                             .unsent = 1,
                             .down_until_ns = 1500,
                             .outage_from_ns = 900,
                             .outage_ns = 600,
                             .first = {300, 70},
                             .thread_stats = {.windows = 2, .events_max = 6}};
    struct mohs_tally other = {.sent = 3,
                               .good = 3,
                               .errors = {[MOHS_OK] = 3},
                               .max_ns = 40,
                               .last_ns = 2000,
                               .requests_min = 1,
                               .requests_max = 2,
                               .waiting_max = 1,
                               .gone = true,
                               .outage_from_ns = 1100,
                               .outage_ns = 300,
                               .first = {200, 60},
                               .full = {900, 80},
                               .thread_stats = {.windows = 3, .events_max = 5}};
    mohs_tally_add(&total, &one);
    CHECK(!total.gone);
    mohs_tally_add(&total, &other);
    CHECK_EQUAL(10, total.sent);
    CHECK_EQUAL(8, total.good);
    CHECK_EQUAL(8, total.errors[MOHS_OK]);
    CHECK_EQUAL(2, total.errors[MOHS_REFUSED]);
    CHECK_EQUAL(90, total.max_ns);
    CHECK_EQUAL(2000, total.last_ns);
    CHECK_EQUAL(1, total.requests_min);
    CHECK_EQUAL(3, total.requests_max);
    CHECK_EQUAL(5, total.waiting_max); // at most: each lane's own moment
    CHECK_EQUAL(1, total.unsent);
    CHECK_EQUAL(1500, total.down_until_ns);
    CHECK_EQUAL(1100, total.outage_from_ns); // the other lane was answered until then
    CHECK_EQUAL(300, total.outage_ns);
    CHECK_EQUAL(60, total.first.cpu_ns);
    CHECK_EQUAL(80, total.full.cpu_ns);
    CHECK(total.gone);
    CHECK_EQUAL(5, total.thread_stats.windows);
    CHECK_EQUAL(6, total.thread_stats.events_max);
}

int main(void) {
    RUN(counts_add_up_and_extremes_stay);
    return report();
}
