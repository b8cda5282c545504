/*
 * Clients of a scenario: what they draw, render and capture from answers cut at every byte, and how
 * an engine uses them on a server that gives each request its own token.
 */
#include "core/client.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/epoll.h>

#include "core/error.h"
#include "bench.h"

enum { TOPIC, TEXT, NUMBER, SERIAL, TOKEN, PLACE, VARIABLES };

static struct mohs_span of(const char *text) {
    return (struct mohs_span){text, strlen(text)};
}

static struct mohs_template template(struct mohs_scenario *scenario, const char *literal,
                                     uint32_t variable, enum mohs_escape escape) {
    struct mohs_template made = {.count = 1};
    made.parts = mohs_scenario_take(scenario, 1, sizeof *made.parts);
    made.parts[0] = (struct mohs_part){of(literal), variable, escape};
    return made;
}

static struct mohs_pattern token_pattern(void) {
    struct mohs_pattern pattern = {.before = of("token=\""), .behind = of("\""), .least = 1};
    memset(pattern.set, 0xff, sizeof pattern.set);
    pattern.set[0] &= ~(1ull << '"');
    return pattern;
}

static void add_captures(struct mohs_scenario *scenario, struct mohs_scenario_step *step) {
    step->captures = mohs_scenario_take(scenario, 2, sizeof *step->captures);
    step->capture_count = 2;
    step->captures[0] = (struct mohs_capture){
        .variable = TOKEN, .how = MOHS_CAPTURE_PATTERN, .pattern = token_pattern(), .html = true};
    step->captures[1] = (struct mohs_capture){.variable = PLACE, .header = of("Location")};
}

static void add_variables(struct mohs_scenario *scenario) {
    static struct mohs_span topics[] = {{"one", 3}, {"two 2", 5}, {"three", 5}};
    scenario->variable_count = VARIABLES;
    scenario->variables = mohs_scenario_take(scenario, VARIABLES, sizeof *scenario->variables);
    scenario->variables[TOPIC] = (struct mohs_variable){
        .kind = MOHS_LISTED, .values = topics, .value_count = 3, .steady = true};
    scenario->variables[TEXT] = (struct mohs_variable){.kind = MOHS_LETTERS, .low = 8};
    scenario->variables[NUMBER] =
        (struct mohs_variable){.kind = MOHS_INTEGER, .low = -2, .high = 2};
    scenario->variables[SERIAL] = (struct mohs_variable){.kind = MOHS_SEQUENCE, .low = 100};
    scenario->variables[TOKEN] = (struct mohs_variable){.kind = MOHS_CAPTURED};
    scenario->variables[PLACE] = (struct mohs_variable){.kind = MOHS_CAPTURED};
}

/* An action of two steps: a page with a token, and a form that sends it; the login is the first
 * step only. */
static void fill(struct mohs_scenario *scenario) {
    static uint32_t drawn[] = {TOPIC, TEXT, NUMBER, SERIAL};
    static uint64_t weights[] = {1};
    add_variables(scenario);
    scenario->step_count = 2;
    scenario->steps = mohs_scenario_take(scenario, 2, sizeof *scenario->steps);
    scenario->steps[0].head =
        template(scenario, "GET /a HTTP/1.1\r\n", MOHS_NO_VARIABLE, MOHS_ESCAPE_NOTHING);
    add_captures(scenario, &scenario->steps[0]);
    scenario->steps[1].head = template(scenario, "POST /", TOPIC, MOHS_ESCAPE_PATH);
    scenario->steps[1].body = template(scenario, "token=", TOKEN, MOHS_ESCAPE_FORM);
    scenario->steps[1].has_body = true;
    scenario->actions = mohs_scenario_take(scenario, 1, sizeof *scenario->actions);
    scenario->actions[0] = (struct mohs_action){0, 2, drawn, 4};
    scenario->weights = weights;
    scenario->action_count = 1;
    scenario->login = (struct mohs_action){.first = 0, .count = 1};
}

