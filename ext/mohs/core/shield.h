/*
 * The shield: threads that foreign work does not interrupt. They stand in the real-time class, at
 * the lowest priority that there is, or, where that isn't permitted, are preferred by their nice
 * value. Threads and processes that a shielded one starts stand as it does (SCHED_RESET_ON_FORK is
 * never set). What was done is read back, never assumed.
 *
 * Everything here is async-signal-safe, since the watchdog, a fork of many threads, uses it too.
 */
#ifndef MOHS_SHIELD_H
#define MOHS_SHIELD_H

#include <sys/types.h>

#define MOHS_SHIELD_PRIORITY 1 /* SCHED_RR: those who share a core take turns */
#define MOHS_SHIELD_NICE     (-10)

/* Numbers are shared with lib/mohs/process/shield.rb. */
enum mohs_sched_class {
    MOHS_SCHED_PLAIN = 0, /* as everybody, or in a way that is none of ours */
    MOHS_SCHED_NICE = 1,
    MOHS_SCHED_REAL_TIME = 2
};

/* Threads of the processes below a root, by how they stand. */
struct mohs_sched_counts {
    long threads;
    long by_class[3]; /* by enum mohs_sched_class */
};

/* How a thread stands (0: the caller). Returns -errno when there is none. */
int mohs_sched_class_of(pid_t tid);

/*
 * Lets a thread stand so (0: the caller). Plain takes back what was given here, to the caller's
 * nice value, and leaves alone whoever stands otherwise. Returns 0 or -errno.
 */
int mohs_set_sched_class(pid_t tid, enum mohs_sched_class wanted);

/* The same for all threads of one process: how a process's real-time threads are taken back. */
int mohs_set_sched_class_of_threads(pid_t pid, enum mohs_sched_class wanted);

/*
 * The same for all threads of all processes below `root`, not of `root` itself, again and again
 * until nobody is found who stands otherwise: one started meanwhile is found, one started later
 * inherits. Returns 0; -errno of the first refusal; -EAGAIN when they breed faster than that.
 */
int mohs_set_sched_class_below(pid_t root, enum mohs_sched_class wanted);

/* Counts the threads below `root`. */
void mohs_sched_counts_below(pid_t root, struct mohs_sched_counts *counts);

#endif
