/*
 * Load::Scenario's tables for core/scenario.h. Ruby has checked what they mean; here their shape is
 * checked, and by mohs_scenario_ready that every number in them leads somewhere.
 */
#include "scenario_tables.h"

#include <errno.h>

static VALUE list(VALUE array, long index) {
    VALUE inner = rb_ary_entry(array, index);
    Check_Type(inner, T_ARRAY);
    return inner;
}

static VALUE entry(VALUE array, long index) {
    return rb_ary_entry(array, index);
}

/* Room for an entry of the core's for each of the array. */
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
    for (long at = 0; at < RARRAY_LEN(texts); at++) spans[at] = span_of(scenario, entry(texts, at));
    return spans;
}

/* [kind, steady, group, low, high, [value]] */
static void fill_variable(struct mohs_scenario *scenario, struct mohs_variable *variable,
                          VALUE values) {
    Check_Type(values, T_ARRAY);
    VALUE listed = list(values, 5);
    *variable = (struct mohs_variable){
        .kind = (enum mohs_variable_kind)NUM2INT(entry(values, 0)),
        .steady = RTEST(entry(values, 1)),
        .group = NUM2UINT(entry(values, 2)),
        .low = NUM2LL(entry(values, 3)),
        .high = NUM2LL(entry(values, 4)),
        .values = spans_of(scenario, listed),
        .value_count = (size_t)RARRAY_LEN(listed),
    };
}

/* [[literal, variable|nil, escape]] */
static struct mohs_template template_of(struct mohs_scenario *scenario, VALUE parts) {
    struct mohs_template filled = {.parts = room_for(scenario, parts, sizeof *filled.parts),
                                   .count = (size_t)RARRAY_LEN(parts)};
    for (long at = 0; at < RARRAY_LEN(parts); at++) {
        VALUE part = list(parts, at);
        VALUE variable = entry(part, 1);
        filled.parts[at] = (struct mohs_part){
            .literal = span_of(scenario, entry(part, 0)),
            .variable = NIL_P(variable) ? MOHS_NO_VARIABLE : NUM2UINT(variable),
            .escape = (enum mohs_escape)NUM2INT(entry(part, 2)),
        };
    }
    return filled;
}

/* [before, behind, 32 bytes of set, least, lazy] */
static struct mohs_pattern pattern_of(struct mohs_scenario *scenario, VALUE values) {
    VALUE set = entry(values, 2);
    struct mohs_pattern pattern = {
        .before = span_of(scenario, entry(values, 0)),
        .behind = span_of(scenario, entry(values, 1)),
        .least = NUM2UINT(entry(values, 3)),
        .lazy = RTEST(entry(values, 4)),
    };
    Check_Type(set, T_STRING);
    if (RSTRING_LEN(set) != sizeof pattern.set) rb_raise(rb_eArgError, "a set has 32 bytes");
    memcpy(pattern.set, RSTRING_PTR(set), sizeof pattern.set);
    return pattern;
}

/* [variable, header, how, pattern|nil, [token], html] */
static void fill_capture(struct mohs_scenario *scenario, struct mohs_capture *capture,
                         VALUE values) {
    Check_Type(values, T_ARRAY);
    VALUE tokens = list(values, 4);
    *capture = (struct mohs_capture){
        .variable = NUM2UINT(entry(values, 0)),
        .header = span_of(scenario, entry(values, 1)),
        .how = (enum mohs_capture_how)NUM2INT(entry(values, 2)),
        .path = spans_of(scenario, tokens),
        .path_size = (size_t)RARRAY_LEN(tokens),
        .html = RTEST(entry(values, 5)),
    };
    if (capture->how == MOHS_CAPTURE_PATTERN)
        capture->pattern = pattern_of(scenario, list(values, 3));
}

/* [head, body|nil, [capture], think_low_ns, think_high_ns] */
static void fill_step(struct mohs_scenario *scenario, struct mohs_scenario_step *step,
                      VALUE values) {
    Check_Type(values, T_ARRAY);
    VALUE captures = list(values, 2);
    step->head = template_of(scenario, list(values, 0));
    step->has_body = !NIL_P(entry(values, 1));
    if (step->has_body) step->body = template_of(scenario, list(values, 1));
    step->captures = room_for(scenario, captures, sizeof *step->captures);
    step->capture_count = (size_t)RARRAY_LEN(captures);
    for (long at = 0; at < RARRAY_LEN(captures); at++)
        fill_capture(scenario, &step->captures[at], entry(captures, at));
    step->think_low_ns = NUM2ULL(entry(values, 3));
    step->think_high_ns = NUM2ULL(entry(values, 4));
}

/* [first, count, weight, [variable]] */
static struct mohs_action action_of(struct mohs_scenario *scenario, VALUE values) {
    VALUE drawn = list(values, 3);
    struct mohs_action action = {
        .first = NUM2UINT(entry(values, 0)),
        .count = NUM2UINT(entry(values, 1)),
        .variables = room_for(scenario, drawn, sizeof *action.variables),
        .variable_count = (size_t)RARRAY_LEN(drawn),
    };
    for (long at = 0; at < RARRAY_LEN(drawn); at++)
        action.variables[at] = NUM2UINT(entry(drawn, at));
    return action;
}

static void fill_actions(struct mohs_scenario *scenario, VALUE actions) {
    uint64_t before = 0;
    scenario->actions = room_for(scenario, actions, sizeof *scenario->actions);
    scenario->weights = room_for(scenario, actions, sizeof *scenario->weights);
    scenario->action_count = (size_t)RARRAY_LEN(actions);
    for (long at = 0; at < RARRAY_LEN(actions); at++) {
        VALUE action = list(actions, at);
        scenario->actions[at] = action_of(scenario, action);
        before += NUM2UINT(entry(action, 2));
        scenario->weights[at] = before;
    }
}

/* [[variable], [step], [action], login|nil, seconds since 1970] */
void mohs_scenario_fill(struct mohs_target *target, VALUE values) {
    Check_Type(values, T_ARRAY);
    VALUE variables = list(values, 0);
    VALUE steps = list(values, 1);
    struct mohs_scenario *scenario = mohs_target_take_scenario(target);
    if (!scenario) rb_memerror();
    scenario->variables = room_for(scenario, variables, sizeof *scenario->variables);
    scenario->variable_count = (size_t)RARRAY_LEN(variables);
    for (long at = 0; at < RARRAY_LEN(variables); at++)
        fill_variable(scenario, &scenario->variables[at], entry(variables, at));
    scenario->steps = room_for(scenario, steps, sizeof *scenario->steps);
    scenario->step_count = (size_t)RARRAY_LEN(steps);
    for (long at = 0; at < RARRAY_LEN(steps); at++)
        fill_step(scenario, &scenario->steps[at], entry(steps, at));
    fill_actions(scenario, list(values, 2));
    scenario->made_s = NUM2LL(entry(values, 4));
    if (!NIL_P(entry(values, 3))) scenario->login = action_of(scenario, list(values, 3));
}
