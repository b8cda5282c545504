/*
 * An incremental parser of event streams (text/event-stream, WHATWG HTML 9.2.6). It is fed the body
 * of a response, cut anywhere, and returns what it found next. It stores nothing: values come in
 * pieces, within the caller's bytes.
 *
 * Nothing in an event stream is an error. As in a browser, lines that are not understood, and an
 * event that has no data or no blank line behind it, are ignored.
 */
#ifndef MOHS_SSE_H
#define MOHS_SSE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "http.h"

enum mohs_sse_found {
    MOHS_SSE_MORE,  /* all bytes are used */
    MOHS_SSE_PIECE, /* a piece of the value of `field` */
    MOHS_SSE_FIELD, /* the end of a field, which may have had no pieces; `valid`: it counts */
    MOHS_SSE_EVENT  /* a complete event: `data_bytes` and `data_lines` are its own */
};

enum mohs_sse_field { MOHS_SSE_DATA, MOHS_SSE_TYPE, MOHS_SSE_ID, MOHS_SSE_RETRY, MOHS_SSE_IGNORED };

struct mohs_sse {
    uint64_t data_bytes; /* of the event, its lines joined by LF */
    uint64_t data_lines;
    uint64_t retry_ms; /* the last valid one; without any 0 */
    uint64_t number;   /* of the retry line under way */
    uint8_t field;     /* enum mohs_sse_field, of the last piece or field */
    uint8_t phase;
    uint8_t names;  /* the field names that the line may still have, a bit each */
    uint8_t used;   /* bytes of the byte order mark or of the name read */
    bool valid;     /* no NUL in an id, only digits in a retry */
    bool any;       /* the value has a byte */
    bool after_cr;  /* a LF that follows belongs to the same end of line */
    bool delivered; /* the last event was returned: the next byte begins another */
};

/* Prepares for the body of one response. */
void mohs_sse_begin(struct mohs_sse *sse);

/* Parses from *cursor, which it advances, to `end` at most. On MOHS_SSE_PIECE, *piece is within the
 * caller's bytes. */
enum mohs_sse_found mohs_sse_next(struct mohs_sse *sse, const char **cursor, const char *end,
                                  struct mohs_span *piece);

#endif
