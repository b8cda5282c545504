/*
 * Structs whose fields are declared once, as a list that a struct, its sum and its Ruby Hash are
 * made from: #define LIST(FIELD) FIELD(name, rule) ..., each a uint64_t. The rule says how the
 * values of two lanes or threads become one: SUM, MAX or MIN; ONCE: there are never two.
 */
#ifndef MOHS_FIELDS_H
#define MOHS_FIELDS_H

#define MOHS_DECLARE_FIELD(name, rule) uint64_t name;

#define MOHS_MERGE_SUM(a, b) ((a) + (b))
#define MOHS_MERGE_MAX(a, b) ((a) > (b) ? (a) : (b))
#define MOHS_MERGE_MIN(a, b) ((a) < (b) ? (a) : (b))

/* Adds a field of `part` to `total`. */
#define MOHS_MERGE_FIELD(name, rule) total->name = MOHS_MERGE_##rule(total->name, part->name);

#endif
