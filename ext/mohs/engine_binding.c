/*
 * Mohs::Core::Engine: core/engine.h for Ruby. Drivers::Native has checked the arguments; what
 * arrives here are plain numbers and strings, by name. Load threads never touch Ruby; the calling
 * thread waits without the GVL and comes back every 100 ms, or when Ruby wants it, to check
 * interrupts and run the block.
 */
#include "binding.h"
#include "load_values.h"
#include "records.h"
#include "scenario_tables.h"
#include "step_result.h"

#include <errno.h>
#include <ruby/thread.h>
#include <unistd.h>

#include "core/clock.h"
#include "core/engine.h"

#define LOOK_EVERY_MS 100 /* a signal may fail to wake the waiter, so it also wakes by itself */

struct holder {
    struct mohs_engine engine;
    pid_t maker; /* a forked child has its memory, but neither its threads nor its sockets */
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

static VALUE keep_alives, check_modes, arrivals_kinds;

static VALUE engine_alloc(VALUE class) {
    struct holder *holder;
    VALUE self = TypedData_Make_Struct(class, struct holder, &engine_type, holder);
    holder->engine.done = -1;
    return self;
}

static struct holder *holder_of(VALUE self) {
    return rb_check_typeddata(self, &engine_type);
}

/* The engine, set up and not loading; raises otherwise. */
static struct mohs_engine *at_rest(VALUE self) {
    struct holder *holder = holder_of(self);
    if (!holder->ready) rb_raise(rb_eRuntimeError, "the engine was not set up");
    if (holder->running) rb_raise(rb_eRuntimeError, "the engine is loading in another thread");
    return &holder->engine;
}

/* ---- set-up ---------------------------------------------------------------------------------- */

/* Adds the request that Native#packed_request describes. */
static void add_request(struct mohs_target *target, VALUE request) {
    VALUE bytes = MOHS_FETCH_STRING(request, bytes);
    VALUE statuses = MOHS_FETCH_LIST(request, statuses);
    VALUE body = MOHS_FETCH_STRING(request, body);
    VALUE type = MOHS_FETCH_STRING(request, type);
    VALUE text = MOHS_FETCH_STRING(request, text);
    struct mohs_check wanted = {
        .mode = (enum mohs_check_mode)mohs_number_of(check_modes, MOHS_FETCH(request, mode)),
        .length = NUM2ULL(MOHS_FETCH(request, length)),
        .body = RSTRING_PTR(body),
        .type = {RSTRING_PTR(type), (size_t)RSTRING_LEN(type)},
        .text.bytes = {RSTRING_PTR(text), (size_t)RSTRING_LEN(text)},
    };
    if (wanted.mode == MOHS_CHECK_EXACT) wanted.length = (uint64_t)RSTRING_LEN(body);
    for (long at = 0; at < RARRAY_LEN(statuses); at++) {
        unsigned status = NUM2UINT(rb_ary_entry(statuses, at));
        if (mohs_check_allow(&wanted, status)) rb_raise(rb_eArgError, "invalid status %u", status);
    }
    mohs_verify(mohs_target_add_request(target, RSTRING_PTR(bytes), (size_t)RSTRING_LEN(bytes),
                                        NUM2UINT(MOHS_FETCH(request, weight)),
                                        RTEST(MOHS_FETCH(request, head)), &wanted),
                "request");
    RB_GC_GUARD(bytes);
    RB_GC_GUARD(body);
    RB_GC_GUARD(type);
    RB_GC_GUARD(text);
}

/* An array's numbers, all below `limit`. Either the caller or the garbage collector frees
 * *holder. */
static uint32_t *numbers(VALUE array, uint32_t limit, VALUE *holder) {
    long count = RARRAY_LEN(array);
    uint32_t *values = rb_alloc_tmp_buffer2(holder, count + 1, sizeof(uint32_t));
    for (long at = 0; at < count; at++) {
        values[at] = NUM2UINT(rb_ary_entry(array, at));
        if (values[at] >= limit) rb_raise(rb_eArgError, "%u is not below %u", values[at], limit);
    }
    return values;
}

void mohs_target_place(struct mohs_target *target, VALUE values) {
    VALUE address = MOHS_FETCH_STRING(values, address);
    VALUE sources = MOHS_FETCH_LIST(values, sources);
    mohs_verify(mohs_target_set_address(target, RSTRING_PTR(address), (size_t)RSTRING_LEN(address)),
                "address");
    for (long at = 0; at < RARRAY_LEN(sources); at++) {
        VALUE source = rb_ary_entry(sources, at);
        Check_Type(source, T_STRING);
        mohs_verify(
            mohs_target_add_source(target, RSTRING_PTR(source), (size_t)RSTRING_LEN(source)),
            "source address");
    }
    target->connections = NUM2UINT(MOHS_FETCH(values, connections));
    target->timeout_ns = NUM2ULL(MOHS_FETCH(values, timeout_ns));
    RB_GC_GUARD(address);
}

/* nil: without TLS; else the host name to be told to the server, or "". */
static void set_tls(struct mohs_target *target, VALUE name) {
    if (NIL_P(name)) return;
    Check_Type(name, T_STRING);
    mohs_verify(mohs_target_set_tls(target, RSTRING_PTR(name), (size_t)RSTRING_LEN(name)), "TLS");
    RB_GC_GUARD(name);
}

/* Fills the target that Native#packed describes. */
static void fill_target(struct mohs_engine *engine, size_t index, VALUE values) {
    struct mohs_target *target = &engine->targets[index];
    mohs_target_place(target, values);
    VALUE workers = MOHS_FETCH_LIST(values, workers);
    VALUE requests = MOHS_FETCH_LIST(values, requests);
    VALUE scenario = MOHS_FETCH(values, scenario);
    VALUE holder = 0;
    target->max_connections = NUM2UINT(MOHS_FETCH(values, max_connections));
    target->keep_alive =
        (enum mohs_keep_alive)mohs_number_of(keep_alives, MOHS_FETCH(values, keep_alive));
    if (RARRAY_LEN(workers) == 0 || RARRAY_LEN(requests) == 0 || target->connections == 0)
        rb_raise(rb_eArgError, "a target needs a worker, a connection and a request");
    uint32_t *list_of_workers = numbers(workers, (uint32_t)engine->worker_count, &holder);
    int result = mohs_target_set_workers(target, list_of_workers, (size_t)RARRAY_LEN(workers));
    rb_free_tmp_buffer(&holder);
    mohs_verify(result, "workers");
    for (long at = 0; at < RARRAY_LEN(requests); at++)
        add_request(target, rb_ary_entry(requests, at));
    if (!NIL_P(scenario)) mohs_scenario_fill(target, scenario);
    set_tls(target, MOHS_FETCH(values, tls));
}

/* Engine.new(targets:, workers:, cpus:, seed:, capacity:, drain_ns:, gone_ns:, spin:, paced:) */
static VALUE engine_initialize(VALUE self, VALUE options) {
    struct holder *holder = holder_of(self);
    struct mohs_engine *engine = &holder->engine;
    VALUE targets = MOHS_FETCH_LIST(options, targets);
    VALUE cpus = MOHS_FETCH_LIST(options, cpus);
    VALUE workers = MOHS_FETCH(options, workers);
    VALUE buffer = 0;
    if (engine->targets) rb_raise(rb_eRuntimeError, "the engine was set up before");
    holder->maker = getpid();
    if (RARRAY_LEN(targets) == 0 || NUM2UINT(workers) == 0)
        rb_raise(rb_eArgError, "an engine needs a target and a worker");
    uint32_t *pinned = numbers(cpus, 1024, &buffer); // CPU_SETSIZE
    int result = mohs_engine_init(engine, (size_t)RARRAY_LEN(targets), NUM2UINT(workers),
                                  (const int *)pinned, (size_t)RARRAY_LEN(cpus));
    rb_free_tmp_buffer(&buffer);
    mohs_verify(result, "engine");
    engine->drain_ns = NUM2ULL(MOHS_FETCH(options, drain_ns));
    engine->gone_ns = NUM2ULL(MOHS_FETCH(options, gone_ns));
    engine->spin = RTEST(MOHS_FETCH(options, spin));
    engine->measures_speed = RTEST(MOHS_FETCH(options, paced));
    for (long at = 0; at < RARRAY_LEN(targets); at++)
        fill_target(engine, (size_t)at, rb_ary_entry(targets, at));
    mohs_verify(mohs_engine_ready(engine, NUM2ULL(MOHS_FETCH(options, seed)),
                                  NUM2SIZET(MOHS_FETCH(options, capacity))),
                "engine");
    holder->ready = true;
    return self;
}

/* The index of a target; raises if there is none. */
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
    mohs_verify(result, "watch");
    return Qnil;
}

