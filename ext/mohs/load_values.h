#ifndef MOHS_LOAD_VALUES_H
#define MOHS_LOAD_VALUES_H

#include <ruby.h>

#include "core/arrivals.h"
#include "core/target.h"

/* The arrivals that Load::Arrivals#packed describes; nil: a closed loop. Given times stay in
 * Ruby's String. */
struct mohs_arrivals mohs_arrivals_of(VALUE values);

/* Writes address:, sources:, connections: and timeout_ns: to a target; raises if it can't. */
void mohs_target_place(struct mohs_target *target, VALUE values);

#endif
