/*
 * The parser on any bytes: it may refuse them, but not read beyond them, and how they are cut must
 * not change what it finds. The first byte says where it begins: H the answer to a HEAD request, C
 * behind the head of an answer in chunks, L where all but a few bytes of a head's room are used up,
 * anything else the answer to a GET request. The corpus is test/fixtures/responses.
 */
#include "core/http.h"

#include <stdlib.h>
#include <string.h>

#include "core/check.h"

struct found {
    enum mohs_http_event event;
    unsigned error;
    unsigned status;
    uint64_t body_bytes;
    uint64_t digest;
    bool reusable;
};

static char line[MOHS_HTTP_LINE_MAX];

/* A parser that has read `bytes` so many times. */
static struct mohs_http after(const char *bytes, size_t times) {
    struct mohs_http http;
    struct mohs_span span;
    mohs_http_begin(&http, line, false);
    for (; times > 0; times--) {
        const char *cursor = bytes;
        if (mohs_http_next(&http, &cursor, bytes + strlen(bytes), &span) != MOHS_HTTP_MORE) abort();
    }
    return http;
}

static struct mohs_http begun(char where) {
    static const char interim[] = "HTTP/1.1 103 \r\nA: b\r\n\r\n";
    static struct mohs_http in_chunks, near_limit;
    struct mohs_http http;
    if (!in_chunks.line) {
        in_chunks = after("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", 1);
        near_limit = after(interim, MOHS_HTTP_HEAD_MAX / strlen(interim) - 1);
    }
    if (where == 'C') return in_chunks;
    if (where == 'L') return near_limit;
    mohs_http_begin(&http, line, where == 'H');
    return http;
}

/* Parses the bytes in two pieces, cut at `cut`, each in memory of its own size. */
static struct found parse(const uint8_t *bytes, size_t size, size_t cut, char where, size_t step) {
    struct mohs_http http = begun(where);
    struct found found = {.event = MOHS_HTTP_MORE, .digest = MOHS_DIGEST_SEED};
    for (size_t from = 0; from < size && found.event == MOHS_HTTP_MORE;) {
        size_t length = from < cut ? cut - from : size - from;
        if (step && length > step) length = step;
        char *piece = malloc(length);
        memcpy(piece, bytes + from, length);
        const char *cursor = piece;
        struct mohs_span span;
        while ((found.event = mohs_http_next(&http, &cursor, piece + length, &span)) ==
               MOHS_HTTP_BODY) {
            if (span.data < piece || span.data + span.size > piece + length) abort();
            found.digest = mohs_digest(found.digest, span.data, span.size);
        }
        if (found.event == MOHS_HTTP_MORE && cursor != piece + length) abort();
        free(piece);
        from += length;
    }
    if (http.head_used > MOHS_HTTP_HEAD_MAX || http.line_used > MOHS_HTTP_LINE_MAX) abort();
    found.error = http.error;
    found.status = http.status;
    found.body_bytes = http.body_bytes;
    found.reusable = http.reusable;
    (void)mohs_http_closed(&http);
    return found;
}

static void same(struct found one, struct found other) {
    if (one.event != other.event || one.error != other.error || one.status != other.status ||
        one.body_bytes != other.body_bytes || one.digest != other.digest ||
        one.reusable != other.reusable)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size < 2) return 0;
    char where = (char)data[0];
    data++, size--;
    struct found whole = parse(data, size, 0, where, 0);
    same(whole, parse(data, size, 0, where, 1));
    uint64_t place = whole.digest ^ size; // a few places each: the next input has others
    for (int at = 0; at < 8; at++) {
        place = mohs_digest(place, (const char *)data, size < 16 ? size : 16);
        same(whole, parse(data, size, 1 + place % size, where, 0));
    }
    return 0;
}