static struct mohs_client *client_of(const struct mohs_scenario *scenario, uint32_t number) {
    void *memory = calloc(1, mohs_client_bytes(scenario));
    if (!memory) abort();
    return mohs_client_make(memory, scenario, 5 + number, number, 3);
}

static bool same(struct mohs_span span, const char *text) {
    return span.size == strlen(text) && memcmp(span.data, text, span.size) == 0;
}

TEST(what_is_drawn_follows_from_the_seed) {
    struct mohs_scenario scenario = {0};
    fill(&scenario);
    CHECK_EQUAL(0, mohs_scenario_ready(&scenario, 2));
    struct mohs_client *one = client_of(&scenario, 1), *again = client_of(&scenario, 1);
    uint64_t random = 1;
    char before[8] = "";
    unsigned seen = 0;
    for (int round = 0; round < 100; round++) {
        mohs_client_begin(one, false, &random);
        mohs_client_begin(again, false, &random);
        for (int at = 0; at < TOKEN; at++) {
            CHECK_EQUAL(one->values[at].size, again->values[at].size);
            CHECK(memcmp(one->values[at].data, again->values[at].data, one->values[at].size) == 0);
        }
        CHECK(same(one->values[TOPIC], "two 2"));
        CHECK_EQUAL(8, one->values[TEXT].size);
        CHECK(memcmp(before, one->values[TEXT].data, 8) != 0);
        memcpy(before, one->values[TEXT].data, 8);
        char number[8] = "";
        memcpy(number, one->values[NUMBER].data, one->values[NUMBER].size);
        CHECK(atoi(number) >= -2 && atoi(number) <= 2);
        seen |= 1u << (atoi(number) + 2);
        char serial[8] = "";
        memcpy(serial, one->values[SERIAL].data, one->values[SERIAL].size);
        CHECK_EQUAL(101 + 3 * round, atoi(serial)); // of 3 clients the second
    }
    CHECK_EQUAL(31, seen);
    free(one);
    free(again);
    mohs_scenario_free(&scenario);
}

static const char page[] = "HTTP/1.1 103 Early\r\nSet-Cookie: early=1\r\n\r\n"
                           "HTTP/1.1 200 OK\r\nset-cookie: s=1; path=/\r\nSet-Cookie: t=2\r\n"
                           "location: /a/7\r\nTransfer-Encoding: chunked\r\n\r\n"
                           "a\r\n<a token=\"\r\n13\r\nx+/=&amp;y\"> token=\"z\r\n0\r\n\r\n";

/* Reads the page in pieces, cut at `first` and then after every `step` bytes. */
static int read_page(struct mohs_client *client, const char *bytes, size_t size, size_t first,
                     size_t step) {
    static char line[MOHS_HTTP_LINE_MAX];
    struct mohs_http http;
    struct mohs_span piece;
    mohs_http_begin(&http, line, false);
    http.tell = mohs_client_tell;
    http.listener = client;
    for (size_t from = 0, to = first; from < size; from = to, to += step) {
        const char *cursor = bytes + from;
        if (to > size || to <= from) to = size;
        while (mohs_http_next(&http, &cursor, bytes + to, &piece) == MOHS_HTTP_BODY)
            mohs_client_body(client, piece);
    }
    return mohs_client_judge(client);
}

static void check_page(const struct mohs_scenario *scenario, size_t first, size_t step) {
    struct mohs_client *client = client_of(scenario, 0);
    struct mohs_span bytes;
    uint64_t random = 1;
    mohs_client_begin(client, false, &random);
    CHECK_EQUAL(0, mohs_client_render(client, &bytes));
    CHECK(same(bytes, "GET /a HTTP/1.1\r\n\r\n"));
    CHECK_EQUAL(MOHS_OK, read_page(client, page, strlen(page), first, step));
    CHECK_EQUAL(0, mohs_client_ended(client, true));
    CHECK(client->midway);
    CHECK(same(client->values[TOKEN], "x+/=&y"));
    CHECK(same(client->values[PLACE], "/a/7"));
    CHECK_EQUAL(1, mohs_client_render(client, &bytes));
    CHECK(same(bytes, "POST /oneCookie: s=1; t=2\r\nContent-Length: 20\r\n\r\n"
                      "token=x%2B%2F%3D%26y"));
    mohs_client_ended(client, true);
    CHECK(!client->midway);
    free(client);
}

