/*
 * What the clients of a target do, as tables that are made before the load and only read while it
 * runs: variables, steps (the target's requests), actions (consecutive steps; a free client draws
 * one by weight) and optionally a login (steps that each client does once).
 *
 * Life cycle: a zeroed scenario; memory for its tables from mohs_scenario_take, which the scenario
 * owns; fill the tables; mohs_scenario_ready, which checks them; mohs_scenario_free. client.h
 * carries the actions out.
 */
#ifndef MOHS_SCENARIO_H
#define MOHS_SCENARIO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "escape.h"
#include "pattern.h"

#define MOHS_STEP_CAPTURES 64        /* at most, of one step */
#define MOHS_PAGE_MAX      (1 << 20) /* bytes of a body that are searched for captures */

#define MOHS_VARIABLE_KINDS(NAME)                                                                  \
    NAME(CAPTURED, captured) /* taken from a response */                                           \
    NAME(LISTED, listed)     /* one of `values` */                                                 \
    NAME(LETTERS, letters)   /* `low` lower-case letters */                                        \
    NAME(INTEGER, integer)   /* low to high; high - low < 2^32 */                                  \
    NAME(SEQUENCE, sequence) /* low, low + 1, ...; different for every client */

enum mohs_variable_kind { MOHS_VARIABLE_KINDS(MOHS_DECLARE_NAME) };

struct mohs_variable {
    enum mohs_variable_kind kind;
    bool steady;    /* drawn once for each client; else at the start of every action */
    uint32_t group; /* LISTED ones of a group have equally many values and use the same index */
    int64_t low;
    int64_t high;
    struct mohs_span *values;
    size_t value_count;
    size_t longest; /* the most bytes that a value has; set by mohs_scenario_ready */
};

/* A literal, followed by a variable unless that is MOHS_NO_VARIABLE. */
struct mohs_part {
    struct mohs_span literal;
    uint32_t variable;
    enum mohs_escape escape;
};

#define MOHS_NO_VARIABLE UINT32_MAX

struct mohs_template {
    struct mohs_part *parts;
    size_t count;
};

#define MOHS_CAPTURE_HOWS(NAME)                                                                    \
    NAME(CAPTURE_WHOLE, whole)                                                                     \
    NAME(CAPTURE_PATTERN, pattern)                                                                 \
    NAME(CAPTURE_JSON, json)

enum mohs_capture_how { MOHS_CAPTURE_HOWS(MOHS_DECLARE_NAME) };

struct mohs_capture {
    uint32_t variable;
    struct mohs_span header; /* the header to search; empty: search the body */
    enum mohs_capture_how how;
    struct mohs_pattern pattern;
    struct mohs_span *path; /* the pointer's tokens */
    size_t path_size;
    bool html; /* entities are decoded */
};

struct mohs_scenario_step {
    struct mohs_template head; /* request line and headers except Cookie and Content-Length */
    struct mohs_template body;
    bool has_body; /* else there is no Content-Length either */
    struct mohs_capture *captures;
    size_t capture_count;
    bool reads_body;       /* set by mohs_scenario_ready */
    uint64_t think_low_ns; /* after the response */
    uint64_t think_high_ns;
};

struct mohs_action {
    uint32_t first; /* steps [first, first + count) */
    uint32_t count;
    uint32_t *variables; /* drawn at its start */
    size_t variable_count;
};

struct mohs_scenario {
    struct mohs_variable *variables;
    size_t variable_count;
    struct mohs_scenario_step *steps;
    size_t step_count;
    struct mohs_action *actions;
    uint64_t *weights; /* cumulative */
    size_t action_count;
    struct mohs_action login; /* count 0: none */
    int64_t made_s;           /* seconds since 1970: cookies that expired before then are dropped */

    // set by mohs_scenario_ready
    size_t request_max;
    size_t value_bytes; /* of a client's drawn and captured values */
    void *memory;       /* the last of the blocks taken */
};

/* Returns zeroed memory for a table, or NULL if there is none. */
void *mohs_scenario_take(struct mohs_scenario *scenario, size_t count, size_t size);

/* Returns a copy of `span` for a table. Without memory its data is NULL. */
struct mohs_span mohs_scenario_copy(struct mohs_scenario *scenario, struct mohs_span span);

/* Checks that every index is valid and computes how much memory clients need. Returns 0 or
 * -EINVAL. `requests`: how many requests the target has, which must equal the number of steps. */
int mohs_scenario_ready(struct mohs_scenario *scenario, size_t requests);

void mohs_scenario_free(struct mohs_scenario *scenario);

#endif
