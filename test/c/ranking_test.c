/* Times at ranks compared with those of a sorted array. */
#include "core/ranking.h"

#include <stdlib.h>

#include "runner.h"

enum { COUNT = 2 * MOHS_RANKING_CHUNK + 5 };

static uint64_t state = 88172645463325252u;

static uint64_t next_random(void) {
    state ^= state << 13;
    state ^= state >> 7;
    return state ^= state << 17;
}

static int ascending(const void *left, const void *right) {
    uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;
    return a < b ? -1 : a > b;
}

/* Random times below 2 to the power of bits, and of each rank the right one. */
static void compare(unsigned bits, size_t count) {
    static uint64_t times[COUNT], found[MOHS_RANKING_RANKS], ranks[MOHS_RANKING_RANKS];
    struct mohs_ranking ranking = {0};
    for (size_t at = 0; at < count; at++) {
        times[at] = next_random() & ((UINT64_C(1) << bits) - 1);
        CHECK(mohs_ranking_add(&ranking, times[at]) == 0);
    }
    CHECK_EQUAL(count, ranking.size);
    qsort(times, count, sizeof *times, ascending);
    ranks[0] = count - 1;
    for (size_t at = 1; at < MOHS_RANKING_RANKS; at++) ranks[at] = next_random() % count;
    CHECK(mohs_ranking_select(&ranking, ranks, MOHS_RANKING_RANKS, found) == 0);
    for (size_t at = 0; at < MOHS_RANKING_RANKS; at++) CHECK_EQUAL(times[ranks[at]], found[at]);
    mohs_ranking_free(&ranking);
    CHECK_EQUAL(0, mohs_ranking_bytes(&ranking));
}

TEST(each_rank_is_that_of_a_sorted_array) {
    static const unsigned bits[] = {1, 5, 13, 14, 15, 27, 28, 29, 32, 33, 39, 40};
    for (size_t at = 0; at < sizeof bits / sizeof *bits; at++) {
        compare(bits[at], 1);
        compare(bits[at], 1000);
        compare(bits[at], COUNT);
    }
}

TEST(equal_times_have_all_ranks) {
    struct mohs_ranking ranking = {0};
    uint64_t ranks[] = {0, 1, 2, 3}, found[4];
    static const uint64_t times[] = {0, MOHS_RANKING_LONGEST, 0, MOHS_RANKING_LONGEST};
    for (size_t at = 0; at < 4; at++) CHECK(mohs_ranking_add(&ranking, times[at]) == 0);
    CHECK(mohs_ranking_select(&ranking, ranks, 4, found) == 0);
    CHECK_EQUAL(0, found[0] | found[1]);
    CHECK_EQUAL(MOHS_RANKING_LONGEST, found[2]);
    CHECK_EQUAL(MOHS_RANKING_LONGEST, found[3]);
    CHECK(mohs_ranking_bytes(&ranking) >= 4 * 5);
    mohs_ranking_free(&ranking);
}

TEST(whole_chunks_need_no_further_one) {
    struct mohs_ranking ranking = {0};
    for (uint64_t at = 0; at < 2 * MOHS_RANKING_CHUNK; at++)
        CHECK(mohs_ranking_add(&ranking, at) == 0);
    CHECK_EQUAL(2, ranking.count);
    uint64_t rank = 2 * MOHS_RANKING_CHUNK - 1, found;
    CHECK(mohs_ranking_select(&ranking, &rank, 1, &found) == 0);
    CHECK_EQUAL(rank, found);
    mohs_ranking_free(&ranking);
}

TEST(nothing_is_nothing) {
    struct mohs_ranking ranking = {0};
    CHECK(mohs_ranking_select(&ranking, NULL, 0, NULL) == 0);
    CHECK_EQUAL(0, mohs_ranking_bytes(&ranking));
    mohs_ranking_free(&ranking);
}

int main(void) {
    RUN(each_rank_is_that_of_a_sorted_array);
    RUN(equal_times_have_all_ranks);
    RUN(whole_chunks_need_no_further_one);
    RUN(nothing_is_nothing);
    return report();
}
