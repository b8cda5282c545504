/* Mohs::Core's shield. Process::Shield is its only caller. */
#include "binding.h"

#include "core/shield.h"
#include "core/watchdog.h"

/* Core.set_sched_class_below(root, sched_class) -> nil: sets the class of all threads below the
 * process `root`. Raises Errno::EPERM. */
static VALUE set_below(VALUE self, VALUE root, VALUE sched_class) {
    (void)self;
    int wanted = NUM2INT(sched_class);
    if (wanted < MOHS_SCHED_PLAIN || wanted > MOHS_SCHED_REAL_TIME)
        rb_raise(rb_eArgError, "invalid scheduling class %d", wanted);
    int result = mohs_set_sched_class_below(NUM2PIDT(root), (enum mohs_sched_class)wanted);
    if (result < 0) rb_syserr_fail(-result, "priority of a server's thread");
    return Qnil;
}

/* Core.sched_counts_below(root) -> how many threads below it are in each class, by its number */
static VALUE counts_below(VALUE self, VALUE root) {
    (void)self;
    struct mohs_sched_counts found;
    mohs_sched_counts_below(NUM2PIDT(root), &found);
    return rb_ary_new_from_args(3, LONG2NUM(found.by_class[MOHS_SCHED_PLAIN]),
                                LONG2NUM(found.by_class[MOHS_SCHED_NICE]),
                                LONG2NUM(found.by_class[MOHS_SCHED_REAL_TIME]));
}

/*
 * Core.watchdog(roots:, silence_ms:, limit_ms:) -> { pid:, control:, reports: }; the last two are
 * descriptors. Raises Errno::EPERM if its priority is not permitted.
 */
static VALUE watchdog(VALUE self, VALUE options) {
    (void)self;
    VALUE roots = MOHS_FETCH_LIST(options, roots);
    VALUE holder = 0;
    pid_t *pids = rb_alloc_tmp_buffer2(&holder, RARRAY_LEN(roots) + 1, sizeof(pid_t));
    for (long at = 0; at < RARRAY_LEN(roots); at++) pids[at] = NUM2PIDT(rb_ary_entry(roots, at));
    struct mohs_watchdog_terms terms = {.roots = pids,
                                        .root_count = (size_t)RARRAY_LEN(roots),
                                        .silence_ms = NUM2INT(MOHS_FETCH(options, silence_ms)),
                                        .limit_ms = NUM2INT(MOHS_FETCH(options, limit_ms))};
    struct mohs_watchdog made;
    int result = mohs_watchdog_start(&terms, &made);
    rb_free_tmp_buffer(&holder);
    if (result < 0) rb_syserr_fail(-result, "the shield's watchdog");
    return mohs_pipes_hash(made.pid, made.control, made.reports);
}

void mohs_init_shield(void) {
    rb_define_module_function(mohs_mCore, "set_sched_class_below", set_below, 2);
    rb_define_module_function(mohs_mCore, "sched_counts_below", counts_below, 1);
    rb_define_module_function(mohs_mCore, "watchdog", watchdog, 1);
}
