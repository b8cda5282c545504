/*
 * A client of a scenario on any answer: captures, cookies and the request made of both do not
 * depend on how the answer was cut, and no value can end a line of that request or leave its place.
 * Even first byte: a pattern is searched in the body; odd: a JSON value. The rest is the answer's
 * head and body.
 */
#include "core/client.h"

#include <stddef.h>

#include "core/error.h"
#include "core/json.h"
#include "fuzz.h"

enum { PATTERN, JSON, RENDER, STEPS };
enum { FOUND, PLACE, VARIABLES };

static struct mohs_scenario scenario;

/* GET /PLACE?q=FOUND with a header and a body of the same. */
static void render_both(struct mohs_scenario_step *step) {
    static struct mohs_part head[4], body[2];
    head[0] = (struct mohs_part){span_of("POST /"), PLACE, MOHS_ESCAPE_PATH};
    head[1] = (struct mohs_part){span_of("?q="), FOUND, MOHS_ESCAPE_FORM};
    head[2] = (struct mohs_part){span_of(" HTTP/1.1\r\nX: "), FOUND, MOHS_ESCAPE_HEADER};
    head[3] = (struct mohs_part){span_of("\r\n"), MOHS_NO_VARIABLE, MOHS_ESCAPE_NOTHING};
    body[0] = (struct mohs_part){span_of("[\""), FOUND, MOHS_ESCAPE_JSON};
    body[1] = (struct mohs_part){span_of("\"]"), MOHS_NO_VARIABLE, MOHS_ESCAPE_NOTHING};
    step->head = (struct mohs_template){head, 4};
    step->body = (struct mohs_template){body, 2};
    step->has_body = true;
}

static void prepare(void) {
    static struct mohs_variable variables[VARIABLES]; // MOHS_CAPTURED
    static struct mohs_span path[2];
    static struct mohs_capture captures[2][2];
    static struct mohs_scenario_step steps[STEPS];
    static struct mohs_action action = {.count = STEPS};
    static uint64_t weight = 1;
    struct mohs_pattern quoted = {.before = span_of("=\""), .behind = span_of("\""), .least = 1};
    memset(quoted.set, 0xff, sizeof quoted.set);
    path[0] = span_of("a");
    path[1] = span_of("0");
    captures[PATTERN][0] = (struct mohs_capture){
        .variable = FOUND, .how = MOHS_CAPTURE_PATTERN, .pattern = quoted, .html = true};
    captures[JSON][0] = (struct mohs_capture){
        .variable = FOUND, .how = MOHS_CAPTURE_JSON, .path = path, .path_size = 2};
    for (size_t at = 0; at < RENDER; at++) {
        captures[at][1] = (struct mohs_capture){.variable = PLACE, .header = span_of("location")};
        steps[at] = (struct mohs_scenario_step){.captures = captures[at], .capture_count = 2};
    }
    render_both(&steps[RENDER]);
    scenario = (struct mohs_scenario){.variables = variables,
                                      .variable_count = VARIABLES,
                                      .steps = steps,
                                      .step_count = STEPS,
                                      .actions = &action,
                                      .weights = &weight,
                                      .action_count = 1,
                                      .made_s = 1700000000};
    HOLDS(mohs_scenario_ready(&scenario, STEPS) == 0);
}

/* A client in its initial state. The contents of its large parts, page and cookies, don't matter
 * beyond their size. */
static struct mohs_client *fresh(void *memory, uint32_t step) {
    uint64_t random = 1;
    memset(memory, 0, offsetof(struct mohs_client, cookies));
    struct mohs_client *client = mohs_client_make(memory, &scenario, 1, 0, 1);
    client->cookies.count = 0;
    for (size_t at = 0; at < VARIABLES; at++) client->values[at] = span_of("");
    mohs_client_begin(client, false, &random);
    client->step = step;
    return client;
}

/* The client's result for the answer; MOHS_OTHER if it did not end well. */
static int read_answer(struct mohs_client *client, const char *bytes, size_t size,
                       const struct cuts *cuts) {
    static char line[MOHS_HTTP_LINE_MAX];
    static struct room room;
    struct mohs_http http;
    struct mohs_span piece;
    enum mohs_http_event event = MOHS_HTTP_MORE;
    mohs_http_begin(&http, line, false);
    http.tell = mohs_client_tell;
    http.listener = client;
    for (size_t from = 0, end; from < size && event == MOHS_HTTP_MORE; from = end) {
        end = cuts ? cut_behind(*cuts, from, size) : size;
        const char *cursor = cuts ? room_copy(&room, bytes + from, end - from) : bytes;
        const char *stop = cursor + (end - from);
        while ((event = mohs_http_next(&http, &cursor, stop, &piece)) == MOHS_HTTP_BODY)
            mohs_client_body(client, piece);
    }
    if (event == MOHS_HTTP_BROKEN || mohs_http_closed(&http)) return MOHS_OTHER;
    ASAN_POISON_MEMORY_REGION(client->page + client->page_size, ROOM_EDGE);
    int error = mohs_client_judge(client);
    ASAN_UNPOISON_MEMORY_REGION(client->page + client->page_size, ROOM_EDGE);
    return error;
}

static size_t count(const char *text, const char *end, char wanted) {
    size_t found = 0;
    while ((text = memchr(text, wanted, (size_t)(end - text)))) found++, text++;
    return found;
}

/* Checks that the request has the lines and blanks of its template, and that its body holds the
 * value. */
static struct mohs_span render(struct mohs_client *client) {
    static const struct mohs_span first = {"0", 1};
    static char decoded[MOHS_CAPTURE_MAX];
    struct mohs_span request, value = client->values[FOUND];
    client->step = RENDER;
    HOLDS(mohs_client_render(client, &request) == RENDER);
    const char *end = request.data + request.size;
    const char *body = memmem(request.data, request.size, "\r\n\r\n", 4);
    HOLDS(body);
    body += 4;
    size_t lines = count(request.data, body, '\n');
    bool cookie = memmem(request.data, (size_t)(body - request.data), "\r\nCookie: ", 10);
    HOLDS(lines == 4u + cookie && count(request.data, body, '\r') == lines);
    const char *line = memchr(request.data, '\n', request.size);
    HOLDS(count(request.data, line, ' ') == 2);
    struct mohs_span json = {body, (size_t)(end - body)};
    long size = mohs_json_find(json, &first, 1, decoded, sizeof decoded);
    HOLDS(size >= 0 && same_span(value, (struct mohs_span){decoded, (size_t)size}));
    return request;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static void *memory[2];
    struct mohs_client *clients[2];
    if (size < 2) return 0;
    if (!scenario.step_count) prepare();
    const char *bytes = (const char *)data + 1;
    struct cuts cuts = cuts_of(bytes, size - 1);
    int errors[2];
    for (size_t at = 0; at < 2; at++) {
        if (!memory[at]) memory[at] = calloc(1, mohs_client_bytes(&scenario));
        clients[at] = fresh(memory[at], data[0] % 2 ? JSON : PATTERN);
        errors[at] = read_answer(clients[at], bytes, size - 1, at ? &cuts : NULL);
    }
    HOLDS(errors[0] == errors[1]);
    if (errors[0] == MOHS_OK) HOLDS(same_span(render(clients[0]), render(clients[1])));
    return 0;
}
