/*
 * See supervisor.h. The caller may be one of many threads, so between fork and exec (and in the
 * supervisor, which never execs) only async-signal-safe calls are made: no malloc, no stdio, no
 * locks. Reading order: mohs_supervisor_start (in the caller), become_guard (the process that the
 * caller forks), supervise (the supervisor's life), run_command (the command's process up to exec),
 * kill_all (the end of either).
 */
#include "supervisor.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "detach.h"

/* SIGKILL takes effect at once unless the process is inside the kernel, waiting for a dead disk
 * say. */
#define KILL_LIMIT_NS (8 * (int64_t)1000000000)

/* Rounds of 10 ms without a listed child before children are looked for in another way. */
#define UNLISTED_ROUNDS 3

/* The largest possible kernel.pid_max, and how many pids are tried in one go. */
#define PID_LIMIT 4194304
#define PID_CHUNK 65536

/* The supervisor's own state, or the guard's; one per process, so it may live on its stack. */
struct supervision {
    int control;
    int reports;
    int guard;     /* end of file: the guard has ended */
    int children;  /* signalfd of SIGCHLD */
    pid_t command; /* 0 once reaped: its pid may then belong to another process */
    pid_t killed;  /* the child that was sent SIGKILL last */
};

static void report(int fd, int kind, int value, int64_t time_ns) {
    struct mohs_supervisor_report line = {.kind = kind, .value = value, .time_ns = time_ns};
    // 16 bytes go into a pipe whole or not at all. If nobody is left to read them, the closed
    // control pipe shows that next.
    ssize_t written = write(fd, &line, sizeof line);
    (void)written;
}

static int64_t now_ns(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

/* Reads a pid; never one below 2: 0 would mean a process group, and 1 init. */
static int read_pid(const char **cursor, pid_t *pid) {
    while (**cursor == ' ' || **cursor == '\n') (*cursor)++;
    pid_t number = 0;
    for (; **cursor >= '0' && **cursor <= '9'; (*cursor)++) number = number * 10 + (**cursor - '0');
    *pid = number;
    return number > 1;
}

static void kill_child(struct supervision *state, pid_t pid) {
    kill(pid, SIGKILL);
    state->killed = pid;
}

/* Sends SIGKILL to our direct children, as far as /proc lists them. Returns false if it lists
 * none. */
static bool kill_listed(struct supervision *state) {
    static const char path[] = "/proc/thread-self/children";
    char text[4096];
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) return false;
    ssize_t length = read(fd, text, sizeof text - 1);
    close(fd);
    if (length <= 0) return false;
    text[length] = '\0';
    // A pid that the buffer cuts off is left for the next call.
    if (length == sizeof text - 1) *strrchr(text, ' ') = '\0';
    const char *cursor = text;
    bool any = false;
    for (pid_t pid; read_pid(&cursor, &pid); any = true) kill_child(state, pid);
    return any;
}

/*
 * The same where /proc is not mounted or is masked, as in some containers: asks the kernel for
 * every pid whether it is a child of ours, starting after our own, since children get later ones.
 * Returns after a chunk that contained a child.
 */
static void kill_unlisted(struct supervision *state) {
    pid_t next = getpid();
    bool any = false;
    for (long tried = 1; tried <= PID_LIMIT && !(any && tried % PID_CHUNK == 0); tried++) {
        next = next + 1 < PID_LIMIT ? next + 1 : 2;
        siginfo_t info;
        if (waitid(P_PID, (id_t)next, &info, WEXITED | WNOHANG | WNOWAIT) != 0) continue;
        kill_child(state, next);
        any = true;
    }
}

/* Reaps children that have ended. Returns false if no child is left. */
static bool reap(struct supervision *state) {
    for (;;) {
        int status = 0;
        pid_t pid = waitpid(-1, &status, WNOHANG);
        if (pid == 0) return true;
        if (pid < 0) return errno != ECHILD;
        if (pid != state->command) continue;
        state->command = 0;
        report(state->reports, MOHS_SUPERVISOR_ENDED, status, now_ns());
    }
}

/* Kills the command and its group at once, before a master can replace a worker. */
static void kill_group(const struct supervision *state) {
    if (state->command == 0) return;
    kill(-state->command, SIGKILL);
    kill(state->command, SIGKILL);
}

/*
 * Kills everything below us. The children of processes that die become ours (we are a subreaper),
 * so this is repeated until no child is left, or for KILL_LIMIT_NS: a process that can't be killed
 * (it belongs to another user, or is inside the kernel) is reported and left.
 */
