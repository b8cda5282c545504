/*
 * A strict incremental parser of HTTP/1.x responses. It is fed whatever recv() returned, cut
 * anywhere, and returns what it found next. It works by lines: a line that lies whole in the
 * caller's bytes is read in place; only a line that was cut is assembled in the buffer given at
 * begin.
 *
 * The rules come from RFC 9112, but are stricter: a line ends in CRLF; Content-Length occurs once
 * or repeats the same value, and never beside Transfer-Encoding; no folded headers.
 */
#ifndef MOHS_HTTP_H
#define MOHS_HTTP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define MOHS_HTTP_LINE_MAX 8192  /* one line with its CRLF; Puma and nginx send no longer lines */
#define MOHS_HTTP_HEAD_MAX 65536 /* status line, headers and trailers together, 1xx included */

enum mohs_http_event {
    MOHS_HTTP_MORE,  /* all bytes are used and the response goes on */
    MOHS_HTTP_BODY,  /* a span of the body: call again */
    MOHS_HTTP_DONE,  /* the response is complete; bytes left over do not belong to it */
    MOHS_HTTP_BROKEN /* not HTTP: see error */
};

struct mohs_span {
    const char *data;
    size_t size;
};

/* Called for each header; both spans are valid only during the call. */
typedef void mohs_header_listener(void *listener, struct mohs_span name, struct mohs_span value);

struct mohs_http {
    char *line;          /* MOHS_HTTP_LINE_MAX bytes, the caller's */
    uint64_t remaining;  /* of the body or the chunk */
    uint64_t length;     /* Content-Length, if has_length */
    uint64_t body_bytes; /* body so far, without chunk framing */
    uint32_t line_used;
    uint32_t head_used;
    uint16_t status; /* 0 before the status line */
    uint8_t phase;
    uint8_t minor;
    uint8_t error; /* enum mohs_error, after MOHS_HTTP_BROKEN */
    bool begun;    /* any byte was read */
    bool head_request;
    bool has_length;
    bool has_encoding;
    bool chunked;
    bool says_close;
    bool says_keep_alive;
    bool reusable; /* known when the head is read: the connection can carry another request */
    bool has_type;
    bool right_type;            /* the first Content-Type is `type`; true if none is wanted */
    struct mohs_span type;      /* wanted, without parameters; optional, set by mohs_http_want */
    mohs_header_listener *tell; /* optional, set after begin: gets the final response's headers */
    void *listener;
};

/* Prepares for one response. `line` has MOHS_HTTP_LINE_MAX bytes and outlives the response. */
void mohs_http_begin(struct mohs_http *http, char *line, bool head_request);

/* Compares the response's Content-Type with this one. To be called after begin. */
void mohs_http_want(struct mohs_http *http, struct mohs_span type);

/*
 * Parses from *cursor, which it advances, to `end` at most. On MOHS_HTTP_BODY, *span is a piece of
 * the body, within the caller's bytes.
 */
enum mohs_http_event mohs_http_next(struct mohs_http *http, const char **cursor, const char *end,
                                    struct mohs_span *span);

/* Whether the head has been read, so that its fields are known. */
bool mohs_http_has_head(const struct mohs_http *http);

/*
 * To be called when the peer has closed. Returns MOHS_OK if that is how this response ends, else
 * the error class. Only to be called after the first byte; before it the caller knows the class
 * better.
 */
int mohs_http_closed(const struct mohs_http *http);

#endif
