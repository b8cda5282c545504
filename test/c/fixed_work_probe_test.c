/*
 * The probe without Ruby: it accounts for all its time, sees what shares its core, and ends when
 * stopped. No speed is checked, only what must be consistent however busy the machine is.
 */
#include "core/fixed_work_probe.h"

#include <errno.h>
#include <sched.h>

#include "core/clock.h"
#include "runner.h"

/* A CPU that this process may use. */
static int some_cpu(void) {
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) != 0) return 0;
    for (int cpu = 0; cpu < CPU_SETSIZE; cpu++)
        if (CPU_ISSET((size_t)cpu, &set)) return cpu;
    return 0;
}

static void run_to_end(struct mohs_fixed_work_probe *probe) {
    while (!mohs_fixed_work_wait(probe, 1000)) continue;
    mohs_fixed_work_join(probe);
}

static uint64_t units(const struct mohs_fixed_work_probe *probe, size_t core) {
    uint64_t sum = 0;
    for (size_t at = 0; at < probe->bin_count; at++) sum += probe->cores[core].bins[at];
    return sum;
}

TEST(counts_all_of_its_time) {
    struct mohs_fixed_work_probe probe;
    int cpu = some_cpu();
    CHECK_EQUAL(0, mohs_fixed_work_init(&probe, &cpu, 1, 3));
    CHECK_EQUAL(0, mohs_fixed_work_start(&probe));
    run_to_end(&probe);
    const struct mohs_probed_core *core = &probe.cores[0];
    CHECK_EQUAL(cpu, core->cpu);
    CHECK(core->wall_ns >= 3 * MOHS_FIXED_WORK_BIN_NS);
    CHECK(core->cpu_ns <= core->wall_ns + MOHS_MILLISECOND);
    CHECK(core->away_ns <= core->wall_ns);
    CHECK(core->longest_ns <= core->away_ns);
    CHECK(core->away_ns == 0 || core->longest_ns > MOHS_FIXED_WORK_GAP_NS);
    CHECK(units(&probe, 0) > 0);
    /* What was not away was units, and none of those took longer than a gap. */
    CHECK(core->wall_ns - core->away_ns <= (units(&probe, 0) + 1) * MOHS_FIXED_WORK_GAP_NS);
    mohs_fixed_work_free(&probe);
}

TEST(two_probes_on_one_core_slow_each_other) {
    struct mohs_fixed_work_probe probe;
    int cpus[2] = {some_cpu(), some_cpu()};
    CHECK_EQUAL(0, mohs_fixed_work_init(&probe, cpus, 2, 5));
    CHECK_EQUAL(0, mohs_fixed_work_start(&probe));
    run_to_end(&probe);
    uint64_t cpu_ns = 0, away_ns = 0, wall_ns = 0;
    for (size_t at = 0; at < 2; at++) {
        cpu_ns += probe.cores[at].cpu_ns;
        away_ns += probe.cores[at].away_ns;
        wall_ns += probe.cores[at].wall_ns;
        CHECK(probe.cores[at].longest_ns > MOHS_FIXED_WORK_GAP_NS);
    }
    CHECK(cpu_ns <= wall_ns * 6 / 10);  /* together, hardly more than one core has */
    CHECK(away_ns >= wall_ns * 4 / 10); /* and each sees the other's time as its own gaps */
    CHECK(away_ns + cpu_ns >= wall_ns * 9 / 10);
    mohs_fixed_work_free(&probe);
}

TEST(ends_when_stopped) {
    struct mohs_fixed_work_probe probe;
    int cpu = some_cpu();
    CHECK_EQUAL(0, mohs_fixed_work_init(&probe, &cpu, 1, MOHS_FIXED_WORK_BINS_MAX));
    CHECK_EQUAL(0, mohs_fixed_work_start(&probe));
    CHECK(!mohs_fixed_work_wait(&probe, 20));
    mohs_fixed_work_poke(&probe);
    CHECK(!mohs_fixed_work_wait(&probe, 60000)); /* woken, not ended */
    mohs_fixed_work_stop(&probe);
    run_to_end(&probe);
    CHECK(probe.cores[0].wall_ns < MOHS_FIXED_WORK_BINS_MAX * MOHS_FIXED_WORK_BIN_NS / 2);
    mohs_fixed_work_join(&probe);
    mohs_fixed_work_free(&probe);
    mohs_fixed_work_free(&probe);
}

TEST(invalid_arguments_are_refused) {
    struct mohs_fixed_work_probe probe;
    int cpus[2] = {some_cpu(), 1023};
    CHECK_EQUAL(-EINVAL, mohs_fixed_work_init(&probe, cpus, 0, 1));
    mohs_fixed_work_free(&probe);
    CHECK_EQUAL(-EINVAL, mohs_fixed_work_init(&probe, cpus, 1, 0));
    mohs_fixed_work_free(&probe);
    CHECK_EQUAL(-EINVAL, mohs_fixed_work_init(&probe, cpus, 1, MOHS_FIXED_WORK_BINS_MAX + 1));
    mohs_fixed_work_free(&probe);
    /* The second cannot start: the first ends all the same. */
    CHECK_EQUAL(0, mohs_fixed_work_init(&probe, cpus, 2, MOHS_FIXED_WORK_BINS_MAX));
    CHECK_EQUAL(-EINVAL, mohs_fixed_work_start(&probe));
    mohs_fixed_work_stop(&probe);
    mohs_fixed_work_join(&probe);
    CHECK(probe.cores[0].wall_ns < MOHS_FIXED_WORK_BINS_MAX * MOHS_FIXED_WORK_BIN_NS / 2);
    mohs_fixed_work_free(&probe);
    int negative = -1;
    CHECK_EQUAL(0, mohs_fixed_work_init(&probe, &negative, 1, 1));
    CHECK_EQUAL(-EINVAL, mohs_fixed_work_start(&probe));
    mohs_fixed_work_free(&probe);
}

int main(void) {
    RUN(counts_all_of_its_time);
    RUN(two_probes_on_one_core_slow_each_other);
    RUN(ends_when_stopped);
    RUN(invalid_arguments_are_refused);
    return report();
}
