/* Figures compared with those of a sorted array. */
#include "core/select.h"

#include <math.h>
#include <stdlib.h>

#include "core/clock.h"
#include "runner.h"

#define COUNT 5000

static struct mohs_record records[COUNT];

static int ascending(const void *left, const void *right) {
    uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;
    return a < b ? -1 : a > b;
}

static uint64_t random_state = 1;

static uint64_t next_random(void) {
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    return random_state ^= random_state << 17;
}

/* Good requests, except every tenth, which failed, and every seventh, which was warm-up. */
static void fill(uint64_t limit) {
    for (size_t at = 0; at < COUNT; at++) {
        records[at] = (struct mohs_record){0};
        records[at].done_ns = next_random() % limit & ((1ull << 40) - 1);
        records[at].sent_ns = (uint32_t)(records[at].done_ns / 4);
        records[at].first_ns = (uint32_t)(records[at].done_ns / 2);
        records[at].error = at % 10 == 0 ? MOHS_WRONG_BODY : MOHS_OK;
        records[at].flags = at % 7 == 0 ? MOHS_RECORD_WARM_UP : 0;
    }
}

static uint64_t time_of(const struct mohs_record *record, enum mohs_kind kind) {
    if (kind == MOHS_RESPONSE) return record->done_ns;
    if (kind == MOHS_SERVICE) return record->done_ns - record->sent_ns;
    return record->first_ns - record->sent_ns;
}

static size_t sorted(enum mohs_kind kind, uint64_t *times) {
    size_t count = 0;
    for (size_t at = 0; at < COUNT; at++)
        if (records[at].error == MOHS_OK && records[at].flags == 0)
            times[count++] = time_of(&records[at], kind);
    qsort(times, count, sizeof *times, ascending);
    return count;
}

static void compare(uint64_t limit) {
    static uint64_t times[COUNT];
    const struct mohs_run runs[] = {{records, 1}, {records + 1, 0}, {records + 1, COUNT - 1}};
    fill(limit);
    for (int kind = MOHS_SERVICE; kind <= MOHS_FIRST; kind++) {
        size_t count = sorted((enum mohs_kind)kind, times);
        CHECK_EQUAL(count, mohs_count(runs, 3, MOHS_SERVICE, MOHS_ONLY_GOOD));
        for (size_t rank = 0; rank < count; rank += rank + 100 < count ? 97 : 1)
            CHECK_EQUAL(times[rank],
                        mohs_select(runs, 3, (enum mohs_kind)kind, rank, MOHS_ONLY_GOOD));
        CHECK_EQUAL(0, mohs_select(runs, 3, (enum mohs_kind)kind, count, MOHS_ONLY_GOOD));
        size_t below = 0;
        while (below < count && times[below] < limit / 3) below++;
        CHECK_EQUAL(
            below, mohs_count_between(runs, 3, (enum mohs_kind)kind, 0, limit / 3, MOHS_ONLY_GOOD));
        CHECK_EQUAL(count - below, mohs_count_between(runs, 3, (enum mohs_kind)kind, limit / 3,
                                                      limit, MOHS_ONLY_GOOD));
    }
}

TEST(every_rank_is_that_of_a_sorted_array) {
    compare(1);
    compare(1000);
    compare(2048);
    compare(100 * 1000);
    compare(4000ull * 1000 * 1000);
}

TEST(warm_up_counts_on_demand_and_errors_always) {
    const struct mohs_run all = {records, COUNT};
    uint64_t errors[MOHS_ERROR_COUNT] = {0};
    fill(1000);
    CHECK_EQUAL(COUNT - COUNT / 10, mohs_count(&all, 1, MOHS_SERVICE, MOHS_WITH_WARM_UP));
    mohs_count_errors(&all, 1, errors);
    CHECK_EQUAL(COUNT / 10, errors[MOHS_WRONG_BODY]);
    CHECK_EQUAL(COUNT - COUNT / 10, errors[MOHS_OK]);
    records[0].error = 200; // from a file that a later version wrote
    mohs_count_errors(&all, 1, errors);
    CHECK_EQUAL(1, errors[MOHS_OTHER]);
}