/* ---- loading --------------------------------------------------------------------------------- */

static void *wait_for_end(void *data) {
    return (void *)(uintptr_t)mohs_engine_wait(data, LOOK_EVERY_MS);
}

static void look_at_ruby(void *data) {
    mohs_engine_poke(data); // called for any signal: the load goes on
}

#define SET_LIVE(name, rule) rb_hash_aset(values, MOHS_KEY(name), ULL2NUM(live.name));

static VALUE live_values(const struct mohs_engine *engine) {
    struct mohs_live live;
    VALUE values = rb_hash_new();
    mohs_engine_live(engine, &live);
    MOHS_LIVE_FIELDS(SET_LIVE)
    VALUE times = rb_str_new((const char *)live.times, sizeof live.times);
    VALUE waiting = rb_str_new((const char *)live.waiting, sizeof live.waiting);
    rb_hash_aset(values, MOHS_KEY(times), times);
    rb_hash_aset(values, MOHS_KEY(waiting), waiting);
    return values;
}

static VALUE load_body(VALUE self) {
    struct mohs_engine *engine = &holder_of(self)->engine;
    uint64_t yielded_ns = mohs_now_ns();
    while (!rb_nogvl(wait_for_end, engine, look_at_ruby, engine, RB_NOGVL_UBF_ASYNC_SAFE)) {
        rb_thread_check_ints();
        uint64_t now = mohs_now_ns();
        if (!rb_block_given_p() || now - yielded_ns < LOOK_EVERY_MS * MOHS_MILLISECOND) continue;
        yielded_ns = now;
        rb_yield(live_values(engine));
    }
    return Qnil;
}

