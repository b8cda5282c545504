/*
 * The supervisor without Ruby: its reports, its requests, and that nothing below it survives. A
 * program of its own: ends with 0 if every check held.
 */
#include "core/supervisor.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define DEADLINE_MS 20000

static int failures;

#define CHECK(condition)                                                                           \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            fprintf(stderr, "%s:%d: %s does not hold\n", __FILE__, __LINE__, #condition);          \
            failures++;                                                                            \
        }                                                                                          \
    } while (0)

/* The next report; kind 0 at the end of file, -1 when none came in time. */
static struct mohs_supervisor_report next_report(const struct mohs_supervisor *supervisor) {
    struct mohs_supervisor_report report = {.kind = -1};
    struct pollfd wait = {.fd = supervisor->reports, .events = POLLIN};
    if (poll(&wait, 1, DEADLINE_MS) <= 0) return report;
    ssize_t got = read(supervisor->reports, &report, sizeof report);
    if (got == 0) report.kind = 0;
    return report;
}

/* The pid of the supervisor that was started last. */
static pid_t supervising;

static void start_command(const struct mohs_supervisor_command *command,
                          struct mohs_supervisor *supervisor) {
    CHECK(mohs_supervisor_start(command, supervisor) == 0);
    struct mohs_supervisor_report ready = next_report(supervisor);
    CHECK(ready.kind == MOHS_SUPERVISOR_READY);
    CHECK(ready.value > 1 && ready.value != supervisor->pid);
    supervising = ready.value;
}

/* Starts `sh -c script`, its output on `out`. */
static struct mohs_supervisor start(const char *script, int out) {
    char *argv[] = {(char *)"sh", (char *)"-c", (char *)script, NULL};
    char *envp[] = {(char *)"PATH=/usr/bin:/bin", NULL};
    struct mohs_supervisor_command command = {
        .path = "/bin/sh", .argv = argv, .envp = envp, .out = out, .err = out};
    struct mohs_supervisor supervisor = {0};
    start_command(&command, &supervisor);
    return supervisor;
}

static void ask(const struct mohs_supervisor *supervisor, int order, int value) {
    struct mohs_supervisor_request request = {.order = order, .value = value};
    CHECK(write(supervisor->control, &request, sizeof request) == sizeof request);
}

static int status_of(const struct mohs_supervisor *supervisor) {
    close(supervisor->control);
    close(supervisor->reports);
    int status = -1;
    CHECK(waitpid(supervisor->pid, &status, 0) == supervisor->pid);
    return status;
}

static void finish(const struct mohs_supervisor *supervisor) {
    CHECK(status_of(supervisor) == 0);
}

/* Reads a pid that a script wrote. */
static pid_t read_pid(int from) {
    char text[32] = {0};
    for (char *end = text; end < text + sizeof text - 1 && read(from, end, 1) == 1; end++) {
        if (*end == '\n') break;
    }
    return (pid_t)atoi(text);
}

/* Gone, or about to be. We are the reaper of those whose parents end. */
static int is_gone(pid_t pid) {
    for (int waited = 0; waited < DEADLINE_MS; waited += 10) {
        waitpid(pid, NULL, WNOHANG);
        if (kill(pid, 0) != 0 && errno == ESRCH) return 1;
        usleep(10000);
    }
    return 0;
}

static void test_reports_of_a_short_life(int null) {
    struct mohs_supervisor supervisor = start("exit 7", null);
    struct mohs_supervisor_report report = next_report(&supervisor);
    CHECK(report.kind == MOHS_SUPERVISOR_SPAWNED);
    CHECK(report.value > 1 && report.value != supervising);
    CHECK(report.time_ns > 0);
    struct mohs_supervisor_report ended = next_report(&supervisor);
    CHECK(ended.kind == MOHS_SUPERVISOR_ENDED);
    CHECK(WIFEXITED(ended.value) && WEXITSTATUS(ended.value) == 7);
    CHECK(ended.time_ns >= report.time_ns);
    ask(&supervisor, MOHS_SUPERVISOR_KILL, 0);
    CHECK(next_report(&supervisor).kind == MOHS_SUPERVISOR_GONE);
    CHECK(next_report(&supervisor).kind == 0);
    finish(&supervisor);
}

