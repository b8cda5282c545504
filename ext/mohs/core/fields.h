/*
 * Declarations that C and Ruby share. A struct's fields: #define LIST(FIELD) FIELD(name, rule)
 * ..., each a uint64_t; the struct, its sum and its Ruby Hash are made from the list. The rule
 * says how the values of two lanes or threads are merged: SUM, MAX or MIN; ONCE: there are never
 * two. An enum's constants: #define LIST(NAME) NAME(CONSTANT, name) ..., numbered from 0; Ruby
 * gets an Array of the names as Symbols.
 */
#ifndef MOHS_FIELDS_H
#define MOHS_FIELDS_H

#define MOHS_DECLARE_FIELD(name, rule) uint64_t name;

#define MOHS_DECLARE_NAME(constant, name) MOHS_##constant,

#define MOHS_MERGE_SUM(a, b) ((a) + (b))
#define MOHS_MERGE_MAX(a, b) ((a) > (b) ? (a) : (b))
#define MOHS_MERGE_MIN(a, b) ((a) < (b) ? (a) : (b))

/* Adds a field of `part` to `total`. */
#define MOHS_MERGE_FIELD(name, rule) total->name = MOHS_MERGE_##rule(total->name, part->name);

#endif
