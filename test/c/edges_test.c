/* The engine at the limits of numbers, memory, threads and signals. */
#include "core/engine.h"

#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/un.h>

#include "core/clock.h"
#include "core/connection.h"
#include "core/select.h"
#include "runner.h"
#include "server.h"

#define HELLO "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"

static enum deed always(unsigned long number, const char **answer) {
    (void)number, (void)answer;
    return ANSWER;
}

/* Sets up targets at `address`, each with `connections` connections spread over all workers. */
static void set_up(struct mohs_engine *engine, const void *address, size_t size, size_t targets,
                   size_t workers, uint32_t connections) {
    struct mohs_check check = {.mode = MOHS_CHECK_EXACT, .body = "hello", .length = 5};
    uint32_t numbers[128];
    for (uint32_t at = 0; at < 128; at++) numbers[at] = at;
    mohs_check_allow(&check, 200);
    CHECK_EQUAL(0, mohs_engine_init(engine, targets, workers, NULL, 0));
    engine->drain_ns = engine->gone_ns = 10 * MOHS_SECOND;
    for (size_t at = 0; at < targets; at++) {
        struct mohs_target *target = &engine->targets[at];
        target->connections = connections;
        target->timeout_ns = 10 * MOHS_SECOND;
        CHECK_EQUAL(0, mohs_target_set_address(target, address, size));
        CHECK_EQUAL(0, mohs_target_set_workers(target, numbers, workers));
        CHECK_EQUAL(0, mohs_target_add_request(target, HELLO, strlen(HELLO), 1, false, &check));
    }
}

static void finish(struct mohs_engine *engine) {
    while (!mohs_engine_wait(engine, 1000)) continue;
    mohs_engine_join(engine);
}

static int ascending(const void *one, const void *other) {
    uint64_t left = *(const uint64_t *)one, right = *(const uint64_t *)other;
    return (left > right) - (left < right);
}

/* The lower median of all service times, by sorting. */
static uint64_t sorted_median(const struct mohs_engine *engine) {
    struct mohs_run runs[256];
    uint64_t times[1024];
    size_t size = 0, count = mohs_engine_runs(engine, 0, false, runs, 256);
    for (size_t run = 0; run < count; run++)
        for (size_t at = 0; at < runs[run].count && size < 1024; at++)
            times[size++] = mohs_record_service_ns(&runs[run].records[at]);
    qsort(times, size, sizeof *times, ascending);
    return times[(size - 1) / 2];
}

TEST(a_median_covers_all_runs_of_memory) {
    struct server server;
    struct mohs_engine engine;
    struct mohs_step_result result;
    struct mohs_step step = {.count = 803, .targets = 1};
    server_start(&server, always);
    set_up(&engine, &server.address, sizeof server.address, 1, 73, 73);
    CHECK_EQUAL(0, mohs_engine_ready(&engine, 1, 100)); // two records each, then another chunk
    CHECK_EQUAL(0, mohs_engine_start(&engine, &step, 1));
    finish(&engine);
    CHECK_EQUAL(0, mohs_engine_result(&engine, 0, 0, &result));
    CHECK_EQUAL(803, result.total.good);
    CHECK_EQUAL(73, result.total.served);
    CHECK_EQUAL(2 * 73, mohs_engine_runs(&engine, 0, false, NULL, 0));
    CHECK_EQUAL(sorted_median(&engine), result.p50_ns);
    mohs_engine_free(&engine);
    server_stop(&server);
}

/* Sums that would be small again modulo 2^32. */
TEST(more_connections_than_a_record_can_name_are_refused) {
    const uint32_t connections[] = {1u << 31, (1u << 30) + 1, 1u << 24, (1u << 23) + 1};
    struct sockaddr_in address = {.sin_family = AF_INET};
    for (size_t at = 0; at < 4; at++) {
        struct mohs_engine engine;
        set_up(&engine, &address, sizeof address, 4, 1, connections[at]);
        CHECK_EQUAL(-E2BIG, mohs_engine_ready(&engine, 1, 1));
        mohs_engine_free(&engine);
    }
}

TEST(more_memory_than_size_t_can_hold_is_refused) {
    const size_t capacities[] = {SIZE_MAX, SIZE_MAX - 1, SIZE_MAX / 32, SIZE_MAX / 64};
    struct sockaddr_in address = {.sin_family = AF_INET};
    for (size_t at = 0; at < 4; at++) {
        struct mohs_engine engine;
        set_up(&engine, &address, sizeof address, 1, 1, 1);
        CHECK_EQUAL(-ENOMEM, mohs_engine_ready(&engine, 1, capacities[at]));
        mohs_engine_free(&engine);
    }
}

static void limit_memory(rlim_t bytes) {
    struct rlimit limit;
    getrlimit(RLIMIT_AS, &limit);
    limit.rlim_cur = bytes < limit.rlim_max ? bytes : limit.rlim_max;
    CHECK_EQUAL(0, setrlimit(RLIMIT_AS, &limit));
}

static atomic_ulong allowed;

/* The test takes the memory away before the second answer, and gives it back before the last. */
static enum deed when_allowed(unsigned long number, const char **answer) {
    while (number > allowed) usleep(1000);
    return always(number, answer);
}