/* A pipe as its input ends where it does, whoever else held it. */
static void test_input(int null) {
    int input[2], output[2];
    CHECK(pipe2(input, O_CLOEXEC) == 0 && pipe2(output, O_CLOEXEC) == 0);
    char *argv[] = {(char *)"sh", (char *)"-c", (char *)"read n; echo $((n + 1)); cat", NULL};
    char *envp[] = {(char *)"PATH=/usr/bin:/bin", NULL};
    struct mohs_supervisor_command command = {.path = "/bin/sh",
                                              .argv = argv,
                                              .envp = envp,
                                              .in = input[0],
                                              .out = output[1],
                                              .err = null};
    struct mohs_supervisor supervisor = {0};
    start_command(&command, &supervisor);
    close(input[0]);
    close(output[1]);
    CHECK(next_report(&supervisor).kind == MOHS_SUPERVISOR_SPAWNED);
    CHECK(write(input[1], "41\n", 3) == 3);
    CHECK(read_pid(output[0]) == 42);
    close(input[1]);
    struct mohs_supervisor_report ended = next_report(&supervisor);
    CHECK(ended.kind == MOHS_SUPERVISOR_ENDED && ended.value == 0);
    close(output[0]);
    finish(&supervisor);
}

static void test_signals(int null) {
    struct mohs_supervisor supervisor = start("sleep 600 & wait", null);
    CHECK(next_report(&supervisor).kind == MOHS_SUPERVISOR_SPAWNED);
    ask(&supervisor, MOHS_SUPERVISOR_SIGNAL, SIGTERM);
    struct mohs_supervisor_report ended = next_report(&supervisor);
    CHECK(WIFSIGNALED(ended.value) && WTERMSIG(ended.value) == SIGTERM);
    // To a command that was reaped: ignored, the supervisor goes on.
    ask(&supervisor, MOHS_SUPERVISOR_SIGNAL, SIGTERM);
    ask(&supervisor, MOHS_SUPERVISOR_KILL, 0);
    CHECK(next_report(&supervisor).kind == MOHS_SUPERVISOR_GONE);
    finish(&supervisor);
}

/* A worker, and one with a session of its own, whose master is gone; both write their pids. */
#define WORKERS                                                                                    \
    "(setsid sh -c 'echo $$; exec sleep 600' &); trap '' TERM; sleep 600 & echo $!; wait"

/* Closing the control pipe has the same effect as the owner's death. */
static void test_everything_ends_with_the_owner(void) {
    int output[2];
    CHECK(pipe2(output, O_CLOEXEC) == 0);
    struct mohs_supervisor supervisor = start(WORKERS, output[1]);
    close(output[1]);
    CHECK(next_report(&supervisor).kind == MOHS_SUPERVISOR_SPAWNED);
    pid_t one = read_pid(output[0]), other = read_pid(output[0]);
    CHECK(one > 1 && other > 1);
    close(supervisor.control);
    supervisor.control = open("/dev/null", O_WRONLY);
    CHECK(next_report(&supervisor).kind == MOHS_SUPERVISOR_ENDED);
    CHECK(next_report(&supervisor).kind == MOHS_SUPERVISOR_GONE);
    CHECK(is_gone(one) && is_gone(other));
    finish(&supervisor);
    close(output[0]);
}

