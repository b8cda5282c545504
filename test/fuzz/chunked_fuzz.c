/*
 * The chunked decoder: the parser from after the head of a chunked answer on. Even first byte: the
 * rest is what the server sent, and how it is cut must not change the result. Odd: the rest is a
 * body, which is put into chunks and cut, and must come out unchanged.
 */
#include "parsing.h"

#define PIECES 3

/* The body in chunks, the last of them empty; returns their bytes. */
static size_t encode(const char *body, size_t size, char *out) {
    struct cuts cuts = cuts_of(body, size);
    const char *start = out;
    cuts.everywhere = false;
    for (size_t from = 0, end; from < size; from = end) {
        end = cut_behind(cuts, from, size);
        out += sprintf(out, size % 2 ? "%zx\r\n" : "0%zX ;a=b\r\n", end - from);
        memcpy(out, body + from, end - from);
        out = stpcpy(out + (end - from), "\r\n");
    }
    return (size_t)(stpcpy(out, size % 3 ? "0\r\n\r\n" : "00\r\nA: b\r\n\r\n") - start);
}

static void there_and_back(const struct mohs_http *begun, const char *body, size_t size) {
    static struct room room, exact;
    char *encoded = room_open(&room, size + (PIECES + 1) * 32);
    size_t length = encode(body, size, encoded);
    struct found found = parse_both(begun, room_copy(&exact, encoded, length), length);
    HOLDS(found.event == MOHS_HTTP_DONE && found.body_bytes == size && found.left == 0);
    HOLDS(found.digest == crc32(0, (const Bytef *)body, (uInt)size));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static struct mohs_http begun;
    if (size < 2) return 0;
    if (!begun.line) begun = after("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", 1);
    const char *bytes = (const char *)data + 1;
    if (data[0] % 2) there_and_back(&begun, bytes, size - 1);
    else parse_both(&begun, bytes, size - 1);
    return 0;
}
