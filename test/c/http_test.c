/* Cases of the parser beyond the list of answers (test/fixtures/responses). */
#include "core/http.h"

#include "core/error.h"
#include "runner.h"

#define OK_HEAD "HTTP/1.1 200 OK\r\n"
#define CHUNKED OK_HEAD "Transfer-Encoding: chunked\r\n\r\n"

TEST(every_control_character_in_a_value_is_refused) {
    for (int code = 0; code < 256; code++) {
        char bytes[] = OK_HEAD "A: some text of length ? and more\r\nContent-Length: 0\r\n\r\n";
        *strchr(bytes, '?') = (char)code;
        struct mohs_http http;
        struct mohs_span span;
        char line[MOHS_HTTP_LINE_MAX];
        const char *cursor = bytes;
        mohs_http_begin(&http, line, false);
        enum mohs_http_event event =
            mohs_http_next(&http, &cursor, bytes + sizeof bytes - 1, &span);
        bool control = (code < 32 && code != '\t') || code == 127;
        CHECK_EQUAL(control ? MOHS_HTTP_BROKEN : MOHS_HTTP_DONE, event);
        CHECK_EQUAL(control ? MOHS_BAD_HEADER : MOHS_OK, http.error);
    }
}

/* 5 GB that are counted, not read. */
TEST(bodies_beyond_32_bits_end_where_they_should) {
    const char *heads[] = {OK_HEAD "Content-Length: 5000000000\r\n\r\n",
                           CHUNKED "12a05f200;and=so\r\n"};
    static const char zeros[1 << 16];
    for (size_t at = 0; at < 2; at++) {
        struct mohs_http http;
        struct mohs_span span;
        char line[MOHS_HTTP_LINE_MAX];
        uint64_t left = 5000000000;
        const char *cursor = heads[at];
        mohs_http_begin(&http, line, false);
        CHECK_EQUAL(MOHS_HTTP_MORE,
                    mohs_http_next(&http, &cursor, heads[at] + strlen(heads[at]), &span));
        while (left > 0) {
            const char *end = zeros + (left < sizeof zeros ? left : sizeof zeros);
            cursor = zeros;
            if (mohs_http_next(&http, &cursor, end, &span) != MOHS_HTTP_BODY) break;
            left -= span.size;
        }
        CHECK_EQUAL(0, left);
        CHECK_EQUAL(5000000000, http.body_bytes);
        cursor = at ? "\r\n0\r\n\r\nHTTP" : "HTTP";
        CHECK_EQUAL(MOHS_HTTP_DONE, mohs_http_next(&http, &cursor, cursor + strlen(cursor), &span));
        CHECK_EQUAL('H', *cursor);
    }
}

int main(void) {
    RUN(bodies_beyond_32_bits_end_where_they_should);
    RUN(every_control_character_in_a_value_is_refused);
    return report();
}