/* Ends the load, however the body ended. */
static VALUE load_end(VALUE self) {
    struct holder *holder = holder_of(self);
    mohs_engine_stop(&holder->engine);
    mohs_engine_join(&holder->engine);
    holder->running = false;
    return Qnil;
}

struct mohs_arrivals mohs_arrivals_of(VALUE values) {
    if (NIL_P(values)) return (struct mohs_arrivals){.kind = MOHS_CLOSED_LOOP};
    VALUE times = MOHS_FETCH_STRING(values, times);
    int kind = mohs_number_of(arrivals_kinds, MOHS_FETCH(values, kind));
    struct mohs_arrivals arrivals = {
        .kind = (enum mohs_arrivals_kind)(MOHS_REGULAR + kind),
        .rate_per_s = NUM2DBL(MOHS_FETCH(values, rate_per_s)),
        .to_per_s = NUM2DBL(MOHS_FETCH(values, to_per_s)),
        .burst = NUM2UINT(MOHS_FETCH(values, burst)),
        .seed = NUM2ULL(MOHS_FETCH(values, seed)),
        .times = (const uint64_t *)(const void *)RSTRING_PTR(times),
        .time_count = (size_t)RSTRING_LEN(times) / sizeof(uint64_t),
    };
    bool times_given = arrivals.kind == MOHS_TIMES;
    if (!times_given && (!(arrivals.rate_per_s > 0) || arrivals.burst == 0))
        rb_raise(rb_eArgError, "arrivals need a rate and a burst above 0");
    return arrivals;
}

/* The step that Native#packed_step describes. */
static struct mohs_step step_of(const struct mohs_engine *engine, VALUE values) {
    VALUE targets = MOHS_FETCH_LIST(values, targets), edge = MOHS_FETCH(values, edge_ns);
    struct mohs_step step = {
        .duration_ns = NUM2ULL(MOHS_FETCH(values, duration_ns)),
        .count = NUM2ULL(MOHS_FETCH(values, count)),
        .limit_ns = NUM2ULL(MOHS_FETCH(values, limit_ns)),
        .edge_ns = NIL_P(edge) ? MOHS_EDGE_BY_TIMES : NUM2ULL(edge),
        .hang_up = RTEST(MOHS_FETCH(values, hang_up)),
        .warm_up = RTEST(MOHS_FETCH(values, warm_up)),
        .followed = RTEST(MOHS_FETCH(values, followed)),
        .arrivals = mohs_arrivals_of(MOHS_FETCH(values, arrivals)),
        .login = RTEST(MOHS_FETCH(values, login)),
    };
    for (long at = 0; at < RARRAY_LEN(targets); at++)
        step.targets |= 1ull << target_index(engine, rb_ary_entry(targets, at));
    return step;
}

