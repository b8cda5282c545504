/*
 * Reads answers, a line each: "0" or "1" (to a HEAD request), a blank, the bytes in hexadecimal.
 * Parses each whole, byte by byte, and cut in two at every place (of a long one at its ends and
 * each 1/64 of it), each piece in memory of its own, so that a sanitizer sees a step too far.
 * Prints a line each: what was found; before it "cut PLACE" where that changed it (0: everywhere).
 *
 *     done STATUS REUSABLE LEFT BODY
 *     more STATUS REUSABLE CLASS BODY    (the class, if the connection ended here)
 *     CLASS STATUS BODY                  (broken)
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/http.h"

#define SHORT 4096

/* 64-bit FNV-1a. */
#define DIGEST_SEED 0xcbf29ce484222325u

static uint64_t digest_of(uint64_t digest, struct mohs_span text) {
    for (size_t at = 0; at < text.size; at++) {
        digest ^= (unsigned char)text.data[at];
        digest *= 0x100000001b3u;
    }
    return digest;
}

struct answer {
    char *bytes;
    size_t size;
    bool head;
};

struct found {
    enum mohs_http_event event;
    int error;
    int closed;
    unsigned status;
    bool reusable;
    size_t left;
    uint64_t body_bytes;
    uint64_t digest;
};

/* Reads one piece, and adds what it says to found. Returns how many bytes were not used. Not
 * inlined: gcc would move the difference behind the free of what it is taken from, and warn. */
static __attribute__((noinline)) size_t feed(struct mohs_http *http, const char *piece, size_t size,
                                             struct found *found, char *body) {
    const char *cursor = piece;
    struct mohs_span span;
    while ((found->event = mohs_http_next(http, &cursor, piece + size, &span)) == MOHS_HTTP_BODY) {
        if (body) memcpy(body + http->body_bytes - span.size, span.data, span.size);
        found->digest = digest_of(found->digest, span);
    }
    return (size_t)(piece + size - cursor);
}

/* In pieces that end at `cut`, and of `step` bytes at most (0: any). Fills body where given. */
static struct found parse(const struct answer *answer, size_t cut, size_t step, char *body) {
    static char line[MOHS_HTTP_LINE_MAX];
    struct mohs_http http;
    struct found found = {.event = MOHS_HTTP_MORE, .digest = DIGEST_SEED};
    mohs_http_begin(&http, line, answer->head);
    for (size_t from = 0; from < answer->size && found.event == MOHS_HTTP_MORE;) {
        size_t size = from < cut ? cut - from : answer->size - from;
        if (step && size > step) size = step;
        char *piece = malloc(size);
        if (!piece) abort();
        memcpy(piece, answer->bytes + from, size);
        from += size;
        found.left = answer->size - from + feed(&http, piece, size, &found, body);
        free(piece);
    }
    found.error = http.error;
    found.closed = mohs_http_closed(&http);
    found.status = http.status;
    found.reusable = http.reusable;
    found.body_bytes = http.body_bytes;
    return found;
}

static bool same(struct found one, struct found other) {
    if (one.event != other.event || one.error != other.error || one.status != other.status ||
        one.body_bytes != other.body_bytes || one.digest != other.digest)
        return false;
    return one.event == MOHS_HTTP_BROKEN ||
           (one.left == other.left && one.reusable == other.reusable && one.closed == other.closed);
}

static void print(struct found found, const char *body) {
    const char *event = found.event == MOHS_HTTP_DONE ? "done" : "more";
    if (found.event == MOHS_HTTP_BROKEN)
        printf("%s %u ", mohs_error_name(found.error), found.status);
    else printf("%s %u %d ", event, found.status, found.reusable);
    if (found.event == MOHS_HTTP_DONE) printf("%zu ", found.left);
    if (found.event == MOHS_HTTP_MORE) printf("%s ", mohs_error_name(found.closed));
    for (size_t at = 0; at < found.body_bytes; at++) printf("%02x", (unsigned char)body[at]);
    putchar('\n');
}

static void compare(const struct answer *answer) {
    char *body = malloc(answer->size + 1);
    if (!body) abort();
    struct found whole = parse(answer, 0, 0, body);
    if (!same(whole, parse(answer, 0, 1, NULL))) printf("cut 0, not ");
    size_t step = answer->size < SHORT ? 1 : answer->size / 64;
    for (size_t cut = 1; cut < answer->size; cut++) {
        bool end = cut < SHORT / 32 || answer->size - cut < SHORT / 32;
        if (!end && cut % step) continue;
        if (!same(whole, parse(answer, cut, 0, NULL))) printf("cut %zu, not ", cut);
    }
    print(whole, body);
    free(body);
}

int main(void) {
    char *input = NULL;
    size_t room = 0;
    ssize_t length;
    while ((length = getline(&input, &room, stdin)) > 2) {
        struct answer answer = {.bytes = input, .head = input[0] == '1'};
        for (const char *digits = input + 2; digits + 1 < input + length; digits += 2) {
            char pair[3] = {digits[0], digits[1], 0};
            answer.bytes[answer.size++] = (char)strtoul(pair, NULL, 16); // over what was read
        }
        compare(&answer);
    }
    free(input);
    return 0;
}
