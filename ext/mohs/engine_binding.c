/*
 * Mohs::Core::Engine: core/engine.h for Ruby. Arguments were parsed by Drivers::Native; here are
 * plain numbers and strings. Load threads never touch Ruby; the calling thread waits without the
 * GVL and comes back every 100 ms, or when Ruby wants it, to look at interrupts and run the block.
 */
#include "binding.h"
#include "records.h"
#include "scenario_tables.h"

#include <errno.h>
#include <math.h>
#include <ruby/thread.h>
#include <unistd.h>

#include "core/clock.h"
#include "core/engine.h"

#define LOOK_EVERY_MS 100 /* a signal may fail to wake the waiter: it wakes by itself as well */

struct holder {
    struct mohs_engine engine;
    pid_t maker; /* a forked child has the memory, but neither the threads nor sockets of its own */
    bool ready;
    bool running;
};

static void engine_free(void *data) {
    struct holder *holder = data;
    if (holder->engine.targets && holder->maker == getpid()) mohs_engine_free(&holder->engine);
    xfree(holder);
}

static size_t engine_size(const void *data) {
    const struct holder *holder = data;
    return sizeof *holder + mohs_engine_bytes(&holder->engine);
}

static const rb_data_type_t engine_type = {
    .wrap_struct_name = "Mohs::Core::Engine",
    .function = {.dfree = engine_free, .dsize = engine_size},
    .flags = RUBY_TYPED_FREE_IMMEDIATELY | RUBY_TYPED_WB_PROTECTED,
};

static VALUE engine_alloc(VALUE class) {
    struct holder *holder;
    VALUE self = TypedData_Make_Struct(class, struct holder, &engine_type, holder);
    holder->engine.done = -1;
    return self;
}

static struct holder *holder_of(VALUE self) {
    return rb_check_typeddata(self, &engine_type);
}

/* The engine at rest and ready; raises otherwise. */
static struct mohs_engine *at_rest(VALUE self) {
    struct holder *holder = holder_of(self);
    if (!holder->ready) rb_raise(rb_eRuntimeError, "the engine was not set up");
    if (holder->running) rb_raise(rb_eRuntimeError, "the engine is loading in another thread");
    return &holder->engine;
}

static void check(int result, const char *what) {
    if (result < 0) rb_syserr_fail(-result, what);
}

static VALUE entry(VALUE array, long index) {
    return rb_ary_entry(array, index);
}

static VALUE list(VALUE array, long index) {
    VALUE inner = rb_ary_entry(array, index);
    Check_Type(inner, T_ARRAY);
    return inner;
}

static VALUE string(VALUE array, long index) {
    VALUE text = rb_ary_entry(array, index);
    Check_Type(text, T_STRING);
    return text;
}

/* ---- set-up ---------------------------------------------------------------------------------- */

/* [bytes, weight, head, mode, [status], length, body, digest] */
static void add_request(struct mohs_target *target, VALUE request) {
    Check_Type(request, T_ARRAY);
    VALUE bytes = string(request, 0);
    VALUE statuses = list(request, 4);
    VALUE body = string(request, 6);
    struct mohs_check wanted = {
        .mode = (enum mohs_check_mode)NUM2INT(entry(request, 3)),
        .length = NUM2ULL(entry(request, 5)),
        .body = RSTRING_PTR(body),
        .digest = NUM2ULL(entry(request, 7)),
    };
    if (wanted.mode == MOHS_CHECK_EXACT) wanted.length = (uint64_t)RSTRING_LEN(body);
    for (long at = 0; at < RARRAY_LEN(statuses); at++) {
        unsigned status = NUM2UINT(entry(statuses, at));
        if (mohs_check_allow(&wanted, status)) rb_raise(rb_eArgError, "no status %u", status);
    }
    check(mohs_target_add_request(target, RSTRING_PTR(bytes), (size_t)RSTRING_LEN(bytes),
                                  NUM2UINT(entry(request, 1)), RTEST(entry(request, 2)), &wanted),
          "request");
    RB_GC_GUARD(bytes);
    RB_GC_GUARD(body);
}