/* run([step]) { |Hash of Load::Live, its times and waiting packed| } -> nil */
static VALUE engine_run(VALUE self, VALUE steps) {
    struct mohs_engine *engine = at_rest(self);
    VALUE holder = 0;
    Check_Type(steps, T_ARRAY);
    long count = RARRAY_LEN(steps);
    if (count == 0) rb_raise(rb_eArgError, "no steps");
    if (holder_of(self)->maker != getpid())
        rb_raise(rb_eRuntimeError, "the engine belongs to the process that made it");
    struct mohs_step *list_of_steps = rb_alloc_tmp_buffer2(&holder, count, sizeof *list_of_steps);
    for (long at = 0; at < count; at++)
        list_of_steps[at] = step_of(engine, rb_ary_entry(steps, at));
    int result = mohs_engine_start(engine, list_of_steps, (size_t)count);
    rb_free_tmp_buffer(&holder);
    mohs_verify(result, "load threads (may this process use those CPUs?)");
    holder_of(self)->running = true;
    return rb_ensure(load_body, self, load_end, self);
}

/* ---- results --------------------------------------------------------------------------------- */

/* result(step, target) -> Hash by Core::STEP_FIELDS, or nil for a step that never began */
static VALUE engine_result(VALUE self, VALUE step, VALUE target) {
    struct mohs_engine *engine = at_rest(self);
    struct mohs_step_result result;
    if (NUM2SIZET(step) >= mohs_engine_steps_done(engine)) return Qnil;
    mohs_verify(mohs_engine_result(engine, NUM2SIZET(step), target_index(engine, target), &result),
                "result");
    return mohs_step_result_hash(&result);
}

/* set_aside(step, target): of a closed loop, its records are those of a warm-up from now on */
static VALUE engine_set_aside(VALUE self, VALUE step, VALUE target) {
    struct mohs_engine *engine = at_rest(self);
    size_t number = NUM2SIZET(step);
    if (number >= mohs_engine_steps_done(engine)) rb_raise(rb_eIndexError, "no step %zu", number);
    if (engine->steps[number].arrivals.kind != MOHS_CLOSED_LOOP)
        rb_raise(rb_eArgError, "step %zu is an open loop", number);
    mohs_engine_set_aside(engine, number, target_index(engine, target));
    return Qnil;
}

static VALUE records_of(VALUE self, VALUE target, bool unsent) {
    struct mohs_engine *engine = at_rest(self);
    size_t index = target_index(engine, target);
    VALUE holder = 0;
    size_t count = mohs_engine_runs(engine, index, unsent, NULL, 0);
    struct mohs_run *runs = rb_alloc_tmp_buffer2(&holder, (long)count + 1, sizeof *runs);
    mohs_engine_runs(engine, index, unsent, runs, count);
    VALUE records = mohs_records_new(self, runs, count);
    rb_free_tmp_buffer(&holder);
    return records;
}

/* records(target) -> Records of everything recorded so far */
static VALUE engine_records(VALUE self, VALUE target) {
    return records_of(self, target, false);
}

/* unsent(target) -> Records of requests that fell due so far and were never sent */
static VALUE engine_unsent(VALUE self, VALUE target) {
    return records_of(self, target, true);
}

/* failed_response(target) -> { error:, status:, bytes: } of its first wrong response, or nil */
static VALUE engine_failed_response(VALUE self, VALUE target) {
    struct mohs_engine *engine = at_rest(self);
    const struct mohs_failed_response *first =
        mohs_engine_failed_response(engine, target_index(engine, target));
    return first ? mohs_failed_response_hash(first) : Qnil;
}

/* handshakes(target) -> { done:, failed:, times: packed as in mohs_times } in all steps so far; nil
 * without TLS */
static VALUE engine_handshakes(VALUE self, VALUE target) {
    struct mohs_engine *engine = at_rest(self);
    struct mohs_handshakes all;
    VALUE values = rb_hash_new();
    if (!mohs_engine_handshakes(engine, target_index(engine, target), &all)) return Qnil;
    rb_hash_aset(values, MOHS_KEY(done), ULL2NUM(all.done));
    rb_hash_aset(values, MOHS_KEY(failed), ULL2NUM(all.failed));
    rb_hash_aset(values, MOHS_KEY(times), rb_str_new((const char *)all.times, sizeof all.times));
    return values;
}

