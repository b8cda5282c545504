/* Open loops: a due request is sent or waits, and its time counts from when it was due. */
#include "core/lane.h"

#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>

#include "loading.h"

#define MAX 1000

static uint64_t dues[MAX];

/* One answer after the other, 2 ms each: 500 a second and no more. */
static enum deed two_ms_each(unsigned long number, const char **answer) {
    (void)number, (void)answer;
    nanosleep(&(struct timespec){.tv_nsec = 2000000}, NULL);
    return ANSWER;
}

static enum deed each_50th_hangs_up(unsigned long number, const char **answer) {
    (void)answer;
    return number % 50 == 0 ? CLOSE : ANSWER;
}

static struct mohs_arrivals at_rate(double rate_per_s) {
    return (struct mohs_arrivals){
        .kind = MOHS_REGULAR, .rate_per_s = rate_per_s, .to_per_s = rate_per_s, .burst = 1};
}

static struct mohs_step_result carried_out(struct mohs_engine *engine, struct mohs_step step) {
    struct mohs_step_result result;
    carry_out(engine, &step, 1);
    mohs_engine_result(engine, 0, 0, &result);
    return result;
}

static int ascending(const void *left, const void *right) {
    uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;
    return a < b ? -1 : a > b;
}

/* The due times of all records, from the step's start and in order. Returns how many. */
static size_t recorded_dues(const struct mohs_engine *engine, uint64_t started_ns) {
    struct mohs_run runs[16];
    size_t found = 0;
    size_t count = mohs_engine_runs(engine, 0, false, runs, 16);
    for (size_t at = 0; at < count; at++)
        for (size_t place = 0; place < runs[at].count && found < MAX; place++)
            dues[found++] = runs[at].records[place].due_ns - started_ns;
    qsort(dues, found, sizeof *dues, ascending);
    return found;
}

TEST(due_times_are_the_same_for_any_number_of_workers) {
    for (size_t workers = 1; workers <= 3; workers++) {
        struct server server;
        struct mohs_engine engine;
        struct mohs_step step = {.count = 200, .targets = 1, .arrivals = at_rate(4000)};
        server_start(&server, always);
        set_up(&engine, &server.address, workers, 7, MOHS_KEEP_ALIVE);
        struct mohs_step_result result = carried_out(&engine, step);
        check_sums(&engine, &result.total, 200);
        CHECK_EQUAL(200, result.total.good);
        CHECK_EQUAL(0, result.total.unsent);
        CHECK_EQUAL(200, recorded_dues(&engine, result.started_ns));
        for (size_t at = 0; at < 200; at++) CHECK_EQUAL(at * 250000, dues[at]);
        CHECK(result.wall_ns >= 199 * 250000);
        CHECK(result.has_lag || result.total.queued == 200);
        CHECK_EQUAL(7, counted(&engine, 7).total.served); // a closed loop as ever
        mohs_engine_free(&engine);
        server_stop(&server);
    }
}

/* Twice as many as the server can take: half of them wait, ever longer, and none is dropped. */
TEST(waiting_requests_are_sent_later_and_counted_from_due) {
    struct server server;
    struct mohs_engine engine;
    struct mohs_step step = {
        .duration_ns = 100 * MOHS_MILLISECOND, .targets = 1, .arrivals = at_rate(1000)};
    server_start(&server, two_ms_each);
    set_up(&engine, &server.address, 1, 2, MOHS_KEEP_ALIVE);
    engine.targets->timeout_ns = 10 * MOHS_SECOND;
    struct mohs_step_result result = carried_out(&engine, step);
    check_sums(&engine, &result.total, 100);
    CHECK_EQUAL(100, result.total.good);
    CHECK_EQUAL(100, recorded_dues(&engine, result.started_ns));
    for (size_t at = 0; at < 100; at++) CHECK_EQUAL(at * MOHS_MILLISECOND, dues[at]);
    CHECK_EQUAL(0, result.total.unsent);
    CHECK(result.total.late >= 40);
    CHECK(result.total.queued >= 90);
    CHECK(result.total.waiting_max >= 40);
    CHECK(result.total.max_ns >= 90 * MOHS_MILLISECOND);
    CHECK(result.p50_ns < result.total.max_ns / 4); // of service: two are under way at a time
    CHECK(result.queue_ns[0] >= 40 * MOHS_MILLISECOND);
    CHECK(result.queue_ns[1] >= 80 * MOHS_MILLISECOND);
    CHECK(result.wall_ns >= 190 * MOHS_MILLISECOND);
    mohs_engine_free(&engine);
    server_stop(&server);
}

