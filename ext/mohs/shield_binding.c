/* Mohs::Core's shield. Process::Shield is its only caller. */
#include "binding.h"

#include "core/shield.h"
#include "core/watchdog.h"

/* Core.stand_below(root, standing) -> nil: all threads below the process `root`. Errno::EPERM. */
static VALUE stand_below(VALUE self, VALUE root, VALUE standing) {
    (void)self;
    int wanted = NUM2INT(standing);
    if (wanted < MOHS_PLAIN || wanted > MOHS_REAL_TIME)
        rb_raise(rb_eArgError, "no standing %d", wanted);
    int result = mohs_stand_below(NUM2PIDT(root), (enum mohs_standing)wanted);
    if (result < 0) rb_syserr_fail(-result, "priority of a server's thread");
    return Qnil;
}

/* Core.standings(root) -> threads below it that stand plainly, nicer, in the real-time class */
static VALUE standings(VALUE self, VALUE root) {
    (void)self;
    struct mohs_standings found;
    mohs_standings_below(NUM2PIDT(root), &found);
    return rb_ary_new_from_args(3, LONG2NUM(found.standing[MOHS_PLAIN]),
                                LONG2NUM(found.standing[MOHS_NICE]),
                                LONG2NUM(found.standing[MOHS_REAL_TIME]));
}

/*
 * Core.watchdog([root], silence_ms, limit_ms) -> [pid, control fd, reports fd]
 * Errno::EPERM where its priority is not permitted.
 */
static VALUE watchdog(VALUE self, VALUE roots, VALUE silence_ms, VALUE limit_ms) {
    (void)self;
    Check_Type(roots, T_ARRAY);
    VALUE holder = 0;
    pid_t *pids = rb_alloc_tmp_buffer2(&holder, RARRAY_LEN(roots) + 1, sizeof(pid_t));
    for (long at = 0; at < RARRAY_LEN(roots); at++) pids[at] = NUM2PIDT(rb_ary_entry(roots, at));
    struct mohs_watchdog_terms terms = {.roots = pids,
                                        .root_count = (size_t)RARRAY_LEN(roots),
                                        .silence_ms = NUM2INT(silence_ms),
                                        .limit_ms = NUM2INT(limit_ms)};
    struct mohs_watchdog made;
    int result = mohs_watchdog_start(&terms, &made);
    rb_free_tmp_buffer(&holder);
    if (result < 0) rb_syserr_fail(-result, "the shield's watchdog");
    return rb_ary_new_from_args(3, PIDT2NUM(made.pid), INT2NUM(made.control),
                                INT2NUM(made.reports));
}

void mohs_init_shield(void) {
    rb_define_module_function(mohs_mCore, "stand_below", stand_below, 2);
    rb_define_module_function(mohs_mCore, "standings", standings, 1);
    rb_define_module_function(mohs_mCore, "watchdog", watchdog, 3);
}
