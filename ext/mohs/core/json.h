/* One value out of a JSON text, by its pointer (RFC 6901). Strict: a text that is not JSON through
 * and through (RFC 8259) has none. Nothing is kept, nothing is allocated. */
#ifndef MOHS_JSON_H
#define MOHS_JSON_H

#include <stddef.h>

#include "http.h"

#define MOHS_JSON_DEPTH 64 /* arrays and objects in each other; deeper ones are refused */

/*
 * Writes the value that `path` (the pointer's `depth` tokens, unescaped) leads to: text without its
 * quotes and escapes, a number or true, false, null as they stand. Returns its size, or -1: there
 * is no such value, it is an array or object, it has more than `room` bytes, or the text is no
 * JSON. Of equal names in an object the last counts.
 */
long mohs_json_find(struct mohs_span text, const struct mohs_span *path, size_t depth, char *out,
                    size_t room);

#endif