/* While the thread stands still connections are free, or their answers have come: what falls due is
 * late by the driver, also where others of the same time are sent first. */
TEST(what_fell_due_while_the_driver_was_stopped_did_not_wait_for_the_server) {
    struct server server;
    struct mohs_engine engine;
    struct mohs_step_result result;
    struct mohs_live live = {0};
    struct mohs_run runs[16];
    struct mohs_step step = {
        .duration_ns = 600 * MOHS_MILLISECOND, .targets = 1, .arrivals = at_rate(1000)};
    server_start(&server, always);
    set_up(&engine, &server.address, 1, 2, MOHS_KEEP_ALIVE);
    CHECK_EQUAL(0, mohs_engine_start(&engine, &step, 1));
    while (live.completed < 10) mohs_engine_live(&engine, &live);
    stand_still(300 * MOHS_MILLISECOND);
    while (!mohs_engine_wait(&engine, 1000)) continue;
    mohs_engine_join(&engine);
    mohs_engine_result(&engine, 0, 0, &result);
    const struct mohs_loop *loop = &engine.workers->loop;
    uint64_t stalled = 0, queued = 0;
    size_t count = mohs_engine_runs(&engine, 0, false, runs, 16);
    for (size_t at = 0; at < count; at++) {
        for (size_t place = 0; place < runs[at].count; place++) {
            const struct mohs_record *record = &runs[at].records[place];
            bool waited = record->flags & MOHS_RECORD_QUEUED;
            queued += waited;
            uint64_t due = record->due_ns + engine.epoch_ns;
            if (due < loop->stalls.from_ns || due >= loop->stalls.behind_ns) continue;
            stalled++;
            CHECK(!waited);
        }
    }
    CHECK(loop->stalls.stalls >= 1);
    CHECK(stalled > 0);
    CHECK_EQUAL(result.total.queued, queued);
    CHECK(result.lag_ns[1] >= 20 * MOHS_MILLISECOND);
    mohs_engine_free(&engine);
    server_stop(&server);
}

TEST(requests_not_sent_within_the_drain_are_counted) {
    struct server server;
    struct mohs_engine engine;
    struct mohs_step step = {
        .duration_ns = 100 * MOHS_MILLISECOND, .targets = 1, .arrivals = at_rate(2000)};
    server_start(&server, two_ms_each);
    set_up(&engine, &server.address, 2, 4, MOHS_KEEP_ALIVE);
    engine.drain_ns = 20 * MOHS_MILLISECOND;
    struct mohs_step_result result = carried_out(&engine, step);
    check_sums(&engine, &result.total, result.total.sent);
    CHECK_EQUAL(200, result.total.sent + result.total.unsent);
    CHECK(result.total.unsent >= 100);
    CHECK(result.total.errors[MOHS_ABORTED] <= 4);
    mohs_engine_free(&engine);
    server_stop(&server);
}

/* Waiting for a connection is not the server's failure. */
TEST(timeouts_count_from_when_a_request_has_its_connection) {
    struct server server;
    struct mohs_engine engine;
    struct mohs_step step = {.count = 150, .targets = 1, .arrivals = at_rate(50000)};
    server_start(&server, two_ms_each);
    set_up(&engine, &server.address, 1, 1, MOHS_KEEP_ALIVE);
    engine.targets->timeout_ns = 200 * MOHS_MILLISECOND;
    struct mohs_step_result result = carried_out(&engine, step);
    CHECK_EQUAL(150, result.total.good);
    CHECK(result.total.late >= 140); // after the last one fell due
    CHECK(result.total.max_ns >= 290 * MOHS_MILLISECOND);
    mohs_engine_free(&engine);
    server_stop(&server);
}

