/* The parser: every answer whole, byte by byte, and cut in two at every place. */
#include "core/http.h"

#include <stdlib.h>

#include "core/error.h"
#include "runner.h"

struct answer {
    const char *name;
    const char *bytes;
    int error; /* enum mohs_error; MOHS_OK: complete */
    unsigned status;
    const char *body;
    bool reusable;
    bool head;        /* to a HEAD request */
    bool until_close; /* complete only when the peer closes */
    size_t left;      /* bytes behind it */
};

#define OK_HEAD "HTTP/1.1 200 OK\r\n"
#define CHUNKED OK_HEAD "Transfer-Encoding: chunked\r\n\r\n"

static const struct answer answers[] = {
    // framing
    {"length", OK_HEAD "Content-Length: 5\r\n\r\nhello", 0, 200, "hello", 1, 0, 0, 0},
    {"empty", OK_HEAD "Content-Length: 0\r\n\r\n", 0, 200, "", 1, 0, 0, 0},
    {"no reason", "HTTP/1.1 204\r\n\r\n", 0, 204, "", 1, 0, 0, 0},
    {"empty reason", "HTTP/1.1 304 \r\nContent-Length: 9\r\n\r\n", 0, 304, "", 1, 0, 0, 0},
    {"HEAD", OK_HEAD "Content-Length: 5\r\n\r\n", 0, 200, "", 1, 1, 0, 0},
    {"HEAD, chunked", CHUNKED, 0, 200, "", 1, 1, 0, 0},
    {"interim",
     "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Hints\r\nContent-Length: 7\r\n\r\n" OK_HEAD
     "Content-Length: 2\r\n\r\nab",
     0, 200, "ab", 1, 0, 0, 0},
    {"until close", OK_HEAD "\r\nabc\r\n\r\ndef", 0, 200, "abc\r\n\r\ndef", 0, 0, 1, 0},
    {"1.0 until close", "HTTP/1.0 200 OK\r\n\r\nabc", 0, 200, "abc", 0, 0, 1, 0},
    {"1.0 length", "HTTP/1.0 200 OK\r\nContent-Length: 3\r\n\r\nabc", 0, 200, "abc", 0, 0, 0, 0},
    {"1.0 keep-alive", "HTTP/1.0 200 OK\r\nConnection: Keep-Alive\r\nContent-Length: 3\r\n\r\nabc",
     0, 200, "abc", 1, 0, 0, 0},
    {"close", OK_HEAD "Connection: x, Close\r\nContent-Length: 1\r\n\r\na", 0, 200, "a", 0, 0, 0,
     0},
    {"switching", "HTTP/1.1 101 Switching Protocols\r\n\r\n", 0, 101, "", 0, 0, 0, 0},
    {"coding we cannot frame", OK_HEAD "Transfer-Encoding: gzip\r\n\r\nxyz", 0, 200, "xyz", 0, 0, 1,
     0},
    // chunks
    {"chunks", CHUNKED "5\r\nhello\r\n6\r\n world\r\n0\r\n\r\n", 0, 200, "hello world", 1, 0, 0, 0},
    {"no chunk", CHUNKED "0\r\n\r\n", 0, 200, "", 1, 0, 0, 0},
    {"extensions, trailers",
     CHUNKED "5;a=b;c=\"d\"\r\nhello\r\n00 ;x\r\nA: b\r\nContent-Length: x\r\n\r\n", 0, 200,
     "hello", 1, 0, 0, 0},
    {"upper case", CHUNKED "A\r\n0123456789\r\n0\r\n\r\n", 0, 200, "0123456789", 1, 0, 0, 0},
    {"gzip, chunked", OK_HEAD "transfer-encoding: gzip,  CHUNKED\r\n\r\n1\r\nz\r\n0\r\n\r\n", 0,
     200, "z", 1, 0, 0, 0},
    {"1.0 chunked",
     "HTTP/1.0 200 OK\r\nConnection: keep-alive\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 0,
     200, "", 0, 0, 0, 0},
    // headers
    {"blanks", OK_HEAD "Content-Length: \t 2 \t \r\nX:\r\nY: a\tb \x80\xff\r\n\r\nab", 0, 200, "ab",
     1, 0, 0, 0},
    {"length again", OK_HEAD "Content-Length: 2\r\ncontent-length: 2\r\n\r\nab", 0, 200, "ab", 1, 0,
     0, 0},
    {"extra", OK_HEAD "Content-Length: 2\r\n\r\nabcd", 0, 200, "ab", 1, 0, 0, 2},
    {"extra after chunks", CHUNKED "0\r\n\r\nHTTP", 0, 200, "", 1, 0, 0, 4},
    // broken
    {"garbage", "garbage, no line end", MOHS_BAD_STATUS_LINE, 0, "", 0, 0, 0, 0},
    {"leading blank line", "\r\nHTTP/1.1 200 OK\r\n\r\n", MOHS_BAD_STATUS_LINE, 0, "", 0, 0, 0, 0},
    {"HTTP/2", "HTTP/2.0 200 OK\r\n\r\n", MOHS_BAD_STATUS_LINE, 0, "", 0, 0, 0, 0},
    {"status of letters", "HTTP/1.1 2x0 OK\r\n\r\n", MOHS_BAD_STATUS_LINE, 0, "", 0, 0, 0, 0},
    {"status 099", "HTTP/1.1 099 OK\r\n\r\n", MOHS_BAD_STATUS_LINE, 0, "", 0, 0, 0, 0},
    {"status 600", "HTTP/1.1 600 OK\r\n\r\n", MOHS_BAD_STATUS_LINE, 0, "", 0, 0, 0, 0},
    {"status 2000", "HTTP/1.1 2000 OK\r\n\r\n", MOHS_BAD_STATUS_LINE, 0, "", 0, 0, 0, 0},
    {"control in reason", "HTTP/1.1 200 O\x01K\r\n\r\n", MOHS_BAD_STATUS_LINE, 0, "", 0, 0, 0, 0},
    {"bare LF in status line", "HTTP/1.1 200 OK\n\r\n", MOHS_BAD_STATUS_LINE, 0, "", 0, 0, 0, 0},
    {"bare LF in header", OK_HEAD "A: b\n\r\n", MOHS_BAD_HEADER, 200, "", 0, 0, 0, 0},
    {"bare CR in header", OK_HEAD "A: b\rc\r\n\r\n", MOHS_BAD_HEADER, 200, "", 0, 0, 0, 0},
    {"no colon", OK_HEAD "garbage\r\n\r\n", MOHS_BAD_HEADER, 200, "", 0, 0, 0, 0},
    {"no name", OK_HEAD ": b\r\n\r\n", MOHS_BAD_HEADER, 200, "", 0, 0, 0, 0},
    {"blank before colon", OK_HEAD "A : b\r\n\r\n", MOHS_BAD_HEADER, 200, "", 0, 0, 0, 0},
    {"folded", OK_HEAD "A: b\r\n c\r\n\r\n", MOHS_BAD_HEADER, 200, "", 0, 0, 0, 0},
    {"delete in value", OK_HEAD "A: bbbbbbbbbbbbbbbb\x7f\r\n\r\n", MOHS_BAD_HEADER, 200, "", 0, 0,
     0, 0},
    {"chunked twice", OK_HEAD "Transfer-Encoding: chunked, chunked\r\n\r\n", MOHS_BAD_HEADER, 200,
     "", 0, 0, 0, 0},
    {"length no number", OK_HEAD "Content-Length: 14x\r\n\r\n", MOHS_BAD_LENGTH, 200, "", 0, 0, 0,
     0},
    {"length empty", OK_HEAD "Content-Length:\r\n\r\n", MOHS_BAD_LENGTH, 200, "", 0, 0, 0, 0},
    {"length negative", OK_HEAD "Content-Length: -1\r\n\r\n", MOHS_BAD_LENGTH, 200, "", 0, 0, 0, 0},
    {"length plus", OK_HEAD "Content-Length: +1\r\n\r\n", MOHS_BAD_LENGTH, 200, "", 0, 0, 0, 0},
    {"length list", OK_HEAD "Content-Length: 2, 2\r\n\r\n", MOHS_BAD_LENGTH, 200, "", 0, 0, 0, 0},
    {"length overflow", OK_HEAD "Content-Length: 18446744073709551617\r\n\r\n", MOHS_BAD_LENGTH,
     200, "", 0, 0, 0, 0},
    {"lengths differ", OK_HEAD "Content-Length: 2\r\nContent-Length: 3\r\n\r\n", MOHS_BAD_LENGTH,
     200, "", 0, 0, 0, 0},
    {"length and chunked", OK_HEAD "Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n",
     MOHS_BAD_LENGTH, 200, "", 0, 0, 0, 0},
    {"chunk size of letters", CHUNKED "xyz\r\n", MOHS_BAD_CHUNK, 200, "", 0, 0, 0, 0},
    {"chunk size empty", CHUNKED "\r\n", MOHS_BAD_CHUNK, 200, "", 0, 0, 0, 0},
    {"chunk size overflow", CHUNKED "10000000000000000\r\n", MOHS_BAD_CHUNK, 200, "", 0, 0, 0, 0},
    {"chunk size and more", CHUNKED "5 hello\r\n", MOHS_BAD_CHUNK, 200, "", 0, 0, 0, 0},
    {"chunk too long", CHUNKED "2\r\nabcd\r\n", MOHS_BAD_CHUNK, 200, "ab", 0, 0, 0, 0},
    {"bare LF after chunk", CHUNKED "2\r\nab\n0\r\n\r\n", MOHS_BAD_CHUNK, 200, "ab", 0, 0, 0, 0},
    {"bad trailer", CHUNKED "0\r\ngarbage\r\n\r\n", MOHS_BAD_HEADER, 200, "", 0, 0, 0, 0},
};