static void kill_all(struct supervision *state) {
    struct pollfd wait = {.fd = state->children, .events = POLLIN};
    int64_t limit_ns = now_ns() + KILL_LIMIT_NS;
    int unlisted = 0;
    kill_group(state);
    while (reap(state)) {
        unlisted = kill_listed(state) ? 0 : unlisted + 1;
        if (unlisted > UNLISTED_ROUNDS) kill_unlisted(state);
        if (now_ns() > limit_ns) {
            report(state->reports, MOHS_SUPERVISOR_LEFT, state->killed, now_ns());
            return;
        }
        // SIGCHLD wakes us; the 10 ms are for children that are reparented to us without one.
        if (poll(&wait, 1, 10) <= 0) continue;
        struct signalfd_siginfo ignored;
        ssize_t got = read(state->children, &ignored, sizeof ignored);
        (void)got;
    }
    report(state->reports, MOHS_SUPERVISOR_GONE, 0, now_ns());
}

/*
 * Carries out one request. Returns false if it was the last: KILL, or the owner is gone.
 */
static bool obey(struct supervision *state) {
    struct mohs_supervisor_request request;
    ssize_t got = read(state->control, &request, sizeof request);
    if (got < 0 && errno == EINTR) return true;
    if (got != sizeof request || request.order == MOHS_SUPERVISOR_KILL) return false;
    if (state->command != 0) kill(state->command, request.value);
    return true;
}

static void supervise(struct supervision *state) {
    struct pollfd waits[] = {
        {.fd = state->control, .events = POLLIN},
        {.fd = state->children, .events = POLLIN},
        {.fd = state->guard, .events = POLLIN},
    };
    for (;;) {
        if (poll(waits, 3, -1) < 0 && errno != EINTR) break;
        if (waits[1].revents) {
            struct signalfd_siginfo ignored;
            ssize_t got = read(state->children, &ignored, sizeof ignored);
            (void)got;
            reap(state);
        }
        if (waits[0].revents && !obey(state)) break;
        if (waits[2].revents) break;
    }
    kill_all(state);
}

/*
 * The command starts with default signal handling, as from a terminal. Otherwise it would inherit
 * ours: Ruby handles signals, a shell's background job ignores SIGINT, and the supervisor blocks
 * all.
 */
static void reset_signals(void) {
    struct sigaction standard;
    memset(&standard, 0, sizeof standard);
    standard.sa_handler = SIG_DFL;
    for (int number = 1; number < NSIG; number++) sigaction(number, &standard, NULL);
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
}

static int pin(const struct mohs_supervisor_command *command) {
    if (command->cpu_count == 0) return 0;
    cpu_set_t set;
    CPU_ZERO(&set);
    for (int i = 0; i < command->cpu_count; i++) {
        int cpu = command->cpus[i];
        if (cpu >= 0 && cpu < CPU_SETSIZE) CPU_SET((size_t)cpu, &set);
    }
    return sched_setaffinity(0, sizeof set, &set);
}

/*
 * Ruby makes its pipes non-blocking, which a command would see as errors when it reads or writes
 * faster than mohs.
 */
static void give(int from, int to) {
    dup2(from, to);
    int flags = fcntl(to, F_GETFL);
    if (flags >= 0 && flags & O_NONBLOCK) fcntl(to, F_SETFL, flags & ~O_NONBLOCK);
}

/*
 * The command's process, up to exec. `progress` is close-on-exec: the supervisor reads the moment
 * of exec from it, and then either end of file or what failed.
 */
static void run_command(const struct mohs_supervisor_command *command, int progress) {
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL); // in case the supervisor itself is killed
    if (command->in > 0) give(command->in, STDIN_FILENO);
    give(command->out, STDOUT_FILENO);
    give(command->err, STDERR_FILENO);
    int failure = MOHS_SUPERVISOR_NOT_STARTED;
    if (command->dir && chdir(command->dir) != 0) {
        failure = MOHS_SUPERVISOR_NOT_MOVED;
    } else if (pin(command) != 0) {
        failure = MOHS_SUPERVISOR_NOT_PINNED;
    } else {
        reset_signals();
        report(progress, MOHS_SUPERVISOR_SPAWNED, getpid(), now_ns());
        execve(command->path, command->argv, command->envp);
    }
    report(progress, failure, errno, 0);
    _exit(127);
}