/* Whichever of the two that stand above the command is killed: nothing below them lives on. */
static void test_a_killed_supervisor_leaves_nothing(void) {
    for (int which = 0; which < 2; which++) {
        int output[2];
        CHECK(pipe2(output, O_CLOEXEC) == 0);
        struct mohs_supervisor supervisor = start(WORKERS, output[1]);
        close(output[1]);
        struct mohs_supervisor_report spawned = next_report(&supervisor);
        CHECK(spawned.kind == MOHS_SUPERVISOR_SPAWNED);
        pid_t one = read_pid(output[0]), other = read_pid(output[0]);
        CHECK(one > 1 && other > 1);
        kill(which == 0 ? supervising : supervisor.pid, SIGKILL);
        struct mohs_supervisor_report ended = next_report(&supervisor);
        CHECK(ended.kind == MOHS_SUPERVISOR_ENDED);
        CHECK(WIFSIGNALED(ended.value) && WTERMSIG(ended.value) == SIGKILL);
        CHECK(next_report(&supervisor).kind == MOHS_SUPERVISOR_GONE);
        CHECK(next_report(&supervisor).kind == 0);
        CHECK(is_gone(one) && is_gone(other) && is_gone(spawned.value));
        CHECK(status_of(&supervisor) == (which == 0 ? 0 : SIGKILL));
        close(output[0]);
    }
}

/* Runs `test` in a process of its own, unless `prepare` returns what stands against it. */
static void apart(const char *name, const char *(*prepare)(void), void (*test)(void)) {
    fflush(NULL);
    pid_t pid = fork();
    if (pid == 0) {
        prctl(PR_SET_CHILD_SUBREAPER, 1);
        const char *obstacle = prepare();
        if (obstacle) printf("%s: skipped, %s\n", name, obstacle);
        if (!obstacle) test();
        fflush(NULL);
        _exit(failures);
    }
    int status = -1;
    CHECK(waitpid(pid, &status, 0) == pid);
    CHECK(status == 0);
}

static const char *without_proc(void) {
    if (unshare(CLONE_NEWNS) != 0 && unshare(CLONE_NEWUSER | CLONE_NEWNS) != 0)
        return "no namespace of mounts may be made here";
    if (mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) != 0 ||
        mount("none", "/proc", "tmpfs", 0, NULL) != 0)
        return "/proc can't be masked here";
    return NULL;
}

static void test_everything_ends_where_proc_is_masked(void) {
    CHECK(access("/proc/self", F_OK) != 0);
    test_everything_ends_with_the_owner();
    test_a_killed_supervisor_leaves_nothing();
}

#define ROOTS_PROGRAM "/var/tmp/mohs-supervisor-test"

/* This program's own file. */
static const char *program;

/* This program, which becomes root's if somebody else starts it so. */
static const char *as_nobody_with_roots_program(void) {
    if (geteuid() != 0) return "it needs root";
    char copy[PATH_MAX + 100];
    snprintf(copy, sizeof copy,
             "cp '%s' " ROOTS_PROGRAM " && chgrp 65534 " ROOTS_PROGRAM
             " && chmod 4750 " ROOTS_PROGRAM,
             program);
    if (system(copy) != 0 || setgid(65534) != 0 || setuid(65534) != 0)
        return "no program can be made root's";
    return NULL;
}

/* The shell becomes root's when it executes the program. */
static int becomes_anothers(pid_t pid) {
    for (int waited = 0; waited < DEADLINE_MS; waited += 10) {
        if (kill(pid, 0) != 0 && errno == EPERM) return 1;
        usleep(10000);
    }
    return 0;
}

static void test_one_that_cannot_be_killed_is_reported_and_left(void) {
    int output[2];
    CHECK(pipe2(output, O_CLOEXEC) == 0);
    struct mohs_supervisor supervisor = start(
        "exec 2>/dev/null; sleep 600 & echo $!; echo $$; exec " ROOTS_PROGRAM " 12", output[1]);
    close(output[1]);
    CHECK(next_report(&supervisor).kind == MOHS_SUPERVISOR_SPAWNED);
    pid_t killable = read_pid(output[0]), roots = read_pid(output[0]);
    CHECK(becomes_anothers(roots));
    ask(&supervisor, MOHS_SUPERVISOR_KILL, 0);
    struct mohs_supervisor_report left = next_report(&supervisor);
    CHECK(left.kind == MOHS_SUPERVISOR_LEFT);
    CHECK(left.value == roots);
    CHECK(next_report(&supervisor).kind == 0);
    CHECK(is_gone(killable));
    finish(&supervisor);
    CHECK(is_gone(roots));
    close(output[0]);
}

