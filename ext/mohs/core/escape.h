/* Escapes values that go into a request, and unescapes values from a page. */
#ifndef MOHS_ESCAPE_H
#define MOHS_ESCAPE_H

#include <stddef.h>

#include "http.h"

/* Where a value is put, and so what must be escaped. */
enum mohs_escape {
    MOHS_ESCAPE_NOTHING, /* as it is */
    MOHS_ESCAPE_PATH,    /* in a path: reserved characters stay */
    MOHS_ESCAPE_FORM,    /* in a form or a query: every reserved character is escaped */
    MOHS_ESCAPE_JSON,    /* inside a JSON string */
    MOHS_ESCAPE_HEADER   /* in a header: control characters become blanks */
};

#define MOHS_ESCAPE_GROWTH 6 /* the most bytes that one byte becomes: \u001f */

/* Writes the value; returns where it ends. There is room for MOHS_ESCAPE_GROWTH times its size. */
char *mohs_escape(char *out, struct mohs_span value, enum mohs_escape escape);

/* Replaces, in place, the HTML entities that servers escape text with: &amp; &lt; &gt; &quot;
 * &apos; and numbers (&#39; &#x27;). Returns the new size, which is not larger. */
size_t mohs_unescape_html(char *text, size_t size);

#endif
