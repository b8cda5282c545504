/*
 * See shield.h. Reading order: mohs_set_sched_class (one thread), visit_process (a process and
 * those below it, by what /proc lists), mohs_set_sched_class_below (until no thread is left).
 */
#include "shield.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#define PATH_BYTES 80
#define LIST_BYTES 2048
#define MOST_DEPTH 32 /* levels of processes; each level takes LIST_BYTES twice */
#define PASSES     100

/* One walk over processes, to change threads or only to count them. */
struct walk {
    bool change;
    enum mohs_sched_class wanted;
    long changed;
    int error; /* the first refusal */
    struct mohs_sched_counts found;
};

int mohs_sched_class_of(pid_t tid) {
    int policy = sched_getscheduler(tid);
    if (policy < 0) return -errno;
    struct sched_param param;
    if (sched_getparam(tid, &param) != 0) return -errno;
    if (policy == SCHED_RR && param.sched_priority == MOHS_SHIELD_PRIORITY)
        return MOHS_SCHED_REAL_TIME;
    if (policy != SCHED_OTHER) return MOHS_SCHED_PLAIN;
    errno = 0;
    int nice = getpriority(PRIO_PROCESS, (id_t)tid);
    if (errno) return -errno;
    return nice <= MOHS_SHIELD_NICE ? MOHS_SCHED_NICE : MOHS_SCHED_PLAIN;
}

static int make_plain(pid_t tid) {
    int sched_class = mohs_sched_class_of(tid);
    struct sched_param none = {.sched_priority = 0};
    if (sched_class == MOHS_SCHED_REAL_TIME)
        return sched_setscheduler(tid, SCHED_OTHER, &none) == 0 ? 0 : -errno;
    if (sched_class == MOHS_SCHED_NICE) {
        int ours = getpriority(PRIO_PROCESS, 0);
        return setpriority(PRIO_PROCESS, (id_t)tid, ours) == 0 ? 0 : -errno;
    }
    return sched_class < 0 ? sched_class : 0;
}

int mohs_set_sched_class(pid_t tid, enum mohs_sched_class wanted) {
    struct sched_param lowest = {.sched_priority = MOHS_SHIELD_PRIORITY};
    if (wanted == MOHS_SCHED_PLAIN) return make_plain(tid);
    int result = wanted == MOHS_SCHED_REAL_TIME
                     ? sched_setscheduler(tid, SCHED_RR, &lowest)
                     : setpriority(PRIO_PROCESS, (id_t)tid, MOHS_SHIELD_NICE);
    return result == 0 ? 0 : -errno;
}

static void visit_thread(struct walk *walk, pid_t tid) {
    int sched_class = mohs_sched_class_of(tid);
    if (sched_class < 0) return; // it has ended
    walk->found.threads++;
    walk->found.by_class[sched_class]++;
    if (!walk->change || sched_class == (int)walk->wanted) return;
    int result = mohs_set_sched_class(tid, walk->wanted);
    // When the shield is taken back, a thread with a class of its own keeps it.
    if (result == 0 && mohs_sched_class_of(tid) != sched_class) walk->changed++;
    if (result < 0 && result != -ESRCH && !walk->error) walk->error = result;
}

/* ---- /proc ----------------------------------------------------------------------------------- */

static char *append(char *end, pid_t number) {
    char digits[16];
    int count = 0;
    for (; number > 0 && count < 15; number /= 10) digits[count++] = (char)('0' + number % 10);
    while (count > 0) *end++ = digits[--count];
    return end;
}

/* The folder of a process's tasks; with `tid`, the list of that task's children. */
static void path_of(char *path, pid_t pid, pid_t tid) {
    char *end = stpcpy(append(stpcpy(path, "/proc/"), pid), "/task");
    if (tid) stpcpy(append(stpcpy(end, "/"), tid), "/children");
}

/* The number that `text` begins with; 0 if it begins with none. */
static pid_t number_of(const char *text) {
    pid_t number = 0;
    for (; *text >= '0' && *text <= '9'; text++) number = number * 10 + (*text - '0');
    return number;
}

static void visit_process(struct walk *walk, pid_t pid, int depth, bool itself);

/* Visits the pids of a file, "12 345 6 ", read in pieces that may end anywhere. */
static void visit_listed(struct walk *walk, int file, int depth) {
    char text[LIST_BYTES];
    pid_t number = 0;
    for (ssize_t got; (got = read(file, text, sizeof text)) > 0;) {
        for (ssize_t at = 0; at < got; at++) {
            if (text[at] >= '0' && text[at] <= '9') {
                number = number * 10 + (text[at] - '0');
                continue;
            }
            if (number > 1) visit_process(walk, number, depth, true);
            number = 0;
        }
    }
    if (number > 1) visit_process(walk, number, depth, true);
}

static void visit_children(struct walk *walk, pid_t pid, pid_t tid, int depth) {
    char path[PATH_BYTES];
    path_of(path, pid, tid);
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) return;
    visit_listed(walk, file, depth);
    close(file);
}

/* Visits a process's threads (`itself`) and, depth allowing, those of the processes below it. */
static void visit_process(struct walk *walk, pid_t pid, int depth, bool itself) {
    union {
        char bytes[LIST_BYTES];
        struct dirent64 aligned;
    } list;
    char path[PATH_BYTES];
    path_of(path, pid, 0);
    int folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder < 0) return; // it has ended
    for (long got; (got = syscall(SYS_getdents64, folder, list.bytes, sizeof list.bytes)) > 0;) {
        for (long at = 0; at < got;) {
            const struct dirent64 *entry = (const void *)(list.bytes + at);
            at += entry->d_reclen;
            pid_t tid = number_of(entry->d_name);
            if (tid == 0) continue; // . and ..
            if (itself) visit_thread(walk, tid);
            if (depth > 0) visit_children(walk, pid, tid, depth - 1);
        }
    }
    close(folder);
}

static int set_until_all_have(pid_t pid, enum mohs_sched_class wanted, int depth, bool itself) {
    for (int pass = 0; pass < PASSES; pass++) {
        struct walk walk = {.change = true, .wanted = wanted};
        visit_process(&walk, pid, depth, itself);
        // Take back as much as possible: one refusal must not keep the others shielded.
        if (walk.error && wanted != MOHS_SCHED_PLAIN) return walk.error;
        if (walk.changed == 0) return walk.error;
    }
    return -EAGAIN;
}

int mohs_set_sched_class_of_threads(pid_t pid, enum mohs_sched_class wanted) {
    return set_until_all_have(pid, wanted, 0, true);
}

int mohs_set_sched_class_below(pid_t root, enum mohs_sched_class wanted) {
    return set_until_all_have(root, wanted, MOST_DEPTH, false);
}

void mohs_sched_counts_below(pid_t root, struct mohs_sched_counts *counts) {
    struct walk walk = {.change = false};
    visit_process(&walk, root, MOST_DEPTH, false);
    *counts = walk.found;
}