/* The numbers below `limit` in an array; the caller frees *holder, or the collector does. */
static uint32_t *numbers(VALUE array, uint32_t limit, VALUE *holder) {
    long count = RARRAY_LEN(array);
    uint32_t *values = rb_alloc_tmp_buffer2(holder, count + 1, sizeof(uint32_t));
    for (long at = 0; at < count; at++) {
        values[at] = NUM2UINT(entry(array, at));
        if (values[at] >= limit) rb_raise(rb_eArgError, "%u is not below %u", values[at], limit);
    }
    return values;
}

/* [address, [source address], connections, keep_alive, timeout_ns, [worker], [request],
 * max_connections, scenario|nil] */
static void fill_target(struct mohs_engine *engine, size_t index, VALUE values) {
    struct mohs_target *target = &engine->targets[index];
    Check_Type(values, T_ARRAY);
    VALUE address = string(values, 0);
    VALUE sources = list(values, 1);
    VALUE workers = list(values, 5);
    VALUE requests = list(values, 6);
    VALUE holder = 0;
    check(mohs_target_set_address(target, RSTRING_PTR(address), (size_t)RSTRING_LEN(address)),
          "address");
    for (long at = 0; at < RARRAY_LEN(sources); at++) {
        VALUE source = string(sources, at);
        check(mohs_target_add_source(target, RSTRING_PTR(source), (size_t)RSTRING_LEN(source)),
              "source address");
    }
    target->connections = NUM2UINT(entry(values, 2));
    target->max_connections = NUM2UINT(entry(values, 7));
    target->keep_alive = (enum mohs_keep_alive)NUM2INT(entry(values, 3));
    target->timeout_ns = NUM2ULL(entry(values, 4));
    if (RARRAY_LEN(workers) == 0 || RARRAY_LEN(requests) == 0 || target->connections == 0)
        rb_raise(rb_eArgError, "a target needs a worker, a connection and a request");
    uint32_t *list_of_workers = numbers(workers, (uint32_t)engine->worker_count, &holder);
    int result = mohs_target_set_workers(target, list_of_workers, (size_t)RARRAY_LEN(workers));
    rb_free_tmp_buffer(&holder);
    check(result, "workers");
    for (long at = 0; at < RARRAY_LEN(requests); at++) add_request(target, entry(requests, at));
    if (!NIL_P(entry(values, 8))) mohs_scenario_fill(target, entry(values, 8));
}

/* Engine.new([target], workers, [cpu], seed, capacity, drain_ns, gone_ns, spin, paced) */
static VALUE engine_initialize(VALUE self, VALUE targets, VALUE workers, VALUE cpus, VALUE seed,
                               VALUE capacity, VALUE drain_ns, VALUE gone_ns, VALUE spin,
                               VALUE paced) {
    struct holder *holder = holder_of(self);
    struct mohs_engine *engine = &holder->engine;
    VALUE buffer = 0;
    Check_Type(targets, T_ARRAY);
    Check_Type(cpus, T_ARRAY);
    if (engine->targets) rb_raise(rb_eRuntimeError, "the engine was set up before");
    holder->maker = getpid();
    if (RARRAY_LEN(targets) == 0 || NUM2UINT(workers) == 0)
        rb_raise(rb_eArgError, "an engine needs a target and a worker");
    uint32_t *pinned = numbers(cpus, 1024, &buffer); // CPU_SETSIZE
    int result = mohs_engine_init(engine, (size_t)RARRAY_LEN(targets), NUM2UINT(workers),
                                  (const int *)pinned, (size_t)RARRAY_LEN(cpus));
    rb_free_tmp_buffer(&buffer);
    check(result, "engine");
    engine->drain_ns = NUM2ULL(drain_ns);
    engine->gone_ns = NUM2ULL(gone_ns);
    engine->spin = RTEST(spin);
    engine->paced = RTEST(paced);
    for (long at = 0; at < RARRAY_LEN(targets); at++)
        fill_target(engine, (size_t)at, entry(targets, at));
    check(mohs_engine_ready(engine, NUM2ULL(seed), NUM2SIZET(capacity)), "engine");
    holder->ready = true;
    return self;
}

