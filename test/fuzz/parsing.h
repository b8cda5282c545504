/* What the parser's targets share: reading an answer in pieces, and the result. */
#ifndef MOHS_FUZZ_PARSING_H
#define MOHS_FUZZ_PARSING_H

#include "fuzz.h"

struct found {
    enum mohs_http_event event;
    uint64_t body_bytes;
    uint32_t digest;
    int closed;
    uint16_t status;
    uint8_t error;
    bool reusable;
    size_t left;
};

/* "a:aaaa...": what a parser inside a line has read of it. */
static inline void begin_header(char *line, size_t size) {
    memset(line, 'a', size);
    if (size > 1) line[1] = ':';
}

/* Reads on in pieces, each in a room of its own size. Without cuts the bytes are read in place, in
 * libFuzzer's own block. */
static inline struct found parse(struct mohs_http http, const char *bytes, size_t size,
                                 const struct cuts *cuts) {
    static struct room room;
    struct found found = {.event = MOHS_HTTP_MORE};
    uLong digest = 0;
    begin_header(http.line, http.line_used); // else it is what another input left there
    for (size_t from = 0; from < size && found.event == MOHS_HTTP_MORE;) {
        size_t end = cuts ? cut_behind(*cuts, from, size) : size;
        const char *piece = cuts ? room_copy(&room, bytes + from, end - from) : bytes;
        const char *cursor = piece, *stop = piece + (end - from);
        struct mohs_span span;
        while ((found.event = mohs_http_next(&http, &cursor, stop, &span)) == MOHS_HTTP_BODY) {
            HOLDS(span.data >= piece && span.size > 0 && span.data + span.size == cursor);
            digest = crc32(digest, (const Bytef *)span.data, (uInt)span.size);
        }
        HOLDS(cursor <= stop && (cursor == stop || found.event != MOHS_HTTP_MORE));
        found.left = size - from - (size_t)(cursor - piece);
        from = end;
    }
    HOLDS(http.head_used <= MOHS_HTTP_HEAD_MAX && http.line_used <= MOHS_HTTP_LINE_MAX);
    found.digest = (uint32_t)digest;
    found.closed = mohs_http_closed(&http);
    found.error = http.error;
    found.status = http.status;
    found.body_bytes = http.body_bytes;
    found.reusable = http.reusable;
    return found;
}

/* How many bytes are left after a broken answer does not matter. */
static inline void same(struct found one, struct found other) {
    HOLDS(one.event == other.event && one.error == other.error && one.status == other.status);
    HOLDS(one.body_bytes == other.body_bytes && one.digest == other.digest);
    if (one.event == MOHS_HTTP_BROKEN) return;
    HOLDS(one.reusable == other.reusable && one.closed == other.closed && one.left == other.left);
}

/* Checks that the result is the same however the bytes are cut; returns it. */
static inline struct found parse_both(const struct mohs_http *http, const char *bytes,
                                      size_t size) {
    struct cuts cuts = cuts_of(bytes, size);
    struct found whole = parse(*http, bytes, size, NULL);
    same(whole, parse(*http, bytes, size, &cuts));
    return whole;
}

/* A parser that has read `bytes` so many times. */
static inline struct mohs_http after(const char *bytes, size_t times) {
    static char line[MOHS_HTTP_LINE_MAX];
    struct mohs_http http;
    mohs_http_begin(&http, line, false);
    for (; times > 0; times--) {
        struct mohs_span span;
        const char *cursor = bytes;
        HOLDS(mohs_http_next(&http, &cursor, bytes + strlen(bytes), &span) == MOHS_HTTP_MORE);
    }
    return http;
}

#endif
