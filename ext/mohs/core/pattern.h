/*
 * Finds a piece of a text between two literals that consists of certain bytes. That is what people
 * write regular expressions like name="token" value="([^"]+)" for; anything more is refused before
 * the load, by Load::Scenario::Pattern.
 */
#ifndef MOHS_PATTERN_H
#define MOHS_PATTERN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "http.h"

#define MOHS_CAPTURE_MAX 4096 /* bytes of a piece; a longer one is not found */

/* Bytes that one search compares with the set, at most: a ms. Without a limit 64 KB of a byte of
 * the set would take 2 s, in which other connections wait. */
#define MOHS_PATTERN_STEPS (1u << 20)

struct mohs_pattern {
    struct mohs_span before; /* may be empty, */
    struct mohs_span behind; /* as may this */
    uint64_t set[4];         /* the bytes that the piece may consist of, a bit each */
    uint32_t least;          /* the fewest bytes that it has */
    bool lazy;               /* the shortest piece; else the longest */
};

/* The first piece, as a regular expression finds it. Returns whether there is one, within
 * MOHS_PATTERN_STEPS. */
bool mohs_pattern_find(const struct mohs_pattern *pattern, struct mohs_span text,
                       struct mohs_span *found);

#endif
