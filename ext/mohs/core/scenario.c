#include "scenario.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cookies.h"

#define NUMBER_MAX 20 /* digits and sign of 64 bits */
#define LENGTH_MAX 48 /* the Content-Length header and the blank line */

struct block {
    struct block *before;
    max_align_t bytes[];
};

void *mohs_scenario_take(struct mohs_scenario *scenario, size_t count, size_t size) {
    if (size && count > SIZE_MAX / 2 / size) return NULL;
    struct block *block = calloc(1, sizeof *block + count * size);
    if (!block) return NULL;
    block->before = scenario->memory;
    scenario->memory = block;
    return block->bytes;
}

struct mohs_span mohs_scenario_copy(struct mohs_scenario *scenario, struct mohs_span span) {
    char *copy = mohs_scenario_take(scenario, span.size + 1, 1);
    if (copy && span.size) memcpy(copy, span.data, span.size);
    return (struct mohs_span){copy, copy ? span.size : 0};
}

void mohs_scenario_free(struct mohs_scenario *scenario) {
    struct block *block = scenario->memory;
    while (block) {
        struct block *before = block->before;
        free(block);
        block = before;
    }
    *scenario = (struct mohs_scenario){0};
}

/* ---- ready ----------------------------------------------------------------------------------- */

static bool ready_variable(struct mohs_scenario *scenario, struct mohs_variable *variable) {
    switch (variable->kind) {
    case MOHS_CAPTURED:
        variable->longest = MOHS_CAPTURE_MAX;
        break;
    case MOHS_LISTED:
        for (size_t at = 0; at < variable->value_count; at++)
            if (variable->values[at].size > variable->longest)
                variable->longest = variable->values[at].size;
        return variable->value_count > 0 && variable->value_count <= UINT32_MAX;
    case MOHS_LETTERS:
        if (variable->low < 1 || variable->low > MOHS_CAPTURE_MAX) return false;
        variable->longest = (size_t)variable->low;
        break;
    case MOHS_INTEGER:
        if (variable->low > variable->high) return false;
        if ((uint64_t)variable->high - (uint64_t)variable->low > UINT32_MAX - 1) return false;
        variable->longest = NUMBER_MAX;
        break;
    case MOHS_SEQUENCE:
        variable->longest = NUMBER_MAX;
        break;
    default:
        return false;
    }
    scenario->value_bytes += variable->longest;
    return true;
}

/* Adds the most bytes that the template can render to *most. */
static bool measure(const struct mohs_scenario *scenario, const struct mohs_template *template,
                    size_t *most) {
    for (size_t at = 0; at < template->count; at++) {
        const struct mohs_part *part = &template->parts[at];
        *most += part->literal.size;
        if (part->variable == MOHS_NO_VARIABLE) continue;
        if (part->variable >= scenario->variable_count) return false;
        *most += scenario->variables[part->variable].longest * MOHS_ESCAPE_GROWTH;
    }
    return true;
}

static bool ready_captures(const struct mohs_scenario *scenario, struct mohs_scenario_step *step) {
    if (step->capture_count > MOHS_STEP_CAPTURES) return false;
    for (size_t at = 0; at < step->capture_count; at++) {
        const struct mohs_capture *capture = &step->captures[at];
        if (capture->variable >= scenario->variable_count) return false;
        if (scenario->variables[capture->variable].kind != MOHS_CAPTURED) return false;
        if (capture->header.size == 0) step->reads_body = true;
    }
    return true;
}

static bool ready_step(struct mohs_scenario *scenario, struct mohs_scenario_step *step) {
    size_t most = MOHS_COOKIES_WRITTEN_MAX + LENGTH_MAX;
    if (!measure(scenario, &step->head, &most) || !measure(scenario, &step->body, &most))
        return false;
    if (step->think_low_ns > step->think_high_ns) return false;
    if (most > scenario->request_max) scenario->request_max = most;
    return ready_captures(scenario, step);
}

static bool is_action(const struct mohs_scenario *scenario, const struct mohs_action *action) {
    if (action->first > scenario->step_count) return false;
    if (action->count > scenario->step_count - action->first) return false;
    for (size_t at = 0; at < action->variable_count; at++)
        if (action->variables[at] >= scenario->variable_count) return false;
    return true;
}

static bool ready_actions(const struct mohs_scenario *scenario) {
    uint64_t before = 0;
    for (size_t at = 0; at < scenario->action_count; at++) {
        const struct mohs_action *action = &scenario->actions[at];
        if (!is_action(scenario, action) || action->count == 0) return false;
        if (scenario->weights[at] <= before) return false;
        before = scenario->weights[at];
    }
    return before > 0 && before <= UINT32_MAX && is_action(scenario, &scenario->login);
}

int mohs_scenario_ready(struct mohs_scenario *scenario, size_t requests) {
    scenario->request_max = scenario->value_bytes = 0;
    if (scenario->step_count != requests || !ready_actions(scenario)) return -EINVAL;
    for (size_t at = 0; at < scenario->variable_count; at++)
        if (!ready_variable(scenario, &scenario->variables[at])) return -EINVAL;
    for (size_t at = 0; at < scenario->step_count; at++)
        if (!ready_step(scenario, &scenario->steps[at])) return -EINVAL;
    return 0;
}
