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

static bool right_type(const char *headers, const char *wanted) {
    char bytes[512], line[MOHS_HTTP_LINE_MAX];
    snprintf(bytes, sizeof bytes, OK_HEAD "%sContent-Length: 0\r\n\r\n", headers);
    struct mohs_http http;
    struct mohs_span span;
    const char *cursor = bytes;
    mohs_http_begin(&http, line, false);
    if (wanted) mohs_http_want(&http, (struct mohs_span){wanted, strlen(wanted)});
    CHECK_EQUAL(MOHS_HTTP_DONE, mohs_http_next(&http, &cursor, bytes + strlen(bytes), &span));
    return http.right_type;
}

TEST(the_type_is_compared_without_parameters_and_case) {
    CHECK(right_type("", NULL));
    CHECK(right_type("Content-Type: image/png\r\n", NULL));
    CHECK(right_type("Content-Type: text/html\r\n", "text/html"));
    CHECK(right_type("content-type:  TEXT/html ; charset=utf-8\r\n", "text/html"));
    CHECK(right_type("Content-Type: text/html;charset=x\r\nContent-Type: a/b\r\n", "text/html"));
    CHECK(!right_type("", "text/html"));
    CHECK(!right_type("Content-Type:\r\n", "text/html"));
    CHECK(!right_type("Content-Type: text/htm\r\n", "text/html"));
    CHECK(!right_type("Content-Type: text/html2\r\n", "text/html"));
    CHECK(!right_type("Content-Type: a/b\r\nContent-Type: text/html\r\n", "text/html"));
    CHECK(!right_type("X-Content-Type: text/html\r\n", "text/html"));
}

/* Its own type is not that of the answer. */
TEST(an_interim_answer_changes_no_type) {
    const char bytes[] = "HTTP/1.1 103 Hints\r\nContent-Type: a/b\r\n\r\n" OK_HEAD
                         "Content-Type: text/html\r\nContent-Length: 0\r\n\r\n";
    char line[MOHS_HTTP_LINE_MAX];
    struct mohs_http http;
    struct mohs_span span;
    const char *cursor = bytes;
    mohs_http_begin(&http, line, false);
    mohs_http_want(&http, (struct mohs_span){"text/html", 9});
    CHECK_EQUAL(MOHS_HTTP_DONE, mohs_http_next(&http, &cursor, bytes + sizeof bytes - 1, &span));
    CHECK(http.right_type);
}

int main(void) {
    RUN(the_type_is_compared_without_parameters_and_case);
    RUN(an_interim_answer_changes_no_type);
    RUN(bodies_beyond_32_bits_end_where_they_should);
    RUN(every_control_character_in_a_value_is_refused);
    return report();
}
