#ifndef MOHS_BINDING_H
#define MOHS_BINDING_H

#include <ruby.h>

extern VALUE mohs_mCore; /* module Mohs::Core */

/* The Symbol of a bare name. */
#define MOHS_KEY(name) ID2SYM(rb_intern(#name))

/* Fetches a value from a Hash by name; raises KeyError if it is missing. Ruby and C pass records
 * by name, never by position. */
#define MOHS_FETCH(hash, name) mohs_fetch(hash, MOHS_KEY(name))

VALUE mohs_fetch(VALUE hash, VALUE key);

/* The same, but raises TypeError if the value does not have this type. */
VALUE mohs_fetch_typed(VALUE hash, VALUE key, int type);

#define MOHS_FETCH_LIST(hash, name)   mohs_fetch_typed(hash, MOHS_KEY(name), T_ARRAY)
#define MOHS_FETCH_STRING(hash, name) mohs_fetch_typed(hash, MOHS_KEY(name), T_STRING)

/* Raises SystemCallError if a result of the core is -errno. */
static inline void mohs_verify(int result, const char *what) {
    if (result < 0) rb_syserr_fail(-result, what);
}

#define MOHS_NAME_TEXT(constant, name) #name,

/* Defines a constant of Mohs::Core: a frozen Array of Symbols made from a list of names
 * (core/fields.h). Returns the Array. */
#define MOHS_DEFINE_NAMES(constant, LIST)                                                          \
    mohs_define_names(constant, (const char *const[]){LIST(MOHS_NAME_TEXT) NULL})

VALUE mohs_define_names(const char *constant, const char *const *names);

/* The index of a Symbol in names; raises ArgumentError if it is not among them. */
int mohs_number_of(VALUE names, VALUE name);

/* { pid:, control:, reports: } for a process that mohs started and the pipes to it. */
VALUE mohs_pipes_hash(pid_t pid, int control, int reports);

/* Raises StoreError for encoded records that can't be read (core/codec.h), with the byte offset in
 * the String. */
NORETURN(void mohs_refuse_frames(int error, long at));

/* Each function defines its class under Mohs::Core. Init_core calls each of them once. */
void mohs_init_engine(void);
void mohs_init_supervisor(void);
void mohs_init_codec(void);
void mohs_init_fold(void);
void mohs_init_records(void);
void mohs_init_rows(void);
void mohs_init_fixed_work_probe(void);
void mohs_init_shield(void);
void mohs_init_null_server(void);
void mohs_init_scenario(void);
void mohs_init_step_result(void);
void mohs_init_streams(void);
void mohs_init_slow(void);

#endif
