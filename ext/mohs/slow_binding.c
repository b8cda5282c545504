/*
 * Mohs::Core::Slow: the slow clients of core/slow.h. Load::SlowClients has checked the arguments.
 * Their thread never touches Ruby.
 */
#include "binding.h"
#include "load_values.h"

#include <stdlib.h>
#include <unistd.h>

#include "core/slow.h"

struct holder {
    struct mohs_slow *slow; /* on its own: it is aligned for the cache */
    pid_t maker;            /* a forked child has its memory, but neither its thread nor sockets */
};

static void slow_free(void *data) {
    struct holder *holder = data;
    if (holder->slow && holder->maker == getpid()) {
        mohs_slow_free(holder->slow);
        free(holder->slow);
    }
    xfree(holder);
}

static size_t slow_size(const void *data) {
    const struct holder *holder = data;
    size_t own = sizeof *holder + sizeof *holder->slow;
    return holder->slow ? own + mohs_slow_bytes(holder->slow) : own;
}

static const rb_data_type_t slow_type = {
    .wrap_struct_name = "Mohs::Core::Slow",
    .function = {.dfree = slow_free, .dsize = slow_size},
    .flags = RUBY_TYPED_FREE_IMMEDIATELY | RUBY_TYPED_WB_PROTECTED,
};

static VALUE slow_alloc(VALUE class) {
    struct holder *holder;
    return TypedData_Make_Struct(class, struct holder, &slow_type, holder);
}

static struct holder *holder_of(VALUE self) {
    return rb_check_typeddata(self, &slow_type);
}

/* Those that were started; raises otherwise, and in a forked child. */
static struct mohs_slow *started(VALUE self) {
    struct holder *holder = holder_of(self);
    if (!holder->slow || !holder->slow->clients)
        rb_raise(rb_eRuntimeError, "the clients have not been started");
    if (holder->maker != getpid())
        rb_raise(rb_eRuntimeError, "the clients belong to the process that made them");
    return holder->slow;
}

static void fill_target(struct mohs_target *target, VALUE options) {
    VALUE bytes = MOHS_FETCH_STRING(options, bytes);
    struct mohs_check check = {.mode = MOHS_CHECK_STATUS};
    if (mohs_check_allow(&check, NUM2UINT(MOHS_FETCH(options, status))))
        rb_raise(rb_eArgError, "no such status");
    mohs_target_place(target, options);
    mohs_verify(mohs_target_add_request(target, RSTRING_PTR(bytes), (size_t)RSTRING_LEN(bytes), 1,
                                        RTEST(MOHS_FETCH(options, head)), &check),
                "request");
    if (target->connections == 0) rb_raise(rb_eArgError, "slow clients need a connection");
    RB_GC_GUARD(bytes);
}

/* Slow.new(address:, sources:, bytes:, head:, status:, connections:, timeout_ns:, bytes_per_s:,
 * sends:, cpu:) */
static VALUE slow_initialize(VALUE self, VALUE options) {
    struct holder *holder = holder_of(self);
    if (holder->slow) rb_raise(rb_eRuntimeError, "the clients were set up before");
    holder->maker = getpid();
    holder->slow = aligned_alloc(_Alignof(struct mohs_slow), sizeof(struct mohs_slow));
    if (!holder->slow) rb_memerror();
    mohs_verify(mohs_slow_init(holder->slow), "slow clients");
    fill_target(&holder->slow->target, options);
    holder->slow->bytes_per_s = NUM2DBL(MOHS_FETCH(options, bytes_per_s));
    holder->slow->sends = RTEST(MOHS_FETCH(options, sends));
    VALUE cpu = MOHS_FETCH(options, cpu);
    holder->slow->cpu = NIL_P(cpu) ? -1 : NUM2INT(cpu);
    if (!(holder->slow->bytes_per_s > 0)) rb_raise(rb_eArgError, "a rate is above 0");
    return self;
}

/* start -> nil: once. SystemCallError EINVAL if bodies are to be sent and the request has none. */
static VALUE slow_start(VALUE self) {
    struct holder *holder = holder_of(self);
    if (!holder->slow || holder->slow->clients || holder->maker != getpid())
        rb_raise(rb_eRuntimeError, "slow clients are started once");
    mohs_verify(mohs_slow_start(holder->slow),
                "slow clients' thread (or a request without a body)");
    return Qnil;
}

#define SET_COUNT(name, rule) rb_hash_aset(values, MOHS_KEY(name), ULL2NUM(counts.name));

/* live -> Hash of MOHS_SLOW_COUNTS so far */
static VALUE slow_live(VALUE self) {
    struct mohs_slow_counts counts;
    VALUE values = rb_hash_new();
    mohs_slow_live(started(self), &counts);
    MOHS_SLOW_COUNTS(SET_COUNT)
    return values;
}

/* stop -> Hash of MOHS_SLOW_COUNTS, errors: counts by error number, driver_cpu_ns: */
static VALUE slow_stop(VALUE self) {
    struct mohs_slow *slow = started(self);
    mohs_slow_stop(slow);
    mohs_slow_join(slow);
    VALUE values = slow_live(self), errors = rb_ary_new_capa(MOHS_ERROR_COUNT);
    for (int at = 0; at < MOHS_ERROR_COUNT; at++) rb_ary_push(errors, ULL2NUM(slow->errors[at]));
    rb_hash_aset(values, MOHS_KEY(errors), errors);
    rb_hash_aset(values, MOHS_KEY(driver_cpu_ns), ULL2NUM(slow->cpu_ns));
    return values;
}

void mohs_init_slow(void) {
    VALUE class = rb_define_class_under(mohs_mCore, "Slow", rb_cObject);
    rb_define_alloc_func(class, slow_alloc);
    rb_define_method(class, "initialize", slow_initialize, 1);
    rb_define_method(class, "start", slow_start, 0);
    rb_define_method(class, "live", slow_live, 0);
    rb_define_method(class, "stop", slow_stop, 0);
}
