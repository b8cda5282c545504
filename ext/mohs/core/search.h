/*
 * Searches a body for a text while it is read, piece by piece, without keeping the pieces. A match
 * at the end of one piece continues in the next (Knuth, Morris and Pratt 1977); in between memmem
 * searches, which is faster.
 */
#ifndef MOHS_SEARCH_H
#define MOHS_SEARCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "http.h"

/* A text to look for. Zeroed: no text, which is found in everything. */
struct mohs_text {
    struct mohs_span bytes;
    uint32_t *borders; /* the longest border of each prefix: a suffix that is a prefix too */
};

/* Copies the text. Returns 0, or -ENOMEM and then needs no free. */
int mohs_text_init(struct mohs_text *text, struct mohs_span bytes);

void mohs_text_free(struct mohs_text *text);

/* One search; zeroed at its start. */
struct mohs_search {
    uint32_t matched; /* bytes of the text at the end of what was read */
    bool found;
};

/* Searches the next piece. Must not be called once the text was found. */
void mohs_search_next(struct mohs_search *search, const struct mohs_text *text,
                      struct mohs_span piece);

#endif
