/*
 * The parser on any bytes: it may refuse them, but not read beyond them, and how they are cut must
 * not change what it finds. The first byte says whether a HEAD request is answered.
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

/* Parses the bytes in two pieces, cut at `cut`, each in memory of its own size. */
static struct found parse(const uint8_t *bytes, size_t size, size_t cut, bool head, size_t step) {
    static char line[MOHS_HTTP_LINE_MAX];
    struct mohs_http http;
    struct found found = {.event = MOHS_HTTP_MORE, .digest = MOHS_DIGEST_SEED};
    mohs_http_begin(&http, line, head);
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
    bool head = data[0] == 'H';
    data++, size--;
    struct found whole = parse(data, size, 0, head, 0);
    same(whole, parse(data, size, 0, head, 1));
    size_t every = size < 512 ? 1 : size / 64; // long inputs at fewer places
    for (size_t cut = 1; cut < size; cut += every) same(whole, parse(data, size, cut, head, 0));
    return 0;
}
