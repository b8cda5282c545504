/*
 * The sentinel without Ruby: it counts all its time, sees who shares its core, and ends when told.
 * No speed is checked, only what must agree with itself however busy the machine is.
 */
#include "core/sentinel.h"

#include <errno.h>
#include <sched.h>

#include "core/clock.h"
#include "runner.h"

/* A CPU that we may use. */
static int some_cpu(void) {
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) != 0) return 0;
    for (int cpu = 0; cpu < CPU_SETSIZE; cpu++)
        if (CPU_ISSET((size_t)cpu, &set)) return cpu;
    return 0;
}

static void run_to_end(struct mohs_sentinel *sentinel) {
    while (!mohs_sentinel_wait(sentinel, 1000)) continue;
    mohs_sentinel_join(sentinel);
}

static uint64_t units(const struct mohs_sentinel *sentinel, size_t core) {
    uint64_t sum = 0;
    for (size_t at = 0; at < sentinel->bin_count; at++) sum += sentinel->cores[core].bins[at];
    return sum;
}

TEST(counts_all_of_its_time) {
    struct mohs_sentinel sentinel;
    int cpu = some_cpu();
    CHECK_EQUAL(0, mohs_sentinel_init(&sentinel, &cpu, 1, 3));
    CHECK_EQUAL(0, mohs_sentinel_start(&sentinel));
    run_to_end(&sentinel);
    const struct mohs_sentinel_core *core = &sentinel.cores[0];
    CHECK_EQUAL(cpu, core->cpu);
    CHECK(core->wall_ns >= 3 * MOHS_SENTINEL_BIN_NS);
    CHECK(core->cpu_ns <= core->wall_ns + MOHS_MILLISECOND);
    CHECK(core->away_ns <= core->wall_ns);
    CHECK(core->longest_ns <= core->away_ns);
    CHECK(core->away_ns >= core->gaps * MOHS_SENTINEL_GAP_NS);
    CHECK(units(&sentinel, 0) > 0);
    /* What was not away was units, and none of those took longer than a gap. */
    CHECK(core->wall_ns - core->away_ns <= (units(&sentinel, 0) + 1) * MOHS_SENTINEL_GAP_NS);
    mohs_sentinel_free(&sentinel);
}

TEST(two_on_one_core_see_each_other) {
    struct mohs_sentinel sentinel;
    int cpus[2] = {some_cpu(), some_cpu()};
    CHECK_EQUAL(0, mohs_sentinel_init(&sentinel, cpus, 2, 5));
    CHECK_EQUAL(0, mohs_sentinel_start(&sentinel));
    run_to_end(&sentinel);
    uint64_t cpu_ns = 0, away_ns = 0, wall_ns = 0;
    for (size_t at = 0; at < 2; at++) {
        cpu_ns += sentinel.cores[at].cpu_ns;
        away_ns += sentinel.cores[at].away_ns;
        wall_ns += sentinel.cores[at].wall_ns;
        CHECK(sentinel.cores[at].gaps > 0);
    }
    CHECK(cpu_ns <= wall_ns * 6 / 10);  /* together, hardly more than one core has */
    CHECK(away_ns >= wall_ns * 4 / 10); /* and each sees the other's time as its own gaps */
    CHECK(away_ns + cpu_ns >= wall_ns * 9 / 10);
    mohs_sentinel_free(&sentinel);
}

TEST(ends_when_told) {
    struct mohs_sentinel sentinel;
    int cpu = some_cpu();
    CHECK_EQUAL(0, mohs_sentinel_init(&sentinel, &cpu, 1, MOHS_SENTINEL_BINS_MAX));
    CHECK_EQUAL(0, mohs_sentinel_start(&sentinel));
    CHECK(!mohs_sentinel_wait(&sentinel, 20));
    mohs_sentinel_poke(&sentinel);
    CHECK(!mohs_sentinel_wait(&sentinel, 60000)); /* woken, not ended */
    mohs_sentinel_stop(&sentinel);
    run_to_end(&sentinel);
    CHECK(sentinel.cores[0].wall_ns < MOHS_SENTINEL_BINS_MAX * MOHS_SENTINEL_BIN_NS / 2);
    mohs_sentinel_join(&sentinel);
    mohs_sentinel_free(&sentinel);
    mohs_sentinel_free(&sentinel);
}

TEST(refuses_what_cannot_be) {
    struct mohs_sentinel sentinel;
    int cpus[2] = {some_cpu(), 1023};
    CHECK_EQUAL(-EINVAL, mohs_sentinel_init(&sentinel, cpus, 0, 1));
    mohs_sentinel_free(&sentinel);
    CHECK_EQUAL(-EINVAL, mohs_sentinel_init(&sentinel, cpus, 1, 0));
    mohs_sentinel_free(&sentinel);
    CHECK_EQUAL(-EINVAL, mohs_sentinel_init(&sentinel, cpus, 1, MOHS_SENTINEL_BINS_MAX + 1));
    mohs_sentinel_free(&sentinel);
    /* The second cannot start: the first ends all the same. */
    CHECK_EQUAL(0, mohs_sentinel_init(&sentinel, cpus, 2, MOHS_SENTINEL_BINS_MAX));
    CHECK_EQUAL(-EINVAL, mohs_sentinel_start(&sentinel));
    mohs_sentinel_stop(&sentinel);
    mohs_sentinel_join(&sentinel);
    CHECK(sentinel.cores[0].wall_ns < MOHS_SENTINEL_BINS_MAX * MOHS_SENTINEL_BIN_NS / 2);
    mohs_sentinel_free(&sentinel);
    int negative = -1;
    CHECK_EQUAL(0, mohs_sentinel_init(&sentinel, &negative, 1, 1));
    CHECK_EQUAL(-EINVAL, mohs_sentinel_start(&sentinel));
    mohs_sentinel_free(&sentinel);
}

int main(void) {
    RUN(counts_all_of_its_time);
    RUN(two_on_one_core_see_each_other);
    RUN(ends_when_told);
    RUN(refuses_what_cannot_be);
    return report();
}
