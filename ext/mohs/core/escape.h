/* Values on their way into a request, and out of a page. */
#ifndef MOHS_ESCAPE_H
#define MOHS_ESCAPE_H

#include <stddef.h>

#include "http.h"

/* What a value must not break. */
enum mohs_escape {
    MOHS_ESCAPE_NOTHING, /* goes as it is */
    MOHS_ESCAPE_PATH,    /* a path: what has a meaning in an address keeps it */
    MOHS_ESCAPE_FORM,    /* a value of a form or a query: nothing in it has a meaning */
    MOHS_ESCAPE_JSON,    /* within the quotes of a JSON text */
    MOHS_ESCAPE_HEADER   /* a header: control characters become blanks */
};

#define MOHS_ESCAPE_GROWTH 6 /* bytes that one byte becomes at most: \u001f */

/* Writes the value; returns where it ends. There is room for MOHS_ESCAPE_GROWTH times its size. */
char *mohs_escape(char *out, struct mohs_span value, enum mohs_escape escape);

/* Replaces the entities of HTML in place that servers escape text with: &amp; &lt; &gt; &quot;
 * &apos; and numbers (&#39; &#x27;). Returns the new size, which is not greater. */
size_t mohs_unescape_html(char *text, size_t size);

#endif
