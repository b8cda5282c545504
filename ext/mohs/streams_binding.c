/*
 * Mohs::Core::Streams: one load of core/streams.h. Load::Streams has checked the arguments. As in
 * engine_binding.c, the load's thread never touches Ruby, and the caller waits without the GVL.
 */
#include "binding.h"
#include "load_values.h"
#include "records.h"
#include "step_result.h"

#include <ruby/thread.h>
#include <stdlib.h>
#include <unistd.h>

#include "core/clock.h"
#include "core/streams.h"

#define LOOK_EVERY_MS 100 /* a signal may fail to wake the waiter, so it also wakes by itself */

struct holder {
    struct mohs_streams *streams; /* on its own: it is aligned for the cache */
    pid_t maker; /* a forked child has its memory, but neither its thread nor its sockets */
    bool over;
};

static void streams_free(void *data) {
    struct holder *holder = data;
    if (holder->streams && holder->maker == getpid()) {
        mohs_streams_free(holder->streams);
        free(holder->streams);
    }
    xfree(holder);
}

static size_t streams_size(const void *data) {
    const struct holder *holder = data;
    size_t own = sizeof *holder + sizeof *holder->streams;
    return holder->streams ? own + mohs_streams_bytes(holder->streams) : own;
}

static const rb_data_type_t streams_type = {
    .wrap_struct_name = "Mohs::Core::Streams",
    .function = {.dfree = streams_free, .dsize = streams_size},
    .flags = RUBY_TYPED_FREE_IMMEDIATELY | RUBY_TYPED_WB_PROTECTED,
};

static VALUE streams_alloc(VALUE class) {
    struct holder *holder;
    return TypedData_Make_Struct(class, struct holder, &streams_type, holder);
}

static struct holder *holder_of(VALUE self) {
    return rb_check_typeddata(self, &streams_type);
}

/* The load, which is over; raises otherwise. */
static struct mohs_streams *results_of(VALUE self) {
    struct holder *holder = holder_of(self);
    if (!holder->over) rb_raise(rb_eRuntimeError, "the streams have not been loaded");
    return holder->streams;
}

/* ---- set-up ---------------------------------------------------------------------------------- */

static void fill_target(struct mohs_target *target, VALUE options) {
    VALUE bytes = MOHS_FETCH_STRING(options, bytes);
    struct mohs_check unchecked = {.mode = MOHS_CHECK_STATUS};
    mohs_target_place(target, options);
    mohs_verify(mohs_target_add_request(target, RSTRING_PTR(bytes), (size_t)RSTRING_LEN(bytes), 1,
                                        false, &unchecked),
                "request");
    if (target->connections == 0) rb_raise(rb_eArgError, "a load needs a connection");
    RB_GC_GUARD(bytes);
}

static struct mohs_span text_of(VALUE texts, long at) {
    VALUE text = rb_ary_entry(texts, at);
    StringValue(text);
    return (struct mohs_span){RSTRING_PTR(text), (size_t)RSTRING_LEN(text)};
}

/* texts: [join, before, after] of a mohs_cable, or nil. */
static void set_cable(struct mohs_streams *streams, VALUE texts) {
    if (NIL_P(texts)) return;
    Check_Type(texts, T_ARRAY);
    struct mohs_cable cable = {text_of(texts, 0), text_of(texts, 1), text_of(texts, 2)};
    mohs_verify(mohs_streams_set_cable(streams, &cable), "cable");
    RB_GC_GUARD(texts);
}

/* bytes: a POST that ends in a message, or nil. */
static void set_publisher(struct mohs_streams *streams, VALUE bytes) {
    if (NIL_P(bytes)) return;
    StringValue(bytes);
    if (streams->websocket || !streams->fans_out)
        rb_raise(rb_eArgError, "what is published comes to all event streams");
    struct mohs_span request = {RSTRING_PTR(bytes), (size_t)RSTRING_LEN(bytes)};
    mohs_verify(mohs_publisher_set(&streams->publisher, request), "publish");
    RB_GC_GUARD(bytes);
}

