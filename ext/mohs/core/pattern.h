/*
 * Takes a piece out of a text: what stands between two literals and consists of certain bytes. That
 * is what people write regular expressions like name="token" value="([^"]+)" for; anything more is
 * refused before the load, by Load::Pattern.
 */
#ifndef MOHS_PATTERN_H
#define MOHS_PATTERN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "http.h"

#define MOHS_CAPTURE_MAX 4096 /* bytes of a piece; a longer one is none */

struct mohs_pattern {
    struct mohs_span before; /* may be empty, */
    struct mohs_span behind; /* as may this */
    uint64_t set[4];         /* what the piece consists of: a bit for each byte */
    uint32_t least;          /* bytes that it has at least */
    bool lazy;               /* the shortest such piece, else the longest */
};

/* The first piece, as a regular expression finds it. Returns whether there is one. */
bool mohs_pattern_find(const struct mohs_pattern *pattern, struct mohs_span text,
                       struct mohs_span *found);

#endif
