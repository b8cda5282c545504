/* Finds one value in a JSON text by its pointer (RFC 6901). Strict: finds nothing in a text that
 * is not valid JSON from beginning to end (RFC 8259). Stores and allocates nothing. */
#ifndef MOHS_JSON_H
#define MOHS_JSON_H

#include <stddef.h>

#include "http.h"

#define MOHS_JSON_DEPTH 64 /* levels of arrays and objects; deeper texts are refused */

/*
 * Writes the value that `path` (the pointer's `depth` tokens, unescaped) leads to: a string
 * without quotes and escapes; a number, true, false or null as written. Returns its size, or -1 if
 * there is no such value, it is an array or object, it has more than `room` bytes, or the text is
 * not JSON. If an object has equal names, the last one counts.
 */
long mohs_json_find(struct mohs_span text, const struct mohs_span *path, size_t depth, char *out,
                    size_t room);

#endif
