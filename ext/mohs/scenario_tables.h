#ifndef MOHS_SCENARIO_BINDING_H
#define MOHS_SCENARIO_BINDING_H

#include <ruby.h>

#include "core/target.h"

/* Gives the target the scenario that Load::Scenario#packed described. Raises for what is no such
 * description. */
void mohs_scenario_fill(struct mohs_target *target, VALUE values);

#endif
