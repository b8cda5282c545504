/*
 * The shield and its watchdog without Ruby: threads get their scheduling class, later ones inherit
 * it, and one that spins for ever in the real-time class loses it within the watchdog's time. Where
 * the real-time class isn't permitted, only the refusal is tested.
 */
#include "core/shield.h"
#include "core/watchdog.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/clock.h"
#include "runner.h"

#define PATIENCE_MS 10000ull

/* Memory shared with the children: they count, and follow orders. */
struct shared {
    atomic_ulong turns;
    atomic_bool breed;
};

static struct shared *shared;

static void *rest(void *nothing) {
    pause();
    return nothing;
}

/* A process with a second thread; on request it starts a third, and a child. */
static void live(void) {
    pthread_t second, third;
    pthread_create(&second, NULL, rest, NULL);
    while (!atomic_load(&shared->breed)) usleep(1000);
    pthread_create(&third, NULL, rest, NULL);
    if (fork() == 0) {
        pause();
    }
    pause();
}

/* Never leaves the first CPU. */
static void spin(void) {
    for (;;) atomic_fetch_add(&shared->turns, 1);
}

/* A root with one child that runs `act`, like a supervisor's. Ends with this process. */
static pid_t root_of(void (*act)(void)) {
    pid_t root = fork();
    if (root != 0) {
        setpgid(root, root);
        return root;
    }
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    setpgid(0, 0);
    if (fork() == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        act();
    }
    pause();
    _exit(0);
}

static void end(pid_t root) {
    kill(-root, SIGKILL);
    CHECK(waitpid(root, NULL, 0) == root);
}

static struct mohs_sched_counts below(pid_t root) {
    struct mohs_sched_counts found;
    mohs_sched_counts_below(root, &found);
    return found;
}

/* Waits until all of `threads` threads below the root have that class. */
static bool become(pid_t root, long threads, enum mohs_sched_class sched_class) {
    for (int waited = 0; waited < (int)PATIENCE_MS; waited++) {
        struct mohs_sched_counts found = below(root);
        if (found.threads == threads && found.by_class[sched_class] == threads) return true;
        usleep(1000);
    }
    return false;
}

static void start_alone(void) {
    atomic_store(&shared->breed, false);
    atomic_store(&shared->turns, 0);
}

/* All threads of a process and of its children, later ones too, but not the root's. */
static void is_inherited(enum mohs_sched_class sched_class) {
    start_alone();
    pid_t root = root_of(live);
    CHECK(become(root, 2, MOHS_SCHED_PLAIN));
    CHECK(mohs_set_sched_class_below(root, sched_class) == 0);
    CHECK(become(root, 2, sched_class));
    CHECK(mohs_sched_class_of(root) == MOHS_SCHED_PLAIN);
    atomic_store(&shared->breed, true);
    CHECK(become(root, 4, sched_class));
    CHECK(mohs_set_sched_class_below(root, MOHS_SCHED_PLAIN) == 0);
    CHECK(become(root, 4, MOHS_SCHED_PLAIN));
    end(root);
    CHECK(mohs_set_sched_class_below(root, sched_class) == 0); // nobody there is no error
    CHECK(below(root).threads == 0);
}

TEST(nice_is_inherited) {
    is_inherited(MOHS_SCHED_NICE);
}

TEST(real_time_is_inherited) {
    is_inherited(MOHS_SCHED_REAL_TIME);
}

/* A thread with a class of its own keeps it. */
TEST(threads_of_other_classes_are_left_alone) {
    struct sched_param high = {.sched_priority = 5};
    struct sched_param none = {.sched_priority = 0};
    CHECK(sched_setscheduler(0, SCHED_FIFO, &high) == 0);
    CHECK(mohs_sched_class_of(0) == MOHS_SCHED_PLAIN);
    CHECK(mohs_set_sched_class(0, MOHS_SCHED_PLAIN) == 0);
    CHECK(sched_getscheduler(0) == SCHED_FIFO);
    CHECK(sched_setscheduler(0, SCHED_OTHER, &none) == 0);
}

static struct mohs_watchdog watch_over(const pid_t *root, int silence_ms, int limit_ms) {
    struct mohs_watchdog_terms terms = {
        .roots = root, .root_count = 1, .silence_ms = silence_ms, .limit_ms = limit_ms};
    struct mohs_watchdog watchdog = {.pid = -1, .control = -1, .reports = -1};
    CHECK(mohs_watchdog_start(&terms, &watchdog) == 0);
    CHECK(sched_getscheduler(watchdog.pid) == SCHED_FIFO);
    return watchdog;
}

/* The watchdog's report; 0 if it ended without one, -1 if none came in time. */
static int report_of(const struct mohs_watchdog *watchdog) {
    struct pollfd wait = {.fd = watchdog->reports, .events = POLLIN};
    char reason = 0;
    if (poll(&wait, 1, (int)PATIENCE_MS) <= 0) return -1;
    return read(watchdog->reports, &reason, 1) == 1 ? reason : 0;
}

static void dismiss(const struct mohs_watchdog *watchdog) {
    if (watchdog->control >= 0) close(watchdog->control);
    CHECK(waitpid(watchdog->pid, NULL, 0) == watchdog->pid);
    close(watchdog->reports);
}