TEST(an_answer_is_read_the_same_however_it_is_cut) {
    struct mohs_scenario scenario = {0};
    fill(&scenario);
    CHECK_EQUAL(0, mohs_scenario_ready(&scenario, 2));
    check_page(&scenario, 1, 1);
    for (size_t cut = 1; cut <= strlen(page); cut++) check_page(&scenario, cut, strlen(page));
    mohs_scenario_free(&scenario);
}

TEST(a_missing_capture_is_an_error_and_ends_the_action) {
    static const char *const pages[] = {
        "HTTP/1.1 200 OK\r\nLocation: x\r\nContent-Length: 9\r\n\r\ntoken=\"\"x",
        "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\ntoken=\"x\"",
        "HTTP/1.1 200 OK\r\nLocation: x\r\nContent-Length: 0\r\n\r\n",
    };
    struct mohs_scenario scenario = {0};
    fill(&scenario);
    CHECK_EQUAL(0, mohs_scenario_ready(&scenario, 2));
    struct mohs_client *client = client_of(&scenario, 0);
    uint64_t random = 1;
    struct mohs_span bytes;
    for (size_t at = 0; at < sizeof pages / sizeof *pages; at++) {
        mohs_client_begin(client, true, &random);
        mohs_client_render(client, &bytes);
        size_t size = strlen(pages[at]);
        CHECK_EQUAL(MOHS_NO_CAPTURE, read_page(client, pages[at], size, size, size));
        mohs_client_ended(client, false);
        CHECK(!client->midway);
    }
    free(client);
    mohs_scenario_free(&scenario);
}

TEST(a_page_can_be_larger_than_what_is_searched) {
    struct mohs_scenario scenario = {0};
    fill(&scenario);
    CHECK_EQUAL(0, mohs_scenario_ready(&scenario, 2));
    struct mohs_client *client = client_of(&scenario, 0);
    static char much[100000];
    for (int at = 0; at < 20; at++) mohs_client_body(client, (struct mohs_span){much, sizeof much});
    CHECK_EQUAL(MOHS_PAGE_MAX, client->page_size);
    free(client);
    mohs_scenario_free(&scenario);
}

TEST(think_times_are_within_their_bounds) {
    struct mohs_scenario scenario = {0};
    fill(&scenario);
    scenario.steps[0].think_low_ns = 10;
    scenario.steps[0].think_high_ns = 13;
    CHECK_EQUAL(0, mohs_scenario_ready(&scenario, 2));
    struct mohs_client *client = client_of(&scenario, 0);
    uint64_t random = 1;
    unsigned seen = 0;
    for (int round = 0; round < 200; round++) {
        mohs_client_begin(client, false, &random);
        uint64_t think = mohs_client_ended(client, true);
        CHECK(think >= 10 && think <= 13);
        if (think >= 10 && think <= 13) seen |= 1u << (think - 10);
        mohs_client_begin(client, false, &random);
        CHECK_EQUAL(0, mohs_client_ended(client, false)); // nobody thinks about what failed
    }
    CHECK_EQUAL(15, seen);
    free(client);
    mohs_scenario_free(&scenario);
}

static void refuse(void (*spoil)(struct mohs_scenario *)) {
    struct mohs_scenario scenario = {0};
    fill(&scenario);
    spoil(&scenario);
    CHECK_EQUAL(-EINVAL, mohs_scenario_ready(&scenario, 2));
    mohs_scenario_free(&scenario);
}

