/*
 * The shield's watchdog: a process of ours at a higher priority than those it watches, so that it
 * runs even where they leave nothing to anybody else. It takes the shield back when it hears
 * nothing from us for a while, at its time limit (from everything below the roots and from our own
 * threads), and when we end, by SIGKILL too; then it ends.
 */
#ifndef MOHS_WATCHDOG_H
#define MOHS_WATCHDOG_H

#include <stddef.h>
#include <sys/types.h>

/* Above MOHS_SHIELD_PRIORITY. It sleeps but for the moment in which it takes the shield back. */
#define MOHS_WATCHDOG_PRIORITY 2

/* Why it took the shield back; numbers are shared with lib/mohs/process/shield.rb. */
enum mohs_watchdog_reason { MOHS_WATCHDOG_SILENCE = 1, MOHS_WATCHDOG_LIMIT = 2 };

struct mohs_watchdog_terms {
    const pid_t *roots; /* the supervisors of what is shielded */
    size_t root_count;
    int silence_ms;
    int limit_ms;
};

/* As its owner sees it. */
struct mohs_watchdog {
    pid_t pid;
    int control; /* any byte written here is a sign of life; closing it ends shield and watchdog */
    int reports; /* one byte, an enum mohs_watchdog_reason, when it took the shield back by itself;
                    end of file: it has ended */
};

/*
 * Forks it. Both descriptors are close-on-exec, `control` does not block. Returns 0, or -errno
 * with nothing started; -EPERM where its priority is not permitted.
 */
int mohs_watchdog_start(const struct mohs_watchdog_terms *terms, struct mohs_watchdog *watchdog);

#endif
