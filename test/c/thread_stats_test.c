/* What a thread measures about itself, with windows of the length that the test sets. */
#include "core/thread_stats.h"

#include "runner.h"

#define START 1000u

static void burn(uint64_t cpu_ns) {
    uint64_t until = mohs_thread_cpu_ns() + cpu_ns;
    while (mohs_thread_cpu_ns() < until) continue;
}

TEST(windows_are_classified_by_their_share_of_a_core) {
    struct mohs_thread_watch watch;
    uint64_t now = START;
    mohs_thread_watch_open(&watch, false, false);
    mohs_thread_watch_begin(&watch, now);
    CHECK_EQUAL(START + MOHS_WINDOW_NS, watch.next_ns);
    const uint64_t burnt_ms[] = {2, 12, 18};
    for (size_t at = 0; at < 3; at++) { // of 20 ms: 10, 60 and 90 %
        burn(burnt_ms[at] * MOHS_MILLISECOND);
        mohs_thread_watch_turn(&watch, now += 20 * MOHS_MILLISECOND);
        CHECK_EQUAL(now + MOHS_WINDOW_NS, watch.next_ns);
    }
    mohs_thread_watch_end(&watch);
    CHECK_EQUAL(3, watch.stats.windows);
    CHECK_EQUAL(2, watch.stats.busy);
    CHECK_EQUAL(1, watch.stats.full);
    mohs_thread_watch_begin(&watch, now);
    CHECK_EQUAL(0, watch.stats.windows);
    mohs_thread_watch_close(&watch);
}

TEST(a_spinning_thread_has_no_windows) {
    struct mohs_thread_watch watch;
    mohs_thread_watch_open(&watch, true, false);
    mohs_thread_watch_begin(&watch, START);
    CHECK(watch.next_ns == UINT64_MAX);
    mohs_thread_watch_close(&watch);
}

TEST(an_event_ages_while_those_before_it_are_read) {
    struct mohs_thread_watch watch;
    mohs_thread_watch_open(&watch, false, false);
    mohs_thread_watch_begin(&watch, START);
    mohs_thread_watch_woken(&watch, 3);
    mohs_thread_watch_handled(&watch, START + 10);
    mohs_thread_watch_handled(&watch, START + 15);
    mohs_thread_watch_handled(&watch, START + 40);
    mohs_thread_watch_woken(&watch, 1);
    mohs_thread_watch_handled(&watch, START + 900);
    CHECK_EQUAL(2, watch.stats.wakeups);
    CHECK_EQUAL(4, watch.stats.events);
    CHECK_EQUAL(3, watch.stats.events_max);
    CHECK_EQUAL(35, watch.stats.age_sum_ns);
    CHECK_EQUAL(30, watch.stats.age_max_ns);
    mohs_thread_watch_close(&watch);
}

TEST(waiting_for_a_core_is_unknown_if_the_kernel_does_not_report_it) {
    struct mohs_thread_watch watch;
    mohs_thread_watch_open(&watch, false, false);
    bool known = watch.schedstat >= 0;
    mohs_thread_watch_begin(&watch, START);
    CHECK_EQUAL(-1, watch.stats.waited_ns); // until the end
    mohs_thread_watch_end(&watch);
    CHECK((watch.stats.waited_ns >= 0) == known);
    mohs_thread_watch_close(&watch);
    mohs_thread_watch_begin(&watch, START);
    mohs_thread_watch_end(&watch);
    CHECK_EQUAL(-1, watch.stats.waited_ns);
}

TEST(the_speed_of_the_core_is_measured_on_request) {
    struct mohs_thread_watch watch;
    mohs_thread_watch_open(&watch, false, false);
    mohs_thread_watch_begin(&watch, START);
    CHECK(watch.speed_at_ns == UINT64_MAX);
    mohs_thread_watch_close(&watch);
    mohs_thread_watch_open(&watch, false, true);
    mohs_thread_watch_begin(&watch, START);
    CHECK_EQUAL(START, watch.speed_at_ns); // at once
    mohs_thread_watch_speed(&watch, START + 5);
    mohs_thread_watch_speed(&watch, START + 5);
    CHECK_EQUAL(START + 5 + MOHS_SPEED_EVERY_NS, watch.speed_at_ns);
    CHECK_EQUAL(2, watch.stats.speeds);
    CHECK(watch.stats.core_log > 0);
    CHECK(watch.stats.memory_log > 0);
    struct mohs_thread_stats total = watch.stats;
    mohs_thread_stats_add(&total, &watch.stats);
    CHECK_EQUAL(4, total.speeds);
    CHECK(total.core_log == 2 * watch.stats.core_log);
    CHECK(total.memory_log == 2 * watch.stats.memory_log);
    mohs_thread_watch_begin(&watch, START);
    CHECK_EQUAL(0, watch.stats.speeds);
    mohs_thread_watch_close(&watch);
}

TEST(several_threads_add_up) {
    struct mohs_thread_stats total = {0};
    struct mohs_thread_stats part = {.windows = 10,
                                     .busy = 3,
                                     .full = 1,
                                     .wakeups = 5,
                                     .events = 20,
                                     .events_max = 9,
                                     .age_sum_ns = 100,
                                     .age_max_ns = 50,
                                     .preempted = 2,
                                     .waited_ns = 7};
    mohs_thread_stats_add(&total, &part);
    part.events_max = part.age_max_ns = 4;
    mohs_thread_stats_add(&total, &part);
    CHECK_EQUAL(20, total.windows);
    CHECK_EQUAL(6, total.busy);
    CHECK_EQUAL(2, total.full);
    CHECK_EQUAL(40, total.events);
    CHECK_EQUAL(10, total.wakeups);
    CHECK_EQUAL(9, total.events_max);
    CHECK_EQUAL(50, total.age_max_ns);
    CHECK_EQUAL(200, total.age_sum_ns);
    CHECK_EQUAL(4, total.preempted);
    CHECK_EQUAL(14, total.waited_ns);
    part.waited_ns = -1;
    mohs_thread_stats_add(&total, &part);
    part.waited_ns = 7;
    mohs_thread_stats_add(&total, &part);
    CHECK_EQUAL(-1, total.waited_ns); // of one unknown, so of all
}

int main(void) {
    RUN(windows_are_classified_by_their_share_of_a_core);
    RUN(a_spinning_thread_has_no_windows);
    RUN(an_event_ages_while_those_before_it_are_read);
    RUN(waiting_for_a_core_is_unknown_if_the_kernel_does_not_report_it);
    RUN(the_speed_of_the_core_is_measured_on_request);
    RUN(several_threads_add_up);
    return report();
}