/* One good answer, and each other end that a request can have. */
TEST(without_a_right_answer_a_request_ranks_after_every_answered_one) {
    static struct mohs_record all[MOHS_ERROR_COUNT];
    for (int error = 0; error < MOHS_ERROR_COUNT; error++)
        all[error] = (struct mohs_record){.sent_ns = 1, .done_ns = 5, .error = (uint8_t)error};
    all[MOHS_OK] = (struct mohs_record){.sent_ns = 1, .done_ns = 400};
    const struct mohs_run run = {all, MOHS_ERROR_COUNT};
    CHECK_EQUAL(MOHS_ERROR_COUNT, mohs_count(&run, 1, MOHS_RESPONSE, MOHS_WITH_FAILED));
    struct mohs_ranked first = mohs_rank(&run, 1, MOHS_RESPONSE, 0, MOHS_WITH_FAILED);
    CHECK_EQUAL(400, first.ns);
    CHECK(!first.endless);
    for (uint64_t rank = 1; rank < MOHS_ERROR_COUNT; rank++) {
        struct mohs_ranked found = mohs_rank(&run, 1, MOHS_SERVICE, rank, MOHS_WITH_FAILED);
        CHECK(found.endless);
        CHECK_EQUAL(399, found.ns);
    }
}

TEST(a_rank_without_a_right_answer_is_longer_than_all_that_is_known) {
    struct mohs_record six[] = {
        {.sent_ns = 2, .done_ns = 9},
        {.sent_ns = 2, .done_ns = 30},
        {.sent_ns = 3, .done_ns = 50, .error = MOHS_WRONG_STATUS},
        {.sent_ns = 1, .done_ns = 4, .error = MOHS_REFUSED},
        {.done_ns = 80, .error = MOHS_CONNECT_TIMEOUT, .flags = MOHS_RECORD_QUEUED},
        {.done_ns = 99, .error = MOHS_CONNECT_TIMEOUT, .flags = MOHS_RECORD_WARM_UP}};
    const struct mohs_run runs[] = {{six, 3}, {six + 3, 3}};
    const unsigned warm = MOHS_WITH_FAILED | MOHS_WITH_WARM_UP;
    CHECK_EQUAL(2, mohs_count(runs, 2, MOHS_RESPONSE, MOHS_ONLY_GOOD));
    CHECK_EQUAL(5, mohs_count(runs, 2, MOHS_RESPONSE, MOHS_WITH_FAILED));
    CHECK_EQUAL(6, mohs_count(runs, 2, MOHS_SERVICE, warm));
    CHECK_EQUAL(2, mohs_count(runs, 2, MOHS_FIRST, warm)); // only what was answered has one
    CHECK_EQUAL(30, mohs_rank(runs, 2, MOHS_RESPONSE, 1, MOHS_WITH_FAILED).ns);
    CHECK_EQUAL(80, mohs_rank(runs, 2, MOHS_RESPONSE, 2, MOHS_WITH_FAILED).ns);
    CHECK_EQUAL(80, mohs_rank(runs, 2, MOHS_RESPONSE, 4, MOHS_WITH_FAILED).ns);
    CHECK_EQUAL(99, mohs_rank(runs, 2, MOHS_RESPONSE, 5, warm).ns);
    // it was never sent, and when it had a connection is unknown: its wait is no service
    CHECK_EQUAL(47, mohs_rank(runs, 2, MOHS_SERVICE, 4, MOHS_WITH_FAILED).ns);
    CHECK_EQUAL(0, mohs_rank(NULL, 0, MOHS_SERVICE, 0, MOHS_WITH_FAILED).ns);
}

TEST(a_connection_that_waited_while_others_were_served_is_starved) {
    static struct mohs_record many[64];
    struct mohs_starved found;
    for (size_t at = 0; at < 60; at++)
        many[at] =
            (struct mohs_record){.sent_ns = 1, .done_ns = 3, .connection = (uint8_t)(at % 3)};
    many[60] = (struct mohs_record){.done_ns = 700, .connection = 3};
    many[61] = (struct mohs_record){.done_ns = 900, .connection = 4, .error = MOHS_ABORTED};
    many[62] = (struct mohs_record){.done_ns = 990, .connection = 0}; // it was served as well
    many[63] = (struct mohs_record){.done_ns = 999, .connection = 5, .error = MOHS_RESET_REUSED};
    const struct mohs_run run = {many, 64};
    CHECK_EQUAL(0, mohs_find_starved(&run, 1, 500, &found));
    CHECK_EQUAL(2, found.connections);
    CHECK_EQUAL(900, found.longest_ns);
    CHECK_EQUAL(0, mohs_find_starved(&run, 1, 901, &found));
    CHECK_EQUAL(0, found.connections);
}

