/*
 * A supervisor: a process between mohs and one command. It is a subreaper, so whatever the command
 * starts stays below it, including daemons and new sessions. It holds the read end of a pipe from
 * its owner, so it notices the owner's death, even by SIGKILL, and then kills everything below it.
 *
 * Between the owner and the supervisor stands a guard, a subreaper too. If the supervisor itself
 * is killed, the processes below it become the guard's, and the guard kills them. If the guard is
 * killed, the supervisor notices.
 */
#ifndef MOHS_SUPERVISOR_H
#define MOHS_SUPERVISOR_H

#include <stdint.h>
#include <sys/types.h>

/*
 * What to start. `path` is the file to execute, already looked up; the descriptors remain the
 * caller's.
 */
struct mohs_supervisor_command {
    const char *path;
    char *const *argv;
    char *const *envp;
    const char *dir; /* NULL: the caller's */
    int in;          /* its standard input; 0: /dev/null */
    int out;         /* its standard output */
    int err;
    const int *cpus; /* the CPUs it may run on; cpu_count 0: the caller's */
    int cpu_count;
};

/* The kind of a report. lib/mohs/process/child.rb has the same numbers. */
enum mohs_supervisor_kind {
    MOHS_SUPERVISOR_SPAWNED = 1,    /* value: its pid; time_ns: CLOCK_MONOTONIC right before exec */
    MOHS_SUPERVISOR_NOT_MOVED = 2,  /* value: errno of chdir; nothing was started */
    MOHS_SUPERVISOR_NOT_PINNED = 3, /* value: errno of sched_setaffinity; nothing was started */
    MOHS_SUPERVISOR_NOT_STARTED = 4, /* value: errno of fork or exec; nothing was started */
    MOHS_SUPERVISOR_ENDED = 5, /* value: wait status of the command; what it started may live on */
    MOHS_SUPERVISOR_GONE = 6,  /* nothing lives below the supervisor any more; it ends */
    MOHS_SUPERVISOR_READY = 7, /* the first one; value: the supervisor's pid */
    MOHS_SUPERVISOR_LEFT = 8   /* value: a pid that could not be killed; it ends anyway */
};

/* One report, 16 bytes, written whole. */
struct mohs_supervisor_report {
    int32_t kind;
    int32_t value;
    int64_t time_ns;
};

/* Requests to a supervisor. */
enum mohs_supervisor_order {
    MOHS_SUPERVISOR_SIGNAL = 1, /* value: signal for the command, if it is not yet reaped */
    MOHS_SUPERVISOR_KILL = 2    /* kill everything below, report GONE, end */
};

/* One request, 8 bytes, written whole. */
struct mohs_supervisor_request {
    int32_t order;
    int32_t value;
};

/* A supervisor as its owner sees it. Closing `control` is the same as asking for KILL. */
struct mohs_supervisor {
    pid_t pid;   /* the guard's: the owner's child */
    int control; /* requests are written here */
    int reports; /* reports are read here; end of file: the supervisor ended */
};

/*
 * Forks a supervisor, which starts the command. Both descriptors are close-on-exec. Returns 0, or
 * -errno with nothing started and nothing open. After READY the next report says whether the
 * command started; without a supervisor, NOT_STARTED is the first report.
 */
int mohs_supervisor_start(const struct mohs_supervisor_command *command,
                          struct mohs_supervisor *supervisor);

#endif
