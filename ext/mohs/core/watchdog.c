/*
 * See watchdog.h. Forked from a process with many threads, so only async-signal-safe calls are
 * made. Reading order: mohs_watchdog_start (in the owner), watch (the watchdog's life).
 */
#include "watchdog.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "detach.h"
#include "clock.h"
#include "shield.h"

static int64_t ms_until(uint64_t deadline_ns) {
    uint64_t now = mohs_now_ns();
    if (now >= deadline_ns) return 0;
    return (int64_t)((deadline_ns - now + MOHS_MILLISECOND - 1) / MOHS_MILLISECOND);
}

/* Returns why the shield is to be taken back; 0: the owner asked for it, or is gone. */
static int watch(const struct mohs_watchdog_terms *terms, int control) {
    uint64_t limit_ns = mohs_now_ns() + (unsigned)terms->limit_ms * MOHS_MILLISECOND;
    char signs[64];
    for (;;) {
        int64_t left_ms = ms_until(limit_ns);
        if (left_ms == 0) return MOHS_WATCHDOG_LIMIT;
        struct pollfd wait = {.fd = control, .events = POLLIN};
        int patience = left_ms < terms->silence_ms ? (int)left_ms : terms->silence_ms;
        int ready = poll(&wait, 1, patience);
        if (ready < 0 && errno == EINTR) continue;
        if (ready == 0 && patience == terms->silence_ms) return MOHS_WATCHDOG_SILENCE;
        if (ready > 0 && read(control, signs, sizeof signs) <= 0) return 0;
    }
}

/*
 * The watchdog's process. `ready` receives whether it got its priority. The owner's own shielded
 * threads, those of the load driver, end with the owner.
 */
static void become_watchdog(const struct mohs_watchdog_terms *terms, pid_t owner, int control,
                            int reports, int ready) {
    int kept[] = {control, reports, ready};
    mohs_detach("mohs-watchdog", kept, 3);
    struct sched_param above = {.sched_priority = MOHS_WATCHDOG_PRIORITY};
    int error = sched_setscheduler(0, SCHED_FIFO, &above) == 0 ? 0 : errno;
    ssize_t written = write(ready, &error, sizeof error);
    close(ready);
    if (error || written != sizeof error) _exit(0);
    int reason = watch(terms, control);
    for (size_t at = 0; at < terms->root_count; at++)
        mohs_set_sched_class_below(terms->roots[at], MOHS_SCHED_PLAIN);
    if (reason) {
        mohs_set_sched_class_of_threads(owner, MOHS_SCHED_PLAIN);
        char word = (char)reason;
        written = write(reports, &word, 1); // if nobody reads, nobody needs to know
    }
    _exit(0);
}

/* Waits until the watchdog has its priority. Returns 0, or -errno if the watchdog has ended. */
static int hear(pid_t pid, int ready) {
    int error = EIO;
    ssize_t got;
    do got = read(ready, &error, sizeof error);
    while (got < 0 && errno == EINTR);
    if (got == sizeof error && error == 0) return 0;
    waitpid(pid, NULL, 0);
    return -error;
}

int mohs_watchdog_start(const struct mohs_watchdog_terms *terms, struct mohs_watchdog *watchdog) {
    int ends[3][2] = {{-1, -1}, {-1, -1}, {-1, -1}}; // control, reports, ready
    int result = 0;
    for (int pair = 0; pair < 3 && result == 0; pair++)
        if (pipe2(ends[pair], O_CLOEXEC) != 0) result = -errno;
    if (result) goto fail;
    fcntl(ends[0][1], F_SETFL, O_NONBLOCK);
    pid_t owner = getpid();
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    pid_t pid = fork();
    if (pid == 0) become_watchdog(terms, owner, ends[0][0], ends[1][1], ends[2][1]);
    result = pid < 0 ? -errno : 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (result) goto fail;
    close(ends[2][1]);
    ends[2][1] = -1;
    result = hear(pid, ends[2][0]);
    if (result) goto fail;
    close(ends[0][0]);
    close(ends[1][1]);
    close(ends[2][0]);
    *watchdog = (struct mohs_watchdog){.pid = pid, .control = ends[0][1], .reports = ends[1][0]};
    return 0;

fail:
    for (int end = 0; end < 6; end++)
        if (ends[end / 2][end % 2] >= 0) close(ends[end / 2][end % 2]);
    return result;
}
