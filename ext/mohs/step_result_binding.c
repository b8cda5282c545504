/*
 * A step's result (core/engine.h) as a Hash, made from the lists of core/step_fields.h, and
 * Mohs::Core::STEP_FIELDS, the keys of such a Hash.
 */
#include "binding.h"
#include "step_result.h"

#include <math.h>

#define SET(name, value)      rb_hash_aset(hash, MOHS_KEY(name), value);
#define SET_COUNT(name, rule) SET(name, ULL2NUM(from->name))
#define SET_NIL(name, rule)   SET(name, Qnil)
#define SET_VALUE(name)       SET(name, name##_value(from))

/* ---- what the thread measured about itself --------------------------------------------------- */

static VALUE waited_ns_value(const struct mohs_thread_stats *stats) {
    return stats->waited_ns < 0 ? Qnil : LL2NUM(stats->waited_ns);
}

/* The geometric mean of times, given the sum of their logarithms; nil if there are none. */
static VALUE geometric_mean(const struct mohs_thread_stats *stats, double logarithms) {
    return stats->speeds ? DBL2NUM(exp(logarithms / (double)stats->speeds)) : Qnil;
}

static VALUE pace_ns_value(const struct mohs_thread_stats *stats) {
    return geometric_mean(stats, stats->core_log);
}

static VALUE memory_ns_value(const struct mohs_thread_stats *stats) {
    return geometric_mean(stats, stats->memory_log);
}

VALUE mohs_thread_stats_hash(const struct mohs_thread_stats *from) {
    VALUE hash = rb_hash_new();
    MOHS_THREAD_COUNTS(SET_COUNT)
    MOHS_THREAD_VALUES(SET_VALUE)
    return hash;
}

static VALUE thread_stats_value(const struct mohs_step_result *result) {
    return mohs_thread_stats_hash(&result->total.thread_stats);
}

/* ---- the step -------------------------------------------------------------------------------- */

/* Counts by error number; Core::ERRORS has the names. */
static VALUE errors_value(const struct mohs_step_result *result) {
    VALUE counts = rb_ary_new_capa(MOHS_ERROR_COUNT);
    for (int error = 0; error < MOHS_ERROR_COUNT; error++)
        rb_ary_push(counts, ULL2NUM(result->total.errors[error]));
    return counts;
}

static VALUE cpu_ns_value(const struct mohs_step_result *result) {
    return result->cpu_ns < 0 ? Qnil : LL2NUM(result->cpu_ns);
}

static VALUE loaded_cpu_ns_value(const struct mohs_step_result *result) {
    return result->loaded_cpu_ns < 0 ? Qnil : LL2NUM(result->loaded_cpu_ns);
}

/* nil for each that is unknown; nil if none is watched. */
static VALUE processes_cpu_ns_value(const struct mohs_step_result *result) {
    if (!result->process_count) return Qnil;
    VALUE each = rb_ary_new_capa((long)result->process_count);
    for (size_t at = 0; at < result->process_count; at++) {
        int64_t spent = result->processes_cpu_ns[at];
        rb_ary_push(each, spent < 0 ? Qnil : LL2NUM(spent));
    }
    return each;
}

static VALUE connections_value(const struct mohs_step_result *result) {
    const struct mohs_tally *from = &result->total;
    VALUE hash = rb_hash_new();
    MOHS_CONNECTION_COUNTS(SET_COUNT)
    return hash;
}

static VALUE p50_ns_value(const struct mohs_step_result *result) {
    return result->has_p50 ? ULL2NUM(result->p50_ns) : Qnil;
}

static VALUE gone_value(const struct mohs_step_result *result) {
    return result->total.gone ? Qtrue : Qfalse;
}

/* { from_ns:, ns: }; nil if there was none. */
static VALUE outage_value(const struct mohs_step_result *result) {
    if (!result->total.outage_ns) return Qnil;
    VALUE hash = rb_hash_new();
    SET(from_ns, ULL2NUM(result->total.outage_from_ns))
    SET(ns, ULL2NUM(result->total.outage_ns))
    return hash;
}

/* { p50:, p99: }, nil in a closed loop; both nil unless `known`. */
static VALUE quantiles(const struct mohs_step_result *result, const uint64_t *times, bool known) {
    if (!result->open_loop) return Qnil;
    VALUE hash = rb_hash_new();
    SET(p50, known ? ULL2NUM(times[0]) : Qnil)
    SET(p99, known ? ULL2NUM(times[1]) : Qnil)
    return hash;
}

static VALUE lag_ns_value(const struct mohs_step_result *result) {
    return quantiles(result, result->lag_ns, result->has_lag);
}

static VALUE queue_ns_value(const struct mohs_step_result *result) {
    return quantiles(result, result->queue_ns, result->has_queue);
}

static void set_tally(VALUE hash, const struct mohs_step_result *result) {
    const struct mohs_tally *from = &result->total;
    MOHS_STEP_COUNTS(SET_COUNT)
    if (result->open_loop) {
        MOHS_OPEN_LOOP_COUNTS(SET_COUNT)
    } else {
        MOHS_OPEN_LOOP_COUNTS(SET_NIL)
    }
    if (result->scenario) {
        MOHS_SCENARIO_COUNTS(SET_COUNT)
    } else {
        MOHS_SCENARIO_COUNTS(SET_NIL)
    }
}

VALUE mohs_step_result_hash(const struct mohs_step_result *from) {
    VALUE hash = rb_hash_new();
    MOHS_STEP_TIMES(SET_COUNT)
    MOHS_STEP_VALUES(SET_VALUE)
    set_tally(hash, from);
    return hash;
}

VALUE mohs_failed_response_hash(const struct mohs_failed_response *from) {
    VALUE hash = rb_hash_new();
    SET(error, rb_str_new_cstr(mohs_error_name(from->error)))
    SET(status, INT2FIX(from->status))
    SET(bytes, rb_str_new(from->bytes, (long)from->size))
    return hash;
}

void mohs_init_step_result(void) {
    const struct mohs_step_result none = {0};
    VALUE names = rb_funcall(mohs_step_result_hash(&none), rb_intern("keys"), 0);
    rb_define_const(mohs_mCore, "STEP_FIELDS", rb_ary_freeze(names));
}
