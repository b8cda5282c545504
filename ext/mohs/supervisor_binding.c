/* Mohs::Core.supervise and CPU affinity. Process::Spawner and Process::CpuSet are their only
 * callers. */
#include "binding.h"

#include <errno.h>
#include <sched.h>

#include "core/supervisor.h"

/*
 * A NULL-terminated array of the strings' own bytes: valid while `strings` lives and is unchanged.
 */
static char **c_strings(VALUE strings, VALUE *holder) {
    long count = RARRAY_LEN(strings);
    char **list = rb_alloc_tmp_buffer2(holder, count + 1, sizeof(char *));
    for (long i = 0; i < count; i++) {
        VALUE string = rb_ary_entry(strings, i);
        list[i] = StringValueCStr(string);
    }
    list[count] = NULL;
    return list;
}

/*
 * Core.supervise(path:, argv:, env:, dir:, in:, out:, err:, cpus:) -> { pid:, control:, reports: }
 * of the supervisor; the last two are descriptors.
 *
 * argv and env ("NAME=value") are arrays of strings, dir is a string or nil, in, out and err are
 * descriptors above 2 (in may be 0: nothing to read), cpus integers.
 */
static VALUE supervise(VALUE self, VALUE options) {
    (void)self;
    VALUE argv = MOHS_FETCH_LIST(options, argv);
    VALUE env = MOHS_FETCH_LIST(options, env);
    VALUE cpus = MOHS_FETCH_LIST(options, cpus);
    VALUE path = MOHS_FETCH_STRING(options, path);
    VALUE dir = MOHS_FETCH(options, dir);
    VALUE holders[3] = {0, 0, 0};
    int *cpu_numbers = rb_alloc_tmp_buffer2(&holders[2], RARRAY_LEN(cpus) + 1, sizeof(int));
    for (long i = 0; i < RARRAY_LEN(cpus); i++) cpu_numbers[i] = NUM2INT(rb_ary_entry(cpus, i));
    struct mohs_supervisor_command command = {
        .path = StringValueCStr(path),
        .argv = c_strings(argv, &holders[0]),
        .envp = c_strings(env, &holders[1]),
        .dir = NIL_P(dir) ? NULL : StringValueCStr(dir),
        .in = NUM2INT(MOHS_FETCH(options, in)),
        .out = NUM2INT(MOHS_FETCH(options, out)),
        .err = NUM2INT(MOHS_FETCH(options, err)),
        .cpus = cpu_numbers,
        .cpu_count = (int)RARRAY_LEN(cpus),
    };
    struct mohs_supervisor supervisor;
    int result = mohs_supervisor_start(&command, &supervisor);
    for (int i = 0; i < 3; i++) rb_free_tmp_buffer(&holders[i]);
    RB_GC_GUARD(argv);
    RB_GC_GUARD(env);
    RB_GC_GUARD(path);
    RB_GC_GUARD(dir);
    if (result < 0) rb_syserr_fail(-result, "fork of a supervisor");
    return mohs_pipes_hash(supervisor.pid, supervisor.control, supervisor.reports);
}

/*
 * Core.affinity(tid) -> [cpu]; 0 is the calling thread. Raises Errno::ESRCH if there is no such
 * thread.
 */
static VALUE affinity(VALUE self, VALUE tid) {
    (void)self;
    cpu_set_t set;
    if (sched_getaffinity(NUM2PIDT(tid), sizeof set, &set) != 0) rb_sys_fail("sched_getaffinity");
    VALUE cpus = rb_ary_new();
    for (int cpu = 0; cpu < CPU_SETSIZE; cpu++) {
        if (CPU_ISSET((size_t)cpu, &set)) rb_ary_push(cpus, INT2NUM(cpu));
    }
    return cpus;
}

/* Core.set_affinity(tid, [cpu]) -> nil */
static VALUE set_affinity(VALUE self, VALUE tid, VALUE cpus) {
    (void)self;
    Check_Type(cpus, T_ARRAY);
    cpu_set_t set;
    CPU_ZERO(&set);
    for (long i = 0; i < RARRAY_LEN(cpus); i++) {
        int cpu = NUM2INT(rb_ary_entry(cpus, i));
        if (cpu < 0 || cpu >= CPU_SETSIZE) rb_raise(rb_eArgError, "no CPU %d", cpu);
        CPU_SET((size_t)cpu, &set);
    }
    if (sched_setaffinity(NUM2PIDT(tid), sizeof set, &set) != 0) rb_sys_fail("sched_setaffinity");
    return Qnil;
}

void mohs_init_supervisor(void) {
    rb_define_module_function(mohs_mCore, "supervise", supervise, 1);
    rb_define_module_function(mohs_mCore, "affinity", affinity, 1);
    rb_define_module_function(mohs_mCore, "set_affinity", set_affinity, 2);
}
