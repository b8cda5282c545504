#include "worker.h"

#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include "clock.h"
#include "connection.h"
#include "socket.h"

/* Timeouts and dead servers are noticed at most this late; pauses and deadlines end on time. */
#define LOOK_EVERY_NS (50 * MOHS_MILLISECOND)

/* Step size of the estimate of how late sleeps end. */
#define LATE_STEP_NS 500

/* The mean time between two events is an exponential mean over about this many. */
#define GAP_EVENTS 16

/* If responses arrive closer together than this, they wake an open loop in time for what is
 * due. */
#define DENSE_NS (25 * MOHS_MICROSECOND)

/* How long to wait if no response arrives. A timer beyond the kernel's next tick (4 ms at 250 Hz)
 * is not programmed into the hardware, which on a virtual machine costs as much CPU as a
 * request. */
#define DENSE_WAIT_MS 4

/* Requests due sooner than this are polled for: sleeping and waking takes a virtual machine
 * longer. */
#define DENSE_POLL_NS (5 * MOHS_MICROSECOND)

/* Both kinds of load wait in their own loops, without a call. */
#define ALWAYS_INLINE static inline __attribute__((always_inline))

/* epoll_wait with nanoseconds: Linux 5.11. Called by number, since glibc has it only from 2.35. */
static int wait_finely(int epoll, struct epoll_event *events, uint64_t ns) {
    struct timespec timeout = mohs_timespec_of(ns);
#ifdef SYS_epoll_pwait2
    return (int)syscall(SYS_epoll_pwait2, epoll, events, MOHS_WORKER_EVENTS, &timeout, NULL,
                        (size_t)0);
#else
    (void)epoll, (void)events, (void)timeout;
    errno = ENOSYS;
    return -1;
#endif
}

/* Edge-triggered: it is reported once and need not be read. */
static int add_timer(struct mohs_worker *worker) {
    struct epoll_event events[MOHS_WORKER_EVENTS];
    struct epoll_event event = {.events = EPOLLIN | EPOLLET, .data.ptr = &worker->timer};
    if (wait_finely(worker->loop.epoll, events, 0) >= 0) return 0;
    worker->timer = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
    if (worker->timer < 0) return -errno;
    return epoll_ctl(worker->loop.epoll, EPOLL_CTL_ADD, worker->timer, &event) ? -errno : 0;
}

int mohs_worker_init(struct mohs_worker *worker) {
    worker->timer = worker->stamped = -1;
    int result = mohs_loop_init(&worker->loop);
    if (result) return result;
    worker->stamped = mohs_socket_stamped();
    if (worker->stamped < 0) return -errno;
    return add_timer(worker);
}

void mohs_worker_free(struct mohs_worker *worker) {
    mohs_loop_free(&worker->loop);
    if (worker->timer >= 0) close(worker->timer);
    if (worker->stamped >= 0) close(worker->stamped);
    worker->timer = worker->stamped = -1;
}

int mohs_worker_run(struct mohs_worker *worker, int cpu, void *(*work)(void *), void *argument) {
    sigset_t all, before;
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    if (cpu >= 0) {
        cpu_set_t set;
        CPU_ZERO(&set);
        CPU_SET((size_t)cpu, &set);
        pthread_attr_setaffinity_np(&attributes, sizeof set, &set);
    }
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    int result = pthread_create(&worker->thread, &attributes, work, argument);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    pthread_attr_destroy(&attributes);
    return -result;
}

void mohs_worker_begin(struct mohs_worker *worker, enum mohs_sched_class sched_class) {
    prctl(PR_SET_TIMERSLACK, 1ul); // else each sleep lasts 50 us longer
    if (sched_class != MOHS_SCHED_PLAIN) mohs_set_sched_class(0, sched_class);
    worker->sched_class = mohs_sched_class_of(0);
    mohs_thread_watch_open(&worker->watch, worker->spin, worker->measures_speed);
}

void mohs_worker_end(struct mohs_worker *worker) {
    mohs_thread_watch_close(&worker->watch);
}

enum mohs_sched_class mohs_workers_sched_class(const struct mohs_worker *workers, size_t count) {
    int least = MOHS_SCHED_REAL_TIME;
    for (size_t at = 0; at < count; at++)
        if (workers[at].sched_class < least) least = workers[at].sched_class;
    return least < 0 ? MOHS_SCHED_PLAIN : (enum mohs_sched_class)least;
}

