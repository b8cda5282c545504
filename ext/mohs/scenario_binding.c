/*
 * Load::Scenario's tables for core/scenario.h. Ruby has checked what they mean; here their form is
 * checked, and mohs_scenario_ready checks that every index is valid.
 */
#include "binding.h"
#include "scenario_tables.h"

#include <errno.h>

static VALUE kinds, escapes, hows;

/* Room for one entry of the core's table per entry of the array. */
static void *room_for(struct mohs_scenario *scenario, VALUE array, size_t size) {
    void *table = mohs_scenario_take(scenario, (size_t)RARRAY_LEN(array), size);
    if (!table) rb_memerror();
    return table;
}

static struct mohs_span span_of(struct mohs_scenario *scenario, VALUE text) {
    Check_Type(text, T_STRING);
    struct mohs_span span = {RSTRING_PTR(text), (size_t)RSTRING_LEN(text)};
    span = mohs_scenario_copy(scenario, span);
    if (!span.data) rb_memerror();
    RB_GC_GUARD(text);
    return span;
}

static struct mohs_span *spans_of(struct mohs_scenario *scenario, VALUE texts) {
    struct mohs_span *spans = room_for(scenario, texts, sizeof *spans);
    for (long at = 0; at < RARRAY_LEN(texts); at++)
        spans[at] = span_of(scenario, rb_ary_entry(texts, at));
    return spans;
}

/* Fills the variable that Scenario::Variable#packed describes. */
static void fill_variable(struct mohs_scenario *scenario, struct mohs_variable *variable,
                          VALUE values) {
    VALUE listed = MOHS_FETCH_LIST(values, values);
    *variable = (struct mohs_variable){
        .kind = (enum mohs_variable_kind)mohs_number_of(kinds, MOHS_FETCH(values, kind)),
        .steady = RTEST(MOHS_FETCH(values, steady)),
        .group = NUM2UINT(MOHS_FETCH(values, group)),
        .low = NUM2LL(MOHS_FETCH(values, low)),
        .high = NUM2LL(MOHS_FETCH(values, high)),
        .values = spans_of(scenario, listed),
        .value_count = (size_t)RARRAY_LEN(listed),
    };
}

/* The template that Scenario::Template#packed describes. */
static struct mohs_template template_of(struct mohs_scenario *scenario, VALUE parts) {
    struct mohs_template filled = {.parts = room_for(scenario, parts, sizeof *filled.parts),
                                   .count = (size_t)RARRAY_LEN(parts)};
    for (long at = 0; at < RARRAY_LEN(parts); at++) {
        VALUE part = rb_ary_entry(parts, at);
        VALUE variable = MOHS_FETCH(part, variable);
        filled.parts[at] = (struct mohs_part){
            .literal = span_of(scenario, MOHS_FETCH(part, literal)),
            .variable = NIL_P(variable) ? MOHS_NO_VARIABLE : NUM2UINT(variable),
            .escape = (enum mohs_escape)mohs_number_of(escapes, MOHS_FETCH(part, escape)),
        };
    }
    return filled;
}

/* The pattern that Scenario::Pattern#packed describes; its set has a bit for each byte. */
static struct mohs_pattern pattern_of(struct mohs_scenario *scenario, VALUE values) {
    VALUE set = MOHS_FETCH(values, set);
    struct mohs_pattern pattern = {
        .before = span_of(scenario, MOHS_FETCH(values, before)),
        .behind = span_of(scenario, MOHS_FETCH(values, behind)),
        .least = NUM2UINT(MOHS_FETCH(values, least)),
        .lazy = RTEST(MOHS_FETCH(values, lazy)),
    };
    Check_Type(set, T_STRING);
    if (RSTRING_LEN(set) != sizeof pattern.set) rb_raise(rb_eArgError, "a set has 32 bytes");
    memcpy(pattern.set, RSTRING_PTR(set), sizeof pattern.set);
    return pattern;
}

/* Fills the capture that Scenario::Capture#packed describes. */
static void fill_capture(struct mohs_scenario *scenario, struct mohs_capture *capture,
                         VALUE values) {
    VALUE tokens = MOHS_FETCH_LIST(values, tokens);
    *capture = (struct mohs_capture){
        .variable = NUM2UINT(MOHS_FETCH(values, variable)),
        .header = span_of(scenario, MOHS_FETCH(values, header)),
        .how = (enum mohs_capture_how)mohs_number_of(hows, MOHS_FETCH(values, how)),
        .path = spans_of(scenario, tokens),
        .path_size = (size_t)RARRAY_LEN(tokens),
        .html = RTEST(MOHS_FETCH(values, html)),
    };
    if (capture->how == MOHS_CAPTURE_PATTERN)
        capture->pattern = pattern_of(scenario, MOHS_FETCH(values, pattern));
}

