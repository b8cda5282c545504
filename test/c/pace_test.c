/* The core's pace: a time that work took, not how long that is. */
#include "core/pace.h"

#include "core/clock.h"
#include "runner.h"

TEST(work_takes_time_and_not_more_than_was_spent) {
    for (int time = 0; time < 100; time++) {
        uint64_t began = mohs_now_ns();
        uint64_t took = mohs_pace_ns();
        CHECK(took > 0);
        CHECK(took <= mohs_now_ns() - began);
    }
}

int main(void) {
    RUN(work_takes_time_and_not_more_than_was_spent);
    return report();
}