static void no_such_variable(struct mohs_scenario *scenario) {
    scenario->steps[0].head.parts[0].variable = VARIABLES;
}

static void no_such_step(struct mohs_scenario *scenario) {
    scenario->actions[0].count = 3;
}

static void captured_into_a_list(struct mohs_scenario *scenario) {
    scenario->steps[0].captures[0].variable = TOPIC;
}

static void backwards(struct mohs_scenario *scenario) {
    scenario->variables[NUMBER].high = -3;
}

static void thinks_backwards(struct mohs_scenario *scenario) {
    scenario->steps[0].think_low_ns = 1;
}

static void no_actions(struct mohs_scenario *scenario) {
    scenario->action_count = 0;
}

TEST(tables_with_invalid_indexes_are_refused) {
    refuse(no_such_variable);
    refuse(no_such_step);
    refuse(captured_into_a_list);
    refuse(backwards);
    refuse(thinks_backwards);
    refuse(no_actions);
}

/* ---- in an engine ---------------------------------------------------------------------------- */

#define TOKEN_PAGE "HTTP/1.1 200 OK\r\nLocation: /x\r\nContent-Length: 9\r\n\r\ntoken=\"x\""

/* Every third page lacks its token; every seventh request is answered by closing. */
static enum deed tokens(unsigned long number, const char **answer) {
    if (number % 7 == 0) return CLOSE;
    if (number % 3) *answer = TOKEN_PAGE;
    return ANSWER;
}

static enum deed token_pages(unsigned long number, const char **answer) {
    (void)number;
    *answer = TOKEN_PAGE;
    return ANSWER;
}

/* Both steps are GET: the tests' server reads no bodies. */
static void set_up_clients(struct mohs_engine *engine, const struct server *server, size_t workers,
                           uint32_t connections, uint64_t think_ns) {
    struct mohs_check check = {.mode = MOHS_CHECK_STATUS};
    uint32_t numbers[] = {0, 1};
    mohs_check_allow(&check, 200);
    CHECK_EQUAL(0, mohs_engine_init(engine, 1, workers, NULL, 0));
    struct mohs_target *target = engine->targets;
    target->connections = connections;
    target->timeout_ns = engine->drain_ns = engine->gone_ns = 10 * MOHS_SECOND;
    mohs_target_set_address(target, &server->address, sizeof server->address);
    mohs_target_set_workers(target, numbers, workers);
    for (int at = 0; at < 2; at++) mohs_target_add_request(target, "", 0, 1, false, &check);
    struct mohs_scenario *scenario = mohs_target_take_scenario(target);
    fill(scenario);
    scenario->steps[1].has_body = false;
    scenario->steps[1].head =
        template(scenario, "GET /b HTTP/1.1\r\n", MOHS_NO_VARIABLE, MOHS_ESCAPE_NOTHING);
    scenario->steps[0].think_low_ns = scenario->steps[0].think_high_ns = think_ns;
    CHECK_EQUAL(0, mohs_engine_ready(engine, SEED, 1000));
}

/* Counts the records of each step, and the good ones of the first. */
static void count_steps(struct mohs_engine *engine, uint64_t counts[2], uint64_t *good) {
    struct mohs_run runs[4];
    size_t count = mohs_engine_runs(engine, 0, false, runs, 4);
    counts[0] = counts[1] = *good = 0;
    for (size_t at = 0; at < count; at++) {
        for (size_t index = 0; index < runs[at].count; index++) {
            const struct mohs_record *record = &runs[at].records[index];
            counts[record->request]++;
            *good += record->request == 0 && record->error == MOHS_OK;
        }
    }
}