TEST(connections_grow_only_if_allowed_and_for_one_step) {
    struct server server;
    struct mohs_engine engine;
    struct mohs_check check = {.mode = MOHS_CHECK_STATUS};
    struct mohs_step step = {.count = 100, .targets = 1, .arrivals = at_rate(5000)};
    const uint32_t workers[] = {0, 1};
    server_start(&server, two_ms_each);
    mohs_check_allow(&check, 200);
    CHECK_EQUAL(0, mohs_engine_init(&engine, 1, 2, NULL, 0));
    struct mohs_target *target = engine.targets;
    target->connections = 2;
    target->max_connections = 9;
    target->timeout_ns = engine.drain_ns = engine.gone_ns = 10 * MOHS_SECOND;
    CHECK_EQUAL(0, mohs_target_set_address(target, &server.address, sizeof server.address));
    CHECK_EQUAL(0, mohs_target_set_workers(target, workers, 2));
    CHECK_EQUAL(0, mohs_target_add_request(target, HELLO, strlen(HELLO), 1, false, &check));
    CHECK_EQUAL(0, mohs_engine_ready(&engine, SEED, 1000));
    struct mohs_step_result result = carried_out(&engine, step);
    check_sums(&engine, &result.total, 100);
    CHECK_EQUAL(9, result.total.opened);
    CHECK_EQUAL(9, result.total.served);
    result = counted(&engine, 10);
    CHECK_EQUAL(2, result.total.served);
    CHECK_EQUAL(5, result.total.requests_min);
    CHECK_EQUAL(0, result.total.opened);
    mohs_engine_free(&engine);
    server_stop(&server);
}

TEST(faults_are_counted_and_the_schedule_goes_on) {
    struct server server;
    struct mohs_engine engine;
    struct mohs_step step = {.count = 500, .targets = 1, .arrivals = at_rate(10000)};
    server_start(&server, each_50th_hangs_up);
    set_up(&engine, &server.address, 2, 4, MOHS_KEEP_ALIVE);
    struct mohs_step_result result = carried_out(&engine, step);
    check_sums(&engine, &result.total, 500);
    CHECK_EQUAL(10, failed(&result.total));
    CHECK_EQUAL(500, recorded_dues(&engine, result.started_ns));
    CHECK_EQUAL(499 * 100000, dues[499]);
    mohs_engine_free(&engine);
    server_stop(&server);
}

TEST(a_server_that_is_gone_ends_an_open_loop) {
    struct sockaddr_in address;
    struct mohs_engine engine;
    struct mohs_step step = {
        .duration_ns = 60 * MOHS_SECOND, .targets = 1, .arrivals = at_rate(1000)};
    close(server_listen(&address));
    set_up(&engine, &address, 1, 4, MOHS_KEEP_ALIVE);
    engine.targets->max_connections = 50;
    engine.gone_ns = 50 * MOHS_MILLISECOND;
    struct mohs_step_result result = carried_out(&engine, step);
    CHECK(result.total.gone);
    CHECK(result.total.sent < 100);
    CHECK_EQUAL(result.total.sent, result.total.errors[MOHS_REFUSED]);
    CHECK(result.total.unsent > 0);
    CHECK(result.total.sent + result.total.unsent >= 50);
    CHECK(result.wall_ns < 30 * MOHS_SECOND);
    mohs_engine_free(&engine);
}