/* The target with that number; raises when there is none. */
static size_t target_index(const struct mohs_engine *engine, VALUE number) {
    size_t index = NUM2SIZET(number);
    if (index >= engine->target_count) rb_raise(rb_eIndexError, "no target %zu", index);
    return index;
}

/* watch(target, [pid]) */
static VALUE engine_watch(VALUE self, VALUE target, VALUE pids) {
    struct mohs_engine *engine = at_rest(self);
    size_t index = target_index(engine, target);
    VALUE holder = 0;
    Check_Type(pids, T_ARRAY);
    pid_t *list_of_pids = (pid_t *)numbers(pids, INT32_MAX, &holder);
    int result = mohs_target_watch(&engine->targets[index], list_of_pids, (size_t)RARRAY_LEN(pids));
    rb_free_tmp_buffer(&holder);
    check(result, "watch");
    return Qnil;
}

/* ---- loading --------------------------------------------------------------------------------- */

static void *wait_for_end(void *data) {
    return (void *)(uintptr_t)mohs_engine_wait(data, LOOK_EVERY_MS);
}

static void look_at_ruby(void *data) {
    mohs_engine_poke(data); // any signal comes here, so the load goes on
}

static VALUE live_values(const struct mohs_engine *engine) {
    struct mohs_live live;
    mohs_engine_live(engine, &live);
    return rb_ary_new_from_args(5, ULL2NUM(live.elapsed_ns), ULL2NUM(live.step),
                                ULL2NUM(live.completed), ULL2NUM(live.failed),
                                rb_str_new((const char *)live.times, sizeof live.times));
}

static VALUE load_body(VALUE self) {
    struct mohs_engine *engine = &holder_of(self)->engine;
    uint64_t told_ns = mohs_now_ns();
    while (!rb_nogvl(wait_for_end, engine, look_at_ruby, engine, RB_NOGVL_UBF_ASYNC_SAFE)) {
        rb_thread_check_ints();
        uint64_t now = mohs_now_ns();
        if (!rb_block_given_p() || now - told_ns < LOOK_EVERY_MS * MOHS_MILLISECOND) continue;
        told_ns = now;
        rb_yield(live_values(engine));
    }
    return Qnil;
}

/* However the body ended: no thread of ours goes on. */
static VALUE load_end(VALUE self) {
    struct holder *holder = holder_of(self);
    mohs_engine_stop(&holder->engine);
    mohs_engine_join(&holder->engine);
    holder->running = false;
    return Qnil;
}

/* [kind, rate_per_s, to_per_s, burst, seed, packed times], or nil for a closed loop. The times stay
 * the string's. */
static struct mohs_arrivals arrivals_of(VALUE values) {
    if (NIL_P(values)) return (struct mohs_arrivals){.kind = MOHS_CLOSED_LOOP};
    Check_Type(values, T_ARRAY);
    VALUE times = string(values, 5);
    struct mohs_arrivals arrivals = {
        .kind = (enum mohs_arrivals_kind)NUM2INT(entry(values, 0)),
        .rate_per_s = NUM2DBL(entry(values, 1)),
        .to_per_s = NUM2DBL(entry(values, 2)),
        .burst = NUM2UINT(entry(values, 3)),
        .seed = NUM2ULL(entry(values, 4)),
        .times = (const uint64_t *)(const void *)RSTRING_PTR(times),
        .time_count = (size_t)RSTRING_LEN(times) / sizeof(uint64_t),
    };
    bool times_given = arrivals.kind == MOHS_TIMES;
    if (arrivals.kind < MOHS_REGULAR || arrivals.kind > MOHS_TIMES)
        rb_raise(rb_eArgError, "no arrivals of kind %d", (int)arrivals.kind);
    if (!times_given && (!(arrivals.rate_per_s > 0) || arrivals.burst == 0))
        rb_raise(rb_eArgError, "arrivals need a rate and a burst above 0");
    return arrivals;
}