/* given: [share, after_ns], or nil. */
static void set_storm(struct mohs_storm *storm, VALUE given) {
    if (NIL_P(given)) return;
    Check_Type(given, T_ARRAY);
    storm->share = NUM2DBL(rb_ary_entry(given, 0));
    storm->after_ns = NUM2ULL(rb_ary_entry(given, 1));
    if (!(storm->share > 0 && storm->share <= 1))
        rb_raise(rb_eArgError, "a storm is over a share of the connections");
}

/* Streams.new(address:, sources:, bytes:, connections:, timeout_ns:, open_per_s:, duration_ns:,
 * count:, brief:, cpu:, websocket:, cable: ([join, before, after], or nil), fan_out:, publish:
 * (bytes of a POST, or nil), arrivals: (Load::Arrivals#packed, or nil), storm: ([share, after_ns],
 * or nil), drain_ns:, seed:) */
static VALUE streams_initialize(VALUE self, VALUE options) {
    struct holder *holder = holder_of(self);
    if (holder->streams) rb_raise(rb_eRuntimeError, "the streams were set up before");
    holder->maker = getpid();
    holder->streams = aligned_alloc(_Alignof(struct mohs_streams), sizeof(struct mohs_streams));
    if (!holder->streams) rb_memerror();
    mohs_verify(mohs_streams_init(holder->streams), "streams");
    struct mohs_streams *streams = holder->streams;
    fill_target(&streams->target, options);
    streams->open_per_s = NUM2DBL(MOHS_FETCH(options, open_per_s));
    streams->duration_ns = NUM2ULL(MOHS_FETCH(options, duration_ns));
    streams->count = NUM2ULL(MOHS_FETCH(options, count));
    streams->brief = RTEST(MOHS_FETCH(options, brief));
    streams->websocket = RTEST(MOHS_FETCH(options, websocket));
    streams->fans_out = RTEST(MOHS_FETCH(options, fan_out));
    set_cable(streams, MOHS_FETCH(options, cable));
    set_publisher(streams, MOHS_FETCH(options, publish));
    set_storm(&streams->storm, MOHS_FETCH(options, storm));
    streams->arrivals = mohs_arrivals_of(MOHS_FETCH(options, arrivals));
    streams->drain_ns = NUM2ULL(MOHS_FETCH(options, drain_ns));
    streams->seed = NUM2ULL(MOHS_FETCH(options, seed));
    if (streams->arrivals.kind == MOHS_TIMES) rb_raise(rb_eArgError, "messages need a rate");
    VALUE cpu = MOHS_FETCH(options, cpu);
    streams->cpu = NIL_P(cpu) ? -1 : NUM2INT(cpu);
    if (!(streams->open_per_s > 0)) rb_raise(rb_eArgError, "connections open at a rate above 0");
    return self;
}

/* ---- loading --------------------------------------------------------------------------------- */

static void *wait_for_end(void *data) {
    return (void *)(uintptr_t)mohs_streams_wait(data, LOOK_EVERY_MS);
}

static void look_at_ruby(void *data) {
    mohs_streams_poke(data); // called for any signal: the load goes on
}

#define SET_COUNT(name, rule) rb_hash_aset(values, MOHS_KEY(name), ULL2NUM(counts->name));

static VALUE counts_hash(const struct mohs_stream_counts *counts) {
    VALUE values = rb_hash_new();
    MOHS_STREAM_COUNTS(SET_COUNT)
    return values;
}

static VALUE load_body(VALUE self) {
    struct mohs_streams *streams = holder_of(self)->streams;
    uint64_t yielded_ns = mohs_now_ns();
    while (!rb_nogvl(wait_for_end, streams, look_at_ruby, streams, RB_NOGVL_UBF_ASYNC_SAFE)) {
        struct mohs_stream_counts counts;
        rb_thread_check_ints();
        uint64_t now = mohs_now_ns();
        if (!rb_block_given_p() || now - yielded_ns < LOOK_EVERY_MS * MOHS_MILLISECOND) continue;
        yielded_ns = now;
        mohs_streams_live(streams, &counts);
        rb_yield(counts_hash(&counts));
    }
    return Qnil;
}

/* Ends the load, however the body ended. */
static VALUE load_end(VALUE self) {
    struct holder *holder = holder_of(self);
    mohs_streams_stop(holder->streams);
    mohs_streams_join(holder->streams);
    holder->over = true;
    return Qnil;
}

