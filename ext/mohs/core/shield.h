/*
 * The shield: threads that other programs do not interrupt. They get the real-time scheduling class
 * at its lowest priority, or a better nice value where that is not permitted. Threads and processes
 * that a shielded one starts inherit it (SCHED_RESET_ON_FORK is never set). The result is read
 * back, never assumed.
 *
 * Everything here is async-signal-safe, since the watchdog, forked from a process with many
 * threads, uses it too.
 */
#ifndef MOHS_SHIELD_H
#define MOHS_SHIELD_H

#include <sys/types.h>

#define MOHS_SHIELD_PRIORITY 1 /* SCHED_RR: threads that share a core take turns */
#define MOHS_SHIELD_NICE     (-10)

/* Numbers are shared with lib/mohs/process/shield.rb. */
enum mohs_sched_class {
    MOHS_SCHED_PLAIN = 0, /* the default, or any class that was not set here */
    MOHS_SCHED_NICE = 1,
    MOHS_SCHED_REAL_TIME = 2
};

/* The threads of the processes below a root, counted by scheduling class. */
struct mohs_sched_counts {
    long threads;
    long by_class[3]; /* by enum mohs_sched_class */
};

/* A thread's scheduling class (0: the caller's), or -errno if there is no such thread. */
int mohs_sched_class_of(pid_t tid);

/*
 * Sets a thread's scheduling class (0: the caller's). MOHS_SCHED_PLAIN takes back what was set
 * here, so that the thread has the caller's nice value, and leaves every other class alone.
 * Returns 0 or -errno.
 */
int mohs_set_sched_class(pid_t tid, enum mohs_sched_class wanted);

/* The same for all threads of one process. Takes back the class of the owner's own threads. */
int mohs_set_sched_class_of_threads(pid_t pid, enum mohs_sched_class wanted);

/*
 * The same for all threads of all processes below `root`, but not of `root` itself. Repeated until
 * no thread has another class: threads started meanwhile are found, threads started later inherit.
 * Returns 0, -errno of the first refusal, or -EAGAIN if threads are started too fast.
 */
int mohs_set_sched_class_below(pid_t root, enum mohs_sched_class wanted);

/* Counts the threads below `root`. */
void mohs_sched_counts_below(pid_t root, struct mohs_sched_counts *counts);

#endif