/* [duration_ns, count, gap_ns, warm_up, [target], arrivals, login] */
static struct mohs_step step_of(const struct mohs_engine *engine, VALUE values) {
    Check_Type(values, T_ARRAY);
    VALUE targets = list(values, 4);
    struct mohs_step step = {
        .duration_ns = NUM2ULL(entry(values, 0)),
        .count = NUM2ULL(entry(values, 1)),
        .gap_ns = NUM2ULL(entry(values, 2)),
        .warm_up = RTEST(entry(values, 3)),
        .arrivals = arrivals_of(entry(values, 5)),
        .login = RTEST(entry(values, 6)),
    };
    for (long at = 0; at < RARRAY_LEN(targets); at++)
        step.targets |= 1ull << target_index(engine, entry(targets, at));
    return step;
}

/* run([step]) { |elapsed_ns, step, completed, failed, packed times| } -> nil */
static VALUE engine_run(VALUE self, VALUE steps) {
    struct mohs_engine *engine = at_rest(self);
    VALUE holder = 0;
    Check_Type(steps, T_ARRAY);
    long count = RARRAY_LEN(steps);
    if (count == 0) rb_raise(rb_eArgError, "no steps");
    if (holder_of(self)->maker != getpid())
        rb_raise(rb_eRuntimeError, "the engine belongs to the process that made it");
    struct mohs_step *list_of_steps = rb_alloc_tmp_buffer2(&holder, count, sizeof *list_of_steps);
    for (long at = 0; at < count; at++) list_of_steps[at] = step_of(engine, entry(steps, at));
    int result = mohs_engine_start(engine, list_of_steps, (size_t)count);
    rb_free_tmp_buffer(&holder);
    check(result, "load threads (is a CPU named that this process may not use?)");
    holder_of(self)->running = true;
    return rb_ensure(load_body, self, load_end, self);
}

/* ---- results --------------------------------------------------------------------------------- */

static VALUE error_counts(const uint64_t *errors) {
    VALUE counts = rb_ary_new_capa(MOHS_ERROR_COUNT);
    for (int error = 0; error < MOHS_ERROR_COUNT; error++)
        rb_ary_push(counts, ULL2NUM(errors[error]));
    return counts;
}

/* [unsent, late, queued, waiting_max, lag p50|nil, p99|nil, queue p50|nil, p99|nil]; nil: closed */
static VALUE open_loop_values(const struct mohs_engine *engine, size_t step,
                              const struct mohs_step_result *result) {
    const struct mohs_tally *total = &result->total;
    if (engine->steps[step].arrivals.kind == MOHS_CLOSED_LOOP) return Qnil;
    VALUE array = rb_ary_new_from_args(4, ULL2NUM(total->unsent), ULL2NUM(total->late),
                                       ULL2NUM(total->queued), ULL2NUM(total->waiting_max));
    for (size_t at = 0; at < 2; at++)
        rb_ary_push(array, result->lag_told ? ULL2NUM(result->lag_ns[at]) : Qnil);
    for (size_t at = 0; at < 2; at++)
        rb_ary_push(array, result->queue_told ? ULL2NUM(result->queue_ns[at]) : Qnil);
    return array;
}

/* The mean of times by their logarithms, ns; nil: not taken. */
static VALUE pace_value(const struct mohs_thread_stats *stats, double logarithms) {
    return stats->paces ? DBL2NUM(exp(logarithms / (double)stats->paces)) : Qnil;
}