TEST(stop_ends_an_open_loop) {
    struct server server;
    struct mohs_engine engine;
    struct mohs_step_result result;
    struct mohs_live live = {0};
    struct mohs_step step = {
        .duration_ns = 60 * MOHS_SECOND, .targets = 1, .arrivals = at_rate(2000)};
    server_start(&server, always);
    set_up(&engine, &server.address, 2, 4, MOHS_KEEP_ALIVE);
    CHECK_EQUAL(0, mohs_engine_start(&engine, &step, 1));
    while (live.completed < 50) {
        mohs_engine_live(&engine, &live);
        mohs_engine_wait(&engine, 1);
    }
    mohs_engine_stop(&engine);
    while (!mohs_engine_wait(&engine, 1000)) continue;
    mohs_engine_join(&engine);
    mohs_engine_result(&engine, 0, 0, &result);
    check_sums(&engine, &result.total, result.total.sent);
    CHECK(result.wall_ns < 30 * MOHS_SECOND);
    CHECK(result.total.good >= 50);
    mohs_engine_free(&engine);
    server_stop(&server);
}

TEST(given_times_belong_to_the_engine_and_an_open_step_lasts_its_time) {
    struct server server;
    struct mohs_engine engine;
    struct mohs_step_result result;
    uint64_t times[] = {0, 3 * MOHS_MILLISECOND, 3 * MOHS_MILLISECOND};
    struct mohs_arrivals given = {.kind = MOHS_TIMES, .times = times, .time_count = 3};
    struct mohs_step steps[] = {
        {.duration_ns = 20 * MOHS_MILLISECOND, .targets = 1, .arrivals = given},
        {.count = 2, .targets = 1, .arrivals = given}};
    server_start(&server, always);
    set_up(&engine, &server.address, 1, 2, MOHS_KEEP_ALIVE);
    CHECK_EQUAL(0, mohs_engine_start(&engine, steps, 2));
    memset(times, 0xff, sizeof times);
    while (!mohs_engine_wait(&engine, 1000)) continue;
    mohs_engine_join(&engine);
    mohs_engine_result(&engine, 0, 0, &result);
    CHECK_EQUAL(3, result.total.good);
    CHECK(result.wall_ns >= 20 * MOHS_MILLISECOND);
    uint64_t first = result.started_ns;
    mohs_engine_result(&engine, 1, 0, &result);
    CHECK_EQUAL(2, result.total.good);
    CHECK(result.started_ns >= first + 20 * MOHS_MILLISECOND);
    CHECK_EQUAL(5, recorded_dues(&engine, first));
    CHECK_EQUAL(3 * MOHS_MILLISECOND, dues[2]);
    mohs_engine_free(&engine);
    server_stop(&server);
}

#define DENSE      300
#define SILENCE_NS (20 * MOHS_MILLISECOND)

static enum deed silent_at_last(unsigned long number, const char **answer) {
    (void)answer;
    return number < DENSE ? ANSWER : HANG;
}

/* How late a request was sent that fell due after answers had come closely one after the other and
 * then ceased, with one still to come. */
static uint64_t lag_after_silence_ns(void) {
    struct server server;
    struct mohs_engine engine;
    struct mohs_run run;
    uint64_t times[DENSE + 1], lag_ns = 0;
    for (uint64_t at = 0; at < DENSE; at++) times[at] = at * 5 * MOHS_MICROSECOND;
    times[DENSE] = times[DENSE - 1] + SILENCE_NS;
    struct mohs_arrivals given = {.kind = MOHS_TIMES, .times = times, .time_count = DENSE + 1};
    struct mohs_step step = {
        .duration_ns = 200 * MOHS_MILLISECOND, .targets = 1, .arrivals = given};
    server_start(&server, silent_at_last);
    set_up(&engine, &server.address, 1, 32, MOHS_KEEP_ALIVE);
    engine.drain_ns = MOHS_MILLISECOND;
    struct mohs_step_result result = carried_out(&engine, step);
    check_sums(&engine, &result.total, DENSE + 1);
    CHECK_EQUAL(2, result.total.errors[MOHS_ABORTED]);
    CHECK_EQUAL(1, mohs_engine_runs(&engine, 0, false, &run, 1));
    for (size_t at = 0; at < run.count; at++)
        if (run.records[at].due_ns - result.started_ns == times[DENSE])
            lag_ns = run.records[at].sent_ns;
    mohs_engine_free(&engine);
    server_stop(&server);
    return lag_ns;
}