TEST(each_request_has_either_lag_or_queue) {
    struct mohs_record two[] = {{.sent_ns = 7, .done_ns = 9},
                                {.sent_ns = 5, .done_ns = 9, .flags = MOHS_RECORD_QUEUED},
                                {.sent_ns = 6, .done_ns = 9, .flags = MOHS_RECORD_QUEUED}};
    const struct mohs_run run = {two, 3};
    CHECK_EQUAL(1, mohs_count(&run, 1, MOHS_LAG, MOHS_ONLY_GOOD));
    CHECK_EQUAL(2, mohs_count(&run, 1, MOHS_QUEUE, MOHS_ONLY_GOOD));
    CHECK_EQUAL(7, mohs_select(&run, 1, MOHS_LAG, 0, MOHS_ONLY_GOOD));
    CHECK_EQUAL(6, mohs_select(&run, 1, MOHS_QUEUE, 1, MOHS_ONLY_GOOD));
    CHECK_EQUAL(1, mohs_count_between(&run, 1, MOHS_QUEUE, 5, 6, MOHS_ONLY_GOOD));
}

TEST(what_was_sent_has_a_lag_even_if_it_failed) {
    struct mohs_record three[] = {{.sent_ns = 7, .done_ns = 9},
                                  {.sent_ns = 8, .done_ns = 9, .error = MOHS_ABORTED},
                                  {.done_ns = 9, .error = MOHS_ABORTED}};
    const struct mohs_run run = {three, 3};
    CHECK_EQUAL(1, mohs_count(&run, 1, MOHS_LAG, MOHS_ONLY_GOOD));
    CHECK_EQUAL(2, mohs_count(&run, 1, MOHS_LAG, MOHS_WITH_FAILED));
    CHECK_EQUAL(8, mohs_select(&run, 1, MOHS_LAG, 1, MOHS_WITH_FAILED));
}

TEST(long_waits_are_stored_coarsely) {
    const uint64_t sent = 60ull * 1000 * 1000 * 1000;
    struct mohs_record late = {.sent_ns = (uint32_t)(sent / MOHS_COARSE_NS),
                               .first_ns = (uint32_t)((sent + 10240) / MOHS_COARSE_NS),
                               .done_ns = (sent + 20480) & ((1ull << 40) - 1),
                               .flags = MOHS_RECORD_COARSE | MOHS_RECORD_QUEUED};
    const struct mohs_run run = {&late, 1};
    CHECK_EQUAL(20480, mohs_select(&run, 1, MOHS_SERVICE, 0, MOHS_ONLY_GOOD));
    CHECK_EQUAL(10240, mohs_select(&run, 1, MOHS_FIRST, 0, MOHS_ONLY_GOOD));
    CHECK_EQUAL(sent, mohs_select(&run, 1, MOHS_QUEUE, 0, MOHS_ONLY_GOOD));
}

TEST(totals_cover_every_record_and_connection) {
    const uint8_t both = MOHS_RECORD_QUEUED | MOHS_RECORD_WARM_UP;
    struct mohs_record five[] = {
        {.sent_ns = 2, .done_ns = 5, .bytes = 7, .connection = 4, .flags = both},
        {.sent_ns = 5, .done_ns = 6, .bytes = 7, .connection = 4},
        {.sent_ns = 4, .done_ns = 9, .bytes = 1, .connection = 2, .flags = MOHS_RECORD_FRESH},
        {.done_ns = 50, .bytes = 2, .connection = 9, .error = MOHS_NO_CAPTURE},
        {.done_ns = 70, .bytes = 4, .connection = (1 << 24) - 1, .error = MOHS_CLOSED_BODY}};
    const struct mohs_run runs[] = {{five, 2}, {five + 2, 3}};
    struct mohs_totals totals;
    CHECK_EQUAL(0, mohs_total(runs, 2, &totals));
    CHECK_EQUAL(4, totals.completed);
    CHECK_EQUAL(21, totals.bytes);
    CHECK_EQUAL(1, totals.queued);
    CHECK_EQUAL(20, totals.latency_sum_ns);
    CHECK_EQUAL(3 + 1 + 9, totals.service_sum_ns); // opening a connection is service too
    CHECK_EQUAL(13, mohs_service_sum(runs, 2));
    CHECK_EQUAL(0, mohs_service_sum(NULL, 0));
    CHECK_EQUAL(2, totals.served);
    CHECK_EQUAL(1, totals.requests_min);
    CHECK_EQUAL(2, totals.requests_max);
    CHECK_EQUAL(0, mohs_total(NULL, 0, &totals));
    CHECK_EQUAL(0, totals.served + totals.requests_min + totals.requests_max);
}