TEST(an_action_goes_on_only_after_a_right_step) {
    struct server server;
    struct mohs_engine engine;
    uint64_t counts[2], good;
    server_start(&server, tokens);
    set_up_clients(&engine, &server, 2, 5, 0);
    struct mohs_step_result result = counted(&engine, 303);
    const struct mohs_tally *total = &result.total;
    count_steps(&engine, counts, &good);
    CHECK_EQUAL(303, total->actions);
    CHECK_EQUAL(303, counts[0]);
    CHECK_EQUAL(good, counts[1]);
    CHECK(total->errors[MOHS_NO_CAPTURE] > 50);
    CHECK_EQUAL(counts[0] - good,
                failed(total) - (counts[1] - total->finished)); // of the second step the others
    check_sums(&engine, total, counts[0] + counts[1]);
    CHECK_EQUAL(total->sent, server.requests);
    mohs_engine_free(&engine);
    server_stop(&server);
}

TEST(each_client_logs_in_once) {
    struct server server;
    struct mohs_engine engine;
    struct mohs_step step = {.count = 5, .targets = 1, .warm_up = true, .login = true};
    struct mohs_step_result result;
    server_start(&server, token_pages);
    set_up_clients(&engine, &server, 2, 5, 0);
    carry_out(&engine, &step, 1);
    mohs_engine_result(&engine, 0, 0, &result);
    CHECK_EQUAL(5, result.total.actions);
    CHECK_EQUAL(5, result.total.finished);
    CHECK_EQUAL(5, result.total.sent);
    CHECK_EQUAL(1, result.total.requests_min);
    CHECK_EQUAL(1, result.total.requests_max);
    mohs_engine_free(&engine);
    server_stop(&server);
}

/* Due 10 ms apart on one connection, whose client thinks for 15 ms: some wait, all are done. */
TEST(an_open_loop_begins_actions_and_completes_them) {
    struct server server;
    struct mohs_engine engine;
    struct mohs_step step = {
        .count = 10,
        .targets = 1,
        .arrivals = {.kind = MOHS_REGULAR, .rate_per_s = 100, .to_per_s = 100, .burst = 1}};
    struct mohs_step_result result;
    server_start(&server, token_pages);
    set_up_clients(&engine, &server, 1, 1, 15 * MOHS_MILLISECOND);
    carry_out(&engine, &step, 1);
    mohs_engine_result(&engine, 0, 0, &result);
    CHECK_EQUAL(10, result.total.actions);
    CHECK_EQUAL(10, result.total.finished);
    CHECK_EQUAL(20, result.total.good);
    CHECK(result.total.queued > 0);
    CHECK(result.wall_ns >= 150 * MOHS_MILLISECOND);
    mohs_engine_free(&engine);
    server_stop(&server);
}

TEST(at_the_step_s_end_no_client_goes_on_thinking) {
    struct server server;
    struct mohs_engine engine;
    struct mohs_step step = {.duration_ns = 50 * MOHS_MILLISECOND, .targets = 1};
    struct mohs_step_result result;
    server_start(&server, token_pages);
    set_up_clients(&engine, &server, 1, 3, 60 * MOHS_SECOND);
    uint64_t before = mohs_now_ns();
    carry_out(&engine, &step, 1);
    CHECK(mohs_now_ns() - before < 5 * MOHS_SECOND);
    mohs_engine_result(&engine, 0, 0, &result);
    CHECK_EQUAL(3, result.total.actions);
    CHECK_EQUAL(0, result.total.finished);
    CHECK_EQUAL(3, result.total.good);
    CHECK_EQUAL(0, failed(&result.total));
    carry_out(&engine, &step, 1); // and the next step begins anew
    mohs_engine_result(&engine, 0, 0, &result);
    CHECK_EQUAL(3, result.total.actions);
    mohs_engine_free(&engine);
    server_stop(&server);
}

TEST(a_stop_ends_clients_that_think) {
    struct server server;
    struct mohs_engine engine;
    struct mohs_step step = {.count = 3, .targets = 1};
    server_start(&server, token_pages);
    set_up_clients(&engine, &server, 1, 3, 60 * MOHS_SECOND);
    CHECK_EQUAL(0, mohs_engine_start(&engine, &step, 1));
    CHECK(!mohs_engine_wait(&engine, 100));
    mohs_engine_stop(&engine);
    CHECK(mohs_engine_wait(&engine, 5000));
    mohs_engine_join(&engine);
    mohs_engine_free(&engine);
    server_stop(&server);
}

