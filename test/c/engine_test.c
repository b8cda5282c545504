/* The engine against a server whose behaviour is known exactly. */
#include "core/engine.h"

#include <errno.h>

#include "loading.h"

static enum deed each_50th_reset(unsigned long number, const char **answer) {
    (void)answer;
    return number % 50 == 0 ? RESET : ANSWER;
}

static enum deed each_50th_closes_after(unsigned long number, const char **answer) {
    if (number % 50) return ANSWER;
    *answer = "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 5\r\n\r\nhello";
    return ANSWER_AND_CLOSE;
}

static enum deed each_50th_wrong(unsigned long number, const char **answer) {
    if (number % 50 == 0) *answer = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhullo";
    return ANSWER;
}

static enum deed first_ten_right(unsigned long number, const char **answer) {
    if (number > 10) *answer = "HTTP/1.1 503 Busy\r\nContent-Length: 4\r\n\r\nbusy";
    return ANSWER;
}

static enum deed each_10th_hangs(unsigned long number, const char **answer) {
    (void)answer;
    return number % 10 == 0 ? HANG : ANSWER;
}

static enum deed only_the_5th_hangs(unsigned long number, const char **answer) {
    (void)answer;
    return number == 5 ? HANG : ANSWER;
}

static enum deed hangs_after_50(unsigned long number, const char **answer) {
    (void)answer;
    return number > 50 ? HANG : ANSWER;
}

static enum deed resets_after_50(unsigned long number, const char **answer) {
    (void)answer;
    return number > 50 ? RESET : ANSWER;
}

static enum deed resets_50_to_59(unsigned long number, const char **answer) {
    (void)answer;
    return number >= 50 && number < 60 ? RESET : ANSWER;
}

static enum deed nothing(unsigned long number, const char **answer) {
    (void)number, (void)answer;
    return HANG;
}

TEST(a_count_is_exact_and_even_over_connections_and_workers) {
    const size_t workers[] = {1, 2, 3};
    for (size_t at = 0; at < 3; at++) {
        struct server server;
        struct mohs_engine engine;
        server_start(&server, always);
        set_up(&engine, &server.address, workers[at], 33, MOHS_KEEP_ALIVE);
        struct mohs_step_result result = counted(&engine, 1000);
        check_sums(&engine, &result.total, 1000);
        CHECK_EQUAL(1000, result.total.good);
        CHECK_EQUAL(5000, result.total.bytes);
        CHECK_EQUAL(33, result.total.opened);
        CHECK_EQUAL(33, result.total.served);
        CHECK_EQUAL(30, result.total.requests_min);
        CHECK_EQUAL(31, result.total.requests_max);
        CHECK(result.p50_ns > 0 && result.p50_ns <= result.total.max_ns);
        mohs_engine_free(&engine);
        server_stop(&server);
        CHECK_EQUAL(33, server.accepted);
        CHECK_EQUAL(1000, server.requests);
    }
}

TEST(fewer_requests_than_connections) {
    struct server server;
    struct mohs_engine engine;
    server_start(&server, always);
    set_up(&engine, &server.address, 2, 8, MOHS_KEEP_ALIVE);
    struct mohs_step_result result = counted(&engine, 3);
    check_sums(&engine, &result.total, 3);
    CHECK_EQUAL(3, result.total.served);
    CHECK_EQUAL(0, result.total.requests_min);
    mohs_engine_free(&engine);
    server_stop(&server);
}

/* Each way to end a connection: every request opens its own. */
TEST(without_keep_alive_every_request_opens_a_connection) {
    const enum mohs_keep_alive ways[] = {MOHS_CLOSE_ASKED, MOHS_CLOSE_FIN, MOHS_CLOSE_RST};
    for (size_t at = 0; at < 3; at++) {
        struct server server;
        struct mohs_engine engine;
        server_start(&server, always);
        set_up(&engine, &server.address, 1, 4, ways[at]);
        struct mohs_step_result result = counted(&engine, 202);
        check_sums(&engine, &result.total, 202);
        CHECK_EQUAL(202, result.total.good);
        CHECK_EQUAL(202, result.total.opened);
        CHECK_EQUAL(0, result.total.lost);
        mohs_engine_free(&engine);
        server_stop(&server);
        CHECK_EQUAL(202, server.accepted);
    }
}