struct outcome {
    enum mohs_http_event event;
    int error;
    size_t used;
    size_t body_size;
    char body[256];
};

/* Feeds `bytes`, cut behind each place for which `cut` says so. */
static struct outcome parse(struct mohs_http *http, const char *bytes, size_t size,
                            bool (*cut)(size_t place, size_t argument), size_t argument) {
    static char line[MOHS_HTTP_LINE_MAX];
    struct outcome outcome = {.event = MOHS_HTTP_MORE};
    size_t from = 0;
    mohs_http_begin(http, line, http->head_request);
    while (from < size && outcome.event == MOHS_HTTP_MORE) {
        size_t to = from + 1;
        while (to < size && !cut(to, argument)) to++;
        char *piece = malloc(to - from); // of its own, so that ASan sees a step too far
        memcpy(piece, bytes + from, to - from);
        const char *cursor = piece;
        struct mohs_span span;
        while ((outcome.event = mohs_http_next(http, &cursor, piece + (to - from), &span)) ==
               MOHS_HTTP_BODY) {
            if (outcome.body_size + span.size <= sizeof outcome.body)
                memcpy(outcome.body + outcome.body_size, span.data, span.size);
            outcome.body_size += span.size;
        }
        outcome.used = from + (size_t)(cursor - piece);
        free(piece);
        from = to;
    }
    outcome.error = outcome.event == MOHS_HTTP_BROKEN ? http->error : MOHS_OK;
    return outcome;
}

