#ifndef MOHS_ARRIVALS_VALUE_H
#define MOHS_ARRIVALS_VALUE_H

#include <ruby.h>

#include "core/arrivals.h"

/* The arrivals that Load::Arrivals#packed describes; nil: a closed loop. Given times stay in
 * Ruby's String. */
struct mohs_arrivals mohs_arrivals_of(VALUE values);

#endif