/* Runs on the spinner's CPU, so that it blocks this process. */
static void share_one_cpu(cpu_set_t *before) {
    cpu_set_t one;
    sched_getaffinity(0, sizeof *before, before);
    CPU_ZERO(&one);
    for (size_t cpu = 0; cpu < CPU_SETSIZE && CPU_COUNT(&one) == 0; cpu++)
        if (CPU_ISSET(cpu, before)) CPU_SET(cpu, &one);
    sched_setaffinity(0, sizeof one, &one);
}

/* The spinner lost the real-time class, and still lives. */
static void check_ended(pid_t root) {
    CHECK(below(root).by_class[MOHS_SCHED_PLAIN] == 1);
    unsigned long turns = atomic_load(&shared->turns);
    usleep(50000);
    CHECK(atomic_load(&shared->turns) > turns);
}

/*
 * The live-lock: a process with a higher priority spins for ever on our only CPU, so that no sign
 * of life is sent. The watchdog ends that, and we still run.
 */
TEST(a_spinner_is_ended) {
    cpu_set_t before;
    start_alone();
    share_one_cpu(&before);
    pid_t root = root_of(spin);
    CHECK(become(root, 1, MOHS_SCHED_PLAIN));
    struct mohs_watchdog watchdog = watch_over(&root, 500, 2 * (int)PATIENCE_MS);
    uint64_t start_ns = mohs_now_ns();
    CHECK(mohs_set_sched_class_below(root, MOHS_SCHED_REAL_TIME) == 0);
    CHECK(report_of(&watchdog) == MOHS_WATCHDOG_SILENCE);
    CHECK(mohs_now_ns() - start_ns < PATIENCE_MS * MOHS_MILLISECOND);
    check_ended(root);
    dismiss(&watchdog);
    end(root);
    sched_setaffinity(0, sizeof before, &before);
}

/* Signs of life do not extend the time limit. */
TEST(the_time_limit) {
    start_alone();
    pid_t root = root_of(spin);
    CHECK(become(root, 1, MOHS_SCHED_PLAIN));
    struct mohs_watchdog watchdog = watch_over(&root, (int)PATIENCE_MS, 900);
    CHECK(mohs_set_sched_class_below(root, MOHS_SCHED_REAL_TIME) == 0);
    CHECK(below(root).by_class[MOHS_SCHED_REAL_TIME] == 1);
    struct pollfd report = {.fd = watchdog.reports, .events = POLLIN};
    for (int sign = 0; sign < 400 && poll(&report, 1, 50) == 0; sign++)
        CHECK(write(watchdog.control, "!", 1) == 1);
    CHECK(report_of(&watchdog) == MOHS_WATCHDOG_LIMIT);
    check_ended(root);
    dismiss(&watchdog);
    end(root);
}

/* The owner's end closes its pipe; see also its SIGKILL, below. */
TEST(the_shield_ends_with_its_owner) {
    start_alone();
    pid_t root = root_of(live);
    CHECK(become(root, 2, MOHS_SCHED_PLAIN));
    struct mohs_watchdog watchdog = watch_over(&root, (int)PATIENCE_MS, (int)PATIENCE_MS);
    CHECK(mohs_set_sched_class_below(root, MOHS_SCHED_REAL_TIME) == 0);
    close(watchdog.control);
    watchdog.control = -1;
    CHECK(report_of(&watchdog) == 0);
    CHECK(become(root, 2, MOHS_SCHED_PLAIN));
    dismiss(&watchdog);
    end(root);
}

/* An owner that is killed, and so closes nothing itself. */
TEST(a_killed_owner) {
    start_alone();
    pid_t root = root_of(live);
    CHECK(become(root, 2, MOHS_SCHED_PLAIN));
    pid_t owner = fork();
    if (owner == 0) {
        watch_over(&root, (int)PATIENCE_MS, (int)PATIENCE_MS);
        CHECK(mohs_set_sched_class_below(root, MOHS_SCHED_REAL_TIME) == 0);
        pause();
    }
    CHECK(become(root, 2, MOHS_SCHED_REAL_TIME));
    kill(owner, SIGKILL);
    CHECK(waitpid(owner, NULL, 0) == owner);
    CHECK(become(root, 2, MOHS_SCHED_PLAIN));
    end(root);
}

static bool permitted(void) {
    bool can = mohs_set_sched_class(0, MOHS_SCHED_REAL_TIME) == 0;
    if (can) CHECK(mohs_sched_class_of(0) == MOHS_SCHED_REAL_TIME);
    CHECK(mohs_set_sched_class(0, MOHS_SCHED_PLAIN) == 0);
    CHECK(mohs_sched_class_of(0) == MOHS_SCHED_PLAIN);
    return can;
}

TEST(a_refusal) {
    struct mohs_watchdog_terms terms = {.silence_ms = 100, .limit_ms = 100};
    struct mohs_watchdog watchdog;
    CHECK(mohs_watchdog_start(&terms, &watchdog) == -EPERM);
}

int main(void) {
    shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    CHECK(mohs_sched_class_of(0) == MOHS_SCHED_PLAIN);
    if (permitted()) {
        RUN(nice_is_inherited);
        RUN(real_time_is_inherited);
        RUN(threads_of_other_classes_are_left_alone);
        RUN(a_spinner_is_ended);
        RUN(the_time_limit);
        RUN(the_shield_ends_with_its_owner);
        RUN(a_killed_owner);
    } else {
        RUN(a_refusal);
    }
    return report();
}