void mohs_worker_prepare(struct mohs_worker *worker, uint64_t deadline_ns) {
    for (size_t at = 0; at < worker->lane_count; at++) {
        struct mohs_lane *lane = &worker->lanes[at];
        if (!lane->job.tally) continue;
        for (size_t index = 0; index < lane->connection_count; index++)
            mohs_connection_prepare(&lane->connections[index], deadline_ns);
    }
}

/* Calls `each` for the connections of the step. */
static void for_each(struct mohs_worker *worker, void (*each)(struct mohs_connection *)) {
    for (size_t at = 0; at < worker->lane_count; at++) {
        struct mohs_lane *lane = &worker->lanes[at];
        if (!lane->job.tally) continue;
        for (size_t index = 0; index < lane->connection_count; index++)
            each(&lane->connections[index]);
    }
}

void mohs_worker_check(struct mohs_worker *worker, uint64_t rest_ns) {
    if (rest_ns) {
        for_each(worker, mohs_connection_acknowledge);
        mohs_loop_rest(&worker->loop, mohs_now_ns() + rest_ns);
    }
    for_each(worker, mohs_connection_check);
}

static void stop_lane(struct mohs_lane *lane) {
    lane->job.stopped = true;
    for (size_t index = 0; index < lane->connection_count; index++)
        mohs_connection_abort(&lane->connections[index]);
}

/* Runs a lane's timers: timeouts, drain, retries. Returns when to look again. */
static uint64_t look_at_lane(struct mohs_lane *lane, uint64_t gone_ns) {
    struct mohs_job *job = &lane->job;
    uint64_t now = job->loop->now_ns;
    uint64_t next = MOHS_NO_LIMIT;
    if (job->failing_ns && !job->tally->gone && now - job->failing_ns >= gone_ns) {
        job->stopped = job->tally->gone = true; // what is in flight may still be answered
        job->failed_ns = now;
    }
    if (job->deadline_ns && now >= job->drain_ns) stop_lane(lane);
    if (job->open_loop) mohs_lane_look(lane);
    for (size_t index = 0; index < lane->connection_count; index++) {
        uint64_t at = mohs_connection_look(&lane->connections[index]);
        if (at < next) next = at;
    }
    if (job->deadline_ns == 0) return next;
    uint64_t own = now < job->deadline_ns ? job->deadline_ns : job->drain_ns;
    return own < next ? own : next;
}

static void look(struct mohs_worker *worker, uint64_t gone_ns) {
    struct mohs_loop *loop = &worker->loop;
    loop->look_ns = loop->now_ns + LOOK_EVERY_NS; // connections may ask for an earlier one
    for (size_t at = 0; at < worker->lane_count; at++) {
        if (!worker->lanes[at].job.tally) continue;
        uint64_t next = look_at_lane(&worker->lanes[at], gone_ns);
        if (next < loop->look_ns) loop->look_ns = next;
    }
}

static bool finished(const struct mohs_worker *worker) {
    for (size_t at = 0; at < worker->lane_count; at++) {
        const struct mohs_lane *lane = &worker->lanes[at];
        if (lane->job.tally && !mohs_job_finished(&lane->job, worker->loop.now_ns)) return false;
    }
    return true;
}

static void begin_requests(struct mohs_worker *worker) {
    for (size_t at = 0; at < worker->lane_count; at++) {
        struct mohs_lane *lane = &worker->lanes[at];
        if (!lane->job.tally || lane->job.open_loop) continue;
        for (size_t index = 0; index < lane->connection_count; index++) {
            lane->connections[index].free_ns = worker->loop.now_ns = mohs_now_ns();
            mohs_connection_next(&lane->connections[index]);
        }
    }
}

/* Open loop: begins what is due and finds when the next request is. */
static void dispatch(struct mohs_worker *worker) {
    struct mohs_loop *loop = &worker->loop;
    loop->due_ns = MOHS_NO_LIMIT;
    for (size_t at = 0; at < worker->lane_count; at++) {
        struct mohs_lane *lane = &worker->lanes[at];
        if (!lane->job.tally || !lane->job.open_loop) continue;
        mohs_lane_dispatch(lane);
        uint64_t due = mohs_lane_due(lane);
        if (due < loop->due_ns) loop->due_ns = due;
    }
}

static void start_lanes(struct mohs_worker *worker) {
    for (size_t at = 0; at < worker->lane_count; at++)
        if (worker->lanes[at].job.tally && worker->lanes[at].job.open_loop)
            mohs_lane_start(&worker->lanes[at]);
    dispatch(worker);
}