/* Fills the step that Scenario::Request#packed describes. */
static void fill_step(struct mohs_scenario *scenario, struct mohs_scenario_step *step,
                      VALUE values) {
    VALUE captures = MOHS_FETCH_LIST(values, captures);
    step->head = template_of(scenario, MOHS_FETCH_LIST(values, head));
    step->has_body = !NIL_P(MOHS_FETCH(values, body));
    if (step->has_body) step->body = template_of(scenario, MOHS_FETCH_LIST(values, body));
    step->captures = room_for(scenario, captures, sizeof *step->captures);
    step->capture_count = (size_t)RARRAY_LEN(captures);
    for (long at = 0; at < RARRAY_LEN(captures); at++)
        fill_capture(scenario, &step->captures[at], rb_ary_entry(captures, at));
    step->think_low_ns = NUM2ULL(MOHS_FETCH(values, think_low_ns));
    step->think_high_ns = NUM2ULL(MOHS_FETCH(values, think_high_ns));
}

/* The action that Scenario#packed_action describes. */
static struct mohs_action action_of(struct mohs_scenario *scenario, VALUE values) {
    VALUE drawn = MOHS_FETCH_LIST(values, variables);
    struct mohs_action action = {
        .first = NUM2UINT(MOHS_FETCH(values, first)),
        .count = NUM2UINT(MOHS_FETCH(values, count)),
        .variables = room_for(scenario, drawn, sizeof *action.variables),
        .variable_count = (size_t)RARRAY_LEN(drawn),
    };
    for (long at = 0; at < RARRAY_LEN(drawn); at++)
        action.variables[at] = NUM2UINT(rb_ary_entry(drawn, at));
    return action;
}

static void fill_actions(struct mohs_scenario *scenario, VALUE actions) {
    uint64_t before = 0;
    scenario->actions = room_for(scenario, actions, sizeof *scenario->actions);
    scenario->weights = room_for(scenario, actions, sizeof *scenario->weights);
    scenario->action_count = (size_t)RARRAY_LEN(actions);
    for (long at = 0; at < RARRAY_LEN(actions); at++) {
        VALUE action = rb_ary_entry(actions, at);
        scenario->actions[at] = action_of(scenario, action);
        before += NUM2UINT(MOHS_FETCH(action, weight));
        scenario->weights[at] = before;
    }
}

void mohs_scenario_fill(struct mohs_target *target, VALUE values) {
    VALUE variables = MOHS_FETCH_LIST(values, variables);
    VALUE login = MOHS_FETCH(values, login);
    VALUE steps = MOHS_FETCH_LIST(values, steps);
    struct mohs_scenario *scenario = mohs_target_take_scenario(target);
    if (!scenario) rb_memerror();
    scenario->variables = room_for(scenario, variables, sizeof *scenario->variables);
    scenario->variable_count = (size_t)RARRAY_LEN(variables);
    for (long at = 0; at < RARRAY_LEN(variables); at++)
        fill_variable(scenario, &scenario->variables[at], rb_ary_entry(variables, at));
    scenario->steps = room_for(scenario, steps, sizeof *scenario->steps);
    scenario->step_count = (size_t)RARRAY_LEN(steps);
    for (long at = 0; at < RARRAY_LEN(steps); at++)
        fill_step(scenario, &scenario->steps[at], rb_ary_entry(steps, at));
    fill_actions(scenario, MOHS_FETCH_LIST(values, actions));
    scenario->made_s = NUM2LL(MOHS_FETCH(values, made_s));
    if (!NIL_P(login)) scenario->login = action_of(scenario, login);
}

void mohs_init_scenario(void) {
    kinds = MOHS_DEFINE_NAMES("VARIABLE_KINDS", MOHS_VARIABLE_KINDS);
    escapes = MOHS_DEFINE_NAMES("ESCAPES", MOHS_ESCAPES);
    hows = MOHS_DEFINE_NAMES("CAPTURE_HOWS", MOHS_CAPTURE_HOWS);
}
