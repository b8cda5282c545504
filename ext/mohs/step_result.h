#ifndef MOHS_STEP_RESULT_H
#define MOHS_STEP_RESULT_H

#include <ruby.h>

#include "core/engine.h"

/* A new Hash with the keys of Core::STEP_FIELDS. */
VALUE mohs_step_result_hash(const struct mohs_step_result *result);

/* A new Hash with the fields of core/thread_stats.h. */
VALUE mohs_thread_stats_hash(const struct mohs_thread_stats *stats);

/* { error:, status:, bytes: } */
VALUE mohs_failed_response_hash(const struct mohs_failed_response *failed);

#endif