static int patience_ms(const struct mohs_worker *worker) {
    const struct mohs_loop *loop = &worker->loop;
    if (loop->look_ns <= loop->now_ns) return 0;
    int ms = (int)((loop->look_ns - loop->now_ns + MOHS_MILLISECOND - 1) / MOHS_MILLISECOND);
    return worker->measures_speed && ms > MOHS_SPEED_WAIT_MS ? MOHS_SPEED_WAIT_MS : ms;
}

/* Sleeps end late, on a virtual machine by some 40 us, so they are shortened by what three of four
 * sleeps exceed; a short sleep by a quarter at most, since a driver near its limit has no time to
 * poll. */
static uint64_t lead_ns(const struct mohs_worker *worker, uint64_t left_ns) {
    return worker->late_ns < left_ns / 4 ? worker->late_ns : left_ns / 4;
}

/* One step up or three down lead to the lower quartile (Robbins and Monro, A Stochastic
 * Approximation Method, 1951). */
static void update_late(struct mohs_worker *worker, uint64_t late_ns) {
    if (late_ns > worker->late_ns) worker->late_ns += LATE_STEP_NS;
    else worker->late_ns -= worker->late_ns < 3 * LATE_STEP_NS ? worker->late_ns : 3 * LATE_STEP_NS;
}

/* Sleeps until `until_ns` or an event. */
static int sleep_until(struct mohs_worker *worker, struct epoll_event *events, uint64_t until_ns,
                       uint64_t now_ns) {
    if (worker->timer < 0) return wait_finely(worker->loop.epoll, events, until_ns - now_ns);
    struct itimerspec at = {.it_value = mohs_timespec_of(until_ns)};
    timerfd_settime(worker->timer, TFD_TIMER_ABSTIME, &at, NULL);
    return epoll_wait(worker->loop.epoll, events, MOHS_WORKER_EVENTS, patience_ms(worker));
}

/* Whether a response will arrive about when a timer would fire. */
static bool answers_wake(const struct mohs_worker *worker, uint64_t now_ns) {
    if (worker->gap_ns > DENSE_NS || now_ns - worker->heard_ns > DENSE_NS) return false;
    if (worker->loop.look_ns < now_ns + DENSE_WAIT_MS * MOHS_MILLISECOND) return false;
    for (size_t at = 0; at < worker->lane_count; at++)
        if (worker->lanes[at].job.tally && worker->lanes[at].job.in_flight) return true;
    return false;
}

/* Updates the exponential mean of the time between events. */
static void update_gap(struct mohs_worker *worker, int count) {
    uint64_t took = worker->loop.now_ns - worker->heard_ns;
    worker->gap_ns = (GAP_EVENTS * worker->gap_ns + took) / (GAP_EVENTS + (uint64_t)count);
    worker->heard_ns = worker->loop.now_ns;
}

/* After a sleep that ended early it polls instead of sleeping again. */
ALWAYS_INLINE int wait_for_events(struct mohs_worker *worker, struct epoll_event *events) {
    struct mohs_loop *loop = &worker->loop;
    uint64_t now = loop->slept_ns = mohs_now_ns();
    if (loop->due_ns == MOHS_NO_LIMIT)
        return epoll_wait(loop->epoll, events, MOHS_WORKER_EVENTS, patience_ms(worker));
    uint64_t until = loop->due_ns < loop->look_ns ? loop->due_ns : loop->look_ns;
    if (worker->spin || until <= now || until == worker->woken_ns)
        return epoll_wait(loop->epoll, events, MOHS_WORKER_EVENTS, 0);
    if (answers_wake(worker, now)) {
        int patience = until - now < DENSE_POLL_NS ? 0 : DENSE_WAIT_MS;
        return epoll_wait(loop->epoll, events, MOHS_WORKER_EVENTS, patience);
    }
    uint64_t waking = until - lead_ns(worker, until - now);
    int count = sleep_until(worker, events, waking, now);
    now = mohs_now_ns();
    if (now < waking) return count; // an event came before
    worker->woken_ns = until;
    update_late(worker, now - waking);
    return count;
}

void mohs_worker_finish(struct mohs_worker *worker) {
    struct mohs_thread_stats *stats = &worker->watch.stats;
    const struct mohs_stalls *stalls = &worker->loop.stalls;
    mohs_thread_watch_end(&worker->watch);
    stats->gap_max_ns = stalls->gap_max_ns;
    stats->gaps_ns = stalls->gaps_ns;
    stats->held_ns = stalls->held_ns;
    stats->stalls = stalls->stalls;
    stats->stalled_ns = stalls->stalled_ns;
}

