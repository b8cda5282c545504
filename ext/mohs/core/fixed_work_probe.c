#include "fixed_work_probe.h"

#include <errno.h>
#include <poll.h>
#include <sched.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "clock.h"

/* 256 KB, more than the first-level cache, so that what neighbours do to the other caches
 * shows. */
#define TABLE_WORDS 32768u
#define UNIT_STEPS  128u

/* Threads start within this time; one that starts later was kept off its core. */
#define HEAD_START_NS (5 * MOHS_MILLISECOND)

/* One unit of work: steps through the table, each to a place that depends on the step before
 * (xorshift64). */
static uint64_t work(const uint64_t *table, uint64_t state) {
    for (unsigned step = 0; step < UNIT_STEPS; step++) {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state += table[state % TABLE_WORDS];
    }
    return state | 1; // xorshift never leaves 0
}

static void sleep_until(uint64_t time_ns) {
    struct timespec time = {.tv_sec = (time_t)(time_ns / MOHS_SECOND),
                            .tv_nsec = (long)(time_ns % MOHS_SECOND)};
    while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &time, NULL) == EINTR) continue;
}

static void *spin(void *data) {
    struct mohs_probed_core *core = data;
    struct mohs_fixed_work_probe *probe = core->probe;
    uint64_t start = probe->start_ns;
    uint64_t end = start + probe->bin_count * MOHS_FIXED_WORK_BIN_NS;
    sleep_until(start);
    uint64_t cpu_ns = mohs_thread_cpu_ns(), last = start, state = 88172645463325252u;
    while (last < end && !atomic_load_explicit(&probe->stop, memory_order_relaxed)) {
        state = work(core->table, state);
        uint64_t now = mohs_now_ns(), away = now - last;
        if (away > MOHS_FIXED_WORK_GAP_NS) {
            core->away_ns += away;
            if (away > core->longest_ns) core->longest_ns = away;
        }
        if (now < end) core->bins[(now - start) / MOHS_FIXED_WORK_BIN_NS]++;
        last = now;
    }
    core->wall_ns = last - start;
    core->cpu_ns = mohs_thread_cpu_ns() - cpu_ns;
    core->result = state;
    if (atomic_fetch_sub(&probe->running, 1) == 1) mohs_fixed_work_poke(probe);
    return NULL;
}

static int init_core(struct mohs_fixed_work_probe *probe, struct mohs_probed_core *core, int cpu) {
    core->cpu = cpu;
    core->probe = probe;
    core->bins = calloc(probe->bin_count, sizeof *core->bins);
    core->table = malloc(TABLE_WORDS * sizeof *core->table);
    if (!core->bins || !core->table) return -ENOMEM;
    for (uint64_t word = 0; word < TABLE_WORDS; word++)
        core->table[word] = word * 0x9e3779b97f4a7c15u; // any value: it maps the memory
    return 0;
}

int mohs_fixed_work_init(struct mohs_fixed_work_probe *probe, const int *cpus, size_t cpu_count,
                         size_t bin_count) {
    *probe = (struct mohs_fixed_work_probe){.wake = -1};
    if (cpu_count < 1 || cpu_count > CPU_SETSIZE) return -EINVAL;
    if (bin_count < 1 || bin_count > MOHS_FIXED_WORK_BINS_MAX) return -EINVAL;
    probe->bin_count = bin_count;
    probe->cores = calloc(cpu_count, sizeof *probe->cores);
    if (!probe->cores) return -ENOMEM;
    probe->core_count = cpu_count;
    probe->wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    if (probe->wake < 0) return -errno;
    for (size_t at = 0; at < cpu_count; at++) {
        int error = init_core(probe, &probe->cores[at], cpus[at]);
        if (error) return error;
    }
    return 0;
}

/* Starts a thread that runs on its core from its first instruction. */
static int start_core(struct mohs_probed_core *core) {
    if (core->cpu < 0 || core->cpu >= CPU_SETSIZE) return -EINVAL;
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET((size_t)core->cpu, &set);
    pthread_attr_t attributes;
    int error = pthread_attr_init(&attributes);
    if (error) return -error;
    error = pthread_attr_setaffinity_np(&attributes, sizeof set, &set);
    if (!error) error = pthread_create(&core->thread, &attributes, spin, core);
    pthread_attr_destroy(&attributes);
    core->started = error == 0;
    return -error;
}

int mohs_fixed_work_start(struct mohs_fixed_work_probe *probe) {
    probe->start_ns = mohs_now_ns() + HEAD_START_NS;
    atomic_store(&probe->running, probe->core_count);
    for (size_t at = 0; at < probe->core_count; at++) {
        int error = start_core(&probe->cores[at]);
        if (error) return error;
    }
    return 0;
}

bool mohs_fixed_work_wait(struct mohs_fixed_work_probe *probe, int patience_ms) {
    struct pollfd wait = {.fd = probe->wake, .events = POLLIN};
    uint64_t ignored;
    if (poll(&wait, 1, patience_ms) > 0) {
        ssize_t got = read(probe->wake, &ignored, sizeof ignored);
        (void)got;
    }
    return atomic_load(&probe->running) == 0;
}

void mohs_fixed_work_poke(struct mohs_fixed_work_probe *probe) {
    uint64_t one = 1;
    ssize_t put = write(probe->wake, &one, sizeof one);
    (void)put;
}

void mohs_fixed_work_stop(struct mohs_fixed_work_probe *probe) {
    atomic_store(&probe->stop, true);
}

void mohs_fixed_work_join(struct mohs_fixed_work_probe *probe) {
    for (size_t at = 0; at < probe->core_count; at++) {
        struct mohs_probed_core *core = &probe->cores[at];
        if (core->started) pthread_join(core->thread, NULL);
        core->started = false;
    }
}

void mohs_fixed_work_free(struct mohs_fixed_work_probe *probe) {
    for (size_t at = 0; at < probe->core_count; at++) {
        free(probe->cores[at].bins);
        free(probe->cores[at].table);
    }
    free(probe->cores);
    if (probe->wake >= 0) close(probe->wake);
    *probe = (struct mohs_fixed_work_probe){.wake = -1};
}