TEST(without_memory_records_are_lost_but_counted_and_load_goes_on) {
    struct server server;
    struct mohs_engine engine;
    struct mohs_step_result result;
    struct mohs_live live = {0};
    struct mohs_step steps[] = {
        {.count = 1, .targets = 1}, {.count = 50, .targets = 1}, {.count = 1, .targets = 1}};
    allowed = 1;
    server_start(&server, when_allowed);
    set_up(&engine, &server.address, sizeof server.address, 1, 1, 3);
    CHECK_EQUAL(0, mohs_engine_ready(&engine, 1, 19)); // room for 20
    CHECK_EQUAL(0, mohs_engine_start(&engine, steps, 3));
    while (live.completed < 1) mohs_engine_live(&engine, &live);
    limit_memory(0); // no further mmap succeeds, in the sanitizer neither: it waits meanwhile
    allowed = 51;
    while (live.completed < 51) mohs_engine_live(&engine, &live);
    limit_memory(RLIM_INFINITY);
    allowed = 52;
    finish(&engine);
    CHECK_EQUAL(0, mohs_engine_result(&engine, 1, 0, &result));
    CHECK_EQUAL(50, result.total.good);
    CHECK_EQUAL(31, mohs_engine_lost_records(&engine));
    struct mohs_run runs[2];
    CHECK_EQUAL(2, mohs_engine_runs(&engine, 0, false, runs, 2));
    CHECK_EQUAL(20, runs[0].count);
    CHECK_EQUAL(1, runs[1].count); // memory is there again, and so are records
    mohs_engine_free(&engine);
    server_stop(&server);
}

static void ignore(int number) {
    (void)number;
}

/* Only a load thread can take the signal: all others block it. */
TEST(a_signal_does_not_send_a_request_early) {
    struct server server;
    struct mohs_engine engine;
    struct mohs_step_result results[2];
    struct mohs_live live = {0};
    const uint64_t due_ns[] = {200 * MOHS_MILLISECOND};
    struct mohs_arrivals given = {.kind = MOHS_TIMES, .times = due_ns, .time_count = 1};
    struct mohs_step steps[] = {{.count = 1, .targets = 1},
                                {.count = 1, .targets = 1, .arrivals = given}};
    struct sigaction handler = {.sa_handler = ignore}, before;
    sigset_t one, mask;
    sigemptyset(&one);
    sigaddset(&one, SIGUSR1);
    sigaction(SIGUSR1, &handler, &before);
    pthread_sigmask(SIG_BLOCK, &one, &mask);
    server_start(&server, always);
    pthread_sigmask(SIG_SETMASK, &mask, NULL);
    set_up(&engine, &server.address, sizeof server.address, 1, 1, 2);
    CHECK_EQUAL(0, mohs_engine_ready(&engine, 1, 10));
    CHECK_EQUAL(0, mohs_engine_start(&engine, steps, 2));
    pthread_sigmask(SIG_BLOCK, &one, NULL);
    while (live.completed < 1) mohs_engine_live(&engine, &live);
    for (int at = 0; at < 20; at++) { // some of them surely while it waits
        kill(getpid(), SIGUSR1);
        usleep(5000);
    }
    finish(&engine);
    for (size_t at = 0; at < 2; at++)
        CHECK_EQUAL(0, mohs_engine_result(&engine, at, 0, &results[at]));
    CHECK(results[1].wall_ns >= due_ns[0]);
    pthread_sigmask(SIG_SETMASK, &mask, NULL);
    sigaction(SIGUSR1, &before, NULL);
    mohs_engine_free(&engine);
    server_stop(&server);
}

/* A unix socket that nobody accepts from, with a full backlog: opening waits 2 s, but not after
 * stop. */
TEST(stop_ends_the_opening_of_connections) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    struct mohs_engine engine;
    struct mohs_step step = {.count = 4, .targets = 1};
    snprintf(address.sun_path + 1, 64, "mohs-edges-%d", (int)getpid()); // abstract: no file
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    CHECK_EQUAL(0, bind(fd, (struct sockaddr *)&address, sizeof address));
    CHECK_EQUAL(0, listen(fd, 0));
    set_up(&engine, &address, sizeof address, 1, 1, 4);
    CHECK_EQUAL(0, mohs_engine_ready(&engine, 1, 10));
    uint64_t started = mohs_now_ns();
    CHECK_EQUAL(0, mohs_engine_start(&engine, &step, 1));
    usleep(100000); // it is opening
    mohs_engine_stop(&engine);
    finish(&engine);
    CHECK(mohs_now_ns() - started < 1900 * MOHS_MILLISECOND);
    CHECK_EQUAL(0, mohs_engine_steps_done(&engine));
    mohs_engine_free(&engine);
    close(fd);
}

/* Otherwise each of ten thousand connections would wait another millisecond for a server that does
 * not answer. */
TEST(no_connection_is_dialled_after_the_time_to_open_them) {
    struct server server;
    struct mohs_engine engine;
    struct mohs_step step = {.count = 3, .targets = 1};
    server_start(&server, always);
    set_up(&engine, &server.address, sizeof server.address, 1, 1, 3);
    CHECK_EQUAL(0, mohs_engine_ready(&engine, 1, 10));
    for (size_t at = 0; at < 3; at++) {
        engine.connections[at].quota = MOHS_NO_LIMIT;
        mohs_connection_prepare(&engine.connections[at], mohs_now_ns());
        CHECK_EQUAL(-1, engine.connections[at].fd);
    }
    CHECK_EQUAL(0, mohs_engine_start(&engine, &step, 1)); // its requests open what is missing
    finish(&engine);
    CHECK_EQUAL(3, server.accepted);
    mohs_engine_free(&engine);
    server_stop(&server);
}

int main(void) {
    RUN(a_median_covers_all_runs_of_memory);
    RUN(more_connections_than_a_record_can_name_are_refused);
    RUN(more_memory_than_size_t_can_hold_is_refused);
    RUN(without_memory_records_are_lost_but_counted_and_load_goes_on);
    RUN(a_signal_does_not_send_a_request_early);
    RUN(stop_ends_the_opening_of_connections);
    RUN(no_connection_is_dialled_after_the_time_to_open_them);
    return report();
}
