/*
 * Reads answers, a line each: "0" or "1" (to a HEAD request), a blank, the bytes in hexadecimal.
 * Parses each whole and cut at every place, and prints a line each: what was found, or "cut PLACE"
 * where that changed it. For the comparison with a parser in Ruby.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/http.h"

#define MAX 4096

static char bytes[MAX];
static size_t size;

/* What a parse found, as a line. */
static void parse(size_t cut, bool head, char found[3 * MAX]) {
    static char line[MOHS_HTTP_LINE_MAX];
    static const char *const names[] = {"more", "body", "done"};
    struct mohs_http http;
    struct mohs_span span;
    enum mohs_http_event event = MOHS_HTTP_MORE;
    char body[2 * MAX + 1] = "";
    size_t body_size = 0;
    mohs_http_begin(&http, line, head);
    const char *cursor = bytes;
    for (int piece = cut == 0; piece < 2 && event == MOHS_HTTP_MORE; piece++) {
        const char *end = bytes + (piece ? size : cut);
        while ((event = mohs_http_next(&http, &cursor, end, &span)) == MOHS_HTTP_BODY)
            for (size_t at = 0; at < span.size; at++, body_size++)
                snprintf(body + 2 * body_size, 3, "%02x", (unsigned char)span.data[at]);
    }
    if (event == MOHS_HTTP_BROKEN) snprintf(found, 3 * MAX, "%s", mohs_error_name(http.error));
    else
        snprintf(found, 3 * MAX, "%s %u %d %zu %s", names[event], http.status, http.reusable,
                 size - (size_t)(cursor - bytes), body);
}

int main(void) {
    static char input[2 * MAX + 8], whole[3 * MAX], other[3 * MAX];
    while (fgets(input, sizeof input, stdin)) {
        size_t digits = strcspn(input + 2, "\n");
        size = digits / 2;
        for (size_t at = 0; at < size; at++) {
            char pair[3] = {input[2 + 2 * at], input[3 + 2 * at], 0};
            bytes[at] = (char)strtoul(pair, NULL, 16);
        }
        parse(0, input[0] == '1', whole);
        for (size_t cut = 1; cut < size; cut++) {
            parse(cut, input[0] == '1', other);
            if (strcmp(whole, other) != 0) printf("cut %zu: %s, not ", cut, other);
        }
        puts(whole);
    }
    return 0;
}
