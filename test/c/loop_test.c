/* When a thread should have run, and when it did. */
#include "core/loop.h"

#include "core/clock.h"
#include "runner.h"

#define MS MOHS_MILLISECOND

/* A loop that last ran at 1000 ms, and was to look again after 50 ms. */
static struct mohs_loop at_1000_ms(void) {
    struct mohs_loop loop = {.ran_ns = 1000 * MS, .look_ns = 1050 * MS, .due_ns = MOHS_NO_LIMIT};
    return loop;
}

/* Runs again at `now_ms`, for what came at `came_ms`. */
static void run_at(struct mohs_loop *loop, uint64_t now_ms, uint64_t came_ms) {
    loop->now_ns = now_ms * MS;
    mohs_loop_ran(loop, came_ms * MS);
}

TEST(a_gap_counts_from_when_the_wait_should_have_ended) {
    const struct {
        uint64_t now_ms, came_ms, due_ms, gap_ms;
    } cases[] = {
        {1040, 1040, 0, 0},      // read when it came
        {1040, 1030, 0, 10},     // it came before
        {1040, 900, 0, 40},      // and before the thread had ended its last turn
        {1200, 1200, 0, 150},    // nothing came, but it was to look at 1050
        {1200, 1200, 1010, 190}, // or a request was due
        {1200, 1005, 1010, 195},
    };
    for (size_t at = 0; at < sizeof cases / sizeof *cases; at++) {
        struct mohs_loop loop = at_1000_ms();
        if (cases[at].due_ms) loop.due_ns = cases[at].due_ms * MS;
        run_at(&loop, cases[at].now_ms, cases[at].came_ms);
        CHECK_EQUAL(cases[at].gap_ms * MS, loop.stalls.gap_max_ns);
        uint64_t gap = cases[at].gap_ms * MS;
        CHECK_EQUAL(gap ? gap - MOHS_GAP_NS : 0, loop.stalls.gaps_ns);
        CHECK_EQUAL(cases[at].gap_ms > 20, loop.stalls.stalls);
        CHECK_EQUAL(cases[at].gap_ms > 20 ? cases[at].gap_ms * MS : 0, loop.stalls.stalled_ns);
        CHECK_EQUAL(cases[at].now_ms * MS, loop.ran_ns);
    }
}

TEST(gaps_above_20_ms_add_up_and_the_largest_stays) {
    struct mohs_loop loop = at_1000_ms();
    loop.look_ns = MOHS_NO_LIMIT;
    run_at(&loop, 1100, 1000);
    run_at(&loop, 1120, 1100);
    run_at(&loop, 1145, 1120);
    CHECK_EQUAL(100 * MS, loop.stalls.gap_max_ns);
    CHECK_EQUAL(2, loop.stalls.stalls);
    CHECK_EQUAL(125 * MS, loop.stalls.stalled_ns);
    CHECK_EQUAL(145 * MS - 3 * MOHS_GAP_NS, loop.stalls.gaps_ns);
    CHECK_EQUAL(0, loop.stalls.held_ns);
}

TEST(a_gap_no_longer_than_waking_takes_is_not_counted) {
    struct mohs_loop loop = at_1000_ms();
    loop.now_ns = 1000 * MS + MOHS_GAP_NS;
    mohs_loop_ran(&loop, 1000 * MS);
    CHECK_EQUAL(0, loop.stalls.gaps_ns);
    loop.now_ns += MOHS_GAP_NS + 1;
    mohs_loop_ran(&loop, loop.now_ns - MOHS_GAP_NS - 1);
    CHECK_EQUAL(1, loop.stalls.gaps_ns);
    CHECK_EQUAL(0, loop.stalls.stalls);
}

TEST(a_gap_is_split_into_what_was_slept_and_what_was_computed) {
    struct mohs_loop loop = at_1000_ms();
    loop.look_ns = MOHS_NO_LIMIT;
    loop.slept_ns = 1003 * MS; // it computed until then
    loop.woken_ns = 1008 * MS;
    run_at(&loop, 1008, 1001);
    CHECK_EQUAL(5 * MS - MOHS_GAP_NS, loop.stalls.gaps_ns);
    CHECK_EQUAL(2 * MS - MOHS_GAP_NS, loop.stalls.held_ns);
    run_at(&loop, 1012, 1001); // the next event of the same wake-up
    CHECK_EQUAL(5 * MS - MOHS_GAP_NS, loop.stalls.gaps_ns);
    CHECK_EQUAL(6 * MS - 2 * MOHS_GAP_NS, loop.stalls.held_ns);
}

TEST(what_fell_due_in_the_last_stall_waited_for_the_thread) {
    struct mohs_loop loop = at_1000_ms();
    CHECK(!mohs_loop_held_up(&loop, 0));
    loop.due_ns = 1010 * MS;
    run_at(&loop, 1200, 1200);
    CHECK(!mohs_loop_held_up(&loop, 1010 * MS - 1));
    CHECK(mohs_loop_held_up(&loop, 1010 * MS));
    CHECK(mohs_loop_held_up(&loop, 1200 * MS - 1));
    CHECK(!mohs_loop_held_up(&loop, 1200 * MS));
    loop.due_ns = MOHS_NO_LIMIT;
    loop.look_ns = 1250 * MS;
    run_at(&loop, 1210, 1205); // no stall
    CHECK(mohs_loop_held_up(&loop, 1100 * MS));
    mohs_loop_begin(&loop, 2000 * MS);
    CHECK(!mohs_loop_held_up(&loop, 1100 * MS));
    CHECK_EQUAL(0, loop.stalls.stalls + loop.stalls.gaps_ns + loop.stalls.gap_max_ns);
    CHECK_EQUAL(2000 * MS, loop.ran_ns);
}

TEST(so_does_what_falls_due_while_it_catches_up_for_as_long_again) {
    struct mohs_loop loop = at_1000_ms();
    loop.due_ns = 1100 * MS;
    loop.look_ns = MOHS_NO_LIMIT;
    run_at(&loop, 1200, 1200);
    loop.now_ns = 1240 * MS;
    CHECK(mohs_loop_held_up(&loop, 1199 * MS)); // not begun before 1240
    CHECK(!mohs_loop_held_up(&loop, 1240 * MS));
    loop.now_ns = 1270 * MS;
    CHECK(mohs_loop_held_up(&loop, 1239 * MS));
    loop.now_ns = 1400 * MS;
    CHECK(mohs_loop_held_up(&loop, 1269 * MS));
    CHECK(!mohs_loop_held_up(&loop, 1300 * MS)); // a server that can't keep up
}

int main(void) {
    RUN(a_gap_counts_from_when_the_wait_should_have_ended);
    RUN(gaps_above_20_ms_add_up_and_the_largest_stays);
    RUN(a_gap_no_longer_than_waking_takes_is_not_counted);
    RUN(a_gap_is_split_into_what_was_slept_and_what_was_computed);
    RUN(what_fell_due_in_the_last_stall_waited_for_the_thread);
    RUN(so_does_what_falls_due_while_it_catches_up_for_as_long_again);
    return report();
}