TEST(sent_requests_are_counted_between_edges) {
    const struct mohs_record sent[] = {
        {.due_ns = 10, .sent_ns = 5, .error = MOHS_TIMEOUT},
        {.due_ns = 19, .sent_ns = 1},
        {.due_ns = 19, .sent_ns = 100, .flags = MOHS_RECORD_QUEUED}, // the server's delay
        {.due_ns = 25, .flags = MOHS_RECORD_WARM_UP},
        {.due_ns = 9},
        {.due_ns = 30, .sent_ns = 19},
        {.due_ns = 40, .sent_ns = 10},
    };
    const struct mohs_run runs[] = {{sent, 2}, {sent + 2, 5}};
    const uint64_t edges[] = {10, 20, 30, 50, 51};
    uint64_t counts[4] = {0};
    mohs_count_sent(runs, 2, edges, 5, counts);
    CHECK_EQUAL(2, counts[0]);
    CHECK_EQUAL(1, counts[1]);
    CHECK_EQUAL(1, counts[2]);
    CHECK_EQUAL(1, counts[3]);
}

/* Good requests that end at `bunches` times, `size` at each, every `apart_ns`. */
static void in_bunches(size_t bunches, size_t size, uint64_t apart_ns) {
    for (size_t at = 0; at < bunches * size; at++) {
        records[at] =
            (struct mohs_record){.done_ns = (at / size + 1) * apart_ns & ((1ull << 40) - 1)};
        records[at].due_ns = 1000;
    }
}

/* By how much the rate is off, as a share of `per_s`. */
static double error_of(size_t count, uint64_t length_ns, uint64_t edge_ns, double per_s) {
    const struct mohs_run run = {records, count};
    double span = mohs_edged_span(&run, 1, 1000, length_ns, edge_ns, count);
    return (double)count * 1e9 / span / per_s - 1;
}

/* 100 a second. Slices of many lengths, so that each phase of a bunch is at their ends. */
static void worst_error(uint64_t edge_ns, uint64_t least_ns, double *worst) {
    in_bunches(100, 5, 50 * MOHS_MILLISECOND);
    *worst = 0;
    for (uint64_t length = least_ns; length < 2 * least_ns; length += 3 * MOHS_MILLISECOND) {
        double error = fabs(error_of(500, length, edge_ns, 100));
        if (error > *worst) *worst = error;
    }
}

TEST(edges_of_two_bunches_find_the_rate_at_any_phase_of_a_bunch) {
    double worst;
    worst_error(0, 500 * MOHS_MILLISECOND, &worst);
    CHECK(worst > 0.08);
    worst_error(100 * MOHS_MILLISECOND, 500 * MOHS_MILLISECOND, &worst);
    CHECK(worst < 1e-6);
    worst_error(100 * MOHS_MILLISECOND, 250 * MOHS_MILLISECOND, &worst); // of five bunches
    CHECK(worst < 1e-6);
    worst_error(90 * MOHS_MILLISECOND, 250 * MOHS_MILLISECOND, &worst); // a tenth too short
    CHECK(worst < 0.01);
}

/* Eight connections, each waiting for 50 ms and computing for 5, on one core: together at first, so
 * that the last one's first response takes 90 ms, and 55 ms apart from then on. */
TEST(connections_that_begin_together_do_not_make_the_rate_too_low) {
    for (size_t at = 0; at < 80; at++) {
        uint64_t done = (55 * (at / 8 + 1) + 5 * (at % 8)) * MOHS_MILLISECOND;
        records[at] = (struct mohs_record){.due_ns = 1000, .done_ns = done & ((1ull << 40) - 1)};
    }
    for (uint64_t length = 275; length < 400; length += 5) {
        double error = error_of(80, length * MOHS_MILLISECOND, 110 * MOHS_MILLISECOND, 8 / 0.055);
        CHECK(fabs(error) < 0.01);
    }
}

