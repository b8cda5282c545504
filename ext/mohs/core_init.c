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
    mohs_init_records();
    mohs_init_rows();
    mohs_init_supervisor();
    mohs_init_codec();
    mohs_init_fixed_work_probe();
    mohs_init_shield();
    mohs_init_null_server();
}
