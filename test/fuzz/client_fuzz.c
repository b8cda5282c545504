/*
 * What clients read off any bytes: patterns, JSON, entities and cookies may find nothing, but not
 * read beyond what there is or write beyond their room; and an answer's captures do not depend on
 * how it was cut. The first byte chooses; for an answer the rest is its head and body as they are.
 */
#include "core/client.h"

#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/json.h"

static struct mohs_scenario scenario;

static struct mohs_span span_of(const char *text) {
    return (struct mohs_span){text, strlen(text)};
}

/* One step that captures in every way. */
static void prepare(void) {
    static struct mohs_variable variables[3] = {
        {.kind = MOHS_CAPTURED}, {.kind = MOHS_CAPTURED}, {.kind = MOHS_CAPTURED}};
    static struct mohs_capture captures[2] = {
        {.variable = 0, .how = MOHS_CAPTURE_PATTERN, .html = true}, {.variable = 1}};
    static struct mohs_scenario_step steps[1] = {{.captures = captures, .capture_count = 2}};
    static struct mohs_action actions[1] = {{.count = 1}};
    static uint64_t weights[1] = {1};
    captures[0].pattern.before = span_of("=\"");
    captures[0].pattern.behind = span_of("\"");
    captures[0].pattern.least = 1;
    memset(captures[0].pattern.set, 0xff, sizeof captures[0].pattern.set);
    captures[1].header = span_of("location");
    scenario = (struct mohs_scenario){.variables = variables,
                                      .variable_count = 3,
                                      .steps = steps,
                                      .step_count = 1,
                                      .actions = actions,
                                      .weights = weights,
                                      .action_count = 1};
    if (mohs_scenario_ready(&scenario, 1)) abort();
}

/* Reads the answer cut every `step` bytes; returns the client, whose verdict goes to *error. */
static struct mohs_client *read_answer(void *memory, const char *bytes, size_t size, size_t step,
                                       int *error) {
    static char line[MOHS_HTTP_LINE_MAX];
    struct mohs_client *client = mohs_client_make(memory, &scenario, 1, 0, 1);
    struct mohs_http http;
    struct mohs_span piece;
    uint64_t random = 1;
    enum mohs_http_event event = MOHS_HTTP_MORE;
    mohs_client_begin(client, false, &random);
    mohs_http_begin(&http, line, false);
    http.tell = mohs_client_tell;
    http.listener = client;
    for (size_t from = 0; from < size && event == MOHS_HTTP_MORE; from += step) {
        const char *cursor = bytes + from;
        const char *end = cursor + (size - from < step ? size - from : step);
        while ((event = mohs_http_next(&http, &cursor, end, &piece)) == MOHS_HTTP_BODY)
            mohs_client_body(client, piece);
    }
    *error = event == MOHS_HTTP_DONE ? mohs_client_judge(client) : MOHS_OTHER;
    return client;
}

static void answers(const char *bytes, size_t size) {
    static void *memory[2];
    int errors[2];
    struct mohs_client *clients[2];
    for (size_t at = 0; at < 2; at++) {
        if (!memory[at]) memory[at] = calloc(1, mohs_client_bytes(&scenario));
        if (!memory[at]) abort();
        memset(memory[at], 0, sizeof(struct mohs_client));
        clients[at] = read_answer(memory[at], bytes, size, at ? 1 : size, &errors[at]);
    }
    if (errors[0] != errors[1] || clients[0]->cookies.count != clients[1]->cookies.count) abort();
    for (size_t at = 0; errors[0] == MOHS_OK && at < 2; at++) {
        struct mohs_span one = clients[0]->values[at], other = clients[1]->values[at];
        if (one.size != other.size || memcmp(one.data, other.data, one.size) != 0) abort();
    }
}

static void json(const char *bytes, size_t size) {
    struct mohs_span path[] = {span_of("a"), span_of("0")};
    for (size_t depth = 0; depth <= 2; depth++) {
        char out[16];
        long found = mohs_json_find((struct mohs_span){bytes, size}, path, depth, out, sizeof out);
        if (found < -1 || found > (long)sizeof out) abort();
    }
}

static void cookies(const char *bytes, size_t size) {
    static struct mohs_cookies jar;
    static char written[MOHS_COOKIES_WRITTEN_MAX];
    mohs_cookies_set(&jar, (struct mohs_span){bytes, size}, 1700000000);
    char *end = mohs_cookies_write(&jar, (struct mohs_span){bytes, size}, written);
    if (jar.count > MOHS_COOKIES || end > written + sizeof written) abort();
}

static void entities(char *bytes, size_t size) {
    if (mohs_unescape_html(bytes, size) > size) abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size < 2) return 0;
    if (!scenario.step_count) prepare();
    char *bytes = malloc(size - 1); // of its own size, so that reading beyond it is noticed
    if (!bytes) abort();
    memcpy(bytes, data + 1, size - 1);
    if (data[0] == 'A') answers(bytes, size - 1);
    if (data[0] == 'J') json(bytes, size - 1);
    if (data[0] == 'C') cookies(bytes, size - 1);
    if (data[0] == 'H') entities(bytes, size - 1);
    free(bytes);
    return 0;
}