/* [windows, busy, full, wakeups, events, events_max, age_sum_ns, age_max_ns, preempted,
 *  waited_ns|nil, pace_ns|nil, memory_ns|nil] */
static VALUE thread_stats_values(const struct mohs_thread_stats *stats) {
    VALUE waited = stats->waited_ns < 0 ? Qnil : LL2NUM(stats->waited_ns);
    return rb_ary_new_from_args(
        12, ULL2NUM(stats->windows), ULL2NUM(stats->busy), ULL2NUM(stats->full),
        ULL2NUM(stats->wakeups), ULL2NUM(stats->events), ULL2NUM(stats->events_max),
        ULL2NUM(stats->age_sum_ns), ULL2NUM(stats->age_max_ns), ULL2NUM(stats->preempted), waited,
        pace_value(stats, stats->pace_log), pace_value(stats, stats->memory_log));
}

/* result(step, target) -> values in the order below, or nil for a step that never began */
static VALUE engine_result(VALUE self, VALUE step, VALUE target) {
    struct mohs_engine *engine = at_rest(self);
    struct mohs_step_result result;
    const struct mohs_tally *total = &result.total;
    if (NUM2SIZET(step) >= mohs_engine_steps_done(engine)) return Qnil;
    check(mohs_engine_result(engine, NUM2SIZET(step), target_index(engine, target), &result),
          "result");
    VALUE cpu = result.cpu_ns < 0 ? Qnil : LL2NUM(result.cpu_ns);
    VALUE values[] = {
        ULL2NUM(result.started_ns),
        ULL2NUM(result.wall_ns),
        ULL2NUM(total->sent),
        ULL2NUM(total->completed),
        ULL2NUM(total->good),
        error_counts(total->errors),
        ULL2NUM(total->bytes),
        ULL2NUM(total->latency_sum_ns),
        ULL2NUM(result.p50_ns),
        ULL2NUM(total->max_ns),
        cpu,
        ULL2NUM(total->driver_cpu_ns),
        ULL2NUM(total->opened),
        ULL2NUM(total->lost),
        ULL2NUM(total->served),
        ULL2NUM(total->requests_min),
        ULL2NUM(total->requests_max),
        total->gone ? Qtrue : Qfalse,
        ULL2NUM(total->actions),
        ULL2NUM(total->finished),
        thread_stats_values(&total->thread_stats),
    };
    VALUE array = rb_ary_new_from_values(sizeof values / sizeof *values, values);
    return rb_ary_push(array, open_loop_values(engine, NUM2SIZET(step), &result));
}

/* records(target) -> Records, of all that was recorded so far */
static VALUE engine_records(VALUE self, VALUE target) {
    struct mohs_engine *engine = at_rest(self);
    size_t index = target_index(engine, target);
    VALUE holder = 0;
    size_t count = mohs_engine_runs(engine, index, NULL, 0);
    struct mohs_run *runs = rb_alloc_tmp_buffer2(&holder, (long)count + 1, sizeof *runs);
    mohs_engine_runs(engine, index, runs, count);
    VALUE records = mohs_records_new(self, runs, count);
    rb_free_tmp_buffer(&holder);
    return records;
}

/* specimen(target) -> [error number, status, bytes] or nil */
static VALUE engine_specimen(VALUE self, VALUE target) {
    struct mohs_engine *engine = at_rest(self);
    const struct mohs_specimen *first = mohs_engine_specimen(engine, target_index(engine, target));
    if (!first) return Qnil;
    return rb_ary_new_from_args(3, INT2FIX(first->error), INT2FIX(first->status),
                                rb_str_new(first->bytes, (long)first->size));
}

/* lost_records -> Integer */
static VALUE engine_lost_records(VALUE self) {
    return ULL2NUM(mohs_engine_lost_records(at_rest(self)));
}

