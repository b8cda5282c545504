#ifndef MOHS_BINDING_H
#define MOHS_BINDING_H

#include <ruby.h>

extern VALUE mohs_mCore; /* module Mohs::Core */

/* Each defines its class below Mohs::Core. Called once, by Init_core. */
void mohs_init_engine(void);
void mohs_init_supervisor(void);
void mohs_init_codec(void);
void mohs_init_records(void);
void mohs_init_rows(void);
void mohs_init_sentinel(void);
void mohs_init_shield(void);
void mohs_init_null_server(void);

#endif
