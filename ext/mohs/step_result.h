#ifndef MOHS_STEP_RESULT_H
#define MOHS_STEP_RESULT_H

#include <ruby.h>

#include "core/engine.h"

/* A new Hash with the keys of Core::STEP_FIELDS. */
VALUE mohs_step_result_hash(const struct mohs_step_result *result);

#endif