TEST(without_edges_each_good_response_in_time_counts) {
    const struct mohs_run runs[] = {{records, 3}, {records + 3, 7}};
    in_bunches(10, 1, 10);
    records[4].error = MOHS_WRONG_BODY;
    CHECK_EQUAL(100, (uint64_t)mohs_edged_span(runs, 2, 1000, 100, 0, 9));
    CHECK_EQUAL(99, (uint64_t)mohs_edged_span(runs, 2, 1000, 99, 0, 8));
    CHECK_EQUAL(20, (uint64_t)mohs_edged_span(runs, 2, 1011, 20, 0, 2));
    CHECK_EQUAL(0, (uint64_t)mohs_edged_span(runs, 2, 2000, 20, 0, 9));
}

TEST(good_responses_are_counted_that_end_later) {
    const struct mohs_run run = {records, 4};
    in_bunches(4, 1, 100); // they end at 1100, .., 1400
    records[2].error = MOHS_WRONG_BODY;
    CHECK_EQUAL(3, mohs_count_after(&run, 1, 1099));
    CHECK_EQUAL(2, mohs_count_after(&run, 1, 1100));
    records[3].flags = MOHS_RECORD_WARM_UP;
    CHECK_EQUAL(0, mohs_count_after(&run, 1, 1200));
}

TEST(service_is_counted_within_a_time) {
    const struct mohs_run run = {records, 3};
    in_bunches(3, 1, 100);
    records[0].sent_ns = 40;              // 1040 to 1100
    records[1].flags = MOHS_RECORD_FRESH; // from due: 1000 to 1200
    records[2].error = MOHS_WRONG_BODY;   // 1000 to 1300
    CHECK_EQUAL(260, mohs_service_within(&run, 1, 1000, 500));
    CHECK_EQUAL(120, mohs_service_within(&run, 1, 1000, 80));  // 40 and 80
    CHECK_EQUAL(200, mohs_service_within(&run, 1, 1050, 500)); // 50 and 150
    CHECK_EQUAL(0, mohs_service_within(&run, 1, 1200, 500));
}

TEST(nothing_gives_nothing) {
    CHECK_EQUAL(0, mohs_select(NULL, 0, MOHS_SERVICE, 0, MOHS_ONLY_GOOD));
    CHECK_EQUAL(0, mohs_count(NULL, 0, MOHS_SERVICE, MOHS_ONLY_GOOD));
}

TEST(every_error_has_a_name) {
    for (int error = 0; error < MOHS_ERROR_COUNT; error++)
        CHECK(strcmp(mohs_error_name(error), "unknown") != 0);
    CHECK(strcmp(mohs_error_name(-1), "unknown") == 0);
    CHECK(strcmp(mohs_error_name(MOHS_ERROR_COUNT), "unknown") == 0);
    CHECK(strcmp(mohs_error_name(MOHS_WRONG_BODY), "wrong_body") == 0);
}

int main(void) {
    RUN(every_rank_is_that_of_a_sorted_array);
    RUN(warm_up_counts_on_demand_and_errors_always);
    RUN(without_a_right_answer_a_request_ranks_after_every_answered_one);
    RUN(a_rank_without_a_right_answer_is_longer_than_all_that_is_known);
    RUN(a_connection_that_waited_while_others_were_served_is_starved);
    RUN(each_request_has_either_lag_or_queue);
    RUN(what_was_sent_has_a_lag_even_if_it_failed);
    RUN(long_waits_are_stored_coarsely);
    RUN(totals_cover_every_record_and_connection);
    RUN(sent_requests_are_counted_between_edges);
    RUN(edges_of_two_bunches_find_the_rate_at_any_phase_of_a_bunch);
    RUN(connections_that_begin_together_do_not_make_the_rate_too_low);
    RUN(without_edges_each_good_response_in_time_counts);
    RUN(good_responses_are_counted_that_end_later);
    RUN(service_is_counted_within_a_time);
    RUN(nothing_gives_nothing);
    RUN(every_error_has_a_name);
    return report();
}
