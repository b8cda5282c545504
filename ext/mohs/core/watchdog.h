/*
 * The shield's watchdog: a process with a higher priority than those it watches, so that it runs
 * even if they leave nothing to others. It takes the shield back when it hears nothing from its
 * owner for a while, at its time limit (in both cases also from the owner's own threads), and when
 * the owner ends, even by SIGKILL; then it ends.
 */
#ifndef MOHS_WATCHDOG_H
#define MOHS_WATCHDOG_H

#include <stddef.h>
#include <sys/types.h>

/* Above MOHS_SHIELD_PRIORITY. It sleeps except while it takes the shield back. */
#define MOHS_WATCHDOG_PRIORITY 2

/* Why it took the shield back. lib/mohs/process/shield.rb has the same numbers. */
enum mohs_watchdog_reason { MOHS_WATCHDOG_SILENCE = 1, MOHS_WATCHDOG_LIMIT = 2 };

struct mohs_watchdog_terms {
    const pid_t *roots; /* supervisors of the shielded processes */
    size_t root_count;
    int silence_ms;
    int limit_ms;
};

/* A watchdog as its owner sees it. */
struct mohs_watchdog {
    pid_t pid;
    int control; /* any byte is a sign of life; closing it ends the shield and the watchdog */
    int reports; /* one byte, enum mohs_watchdog_reason, when it took the shield back by itself; end
                    of file: it has ended */
};

/*
 * Forks a watchdog. Both descriptors are close-on-exec, and `control` does not block. Returns 0,
 * or -errno with nothing started; -EPERM if its priority is not permitted.
 */
int mohs_watchdog_start(const struct mohs_watchdog_terms *terms, struct mohs_watchdog *watchdog);

#endif
