#include "detach.h"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

static void close_range_of(unsigned first, unsigned last) {
    if (first > last) return;
#ifdef SYS_close_range
    if (syscall(SYS_close_range, first, last, 0) == 0) return;
#endif
    // Linux before 5.9 has no close_range.
    struct rlimit limit;
    unsigned end = getrlimit(RLIMIT_NOFILE, &limit) == 0 ? (unsigned)limit.rlim_cur : 65536;
    for (unsigned fd = first; fd <= last && fd < end; fd++) close((int)fd);
}

/* Closes all descriptors except the standard three and those in `keep`, which it sorts. */
static void close_all_but(int *keep, int count) {
    for (int i = 1; i < count; i++) {
        for (int j = i; j > 0 && keep[j - 1] > keep[j]; j--) {
            int swapped = keep[j];
            keep[j] = keep[j - 1];
            keep[j - 1] = swapped;
        }
    }
    unsigned next = STDERR_FILENO + 1;
    for (int i = 0; i < count; i++) {
        if (keep[i] > 0) close_range_of(next, (unsigned)keep[i] - 1);
        if (keep[i] >= (int)next) next = (unsigned)keep[i] + 1;
    }
    close_range_of(next, ~0U);
}

void mohs_detach(const char *name, int *keep, int count) {
    prctl(PR_SET_NAME, name);
    setsid();
    close_all_but(keep, count);
    int null = open("/dev/null", O_RDWR);
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++) dup2(null, fd);
    if (null > STDERR_FILENO) close(null);
}
