/* When half of those who should get a message have it, 99 % of them, and the last. */
#include "core/fan_out.h"

#include "runner.h"

TEST(the_times_are_those_of_the_connections_that_complete_a_share) {
    struct mohs_fan_out fan_out;
    CHECK_EQUAL(0, mohs_fan_out_init(&fan_out, 10, 200));
    mohs_fan_out_sent(&fan_out, 3, 200);
    for (uint32_t at = 0; at < 200; at++) {
        CHECK(mohs_fan_out_came(&fan_out, 3, at, 1000 + at));
        CHECK(!mohs_fan_out_came(&fan_out, 3, at, 5000));
    }
    CHECK_EQUAL(1099, fan_out.fans[3].parts.half_ns); // the 100th
    CHECK_EQUAL(1197, fan_out.fans[3].parts.most_ns); // the 198th
    CHECK_EQUAL(1199, fan_out.fans[3].parts.all_ns);
    CHECK_EQUAL(200, fan_out.due);
    CHECK_EQUAL(200, fan_out.came);
    CHECK_EQUAL(0, fan_out.fans[4].heard); // its bits are its own
    mohs_fan_out_free(&fan_out);
}

TEST(who_is_alone_has_it_all_at_once_and_an_odd_one_counts_up) {
    struct mohs_fan_out fan_out;
    CHECK_EQUAL(0, mohs_fan_out_init(&fan_out, 2, 3));
    mohs_fan_out_sent(&fan_out, 0, 1);
    mohs_fan_out_sent(&fan_out, 1, 3);
    CHECK(mohs_fan_out_came(&fan_out, 0, 2, 7));
    CHECK_EQUAL(7, fan_out.fans[0].parts.half_ns);
    CHECK_EQUAL(7, fan_out.fans[0].parts.all_ns);
    CHECK(mohs_fan_out_came(&fan_out, 1, 0, 8));
    CHECK_EQUAL(0, fan_out.fans[1].parts.half_ns); // one of three is no half
    CHECK(mohs_fan_out_came(&fan_out, 1, 1, 9));
    CHECK_EQUAL(9, fan_out.fans[1].parts.half_ns);
    CHECK_EQUAL(0, fan_out.fans[1].parts.all_ns);
    CHECK_EQUAL(4, fan_out.due);
    CHECK_EQUAL(3, fan_out.came);
    mohs_fan_out_free(&fan_out);
}

/* The load has dropped one that should have got a message: the times are those of the others. */
TEST(whoever_leaves_is_not_waited_for) {
    struct mohs_fan_out fan_out;
    CHECK_EQUAL(0, mohs_fan_out_init(&fan_out, 3, 5));
    mohs_fan_out_sent(&fan_out, 0, 5);
    CHECK(mohs_fan_out_came(&fan_out, 0, 4, 7));
    CHECK(mohs_fan_out_came(&fan_out, 0, 3, 8));
    CHECK_EQUAL(0, fan_out.fans[0].parts.half_ns); // of five
    mohs_fan_out_leave(&fan_out, 0);
    CHECK_EQUAL(8, fan_out.fans[0].parts.half_ns); // of four
    mohs_fan_out_leave(&fan_out, 0);
    CHECK_EQUAL(0, fan_out.fans[0].parts.all_ns);
    CHECK(mohs_fan_out_came(&fan_out, 0, 2, 9));
    CHECK_EQUAL(9, fan_out.fans[0].parts.all_ns);
    CHECK_EQUAL(8, fan_out.fans[0].parts.half_ns);
    CHECK_EQUAL(3, fan_out.due);
    mohs_fan_out_sent(&fan_out, 1, 2);
    CHECK(mohs_fan_out_came(&fan_out, 1, 0, 10));
    mohs_fan_out_leave(&fan_out, 1); // the other had it before
    CHECK_EQUAL(10, fan_out.fans[1].parts.all_ns);
    mohs_fan_out_sent(&fan_out, 2, 1);
    mohs_fan_out_leave(&fan_out, 2); // nobody is left
    CHECK(fan_out.fans[2].cut);
    CHECK_EQUAL(0, fan_out.fans[2].parts.all_ns);
    CHECK_EQUAL(4, fan_out.due);
    CHECK_EQUAL(4, fan_out.came);
    mohs_fan_out_free(&fan_out);
}

/* The load has dropped who sent it: whenever it comes to the others, it counts no more. */
TEST(a_message_that_is_cut_off_counts_no_more) {
    struct mohs_fan_out fan_out;
    CHECK_EQUAL(0, mohs_fan_out_init(&fan_out, 2, 20));
    mohs_fan_out_sent(&fan_out, 0, 3);
    mohs_fan_out_sent(&fan_out, 1, 2);
    CHECK(mohs_fan_out_came(&fan_out, 0, 17, 7));
    CHECK(mohs_fan_out_heard(&fan_out, 0, 17));
    CHECK(!mohs_fan_out_heard(&fan_out, 0, 16));
    mohs_fan_out_cut(&fan_out, 0);
    mohs_fan_out_cut(&fan_out, 0);
    CHECK_EQUAL(2, fan_out.due);
    CHECK_EQUAL(0, fan_out.came);
    CHECK(mohs_fan_out_came(&fan_out, 0, 16, 8));
    CHECK(!mohs_fan_out_came(&fan_out, 0, 16, 9));
    CHECK_EQUAL(0, fan_out.came);
    CHECK_EQUAL(0, fan_out.fans[0].parts.half_ns);
    mohs_fan_out_free(&fan_out);
}

/* Connections are not read in the order in which a message came to them. */
TEST(whoever_is_read_last_need_not_be_the_last_to_have_it) {
    struct mohs_fan_out fan_out;
    CHECK_EQUAL(0, mohs_fan_out_init(&fan_out, 1, 3));
    mohs_fan_out_sent(&fan_out, 0, 3);
    CHECK(mohs_fan_out_came(&fan_out, 0, 0, 300));
    CHECK(mohs_fan_out_came(&fan_out, 0, 1, 100));
    CHECK(mohs_fan_out_came(&fan_out, 0, 2, 200));
    CHECK_EQUAL(300, fan_out.fans[0].parts.half_ns); // two of three had it by then, at the latest
    CHECK_EQUAL(300, fan_out.fans[0].parts.all_ns);
    mohs_fan_out_free(&fan_out);
}

int main(void) {
    RUN(whoever_is_read_last_need_not_be_the_last_to_have_it);
    RUN(whoever_leaves_is_not_waited_for);
    RUN(a_message_that_is_cut_off_counts_no_more);
    RUN(the_times_are_those_of_the_connections_that_complete_a_share);
    RUN(who_is_alone_has_it_all_at_once_and_an_odd_one_counts_up);
    return report();
}
