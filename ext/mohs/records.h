#ifndef MOHS_RECORDS_H
#define MOHS_RECORDS_H

#include <ruby.h>

#include "core/recording.h"

/* A Mohs::Core::Records over `count` runs of memory that lives as long as `owner`. */
VALUE mohs_records_new(VALUE owner, const struct mohs_run *runs, size_t count);

/* The runs of a Mohs::Core::Records, valid as long as it lives; raises TypeError for any other
 * object. */
const struct mohs_run *mohs_records_runs(VALUE self, size_t *count);

#endif