/* Forks the command and reports whether it started. */
static void start_command(struct supervision *state,
                          const struct mohs_supervisor_command *command) {
    int progress[2];
    if (pipe2(progress, O_CLOEXEC) != 0) {
        report(state->reports, MOHS_SUPERVISOR_NOT_STARTED, errno, 0);
        return;
    }
    pid_t pid = fork();
    if (pid == 0) run_command(command, progress[1]);
    int error = errno;
    close(progress[1]);
    if (command->in > 0) close(command->in);
    close(command->out);
    close(command->err);
    struct mohs_supervisor_report first = {.kind = MOHS_SUPERVISOR_NOT_STARTED, .value = error};
    struct mohs_supervisor_report then;
    bool running = pid > 0 && read(progress[0], &first, sizeof first) == sizeof first &&
                   first.kind == MOHS_SUPERVISOR_SPAWNED;
    // A second report comes only from an exec that failed; a successful one closes the pipe.
    if (running && read(progress[0], &then, sizeof then) == sizeof then) {
        first = then;
        running = false;
    }
    close(progress[0]);
    if (running) {
        state->command = pid;
    } else if (pid > 0) {
        waitpid(pid, NULL, 0);
    }
    report(state->reports, first.kind, first.value, first.time_ns);
}

/* A descriptor that is readable when a child has ended. */
static int child_signals(void) {
    sigset_t child;
    sigemptyset(&child);
    sigaddset(&child, SIGCHLD);
    return signalfd(-1, &child, SFD_CLOEXEC);
}

/* The supervisor's process. All signals are blocked: only SIGKILL ends it early. */
static void become_supervisor(const struct mohs_supervisor_command *command, int control,
                              int reports, int guard) {
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    int in = command->in > 0 ? command->in : command->out;
    int kept[] = {control, reports, in, command->out, command->err, guard};
    mohs_detach("mohs-supervisor", kept, 6);
    struct supervision state = {
        .control = control, .reports = reports, .guard = guard, .children = child_signals()};
    report(reports, MOHS_SUPERVISOR_READY, getpid(), now_ns());
    start_command(&state, command);
    supervise(&state);
    _exit(0);
}

/* Waits for the supervisor. If the supervisor was killed, kills what it has left behind. */
static void guard(pid_t supervisor, int reports) {
    int status = 0;
    while (waitpid(supervisor, &status, 0) < 0 && errno == EINTR) continue;
    if (WIFEXITED(status)) return;
    struct supervision state = {.reports = reports, .children = child_signals()};
    report(reports, MOHS_SUPERVISOR_ENDED, SIGKILL, now_ns());
    kill_all(&state);
}

/* The guard's process. It holds neither end of `control`, or its owner's death would go
 * unnoticed. */
static void become_guard(const struct mohs_supervisor_command *command, int control, int reports) {
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    int alive[2] = {-1, -1};
    pid_t pid = pipe2(alive, O_CLOEXEC) == 0 ? fork() : -1;
    int error = errno;
    if (pid == 0) become_supervisor(command, control, reports, alive[0]);
    int kept[] = {reports, alive[1] < 0 ? reports : alive[1]};
    mohs_detach("mohs-guard", kept, 2);
    if (pid > 0) {
        guard(pid, reports);
    } else {
        report(reports, MOHS_SUPERVISOR_NOT_STARTED, error, 0);
        report(reports, MOHS_SUPERVISOR_GONE, 0, now_ns());
    }
    _exit(0);
}

int mohs_supervisor_start(const struct mohs_supervisor_command *command,
                          struct mohs_supervisor *supervisor) {
    int control[2] = {-1, -1}, reports[2] = {-1, -1};
    int error = 0;
    if (pipe2(control, O_CLOEXEC) != 0 || pipe2(reports, O_CLOEXEC) != 0) {
        error = errno;
        goto fail;
    }
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    pid_t pid = fork();
    if (pid == 0) become_guard(command, control[0], reports[1]);
    error = errno;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (pid < 0) goto fail;
    close(control[0]);
    close(reports[1]);
    *supervisor =
        (struct mohs_supervisor){.pid = pid, .control = control[1], .reports = reports[0]};
    return 0;

fail:
    for (int end = 0; end < 2; end++) {
        if (control[end] >= 0) close(control[end]);
        if (reports[end] >= 0) close(reports[end]);
    }
    return -error;
}