static bool nowhere(size_t place, size_t argument) {
    (void)place, (void)argument;
    return false;
}

static bool everywhere(size_t place, size_t argument) {
    (void)place, (void)argument;
    return true;
}

static bool there(size_t place, size_t argument) {
    return place == argument;
}

static void check_answer(const struct answer *answer, bool (*cut)(size_t, size_t),
                         size_t argument) {
    struct mohs_http http = {.head_request = answer->head};
    struct outcome outcome = parse(&http, answer->bytes, strlen(answer->bytes), cut, argument);
    test_running = answer->name;
    CHECK_EQUAL(answer->error, outcome.error);
    CHECK_EQUAL(answer->status, http.status);
    CHECK(outcome.body_size == strlen(answer->body));
    CHECK(memcmp(outcome.body, answer->body, strlen(answer->body)) == 0);
    if (answer->error) return;
    CHECK_EQUAL(answer->reusable, http.reusable);
    CHECK_EQUAL(answer->until_close ? MOHS_HTTP_MORE : MOHS_HTTP_DONE, outcome.event);
    CHECK_EQUAL(MOHS_OK, mohs_http_closed(&http));
    if (cut == nowhere) CHECK_EQUAL(strlen(answer->bytes) - answer->left, outcome.used);
}

TEST(answers_however_they_are_cut) {
    for (size_t at = 0; at < sizeof answers / sizeof *answers; at++) {
        check_answer(&answers[at], nowhere, 0);
        check_answer(&answers[at], everywhere, 0);
        for (size_t place = 1; place < strlen(answers[at].bytes); place++)
            check_answer(&answers[at], there, place);
    }
}

