/* The core's speed: that the work took time, not how long. */
#include "core/core_speed.h"

#include "core/clock.h"
#include "runner.h"

TEST(work_takes_time_and_not_more_than_was_spent) {
    for (int time = 0; time < 100; time++) {
        uint64_t began = mohs_now_ns();
        uint64_t took = mohs_core_speed_ns();
        CHECK(took > 0);
        CHECK(took <= mohs_now_ns() - began);
    }
}

TEST(a_walk_through_memory_goes_on_where_it_ended) {
    uint32_t place = 12345678, before = place;
    for (int time = 0; time < 100; time++) {
        uint64_t began = mohs_now_ns();
        uint64_t took = mohs_memory_speed_ns(&place);
        CHECK(took > 0);
        CHECK(took <= mohs_now_ns() - began);
        CHECK(place != before);
        before = place;
    }
}

int main(void) {
    RUN(work_takes_time_and_not_more_than_was_spent);
    RUN(a_walk_through_memory_goes_on_where_it_ended);
    return report();
}
