/* Escapes values that go into a request, and unescapes values from a page. */
#ifndef MOHS_ESCAPE_H
#define MOHS_ESCAPE_H

#include <stddef.h>

#include "fields.h"
#include "http.h"

/* Where a value is inserted, which decides what must be escaped. */
#define MOHS_ESCAPES(NAME)                                                                         \
    NAME(ESCAPE_NOTHING, nothing) /* as it is */                                                   \
    NAME(ESCAPE_PATH, path)       /* in a path: reserved characters stay */                        \
    NAME(ESCAPE_FORM, form)       /* in a form or a query: every reserved character is escaped */  \
    NAME(ESCAPE_JSON, json)       /* inside a JSON string */                                       \
    NAME(ESCAPE_HEADER, header)   /* in a header: control characters become blanks */

enum mohs_escape { MOHS_ESCAPES(MOHS_DECLARE_NAME) };

#define MOHS_ESCAPE_GROWTH 6 /* the most bytes that one byte becomes: \u001f */

/* Writes the value and returns where it ends. `out` has room for MOHS_ESCAPE_GROWTH times its
 * size. */
char *mohs_escape(char *out, struct mohs_span value, enum mohs_escape escape);

/* Replaces, in place, the HTML entities with which servers escape text: &amp; &lt; &gt; &quot;
 * &apos; and numbers (&#39; &#x27;). Returns the new size, which is not larger. */
size_t mohs_unescape_html(char *text, size_t size);

#endif