TEST(a_connection_closed_too_early_says_where) {
    struct mohs_http http = {0};
    parse(&http, "HTT", 3, nowhere, 0);
    CHECK_EQUAL(MOHS_CLOSED_HEADER, mohs_http_closed(&http));
    parse(&http, OK_HEAD "A: b\r\n", strlen(OK_HEAD "A: b\r\n"), nowhere, 0);
    CHECK_EQUAL(MOHS_CLOSED_HEADER, mohs_http_closed(&http));
    const char *cut_length = OK_HEAD "Content-Length: 5\r\n\r\nhell";
    parse(&http, cut_length, strlen(cut_length), nowhere, 0);
    CHECK_EQUAL(MOHS_CLOSED_BODY, mohs_http_closed(&http));
    const char *cut_chunks = CHUNKED "5\r\nhello\r\n0\r\n";
    parse(&http, cut_chunks, strlen(cut_chunks), nowhere, 0);
    CHECK_EQUAL(MOHS_CLOSED_BODY, mohs_http_closed(&http));
}

/* An answer with a header of `size` characters, its line end included. */
static int error_with_header(size_t size, size_t times, bool (*cut)(size_t, size_t)) {
    struct mohs_http http = {0};
    size_t head = strlen(OK_HEAD);
    size_t total = head + times * size + strlen("Content-Length: 0\r\n\r\n");
    char *bytes = malloc(total + 1);
    memcpy(bytes, OK_HEAD, head);
    for (size_t at = 0; at < times; at++) {
        char *line = bytes + head + at * size;
        memset(line, 'a', size);
        line[1] = ':';
        memcpy(line + size - 2, "\r\n", 2);
    }
    memcpy(bytes + head + times * size, "Content-Length: 0\r\n\r\n", 22);
    struct outcome outcome = parse(&http, bytes, total, cut, 0);
    free(bytes);
    CHECK(outcome.error || outcome.event == MOHS_HTTP_DONE);
    return outcome.error;
}

TEST(the_head_has_limits) {
    bool (*cuts[])(size_t, size_t) = {nowhere, everywhere};
    for (size_t at = 0; at < 2; at++) {
        CHECK_EQUAL(MOHS_OK, error_with_header(MOHS_HTTP_LINE_MAX, 1, cuts[at]));
        CHECK_EQUAL(MOHS_BAD_HEADER, error_with_header(MOHS_HTTP_LINE_MAX + 1, 1, cuts[at]));
        CHECK_EQUAL(MOHS_OK, error_with_header(1000, 65, cuts[at]));
        CHECK_EQUAL(MOHS_BAD_HEADER, error_with_header(1000, 66, cuts[at]));
    }
}

TEST(every_control_character_in_a_value_is_refused) {
    for (int code = 0; code < 256; code++) {
        char bytes[] = OK_HEAD "A: some text of length ? and more\r\nContent-Length: 0\r\n\r\n";
        *strchr(bytes, '?') = (char)code;
        struct mohs_http http = {0};
        struct outcome outcome = parse(&http, bytes, sizeof bytes - 1, nowhere, 0);
        bool control = (code < 32 && code != '\t') || code == 127;
        CHECK_EQUAL(control ? MOHS_BAD_HEADER : MOHS_OK, outcome.error);
    }
}

/* 5 GB, of which no byte is looked at: only counted. */
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

TEST(interim_answers_without_end_are_too_large_a_head) {
    static const char interim[] = "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n";
    struct mohs_http http;
    struct mohs_span span;
    char line[MOHS_HTTP_LINE_MAX];
    size_t taken = 0;
    enum mohs_http_event event = MOHS_HTTP_MORE;
    mohs_http_begin(&http, line, false);
    while (event == MOHS_HTTP_MORE && taken < 10000) {
        const char *cursor = interim;
        event = mohs_http_next(&http, &cursor, interim + strlen(interim), &span);
        taken++;
    }
    CHECK_EQUAL(MOHS_HTTP_BROKEN, event);
    CHECK_EQUAL(MOHS_BAD_HEADER, http.error);
    CHECK_EQUAL(MOHS_HTTP_HEAD_MAX / strlen(interim) + 1, taken);
}

int main(void) {
    RUN(bodies_beyond_32_bits_end_where_they_should);
    RUN(interim_answers_without_end_are_too_large_a_head);
    RUN(answers_however_they_are_cut);
    RUN(a_connection_closed_too_early_says_where);
    RUN(the_head_has_limits);
    RUN(every_control_character_in_a_value_is_refused);
    return report();
}