/* Steps share connections, and a server may close idle ones without that being an error. */
TEST(connections_outlive_steps_and_lists) {
    struct server server;
    struct mohs_engine engine;
    struct mohs_step_result result;
    struct mohs_step steps[] = {{.duration_ns = 20 * MOHS_MILLISECOND, .targets = 1},
                                {.count = 10, .targets = 1},
                                {.count = 7, .targets = 1, .warm_up = true}};
    server_start(&server, always);
    set_up(&engine, &server.address, 1, 4, MOHS_KEEP_ALIVE);
    carry_out(&engine, steps, 3);
    for (size_t at = 0; at < 3; at++) {
        mohs_engine_result(&engine, at, 0, &result);
        CHECK_EQUAL(result.total.sent, result.total.good);
        CHECK_EQUAL(at == 0 ? 4 : 0, result.total.opened);
        CHECK_EQUAL(-1, result.cpu_ns);
    }
    CHECK_EQUAL(7, result.total.good);
    CHECK(result.p50_ns > 0); // of a warm-up step too
    CHECK_EQUAL(5, counted(&engine, 5).total.good);
    CHECK_EQUAL(4, server.accepted);
    mohs_engine_close(&engine);
    result = counted(&engine, 5);
    CHECK_EQUAL(4, result.total.opened);
    CHECK_EQUAL(5, result.total.good);
    mohs_engine_free(&engine);
    server_stop(&server);
}

TEST(a_timed_step_ends_with_an_answer) {
    struct server server;
    struct mohs_engine engine;
    struct mohs_step_result result;
    struct mohs_step step = {.duration_ns = 30 * MOHS_MILLISECOND, .targets = 1};
    server_start(&server, always);
    set_up(&engine, &server.address, 2, 5, MOHS_KEEP_ALIVE);
    pid_t idle = fork();
    if (idle == 0) pause();
    pid_t watched[] = {getpid(), idle};
    CHECK_EQUAL(0, mohs_target_watch(engine.targets, watched, 2));
    carry_out(&engine, &step, 1);
    mohs_engine_result(&engine, 0, 0, &result);
    CHECK_EQUAL(2, result.process_count);
    CHECK(result.processes_cpu_ns[0] > result.processes_cpu_ns[1]);
    CHECK_EQUAL(result.cpu_ns, result.processes_cpu_ns[0] + result.processes_cpu_ns[1]);
    CHECK(result.loaded_cpu_ns > result.cpu_ns / 2); // hardly anything is in flight at its end
    CHECK(result.loaded_cpu_ns < result.cpu_ns * 2);
    CHECK_EQUAL(0, kill(idle, SIGKILL));
    CHECK_EQUAL(idle, waitpid(idle, NULL, 0));
    check_sums(&engine, &result.total, result.total.sent);
    CHECK_EQUAL(result.total.sent, result.total.good);
    CHECK(result.total.good > 0);
    CHECK(result.wall_ns > 10 * MOHS_MILLISECOND);
    CHECK(result.cpu_ns > 0);
    CHECK(result.total.driver_cpu_ns > 0);
    CHECK(result.total.latency_sum_ns <= result.wall_ns * 5);
    CHECK_EQUAL(server.requests, result.total.sent);
    mohs_engine_free(&engine);
    server_stop(&server);
}

/* No server makes it late: it is stopped as well. */
TEST(a_driver_that_was_stopped_says_for_how_long) {
    struct server server;
    struct mohs_engine engine;
    struct mohs_step_result result;
    struct mohs_live live = {0};
    struct mohs_step steps[] = {{.duration_ns = 500 * MOHS_MILLISECOND, .targets = 1},
                                {.count = 4, .targets = 1}};
    server_start(&server, always);
    set_up(&engine, &server.address, 1, 4, MOHS_KEEP_ALIVE);
    CHECK_EQUAL(0, mohs_engine_start(&engine, steps, 2));
    while (live.completed < 10) mohs_engine_live(&engine, &live);
    stand_still(300 * MOHS_MILLISECOND);
    while (!mohs_engine_wait(&engine, 1000)) continue;
    mohs_engine_join(&engine);
    mohs_engine_result(&engine, 0, 0, &result);
    const struct mohs_thread_stats *stats = &result.total.thread_stats;
    CHECK(stats->gap_max_ns >= 200 * MOHS_MILLISECOND);
    CHECK(stats->stalls >= 1);
    CHECK(stats->stalled_ns >= stats->gap_max_ns);
    CHECK(stats->gaps_ns + stats->held_ns + stats->stalls * 2 * MOHS_GAP_NS >= stats->stalled_ns);
    CHECK(stats->gaps_ns + stats->held_ns <= result.wall_ns);
    CHECK(result.service_sum_ns <= result.total.latency_sum_ns);
    CHECK(result.service_sum_ns > 0);
    mohs_engine_result(&engine, 1, 0, &result);
    CHECK(stats->gap_max_ns < 200 * MOHS_MILLISECOND); // of its step alone
    mohs_engine_free(&engine);
    server_stop(&server);
}

