#include "thread_stats.h"

#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "core_speed.h"

/* Reads "ns on a core, ns ready without one, timeslices" (Documentation/scheduler/sched-stats.rst);
 * -1 if the kernel was built without CONFIG_SCHED_INFO. */
static int64_t waited_ns(int schedstat) {
    char text[96];
    if (schedstat < 0) return -1;
    ssize_t size = pread(schedstat, text, sizeof text - 1, 0);
    if (size <= 0) return -1;
    text[size] = '\0';
    const char *second = strchr(text, ' ');
    return second ? strtoll(second, NULL, 10) : -1;
}

static uint64_t preempted(void) {
    struct rusage usage;
    return getrusage(RUSAGE_THREAD, &usage) ? 0 : (uint64_t)usage.ru_nivcsw;
}

static void open_window(struct mohs_thread_watch *watch, uint64_t now_ns, uint64_t cpu_ns) {
    watch->since_ns = now_ns;
    watch->next_ns = now_ns + MOHS_WINDOW_NS;
    watch->cpu_ns = cpu_ns;
}

void mohs_thread_watch_open(struct mohs_thread_watch *watch, bool spins, bool measures_speed) {
    *watch = (struct mohs_thread_watch){.spins = spins,
                                        .measures_speed = measures_speed,
                                        .place = (uint32_t)mohs_now_ns()}; // any number
    watch->schedstat = open("/proc/thread-self/schedstat", O_RDONLY | O_CLOEXEC);
}

void mohs_thread_watch_close(struct mohs_thread_watch *watch) {
    if (watch->schedstat >= 0) close(watch->schedstat);
    watch->schedstat = -1;
}

void mohs_thread_watch_begin(struct mohs_thread_watch *watch, uint64_t now_ns) {
    watch->stats = (struct mohs_thread_stats){.waited_ns = -1};
    watch->preempted = preempted();
    watch->waited_ns = waited_ns(watch->schedstat);
    open_window(watch, now_ns, mohs_thread_cpu_ns());
    if (watch->spins) watch->next_ns = UINT64_MAX;
    watch->speed_at_ns = watch->measures_speed ? now_ns : UINT64_MAX;
}

void mohs_thread_watch_turn(struct mohs_thread_watch *watch, uint64_t now_ns) {
    uint64_t cpu_ns = mohs_thread_cpu_ns();
    uint64_t took = (cpu_ns - watch->cpu_ns) * 100, length = now_ns - watch->since_ns;
    watch->stats.windows++;
    watch->stats.busy += took > length * MOHS_BUSY_PERCENT;
    watch->stats.full += took > length * MOHS_FULL_PERCENT;
    open_window(watch, now_ns, cpu_ns);
}

void mohs_thread_watch_speed(struct mohs_thread_watch *watch, uint64_t now_ns) {
    watch->stats.speeds++;
    watch->stats.core_log += log((double)mohs_core_speed_ns());
    watch->stats.memory_log += log((double)mohs_memory_speed_ns(&watch->place));
    watch->speed_at_ns = now_ns + MOHS_SPEED_EVERY_NS;
}

void mohs_thread_watch_end(struct mohs_thread_watch *watch) {
    int64_t waited = waited_ns(watch->schedstat);
    watch->stats.preempted = preempted() - watch->preempted;
    if (waited >= 0 && watch->waited_ns >= 0) watch->stats.waited_ns = waited - watch->waited_ns;
}

void mohs_thread_stats_add(struct mohs_thread_stats *total, const struct mohs_thread_stats *part) {
    MOHS_THREAD_COUNTS(MOHS_MERGE_FIELD)
    total->speeds += part->speeds;
    total->core_log += part->core_log;
    total->memory_log += part->memory_log;
    bool known = total->waited_ns >= 0 && part->waited_ns >= 0;
    total->waited_ns = known ? total->waited_ns + part->waited_ns : -1;
}
