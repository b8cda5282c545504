#ifndef MOHS_SCENARIO_BINDING_H
#define MOHS_SCENARIO_BINDING_H

#include <ruby.h>

#include "core/target.h"

/* Gives the target the scenario that Load::Scenario#packed describes. Raises for an invalid
 * description. */
void mohs_scenario_fill(struct mohs_target *target, VALUE values);

#endif