/* run { |Hash of MOHS_STREAM_COUNTS| } -> nil: once */
static VALUE streams_run(VALUE self) {
    struct holder *holder = holder_of(self);
    if (!holder->streams || holder->streams->streams)
        rb_raise(rb_eRuntimeError, "streams are loaded once");
    if (holder->maker != getpid())
        rb_raise(rb_eRuntimeError, "the streams belong to the process that made them");
    mohs_verify(mohs_streams_start(holder->streams),
                "load thread (may this process use that CPU?)");
    return rb_ensure(load_body, self, load_end, self);
}

/* ---- results --------------------------------------------------------------------------------- */

#define SET(name, value) rb_hash_aset(values, MOHS_KEY(name), value)

/* Of messages: Hash of MOHS_MESSAGE_COUNTS and unsent:; nil if event streams get none. */
static VALUE messages_hash(const struct mohs_streams *streams) {
    const struct mohs_messages *counts = &streams->messages;
    if (!mohs_streams_talk(streams)) return Qnil;
    VALUE values = rb_hash_new();
    MOHS_MESSAGE_COUNTS(SET_COUNT)
    SET(unsent, ULL2NUM(streams->unsent));
    return values;
}

/* Of messages that should come to all: { due:, came: }; else nil. */
static VALUE deliveries_hash(const struct mohs_streams *streams) {
    if (!streams->fans_out) return Qnil;
    VALUE values = rb_hash_new();
    SET(due, ULL2NUM(streams->fan_out.due));
    SET(came, ULL2NUM(streams->fan_out.came));
    return values;
}

static VALUE list_of(const uint64_t *numbers, long count) {
    VALUE list = rb_ary_new_capa(count);
    for (long at = 0; at < count; at++) rb_ary_push(list, ULL2NUM(numbers[at]));
    return list;
}

/* Of a storm's times, ns from when it began; nil without. */
static VALUE since(const struct mohs_storm *storm, uint64_t at_ns) {
    return at_ns ? ULL2NUM(at_ns > storm->began_ns ? at_ns - storm->began_ns : 0) : Qnil;
}

/* storm -> { share:, began_ns: (from the epoch, or nil), dropped:, back:, failed:, errors: (counts
 * by error number), half_ns:, most_ns:, all_ns: (since it began, or nil), cut: }; nil without one
 */
static VALUE streams_storm(VALUE self) {
    const struct mohs_streams *streams = results_of(self);
    const struct mohs_storm *storm = &streams->storm;
    if (storm->share <= 0) return Qnil;
    VALUE values = rb_hash_new();
    SET(share, DBL2NUM(storm->share));
    SET(began_ns, storm->began_ns ? ULL2NUM(storm->began_ns - streams->epoch_ns) : Qnil);
    SET(dropped, UINT2NUM(storm->dropped));
    SET(back, UINT2NUM(storm->back));
    SET(failed, UINT2NUM(storm->failed));
    SET(errors, list_of(storm->errors, MOHS_ERROR_COUNT));
    SET(half_ns, since(storm, storm->parts.half_ns));
    SET(most_ns, since(storm, storm->parts.most_ns));
    SET(all_ns, since(storm, storm->parts.all_ns));
    SET(cut, ULL2NUM(storm->cut));
    return values;
}

/* counts -> Hash of MOHS_STREAM_COUNTS, and errors: counts by error number, ends: by that of
 * Core::STREAM_ENDS, messages:, deliveries:, epoch_ns:, ended_ns:, driver_cpu_ns:, thread_stats:,
 * lost_records:
 */
static VALUE streams_counts(VALUE self) {
    const struct mohs_streams *streams = results_of(self);
    VALUE values = counts_hash(&streams->counts);
    SET(errors, list_of(streams->errors, MOHS_ERROR_COUNT));
    SET(ends, list_of(streams->ends, MOHS_STREAM_END_COUNT));
    SET(messages, messages_hash(streams));
    SET(deliveries, deliveries_hash(streams));
    SET(epoch_ns, ULL2NUM(streams->epoch_ns));
    SET(ended_ns, ULL2NUM(streams->loaded_ns));
    SET(driver_cpu_ns, ULL2NUM(streams->cpu_ns));
    SET(thread_stats, mohs_thread_stats_hash(&streams->stats));
    SET(lost_records, ULL2NUM(mohs_streams_lost_records(streams)));
    return values;
}

