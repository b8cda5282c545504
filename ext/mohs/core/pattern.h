/*
 * Finds a piece of text between two literals that consists of certain bytes only. That is what
 * people use regular expressions like name="token" value="([^"]+)" for; Load::Scenario::Pattern
 * refuses anything more before the load.
 */
#ifndef MOHS_PATTERN_H
#define MOHS_PATTERN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "http.h"

#define MOHS_CAPTURE_MAX 4096 /* bytes of a piece; a longer one is not found */

/* How many bytes one search compares with the set at most, which takes about 1 ms. Without a
 * limit, 64 KB of a byte in the set would take 2 s, during which other connections wait. */
#define MOHS_PATTERN_STEPS (1u << 20)

struct mohs_pattern {
    struct mohs_span before; /* may be empty */
    struct mohs_span behind; /* may be empty too */
    uint64_t set[4];         /* the bytes that the piece may consist of, a bit each */
    uint32_t least;          /* the fewest bytes that the piece has */
    bool lazy;               /* the shortest piece; else the longest */
};

/* Finds the first piece, as a regular expression does. Returns whether there is one within
 * MOHS_PATTERN_STEPS. */
bool mohs_pattern_find(const struct mohs_pattern *pattern, struct mohs_span text,
                       struct mohs_span *found);

#endif
