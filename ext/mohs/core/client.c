#include "client.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "error.h"
#include "json.h"
#include "random.h"

#define PAGE 4096 /* of memory: clients share no page */

/* Odd numbers that separate the random streams of different purposes. */
#define BY_ACTION 0x9fb21c651e98df25u
#define BY_GROUP  0xd6e8feb86659fd93u
#define BY_THINK  0xa0761d6478bd642fu

/* ---- memory ---------------------------------------------------------------------------------- */

/* Lays out the parts of a client one after the other. With base 0 it only measures them. */
struct layout {
    uintptr_t base;
    size_t used;
};

static void *part(struct layout *layout, size_t bytes) {
    uintptr_t start = layout->base + layout->used;
    layout->used += (bytes + 15) / 16 * 16;
    return (void *)start; // meaningless while measuring
}

/* Sets the pointers of `client`, which may be a scratch client. */
static void lay_out(struct mohs_client *client, struct layout *layout) {
    const struct mohs_scenario *scenario = client->scenario;
    size_t count = scenario->variable_count;
    client->values = part(layout, count * sizeof *client->values);
    client->places = part(layout, count * sizeof *client->places);
    client->drawn = part(layout, count * sizeof *client->drawn);
    client->request = part(layout, 2 * scenario->request_max);
    client->page = part(layout, MOHS_PAGE_MAX);
}

size_t mohs_client_bytes(const struct mohs_scenario *scenario) {
    struct mohs_client measured = {.scenario = scenario};
    struct layout layout = {.used = sizeof measured};
    lay_out(&measured, &layout);
    part(&layout, scenario->value_bytes);
    return (layout.used + PAGE - 1) / PAGE * PAGE;
}

struct mohs_client *mohs_client_make(void *memory, const struct mohs_scenario *scenario,
                                     uint64_t seed, uint32_t number, uint32_t of) {
    struct mohs_client *client = memory;
    struct layout layout = {.base = (uintptr_t)memory, .used = sizeof *client};
    client->scenario = scenario;
    client->seed = seed;
    client->think = seed ^ BY_THINK;
    client->number = number;
    client->of = of;
    lay_out(client, &layout);
    char *next = part(&layout, scenario->value_bytes);
    for (size_t at = 0; at < scenario->variable_count; at++) {
        client->values[at].data = "";
        client->places[at] = next;
        if (scenario->variables[at].kind != MOHS_LISTED) next += scenario->variables[at].longest;
    }
    return client;
}

/* ---- variables ------------------------------------------------------------------------------- */

/* A random state for the current action alone, so that what one group draws does not affect
 * another. */
static uint64_t chance(const struct mohs_client *client, uint64_t group) {
    return client->seed ^ client->begun * BY_ACTION ^ (group + 1) * BY_GROUP;
}

static void draw_listed(struct mohs_client *client, uint32_t index) {
    const struct mohs_variable *variable = &client->scenario->variables[index];
    uint64_t state = chance(client, variable->group);
    uint64_t place = variable->steady ? client->number % variable->value_count
                                      : mohs_random_below(&state, variable->value_count);
    client->values[index] = variable->values[place];
}

static void draw_letters(struct mohs_client *client, uint32_t index, uint64_t state) {
    struct mohs_span *value = &client->values[index];
    for (size_t at = 0; at < value->size; at++)
        client->places[index][at] = (char)('a' + mohs_random_below(&state, 26));
}

static void draw(struct mohs_client *client, uint32_t index) {
    const struct mohs_variable *variable = &client->scenario->variables[index];
    struct mohs_span *value = &client->values[index];
    char *place = client->places[index];
    char number[24];
    uint64_t state = chance(client, (uint64_t)index << 32);
    uint64_t offset = 0;
    if (variable->steady && client->drawn[index]) return;
    uint64_t times = client->drawn[index]++;
    switch (variable->kind) {
    case MOHS_LISTED:
        draw_listed(client, index);
        return;
    case MOHS_LETTERS:
        *value = (struct mohs_span){place, variable->longest};
        draw_letters(client, index, state);
        return;
    case MOHS_INTEGER:
        offset = mohs_random_below(&state, (uint64_t)(variable->high - variable->low) + 1);
        break;
    case MOHS_SEQUENCE:
        offset = client->number + times * client->of;
        break;
    case MOHS_CAPTURED:
        return;
    }
    int size =
        snprintf(number, sizeof number, "%" PRId64, (int64_t)((uint64_t)variable->low + offset));
    memcpy(place, number, (size_t)size);
    *value = (struct mohs_span){place, (size_t)size};
}

void mohs_client_begin(struct mohs_client *client, bool login, uint64_t *random) {
    const struct mohs_scenario *scenario = client->scenario;
    const struct mohs_action *action = &scenario->login;
    if (!login)
        action =
            &scenario->actions[mohs_random_pick(random, scenario->weights, scenario->action_count)];
    client->step = action->first;
    client->end = action->first + action->count;
    client->midway = true;
    for (size_t at = 0; at < action->variable_count; at++) draw(client, action->variables[at]);
    client->begun++;
}

/* ---- requests -------------------------------------------------------------------------------- */