/* epoch_ns -> Integer: what due_ns counts from, on the monotonic clock */
static VALUE engine_epoch(VALUE self) {
    return ULL2NUM(at_rest(self)->epoch_ns);
}

/* Core.due_times(arrivals, duration_ns, count) -> packed ns since the step's beginning, of the
 * first `count` arrivals within the duration (0: no end) */
static VALUE due_times(VALUE self, VALUE values, VALUE duration_ns, VALUE count) {
    (void)self;
    struct mohs_schedule schedule;
    struct mohs_arrivals arrivals = arrivals_of(values);
    const uint32_t worker = 0;
    struct mohs_share all = {.workers = &worker, .worker_count = 1, .connections = 1};
    VALUE packed = rb_str_buf_new(0);
    if (arrivals.kind == MOHS_CLOSED_LOOP) rb_raise(rb_eArgError, "a closed loop has no due times");
    mohs_schedule_init(&schedule, &arrivals, &all, 0, NUM2ULL(duration_ns), NUM2ULL(count));
    for (; schedule.due_ns != UINT64_MAX; mohs_schedule_next(&schedule))
        rb_str_cat(packed, (const char *)&schedule.due_ns, sizeof schedule.due_ns);
    RB_GC_GUARD(values);
    return packed;
}

/* sched_class = number: the scheduling class of the threads of the next runs (core/shield.h), where
 * it is permitted */
static VALUE engine_set_sched_class(VALUE self, VALUE sched_class) {
    int wanted = NUM2INT(sched_class);
    if (wanted < MOHS_SCHED_PLAIN || wanted > MOHS_SCHED_REAL_TIME)
        rb_raise(rb_eArgError, "no scheduling class %d", wanted);
    at_rest(self)->sched_class = (enum mohs_sched_class)wanted;
    return sched_class;
}

/* sched_class -> the lowest that a thread of the last run had, read back from the kernel */
static VALUE engine_sched_class(VALUE self) {
    return INT2NUM(mohs_engine_sched_class(at_rest(self)));
}

/* pin([cpu]): where the threads of the next runs are, as many as the engine was made with */
static VALUE engine_pin(VALUE self, VALUE cpus) {
    struct mohs_engine *engine = at_rest(self);
    VALUE buffer = 0;
    Check_Type(cpus, T_ARRAY);
    if ((size_t)RARRAY_LEN(cpus) != engine->cpu_count)
        rb_raise(rb_eArgError, "%ld CPUs in the place of %zu", RARRAY_LEN(cpus), engine->cpu_count);
    mohs_engine_pin(engine, (const int *)numbers(cpus, 1024, &buffer)); // CPU_SETSIZE
    rb_free_tmp_buffer(&buffer);
    return Qnil;
}

/* close -> nil: connections only, records stay */
static VALUE engine_close(VALUE self) {
    mohs_engine_close(at_rest(self));
    return Qnil;
}

void mohs_init_engine(void) {
    VALUE class = rb_define_class_under(mohs_mCore, "Engine", rb_cObject);
    rb_define_alloc_func(class, engine_alloc);
    rb_define_method(class, "initialize", engine_initialize, 9);
    rb_define_method(class, "watch", engine_watch, 2);
    rb_define_method(class, "run", engine_run, 1);
    rb_define_method(class, "result", engine_result, 2);
    rb_define_method(class, "records", engine_records, 1);
    rb_define_method(class, "specimen", engine_specimen, 1);
    rb_define_method(class, "lost_records", engine_lost_records, 0);
    rb_define_method(class, "epoch_ns", engine_epoch, 0);
    rb_define_method(class, "sched_class=", engine_set_sched_class, 1);
    rb_define_method(class, "sched_class", engine_sched_class, 0);
    rb_define_method(class, "pin", engine_pin, 1);
    rb_define_method(class, "close", engine_close, 0);
    rb_define_module_function(mohs_mCore, "due_times", due_times, 3);
}