static void test_many_children(int null) {
    struct mohs_supervisor supervisor =
        start("i=0; while [ $i -lt 800 ]; do sleep 600 & i=$((i+1)); done; kill -STOP $$", null);
    CHECK(next_report(&supervisor).kind == MOHS_SUPERVISOR_SPAWNED);
    usleep(300000);
    ask(&supervisor, MOHS_SUPERVISOR_KILL, 0);
    CHECK(next_report(&supervisor).kind == MOHS_SUPERVISOR_ENDED);
    CHECK(next_report(&supervisor).kind == MOHS_SUPERVISOR_GONE);
    finish(&supervisor);
}

static void test_each_failure_has_its_report(int null) {
    char *argv[] = {(char *)"x", NULL};
    char *envp[] = {NULL};
    int no_cpu = 1023;
    struct mohs_supervisor_command commands[] = {
        {.path = "/no/such/file"},
        {.path = "/bin/true", .dir = "/no/such/folder"},
        {.path = "/bin/true", .cpus = &no_cpu, .cpu_count = 1},
    };
    int kinds[] = {MOHS_SUPERVISOR_NOT_STARTED, MOHS_SUPERVISOR_NOT_MOVED,
                   MOHS_SUPERVISOR_NOT_PINNED};
    int errors[] = {ENOENT, ENOENT, EINVAL};
    for (int i = 0; i < 3; i++) {
        struct mohs_supervisor supervisor;
        commands[i].argv = argv;
        commands[i].envp = envp;
        commands[i].out = commands[i].err = null;
        start_command(&commands[i], &supervisor);
        struct mohs_supervisor_report report = next_report(&supervisor);
        CHECK(report.kind == kinds[i]);
        CHECK(report.value == errors[i]);
        ask(&supervisor, MOHS_SUPERVISOR_KILL, 0);
        CHECK(next_report(&supervisor).kind == MOHS_SUPERVISOR_GONE);
        finish(&supervisor);
    }
}

/* No supervisor holds another's pipe: the older one ends while the younger one lives. */
static void test_supervisors_do_not_hold_each_other(int null) {
    struct mohs_supervisor older = start("sleep 600", null);
    struct mohs_supervisor younger = start("sleep 600", null);
    CHECK(next_report(&older).kind == MOHS_SUPERVISOR_SPAWNED);
    CHECK(next_report(&younger).kind == MOHS_SUPERVISOR_SPAWNED);
    close(older.control);
    older.control = open("/dev/null", O_WRONLY);
    CHECK(next_report(&older).kind == MOHS_SUPERVISOR_ENDED);
    CHECK(next_report(&older).kind == MOHS_SUPERVISOR_GONE);
    finish(&older);
    ask(&younger, MOHS_SUPERVISOR_KILL, 0);
    CHECK(next_report(&younger).kind == MOHS_SUPERVISOR_ENDED);
    finish(&younger);
}

/* Its own user would be enough for others to signal it, so it takes root's altogether. */
static int sleep_as_root(const char *seconds) {
    if (setuid(0) != 0) return 1;
    sleep((unsigned)atoi(seconds));
    return 0;
}

int main(int count, char **arguments) {
    if (count == 2) return sleep_as_root(arguments[1]);
    program = arguments[0];
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    int null = open("/dev/null", O_WRONLY | O_CLOEXEC);
    test_reports_of_a_short_life(null);
    test_input(null);
    test_signals(null);
    test_everything_ends_with_the_owner();
    test_many_children(null);
    test_each_failure_has_its_report(null);
    test_supervisors_do_not_hold_each_other(null);
    test_a_killed_supervisor_leaves_nothing();
    apart("masked /proc", without_proc, test_everything_ends_where_proc_is_masked);
    apart("unkillable", as_nobody_with_roots_program,
          test_one_that_cannot_be_killed_is_reported_and_left);
    unlink(ROOTS_PROGRAM);
    close(null);
    if (failures == 0) puts("supervisor: all checks hold");
    return failures == 0 ? 0 : 1;
}
