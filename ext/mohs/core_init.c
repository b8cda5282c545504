/*
 * The Ruby binding of the core. Reading order: this file, engine_binding.c, then the others, one
 * per Ruby class or subject. core/ knows nothing of Ruby; these files only turn Ruby values into
 * its structs and back.
 */
#include "binding.h"

#include "core/error.h"

VALUE mohs_mCore;

VALUE mohs_fetch(VALUE hash, VALUE key) {
    Check_Type(hash, T_HASH);
    return rb_hash_fetch(hash, key);
}

VALUE mohs_fetch_typed(VALUE hash, VALUE key, int type) {
    VALUE value = mohs_fetch(hash, key);
    Check_Type(value, type);
    return value;
}

VALUE mohs_pipes_hash(pid_t pid, int control, int reports) {
    VALUE hash = rb_hash_new();
    rb_hash_aset(hash, MOHS_KEY(pid), PIDT2NUM(pid));
    rb_hash_aset(hash, MOHS_KEY(control), INT2NUM(control));
    rb_hash_aset(hash, MOHS_KEY(reports), INT2NUM(reports));
    return hash;
}

VALUE mohs_define_names(const char *constant, const char *const *names) {
    VALUE list = rb_ary_new();
    for (; *names; names++) rb_ary_push(list, ID2SYM(rb_intern(*names)));
    rb_define_const(mohs_mCore, constant, rb_ary_freeze(list));
    rb_gc_register_mark_object(list); // C keeps it too
    return list;
}

int mohs_number_of(VALUE names, VALUE name) {
    for (long at = 0; at < RARRAY_LEN(names); at++)
        if (rb_ary_entry(names, at) == name) return (int)at;
    rb_raise(rb_eArgError, "%+" PRIsVALUE " is none of %" PRIsVALUE, name,
             rb_ary_join(names, rb_str_new_cstr(", ")));
}

/* Mohs::Core::ERRORS: published error names, by number. */
static VALUE error_names(void) {
    VALUE names = rb_ary_new_capa(MOHS_ERROR_COUNT);
    for (int error = 0; error < MOHS_ERROR_COUNT; error++)
        rb_ary_push(names, rb_str_freeze(rb_str_new_cstr(mohs_error_name(error))));
    return rb_ary_freeze(names);
}

RUBY_FUNC_EXPORTED void Init_core(void) {
    VALUE mMohs = rb_define_module("Mohs");
    mohs_mCore = rb_define_module_under(mMohs, "Core");
    rb_define_const(mohs_mCore, "ERRORS", error_names());
    mohs_init_step_result();
    mohs_init_engine();
    mohs_init_scenario();
    mohs_init_streams();
    mohs_init_slow();
    mohs_init_records();
    mohs_init_rows();
    mohs_init_supervisor();
    mohs_init_codec();
    mohs_init_fold();
    mohs_init_fixed_work_probe();
    mohs_init_shield();
    mohs_init_null_server();
}