TEST(a_due_request_does_not_wait_for_a_missing_answer) {
    uint64_t lag_ns = 0;
    for (int tries = 0; tries < 5; tries++) { // the core may be away for once
        lag_ns = lag_after_silence_ns();
        if (lag_ns && lag_ns < SILENCE_NS) break;
    }
    CHECK(lag_ns > 0);
    CHECK(lag_ns < SILENCE_NS);
}

/* Makes epoll_pwait2 unknown in this process from here on. */
static int forget_epoll_pwait2(void) {
    struct sock_filter filter[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_epoll_pwait2, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog program = {.len = 4, .filter = filter};
    if (prctl(PR_SET_NO_NEW_PRIVS, 1ul, 0ul, 0ul, 0ul)) return -1;
    return prctl(PR_SET_SECCOMP, (unsigned long)SECCOMP_MODE_FILTER, &program);
}

static void load_by_timer(void) {
    struct server server;
    struct mohs_engine engine;
    struct mohs_step step = {.count = 100, .targets = 1, .arrivals = at_rate(1500)};
    server_start(&server, always);
    set_up(&engine, &server.address, 1, 4, MOHS_KEEP_ALIVE);
    CHECK(engine.workers->timer >= 0);
    struct mohs_step_result result = carried_out(&engine, step);
    check_sums(&engine, &result.total, 100);
    CHECK_EQUAL(100, result.total.good);
    CHECK(result.wall_ns >= 66 * MOHS_MILLISECOND);
    CHECK(result.lag_ns[0] < 30 * MOHS_MILLISECOND); // it is the timer that wakes, not the look
    mohs_engine_free(&engine);
    server_stop(&server);
}

TEST(a_timer_is_used_on_an_older_kernel) {
    int status = -1;
    pid_t child = fork();
    if (child == 0) {
        if (forget_epoll_pwait2()) _exit(0); // not in every sandbox
        load_by_timer();
        _exit(checks_failed > 0);
    }
    waitpid(child, &status, 0);
    CHECK_EQUAL(0, status);
}

TEST(spinning_sends_on_time_too) {
    struct server server;
    struct mohs_engine engine;
    struct mohs_step step = {.count = 50, .targets = 1, .arrivals = at_rate(2000)};
    server_start(&server, always);
    set_up(&engine, &server.address, 1, 4, MOHS_KEEP_ALIVE);
    engine.spin = true;
    struct mohs_step_result result = carried_out(&engine, step);
    CHECK_EQUAL(50, result.total.good);
    CHECK(result.wall_ns >= 49 * 500000);
    mohs_engine_free(&engine);
    server_stop(&server);
}

int main(void) {
    RUN(due_times_are_the_same_for_any_number_of_workers);
    RUN(waiting_requests_are_sent_later_and_counted_from_due);
    RUN(what_fell_due_while_the_driver_was_stopped_did_not_wait_for_the_server);
    RUN(requests_not_sent_within_the_drain_are_counted);
    RUN(timeouts_count_from_when_a_request_has_its_connection);
    RUN(connections_grow_only_if_allowed_and_for_one_step);
    RUN(faults_are_counted_and_the_schedule_goes_on);
    RUN(a_server_that_is_gone_ends_an_open_loop);
    RUN(stop_ends_an_open_loop);
    RUN(given_times_belong_to_the_engine_and_an_open_step_lasts_its_time);
    RUN(a_due_request_does_not_wait_for_a_missing_answer);
    RUN(a_timer_is_used_on_an_older_kernel);
    RUN(spinning_sends_on_time_too);
    return report();
}
