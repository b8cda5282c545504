/* Times by size: each is in a step that contains it. */
#include "core/times.h"

#include "runner.h"

/* The lowest time of a step, computed from the description. */
static uint64_t lowest(size_t step) {
    if (step < 16) return step;
    return (uint64_t)(16 + step % 16) << (step / 16 - 1);
}

TEST(each_step_begins_where_the_one_before_ends) {
    for (size_t step = 0; step < MOHS_TIME_STEPS; step++) {
        CHECK_EQUAL(step, mohs_time_step(lowest(step)));
        if (step) CHECK_EQUAL(step - 1, mohs_time_step(lowest(step) - 1));
    }
}

TEST(times_too_long_for_a_record_count_as_the_longest) {
    CHECK_EQUAL(MOHS_TIME_STEPS - 1, mohs_time_step((UINT64_C(1) << 40) - 1));
    CHECK_EQUAL(MOHS_TIME_STEPS - 1, mohs_time_step(UINT64_C(1) << 40));
    CHECK_EQUAL(MOHS_TIME_STEPS - 1, mohs_time_step(UINT64_MAX));
}

int main(void) {
    RUN(each_step_begins_where_the_one_before_ends);
    RUN(times_too_long_for_a_record_count_as_the_longest);
    return report();
}