TEST(each_fault_is_counted_and_its_connection_is_reopened) {
    const struct {
        server_script script;
        int error;
        int or_else;
        uint64_t lost;
    } faults[] = {{each_50th_reset, MOHS_RESET_REUSED, MOHS_RESET_FRESH, 20},
                  {each_50th_wrong, MOHS_WRONG_BODY, MOHS_WRONG_BODY, 0},
                  {each_50th_closes_after, MOHS_OK, MOHS_OK, 0}};
    for (size_t at = 0; at < 3; at++) {
        struct server server;
        struct mohs_engine engine;
        server_start(&server, faults[at].script);
        set_up(&engine, &server.address, 1, 4, MOHS_KEEP_ALIVE);
        struct mohs_step_result result = counted(&engine, 1000);
        const uint64_t *errors = result.total.errors;
        check_sums(&engine, &result.total, 1000);
        uint64_t other = faults[at].or_else == faults[at].error ? 0 : errors[faults[at].or_else];
        CHECK_EQUAL(faults[at].error ? 20 : 1000, errors[faults[at].error] + other);
        CHECK_EQUAL(faults[at].error ? 20 : 0, failed(&result.total));
        CHECK_EQUAL(faults[at].lost, result.total.lost);
        CHECK_EQUAL(4, result.total.served);
        const struct mohs_failed_response *kept = mohs_engine_failed_response(&engine, 0);
        CHECK((kept != NULL) == (faults[at].error == MOHS_WRONG_BODY));
        if (kept) CHECK(kept->size == 5 && memcmp(kept->bytes, "hullo", 5) == 0);
        mohs_engine_free(&engine);
        server_stop(&server);
    }
}

TEST(a_hung_answer_times_out_and_load_goes_on) {
    struct server server;
    struct mohs_engine engine;
    server_start(&server, each_10th_hangs);
    set_up(&engine, &server.address, 1, 4, MOHS_KEEP_ALIVE);
    engine.targets->timeout_ns = 200 * MOHS_MILLISECOND;
    struct mohs_step_result result = counted(&engine, 40);
    check_sums(&engine, &result.total, 40);
    CHECK_EQUAL(4, result.total.errors[MOHS_TIMEOUT_FIRST]);
    CHECK_EQUAL(36, result.total.good);
    mohs_engine_free(&engine);
    server_stop(&server);
}

TEST(the_median_is_of_all_requests) {
    const uint64_t counts[] = {20, 21};
    for (size_t at = 0; at < 2; at++) {
        struct server server;
        struct mohs_engine engine;
        server_start(&server, first_ten_right);
        set_up(&engine, &server.address, 1, 4, MOHS_KEEP_ALIVE);
        struct mohs_step_result result = counted(&engine, counts[at]);
        check_sums(&engine, &result.total, counts[at]);
        CHECK_EQUAL(10, result.total.good);
        CHECK(result.has_p50 == (at == 0)); // of 21 the middle one is the eleventh
        CHECK((result.p50_ns > 0) == result.has_p50);
        mohs_engine_free(&engine);
        server_stop(&server);
    }
}

TEST(a_server_that_is_gone_ends_the_step) {
    struct sockaddr_in address;
    struct mohs_engine engine;
    close(server_listen(&address));
    set_up(&engine, &address, 1, 4, MOHS_KEEP_ALIVE);
    engine.gone_ns = 50 * MOHS_MILLISECOND;
    struct mohs_step_result result = counted(&engine, 100000);
    CHECK(result.total.gone);
    CHECK(result.total.sent < 1000); // the pause doubles: this is no storm of connects
    CHECK(result.total.sent >= 8);
    CHECK_EQUAL(result.total.sent, result.total.errors[MOHS_REFUSED]);
    check_sums(&engine, &result.total, result.total.sent);
    mohs_engine_free(&engine);
}