static VALUE records_of(VALUE self, const struct mohs_recording *recording) {
    VALUE holder = 0;
    size_t count = mohs_recording_runs(recording, 0, recording->size, NULL, 0);
    struct mohs_run *runs = rb_alloc_tmp_buffer2(&holder, (long)count + 1, sizeof *runs);
    mohs_recording_runs(recording, 0, recording->size, runs, count);
    VALUE records = mohs_records_new(self, runs, count);
    rb_free_tmp_buffer(&holder);
    return records;
}

/* openings -> Records */
static VALUE streams_openings(VALUE self) {
    return records_of(self, &results_of(self)->openings);
}

/* firsts -> Records */
static VALUE streams_firsts(VALUE self) {
    return records_of(self, &results_of(self)->firsts);
}

/* drops -> Records */
static VALUE streams_drops(VALUE self) {
    return records_of(self, &results_of(self)->drops);
}

/* gaps -> Records */
static VALUE streams_gaps(VALUE self) {
    return records_of(self, &results_of(self)->gaps);
}

/* echoes -> Records */
static VALUE streams_echoes(VALUE self) {
    return records_of(self, &results_of(self)->echoes);
}

/* halves, mosts, alls -> Records; empty unless messages should come to all */
static VALUE streams_halves(VALUE self) {
    return records_of(self, &results_of(self)->halves);
}

static VALUE streams_mosts(VALUE self) {
    return records_of(self, &results_of(self)->mosts);
}

static VALUE streams_alls(VALUE self) {
    return records_of(self, &results_of(self)->alls);
}

/* returns, before, during -> Records; empty without a storm */
static VALUE streams_returns(VALUE self) {
    return records_of(self, &results_of(self)->storm.returns);
}

static VALUE streams_before(VALUE self) {
    return records_of(self, &results_of(self)->storm.before);
}

static VALUE streams_during(VALUE self) {
    return records_of(self, &results_of(self)->storm.during);
}

/* failed_response -> { error:, status:, bytes: } of the first answer that was no event stream, or
 * nil */
static VALUE streams_failed_response(VALUE self) {
    const struct mohs_failed_response *first = &results_of(self)->failed_response;
    return first->at_ns ? mohs_failed_response_hash(first) : Qnil;
}

/* refused_response -> the same of the first response to a POST that was not 2xx, or nil */
static VALUE streams_refused_response(VALUE self) {
    const struct mohs_failed_response *first = &results_of(self)->publisher.failed_response;
    return first->at_ns ? mohs_failed_response_hash(first) : Qnil;
}

void mohs_init_streams(void) {
    VALUE class = rb_define_class_under(mohs_mCore, "Streams", rb_cObject);
    MOHS_DEFINE_NAMES("STREAM_ENDS", MOHS_STREAM_ENDS);
    rb_define_const(mohs_mCore, "STREAM_KEY", rb_str_freeze(rb_str_new_cstr(MOHS_STREAM_KEY)));
    rb_define_alloc_func(class, streams_alloc);
    rb_define_method(class, "initialize", streams_initialize, 1);
    rb_define_method(class, "run", streams_run, 0);
    rb_define_method(class, "counts", streams_counts, 0);
    rb_define_method(class, "openings", streams_openings, 0);
    rb_define_method(class, "firsts", streams_firsts, 0);
    rb_define_method(class, "drops", streams_drops, 0);
    rb_define_method(class, "gaps", streams_gaps, 0);
    rb_define_method(class, "echoes", streams_echoes, 0);
    rb_define_method(class, "halves", streams_halves, 0);
    rb_define_method(class, "mosts", streams_mosts, 0);
    rb_define_method(class, "alls", streams_alls, 0);
    rb_define_method(class, "storm", streams_storm, 0);
    rb_define_method(class, "returns", streams_returns, 0);
    rb_define_method(class, "before", streams_before, 0);
    rb_define_method(class, "during", streams_during, 0);
    rb_define_method(class, "failed_response", streams_failed_response, 0);
    rb_define_method(class, "refused_response", streams_refused_response, 0);
}