/* A connection of one client, driven by hand, in a step that ends `rest_ns` after it begins. */
static void open_bench(struct bench *bench, uint64_t think_ns, uint64_t rest_ns) {
    struct server server;
    bench->listener = server_listen(&server.address);
    set_up_clients(&bench->engine, &server, 1, 1, think_ns);
    connect_bench(bench);
    bench->job->loop->now_ns = mohs_now_ns();
    bench->job->deadline_ns = bench->job->loop->now_ns + rest_ns;
    bench->connection->quota = bench->job->quota = 1;
    mohs_connection_begin(bench->connection, bench->job->loop->now_ns);
}

/* The connection reads these bytes. */
static void tell(struct bench *bench, const char *bytes) {
    struct pollfd there = {.fd = bench->connection->fd, .events = POLLIN};
    CHECK_EQUAL(strlen(bytes), send(bench->peer, bytes, strlen(bytes), 0));
    CHECK_EQUAL(1, poll(&there, 1, 5000));
    mohs_connection_ready(bench->connection, EPOLLIN);
}

TEST(unasked_bytes_take_no_action_back_that_the_step_s_end_cut) {
    struct bench bench;
    open_bench(&bench, 60 * MOHS_SECOND, 30 * MOHS_SECOND);
    tell(&bench, TOKEN_PAGE);
    CHECK_EQUAL(1, bench.tally.good);
    CHECK_EQUAL(0, bench.job->in_flight);
    tell(&bench, "x");
    CHECK_EQUAL(0, bench.tally.good);
    CHECK_EQUAL(0, bench.tally.finished);
    CHECK_EQUAL(0, bench.job->in_flight);
    close_bench(&bench);
}

TEST(unasked_bytes_take_no_action_back_whose_client_still_thinks) {
    struct bench bench;
    open_bench(&bench, 30 * MOHS_SECOND, 60 * MOHS_SECOND);
    tell(&bench, TOKEN_PAGE);
    CHECK_EQUAL(1, bench.job->in_flight);
    tell(&bench, "x");
    CHECK_EQUAL(0, bench.tally.finished);
    CHECK_EQUAL(0, bench.job->in_flight);
    close_bench(&bench);
}

TEST(unasked_bytes_take_a_finished_action_back) {
    struct bench bench;
    open_bench(&bench, 0, 60 * MOHS_SECOND);
    tell(&bench, TOKEN_PAGE);
    CHECK_EQUAL(0, bench.tally.finished);
    tell(&bench, "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n");
    CHECK_EQUAL(1, bench.tally.finished);
    CHECK_EQUAL(0, bench.job->in_flight);
    tell(&bench, "x");
    CHECK_EQUAL(1, bench.tally.good);
    CHECK_EQUAL(0, bench.tally.finished);
    close_bench(&bench);
}

int main(void) {
    RUN(what_is_drawn_follows_from_the_seed);
    RUN(an_answer_is_read_the_same_however_it_is_cut);
    RUN(a_missing_capture_is_an_error_and_ends_the_action);
    RUN(a_page_can_be_larger_than_what_is_searched);
    RUN(think_times_are_within_their_bounds);
    RUN(tables_with_invalid_indexes_are_refused);
    RUN(an_action_goes_on_only_after_a_right_step);
    RUN(each_client_logs_in_once);
    RUN(an_open_loop_begins_actions_and_completes_them);
    RUN(at_the_step_s_end_no_client_goes_on_thinking);
    RUN(a_stop_ends_clients_that_think);
    RUN(unasked_bytes_take_no_action_back_that_the_step_s_end_cut);
    RUN(unasked_bytes_take_no_action_back_whose_client_still_thinks);
    RUN(unasked_bytes_take_a_finished_action_back);
    (void)always, (void)set_up;
    return report();
}
