/* An engine with one target on the tests' server, and what must hold after every load. */
#ifndef MOHS_TEST_LOADING_H
#define MOHS_TEST_LOADING_H

#include <signal.h>
#include <sys/wait.h>
#include <time.h>

#include "core/clock.h"
#include "core/engine.h"
#include "runner.h"
#include "server.h"

#define HELLO "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"
#define SEED  7

static inline enum deed always(unsigned long number, const char **answer) {
    (void)number, (void)answer;
    return ANSWER;
}

/* Sets up an engine with one target that is to answer "hello". */
static inline void set_up(struct mohs_engine *engine, const struct sockaddr_in *address,
                          size_t workers, uint32_t connections, enum mohs_keep_alive keep_alive) {
    struct mohs_check check = {.mode = MOHS_CHECK_EXACT, .body = "hello", .length = 5};
    uint32_t numbers[] = {0, 1, 2, 3};
    mohs_check_allow(&check, 200);
    CHECK_EQUAL(0, mohs_engine_init(engine, 1, workers, NULL, 0));
    struct mohs_target *target = engine->targets;
    target->connections = connections;
    target->keep_alive = keep_alive;
    target->timeout_ns = 10 * MOHS_SECOND;
    engine->drain_ns = 10 * MOHS_SECOND;
    engine->gone_ns = 10 * MOHS_SECOND;
    CHECK_EQUAL(0, mohs_target_set_address(target, address, sizeof *address));
    CHECK_EQUAL(0, mohs_target_set_workers(target, numbers, workers));
    CHECK_EQUAL(0, mohs_target_add_request(target, HELLO, strlen(HELLO), 1, false, &check));
    CHECK_EQUAL(0, mohs_engine_ready(engine, SEED, 1000));
}

static inline void carry_out(struct mohs_engine *engine, const struct mohs_step *steps,
                             size_t count) {
    CHECK_EQUAL(0, mohs_engine_start(engine, steps, count));
    while (!mohs_engine_wait(engine, 1000)) continue;
    mohs_engine_join(engine);
    CHECK_EQUAL(count, mohs_engine_steps_done(engine));
}

static inline struct mohs_step_result counted(struct mohs_engine *engine, uint64_t count) {
    struct mohs_step step = {.count = count, .targets = 1};
    struct mohs_step_result result;
    carry_out(engine, &step, 1);
    mohs_engine_result(engine, 0, 0, &result);
    return result;
}

/* Stops this whole process for so long, as Ctrl-Z does. */
static inline void stand_still(uint64_t ns) {
    pid_t child = fork();
    if (child == 0) {
        struct timespec time = mohs_timespec_of(ns);
        kill(getppid(), SIGSTOP);
        nanosleep(&time, NULL);
        kill(getppid(), SIGCONT);
        _exit(0);
    }
    CHECK_EQUAL(child, waitpid(child, NULL, 0));
}

static inline uint64_t failed(const struct mohs_tally *tally) {
    uint64_t sum = 0;
    for (int error = 1; error < MOHS_ERROR_COUNT; error++) sum += tally->errors[error];
    return sum;
}

/* Checks what must hold after every load. */
static inline void check_sums(struct mohs_engine *engine, const struct mohs_tally *tally,
                              uint64_t sent) {
    struct mohs_run runs[16];
    uint64_t recorded = 0;
    size_t count = mohs_engine_runs(engine, 0, false, runs, 16);
    for (size_t at = 0; at < count; at++) recorded += runs[at].count;
    CHECK_EQUAL(sent, tally->sent);
    CHECK_EQUAL(tally->sent, tally->good + failed(tally));
    CHECK_EQUAL(tally->good, tally->errors[MOHS_OK]);
    CHECK_EQUAL(sent, recorded);
    CHECK_EQUAL(0, mohs_engine_lost_records(engine));
}

#endif
