/* Mohs::Core.spin: core/fixed_work_probe.h for Ruby. Doctor::FixedWorkProbe is its only caller. */
#include "binding.h"

#include <ruby/thread.h>

#include "core/fixed_work_probe.h"

#define LOOK_EVERY_MS 100 /* a signal may fail to wake the waiter, so it also wakes by itself */

static void *wait_for_end(void *data) {
    return (void *)(uintptr_t)mohs_fixed_work_wait(data, LOOK_EVERY_MS);
}

static void look_at_ruby(void *data) {
    mohs_fixed_work_poke(data); // called for any signal: the threads spin on
}

#define SET(name, value) rb_hash_aset(values, MOHS_KEY(name), value);

/* A Hash of the members of Analysis::Spin. */
static VALUE core_values(const struct mohs_probed_core *core, size_t bin_count) {
    VALUE bins = rb_ary_new_capa((long)bin_count);
    for (size_t at = 0; at < bin_count; at++) rb_ary_push(bins, UINT2NUM(core->bins[at]));
    VALUE values = rb_hash_new();
    SET(cpu, INT2NUM(core->cpu))
    SET(wall_ns, ULL2NUM(core->wall_ns))
    SET(cpu_ns, ULL2NUM(core->cpu_ns))
    SET(away_ns, ULL2NUM(core->away_ns))
    SET(longest_ns, ULL2NUM(core->longest_ns))
    SET(bins, bins)
    return values;
}

static VALUE spin_body(VALUE data) {
    struct mohs_fixed_work_probe *probe = (struct mohs_fixed_work_probe *)data;
    int error = mohs_fixed_work_start(probe);
    if (error) rb_syserr_fail(-error, "a thread on each CPU");
    while (!rb_nogvl(wait_for_end, probe, look_at_ruby, probe, RB_NOGVL_UBF_ASYNC_SAFE))
        rb_thread_check_ints();
    mohs_fixed_work_join(probe);
    VALUE cores = rb_ary_new_capa((long)probe->core_count);
    for (size_t at = 0; at < probe->core_count; at++)
        rb_ary_push(cores, core_values(&probe->cores[at], probe->bin_count));
    return cores;
}

/* Ends the threads, however the body ended. */
static VALUE spin_end(VALUE data) {
    struct mohs_fixed_work_probe *probe = (struct mohs_fixed_work_probe *)data;
    mohs_fixed_work_stop(probe);
    mohs_fixed_work_join(probe);
    mohs_fixed_work_free(probe);
    return Qnil;
}

/*
 * Core.spin([cpu], bins) -> [Hash of Analysis::Spin's members]: spins on each CPU for so many bins
 * of 100 ms, 600 at most. Raises Errno::EINVAL if there is no such CPU; an interrupt ends the
 * threads at once.
 */
static VALUE spin(VALUE self, VALUE cpus, VALUE bins) {
    (void)self;
    Check_Type(cpus, T_ARRAY);
    VALUE holder = 0;
    size_t count = (size_t)RARRAY_LEN(cpus), bin_count = NUM2SIZET(bins);
    int *numbers = rb_alloc_tmp_buffer2(&holder, RARRAY_LEN(cpus) + 1, sizeof(int));
    for (size_t at = 0; at < count; at++) numbers[at] = NUM2INT(rb_ary_entry(cpus, (long)at));
    struct mohs_fixed_work_probe probe;
    int error = mohs_fixed_work_init(&probe, numbers, count, bin_count);
    rb_free_tmp_buffer(&holder);
    if (error) {
        mohs_fixed_work_free(&probe);
        rb_syserr_fail(-error, "CPUs or bins to spin for");
    }
    return rb_ensure(spin_body, (VALUE)&probe, spin_end, (VALUE)&probe);
}

void mohs_init_fixed_work_probe(void) {
    rb_define_module_function(mohs_mCore, "spin", spin, 2);
}
