/*
 * The parser on any bytes: it may refuse them, but not read beyond them, and how they are cut must
 * not change the result. The first byte chooses the start: H the answer to a HEAD request, L all
 * but a few bytes of the head's limit used up, M inside a header that used up a line's limit,
 * anything else the answer to a GET request. Its seeds are test/fixtures/responses.
 */
#include "parsing.h"

static struct mohs_http near_limit(void) {
    static const char interim[] = "HTTP/1.1 103 \r\nA: b\r\n\r\n";
    return after(interim, MOHS_HTTP_HEAD_MAX / strlen(interim) - 1);
}

static struct mohs_http midst_of_line(void) {
    static const char status[] = "HTTP/1.1 200 OK\r\n";
    static char head[sizeof status + MOHS_HTTP_LINE_MAX - 32];
    memcpy(head, status, strlen(status));
    begin_header(head + strlen(status), sizeof head - sizeof status);
    return after(head, 1);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static struct mohs_http get, head, limit, midst;
    if (size < 2) return 0;
    if (!get.line) {
        get = head = after("", 0);
        head.head_request = true;
        limit = near_limit();
        midst = midst_of_line();
    }
    const struct mohs_http *begun = &get;
    if (data[0] == 'H') begun = &head;
    if (data[0] == 'L') begun = &limit;
    if (data[0] == 'M') begun = &midst;
    parse_both(begun, (const char *)data + 1, size - 1);
    return 0;
}