/* The time in which a server only fails is part of a step: else it would be as fast as before. */
TEST(a_step_does_not_end_with_the_last_answer_if_requests_fail_after_it) {
    const struct {
        struct mohs_step step;
        uint64_t gone_ns;
        uint64_t least_ns;
    } cases[] = {
        {{.duration_ns = 300 * MOHS_MILLISECOND}, MOHS_SECOND, 300 * MOHS_MILLISECOND},
        {{.duration_ns = 60 * MOHS_SECOND}, 200 * MOHS_MILLISECOND, 190 * MOHS_MILLISECOND},
        {{.count = 57}, 60 * MOHS_SECOND, MOHS_MILLISECOND}}; // pauses of 0, 1, 2, 4 ms
    for (size_t at = 0; at < 3; at++) {
        struct server server;
        struct mohs_engine engine;
        struct mohs_step_result result;
        struct mohs_step step = cases[at].step;
        step.targets = 1;
        server_start(&server, resets_after_50);
        set_up(&engine, &server.address, 1, 1, MOHS_KEEP_ALIVE);
        engine.gone_ns = cases[at].gone_ns;
        carry_out(&engine, &step, 1);
        mohs_engine_result(&engine, 0, 0, &result);
        CHECK_EQUAL(50, result.total.good);
        CHECK_EQUAL(at == 1, result.total.gone);
        CHECK(result.wall_ns >= cases[at].least_ns);
        CHECK(result.wall_ns < 30 * MOHS_SECOND);
        uint64_t from_ns = result.total.outage_from_ns;
        CHECK(from_ns > 0 && result.total.outage_ns > 0);
        CHECK_EQUAL(result.wall_ns, from_ns + result.total.outage_ns);
        mohs_engine_free(&engine);
        server_stop(&server);
    }
}

TEST(an_outage_lasts_from_answer_to_answer) {
    struct server server;
    struct mohs_engine engine;
    server_start(&server, resets_50_to_59);
    set_up(&engine, &server.address, 1, 1, MOHS_KEEP_ALIVE);
    struct mohs_step_result result = counted(&engine, 200);
    CHECK_EQUAL(190, result.total.good);
    CHECK(result.total.outage_ns >= 255 * MOHS_MILLISECOND); // pauses of 1 + 2 + ... 128
    uint64_t from_ns = result.total.outage_from_ns;
    CHECK(from_ns + result.total.outage_ns < result.wall_ns);
    mohs_engine_free(&engine);
    server_stop(&server);
}

TEST(a_server_that_only_answers_has_no_outage) {
    struct server server;
    struct mohs_engine engine;
    server_start(&server, each_50th_wrong);
    set_up(&engine, &server.address, 1, 2, MOHS_KEEP_ALIVE);
    CHECK_EQUAL(0, counted(&engine, 200).total.outage_ns);
    mohs_engine_free(&engine);
    server_stop(&server);
}

/* Nothing is asked of a server after a step's time, so it isn't down while it is waited for. */
TEST(an_outage_ends_with_the_time_of_its_step) {
    const server_script scripts[] = {only_the_5th_hangs, hangs_after_50};
    for (size_t at = 0; at < 2; at++) {
        struct server server;
        struct mohs_engine engine;
        struct mohs_step_result result;
        struct mohs_step step = {.duration_ns = 100 * MOHS_MILLISECOND, .targets = 1};
        server_start(&server, scripts[at]);
        set_up(&engine, &server.address, 1, 4, MOHS_KEEP_ALIVE);
        engine.drain_ns = 100 * MOHS_MILLISECOND;
        carry_out(&engine, &step, 1);
        mohs_engine_result(&engine, 0, 0, &result);
        CHECK_EQUAL(at == 0 ? 1 : 4, result.total.errors[MOHS_ABORTED]);
        uint64_t ns = result.total.outage_ns;
        if (at == 0) CHECK(ns < 50 * MOHS_MILLISECOND); // if the others wait for a core then
        if (at == 1) CHECK_EQUAL(step.duration_ns, result.total.outage_from_ns + ns);
        mohs_engine_free(&engine);
        server_stop(&server);
    }
}