/* Gives every lane the thread's statistics, and its CPU time in proportion to the requests that
 * each sent. */
static void share_thread_stats(struct mohs_worker *worker, uint64_t cpu_ns) {
    uint64_t sent = 0;
    for (size_t at = 0; at < worker->lane_count; at++)
        if (worker->lanes[at].job.tally) sent += worker->lanes[at].job.tally->sent;
    for (size_t at = 0; at < worker->lane_count; at++) {
        struct mohs_tally *tally = worker->lanes[at].job.tally;
        if (!tally) continue;
        tally->thread_stats = worker->watch.stats;
        if (sent)
            tally->driver_cpu_ns = (uint64_t)((double)cpu_ns * (double)tally->sent / (double)sent);
    }
}

static void woken(struct mohs_worker *worker, const atomic_bool *stop) {
    worker->loop.now_ns = mohs_now_ns();
    for (size_t at = 0; atomic_load(stop) && at < worker->lane_count; at++)
        if (worker->lanes[at].job.tally) stop_lane(&worker->lanes[at]);
}

static void handle(struct mohs_worker *worker, const struct epoll_event *event,
                   const atomic_bool *stop) {
    if (!event->data.ptr) woken(worker, stop);
    else if (event->data.ptr == &worker->timer) worker->loop.now_ns = mohs_now_ns();
    else mohs_connection_ready(event->data.ptr, event->events);
}

/* The wait is over and nothing came. */
static void waited(struct mohs_loop *loop) {
    loop->now_ns = mohs_now_ns();
    mohs_loop_ran(loop, loop->now_ns);
}

/* Events are there, and their first bytes came before now. */
static void woken_up(struct mohs_worker *worker, uint64_t count) {
    worker->loop.woken_ns = mohs_now_ns();
    mohs_thread_watch_woken(&worker->watch, count);
}

void mohs_worker_start(struct mohs_worker *worker) {
    struct mohs_loop *loop = &worker->loop;
    loop->look_ns = worker->heard_ns = loop->now_ns = mohs_now_ns();
    worker->gap_ns = MOHS_MILLISECOND;
    mohs_wall_read(&loop->wall);
    mohs_thread_watch_begin(&worker->watch, loop->now_ns);
    mohs_loop_begin(loop, loop->now_ns);
}

ALWAYS_INLINE int wait_turn(struct mohs_worker *worker, struct epoll_event *events) {
    int count = wait_for_events(worker, events);
    if (count <= 0) waited(&worker->loop);
    else woken_up(worker, (uint64_t)count);
    return count;
}

int mohs_worker_wait(struct mohs_worker *worker, struct epoll_event *events) {
    return wait_turn(worker, events);
}

void mohs_worker_load(struct mohs_worker *worker, uint64_t gone_ns, const atomic_bool *stop) {
    struct mohs_loop *loop = &worker->loop;
    struct epoll_event events[MOHS_WORKER_EVENTS];
    uint64_t cpu_ns = mohs_thread_cpu_ns();
    mohs_worker_start(worker);
    begin_requests(worker);
    start_lanes(worker);
    while (!finished(worker)) {
        int count = wait_turn(worker, events);
        for (int at = 0; at < count; at++) {
            handle(worker, &events[at], stop);
            mohs_thread_watch_handled(&worker->watch, loop->now_ns);
            if (loop->now_ns >= loop->due_ns) dispatch(worker); // now, not after all events
        }
        if (count > 0) update_gap(worker, count);
        if (loop->now_ns >= loop->due_ns) dispatch(worker);
        if (loop->now_ns >= loop->look_ns) look(worker, gone_ns);
        if (loop->now_ns >= worker->watch.next_ns)
            mohs_thread_watch_turn(&worker->watch, loop->now_ns);
        if (loop->now_ns >= worker->watch.speed_at_ns)
            mohs_thread_watch_speed(&worker->watch, loop->now_ns);
    }
    for (size_t at = 0; at < worker->lane_count; at++)
        if (worker->lanes[at].job.tally) mohs_job_end(&worker->lanes[at].job, loop->now_ns);
    mohs_worker_finish(worker);
    share_thread_stats(worker, mohs_thread_cpu_ns() - cpu_ns);
}