/* lost_records -> Integer: requests that could not be recorded for lack of memory */
static VALUE engine_lost_records(VALUE self) {
    return ULL2NUM(mohs_engine_lost_records(at_rest(self)));
}

/* epoch_ns -> Integer: time 0 of due_ns, on the monotonic clock */
static VALUE engine_epoch(VALUE self) {
    return ULL2NUM(at_rest(self)->epoch_ns);
}

/* Core.due_times(arrivals, duration_ns, count) -> packed ns since the step began, of the first
 * `count` arrivals within the duration (0: unlimited) */
static VALUE due_times(VALUE self, VALUE values, VALUE duration_ns, VALUE count) {
    (void)self;
    struct mohs_schedule schedule;
    struct mohs_arrivals arrivals = mohs_arrivals_of(values);
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

/* sched_class = number: sets the scheduling class of the threads of the next runs (core/shield.h),
 * if permitted */
static VALUE engine_set_sched_class(VALUE self, VALUE sched_class) {
    int wanted = NUM2INT(sched_class);
    if (wanted < MOHS_SCHED_PLAIN || wanted > MOHS_SCHED_REAL_TIME)
        rb_raise(rb_eArgError, "invalid scheduling class %d", wanted);
    at_rest(self)->sched_class = (enum mohs_sched_class)wanted;
    return sched_class;
}

/* sched_class -> the lowest class that a thread of the last run had, read back from the kernel */
static VALUE engine_sched_class(VALUE self) {
    return INT2NUM(mohs_engine_sched_class(at_rest(self)));
}

/* pin([cpu]): sets the CPUs of the threads of the next runs, as many as the engine was made with */
static VALUE engine_pin(VALUE self, VALUE cpus) {
    struct mohs_engine *engine = at_rest(self);
    VALUE buffer = 0;
    Check_Type(cpus, T_ARRAY);
    if ((size_t)RARRAY_LEN(cpus) != engine->cpu_count)
        rb_raise(rb_eArgError, "%ld CPUs instead of %zu", RARRAY_LEN(cpus), engine->cpu_count);
    mohs_engine_pin(engine, (const int *)numbers(cpus, 1024, &buffer)); // CPU_SETSIZE
    rb_free_tmp_buffer(&buffer);
    return Qnil;
}

/* close -> nil: closes connections; records stay readable */
static VALUE engine_close(VALUE self) {
    mohs_engine_close(at_rest(self));
    return Qnil;
}

void mohs_init_engine(void) {
    VALUE class = rb_define_class_under(mohs_mCore, "Engine", rb_cObject);
    rb_define_const(mohs_mCore, "TIME_BITS", INT2FIX(MOHS_TIME_BITS));
#ifdef MOHS_TLS
    rb_define_const(mohs_mCore, "TLS", Qtrue);
#else
    rb_define_const(mohs_mCore, "TLS", Qfalse);
#endif
    keep_alives = MOHS_DEFINE_NAMES("KEEP_ALIVE", MOHS_KEEP_ALIVES);
    check_modes = MOHS_DEFINE_NAMES("CHECK_MODES", MOHS_CHECK_MODES);
    arrivals_kinds = MOHS_DEFINE_NAMES("ARRIVALS_KINDS", MOHS_ARRIVALS_KINDS);
    rb_define_alloc_func(class, engine_alloc);
    rb_define_method(class, "initialize", engine_initialize, 1);
    rb_define_method(class, "watch", engine_watch, 2);
    rb_define_method(class, "set_aside", engine_set_aside, 2);
    rb_define_method(class, "run", engine_run, 1);
    rb_define_method(class, "result", engine_result, 2);
    rb_define_method(class, "records", engine_records, 1);
    rb_define_method(class, "unsent", engine_unsent, 1);
    rb_define_method(class, "failed_response", engine_failed_response, 1);
    rb_define_method(class, "handshakes", engine_handshakes, 1);
    rb_define_method(class, "lost_records", engine_lost_records, 0);
    rb_define_method(class, "epoch_ns", engine_epoch, 0);
    rb_define_method(class, "sched_class=", engine_set_sched_class, 1);
    rb_define_method(class, "sched_class", engine_sched_class, 0);
    rb_define_method(class, "pin", engine_pin, 1);
    rb_define_method(class, "close", engine_close, 0);
    rb_define_module_function(mohs_mCore, "due_times", due_times, 3);
}