TEST(what_is_in_flight_at_the_end_is_recorded_with_its_age) {
    struct server server;
    struct mohs_engine engine;
    struct mohs_step_result result;
    struct mohs_run run;
    struct mohs_step step = {.duration_ns = 10 * MOHS_MILLISECOND, .targets = 1};
    server_start(&server, nothing);
    set_up(&engine, &server.address, 1, 3, MOHS_KEEP_ALIVE);
    engine.drain_ns = 40 * MOHS_MILLISECOND;
    carry_out(&engine, &step, 1);
    mohs_engine_result(&engine, 0, 0, &result);
    check_sums(&engine, &result.total, 3);
    CHECK_EQUAL(3, result.total.errors[MOHS_ABORTED]);
    CHECK_EQUAL(step.duration_ns, result.wall_ns); // nothing was asked of it later
    CHECK_EQUAL(1, mohs_engine_runs(&engine, 0, false, &run, 1));
    for (size_t at = 0; at < run.count; at++) {
        CHECK(run.records[at].flags & MOHS_RECORD_IN_FLIGHT);
        CHECK(run.records[at].done_ns >= 45 * MOHS_MILLISECOND);
    }
    mohs_engine_free(&engine);
    server_stop(&server);
}

TEST(stop_ends_all_steps_and_keeps_what_was_recorded) {
    struct server server;
    struct mohs_engine engine;
    struct mohs_step_result result;
    struct mohs_live live = {0};
    struct mohs_step steps[] = {{.duration_ns = 60 * MOHS_SECOND, .targets = 1},
                                {.duration_ns = 60 * MOHS_SECOND, .targets = 1}};
    server_start(&server, always);
    set_up(&engine, &server.address, 2, 4, MOHS_KEEP_ALIVE);
    CHECK_EQUAL(0, mohs_engine_start(&engine, steps, 2));
    while (live.completed < 100) mohs_engine_live(&engine, &live);
    CHECK(!mohs_engine_wait(&engine, 1));
    uint64_t asked = mohs_now_ns();
    mohs_engine_stop(&engine);
    while (!mohs_engine_wait(&engine, 1000)) continue;
    mohs_engine_join(&engine);
    CHECK(mohs_now_ns() - asked < 30 * MOHS_SECOND);
    CHECK_EQUAL(1, mohs_engine_steps_done(&engine));
    mohs_engine_result(&engine, 0, 0, &result);
    check_sums(&engine, &result.total, result.total.sent);
    CHECK(result.total.good >= 100);
    CHECK(failed(&result.total) <= 4);
    CHECK_EQUAL(4, counted(&engine, 4).total.good); // and can be started again
    mohs_engine_free(&engine);
    server_stop(&server);
}

TEST(a_missing_cpu_is_an_error) {
    struct mohs_engine engine;
    struct sockaddr_in address = {.sin_family = AF_INET};
    struct mohs_step step = {.count = 1, .targets = 1};
    set_up(&engine, &address, 2, 2, MOHS_KEEP_ALIVE);
    int cpus[] = {1023};
    engine.cpus[0] = cpus[0];
    engine.cpu_count = 1;
    CHECK_EQUAL(-EINVAL, mohs_engine_start(&engine, &step, 1));
    CHECK_EQUAL(0, mohs_engine_steps_done(&engine));
    mohs_engine_free(&engine);
}

int main(void) {
    RUN(a_count_is_exact_and_even_over_connections_and_workers);
    RUN(fewer_requests_than_connections);
    RUN(without_keep_alive_every_request_opens_a_connection);
    RUN(connections_outlive_steps_and_lists);
    RUN(a_timed_step_ends_with_an_answer);
    RUN(a_driver_that_was_stopped_says_for_how_long);
    RUN(each_fault_is_counted_and_its_connection_is_reopened);
    RUN(a_hung_answer_times_out_and_load_goes_on);
    RUN(the_median_is_of_all_requests);
    RUN(a_server_that_is_gone_ends_the_step);
    RUN(a_step_does_not_end_with_the_last_answer_if_requests_fail_after_it);
    RUN(an_outage_lasts_from_answer_to_answer);
    RUN(a_server_that_only_answers_has_no_outage);
    RUN(an_outage_ends_with_the_time_of_its_step);
    RUN(what_is_in_flight_at_the_end_is_recorded_with_its_age);
    RUN(stop_ends_all_steps_and_keeps_what_was_recorded);
    RUN(a_missing_cpu_is_an_error);
    return report();
}
