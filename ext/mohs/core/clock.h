/* Clocks: one monotonic clock for all times, and the CPU clocks of threads and processes. */
#ifndef MOHS_CLOCK_H
#define MOHS_CLOCK_H

#include <stdint.h>
#include <sys/types.h>
#include <time.h>

#define MOHS_SECOND      1000000000ull
#define MOHS_MILLISECOND 1000000ull
#define MOHS_MICROSECOND 1000ull

#define MOHS_NO_LIMIT UINT64_MAX /* as a time: never; as a count: unlimited */

static inline uint64_t mohs_timespec_ns(const struct timespec *time) {
    return (uint64_t)time->tv_sec * MOHS_SECOND + (uint64_t)time->tv_nsec;
}

static inline struct timespec mohs_timespec_of(uint64_t ns) {
    return (struct timespec){.tv_sec = (time_t)(ns / MOHS_SECOND),
                             .tv_nsec = (long)(ns % MOHS_SECOND)};
}

static inline uint64_t mohs_clock_ns(clockid_t clock) {
    struct timespec time = {0, 0};
    clock_gettime(clock, &time);
    return mohs_timespec_ns(&time);
}

/* CLOCK_MONOTONIC, which Mohs::Clock reads too; 21 ns a call through the vDSO. */
static inline uint64_t mohs_now_ns(void) {
    return mohs_clock_ns(CLOCK_MONOTONIC);
}

/* CPU time of the calling thread. */
static inline uint64_t mohs_thread_cpu_ns(void) {
    return mohs_clock_ns(CLOCK_THREAD_CPUTIME_ID);
}

/* CPU time of all threads of any process, to the nanosecond; -1 if it is gone. */
static inline int64_t mohs_process_cpu_ns(pid_t pid) {
    clockid_t clock;
    struct timespec time;
    if (clock_getcpuclockid(pid, &clock) != 0) return -1;
    if (clock_gettime(clock, &time) != 0) return -1;
    return (int64_t)time.tv_sec * (int64_t)MOHS_SECOND + time.tv_nsec;
}

#endif