static char *fill(const struct mohs_client *client, const struct mohs_template *template,
                  char *out) {
    for (size_t at = 0; at < template->count; at++) {
        const struct mohs_part *piece = &template->parts[at];
        if (piece->literal.size) memcpy(out, piece->literal.data, piece->literal.size);
        out += piece->literal.size;
        if (piece->variable != MOHS_NO_VARIABLE)
            out = mohs_escape(out, client->values[piece->variable], piece->escape);
    }
    return out;
}

/* The path of a rendered request line, without its query. */
static struct mohs_span path_of(const char *request, const char *end) {
    const char *start = memchr(request, ' ', (size_t)(end - request));
    if (!start) return (struct mohs_span){"/", 1};
    start++;
    const char *stop = start;
    while (stop < end && *stop != ' ' && *stop != '?') stop++;
    return (struct mohs_span){start, (size_t)(stop - start)};
}

uint32_t mohs_client_render(struct mohs_client *client, struct mohs_span *bytes) {
    uint32_t number = client->step;
    const struct mohs_scenario_step *step = &client->scenario->steps[number];
    char *start = client->request;
    char *body = client->request + client->scenario->request_max; // its length precedes it
    char *out = fill(client, &step->head, start);
    out = mohs_cookies_write(&client->cookies, path_of(start, out), out);
    if (step->has_body) {
        size_t size = (size_t)(fill(client, &step->body, body) - body);
        out += sprintf(out, "Content-Length: %zu\r\n\r\n", size);
        memcpy(out, body, size);
        out += size;
    } else {
        out = stpcpy(out, "\r\n");
    }
    assert(out <= body);
    client->found = 0;
    client->page_size = 0;
    *bytes = (struct mohs_span){start, (size_t)(out - start)};
    return number;
}

/* ---- responses ------------------------------------------------------------------------------- */

/* Stores the value of a capture. Returns false if there is no room for it. */
static bool keep(struct mohs_client *client, const struct mohs_capture *capture,
                 struct mohs_span found) {
    char *place = client->places[capture->variable];
    if (found.size > MOHS_CAPTURE_MAX) return false;
    if (found.size) memcpy(place, found.data, found.size);
    if (capture->html) found.size = mohs_unescape_html(place, found.size);
    client->values[capture->variable] = (struct mohs_span){place, found.size};
    return true;
}

static bool look_for(struct mohs_client *client, const struct mohs_capture *capture,
                     struct mohs_span text) {
    char buffer[MOHS_CAPTURE_MAX];
    struct mohs_span found = text;
    if (capture->how == MOHS_CAPTURE_PATTERN && !mohs_pattern_find(&capture->pattern, text, &found))
        return false;
    if (capture->how == MOHS_CAPTURE_JSON) {
        long size = mohs_json_find(text, capture->path, capture->path_size, buffer, sizeof buffer);
        if (size < 0) return false;
        found = (struct mohs_span){buffer, (size_t)size};
    }
    return keep(client, capture, found);
}

static bool same_name(struct mohs_span one, struct mohs_span other) {
    return one.size == other.size && strncasecmp(one.data, other.data, one.size) == 0;
}

void mohs_client_tell(void *listener, struct mohs_span name, struct mohs_span value) {
    struct mohs_client *client = listener;
    const struct mohs_scenario_step *step = &client->scenario->steps[client->step];
    static const struct mohs_span set_cookie = {"set-cookie", 10};
    if (same_name(name, set_cookie))
        mohs_cookies_set(&client->cookies, value, client->scenario->made_s);
    for (size_t at = 0; at < step->capture_count; at++) {
        const struct mohs_capture *capture = &step->captures[at];
        bool made = client->found >> at & 1;
        if (made || capture->header.size == 0 || !same_name(capture->header, name)) continue;
        if (look_for(client, capture, value)) client->found |= 1ull << at;
    }
}

void mohs_client_body(struct mohs_client *client, struct mohs_span piece) {
    size_t room = MOHS_PAGE_MAX - client->page_size;
    size_t size = piece.size < room ? piece.size : room;
    if (!client->scenario->steps[client->step].reads_body || size == 0) return;
    memcpy(client->page + client->page_size, piece.data, size);
    client->page_size += size;
}

int mohs_client_judge(struct mohs_client *client) {
    const struct mohs_scenario_step *step = &client->scenario->steps[client->step];
    struct mohs_span page = {client->page, client->page_size};
    for (size_t at = 0; at < step->capture_count; at++) {
        const struct mohs_capture *capture = &step->captures[at];
        bool made = client->found >> at & 1;
        if (!made && (capture->header.size || !look_for(client, capture, page)))
            return MOHS_NO_CAPTURE;
    }
    return MOHS_OK;
}

uint64_t mohs_client_ended(struct mohs_client *client, bool good) {
    const struct mohs_scenario_step *step = &client->scenario->steps[client->step];
    uint64_t range = step->think_high_ns - step->think_low_ns;
    client->step++;
    client->midway = good && client->step < client->end;
    client->finished = good && !client->midway;
    if (!good || step->think_high_ns == 0) return 0;
    // above 2^32 ns in units of 1024 ns
    uint64_t more = range < 1ull << 32 ? mohs_random_below(&client->think, range + 1)
                                       : mohs_random_below(&client->think, range >> 10) << 10;
    return step->think_low_ns + more;
}
