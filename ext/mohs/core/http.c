#include "http.h"

#include <assert.h>
#include <string.h>
#include <strings.h>

#include "error.h"

/* RFC 9110 5.6.2: letters, digits and !#$%&'*+-.^_`|~, one bit each. */
static const uint32_t token_bits[8] = {0, 0x03ff6cfa, 0xc7fffffe, 0x57ffffff};

static bool token_char(char c) {
    unsigned char byte = (unsigned char)c;
    return token_bits[byte / 32] >> (byte % 32) & 1;
}

enum phase {
    STATUS,
    HEADER,
    LENGTH_BODY,
    CLOSE_BODY,
    CHUNK_SIZE,
    CHUNK_DATA,
    CHUNK_END,
    TRAILER,
    DONE
};

enum line_result { LINE_PARTIAL, LINE_WHOLE, LINE_BAD, LINE_NO_ROOM };

void mohs_http_begin(struct mohs_http *http, char *line, bool head_request) {
    assert(line);
    *http = (struct mohs_http){.line = line, .head_request = head_request, .right_type = true};
}

void mohs_http_want(struct mohs_http *http, struct mohs_span type) {
    http->type = type;
    http->right_type = false;
}

static enum mohs_http_event broken(struct mohs_http *http, int error) {
    http->error = (uint8_t)error;
    return MOHS_HTTP_BROKEN;
}

/* Removes the CRLF. A bare LF is refused: no known server sends it. */
static enum line_result whole_line(struct mohs_span *line) {
    if (line->size < 2 || line->data[line->size - 2] != '\r') return LINE_BAD;
    line->size -= 2;
    return LINE_WHOLE;
}

/* The next line without its CRLF, in place if it lies whole in the caller's bytes. */
static enum line_result next_line(struct mohs_http *http, const char **cursor, const char *end,
                                  struct mohs_span *line) {
    const char *start = *cursor;
    const char *newline = memchr(start, '\n', (size_t)(end - start));
    size_t size = newline ? (size_t)(newline + 1 - start) : (size_t)(end - start);
    if (http->line_used + size > MOHS_HTTP_LINE_MAX) return LINE_BAD;
    *cursor += size;
    if (newline && http->line_used == 0) {
        *line = (struct mohs_span){start, size};
        return whole_line(line);
    }
    memcpy(http->line + http->line_used, start, size);
    http->line_used += (uint32_t)size;
    if (!newline) return LINE_PARTIAL;
    *line = (struct mohs_span){http->line, http->line_used};
    http->line_used = 0;
    return whole_line(line);
}

/* The same for lines of the head and of trailers, whose total size is limited. Nothing is read
 * beyond the limit, so that which fault is found first does not depend on how the bytes were
 * cut. */
static enum line_result next_head_line(struct mohs_http *http, const char **cursor, const char *end,
                                       struct mohs_span *line) {
    const char *start = *cursor;
    size_t room = MOHS_HTTP_HEAD_MAX - http->head_used;
    bool enough = (size_t)(end - start) <= room;
    enum line_result result = next_line(http, cursor, enough ? end : start + room, line);
    http->head_used += (uint32_t)(*cursor - start);
    return result == LINE_PARTIAL && !enough ? LINE_NO_ROOM : result;
}

/* Whether the text has no control characters except tab (RFC 9110 5.5). Checks eight bytes at a
 * time, since most of a head is such text. */
static bool plain_text(const char *text, size_t size) {
    const uint64_t ones = 0x0101010101010101u;
    const uint64_t highs = 0x8080808080808080u;
    size_t at = 0;
    for (; at + 8 <= size; at += 8) {
        uint64_t word;
        memcpy(&word, text + at, 8);
        uint64_t below_space = (word - ones * 0x20) & ~word & highs;
        uint64_t delete = ((word ^ (ones * 0x7f)) - ones) & ~(word ^ (ones * 0x7f)) & highs;
        if (below_space | delete) break; // perhaps a tab: the slow loop decides
    }
    for (; at < size; at++) {
        unsigned char c = (unsigned char)text[at];
        if ((c < 0x20 && c != '\t') || c == 0x7f) return false;
    }
    return true;
}

static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

/* Reads "HTTP/1.1 200 OK"; the reason may be missing, and the space before it. */
static enum mohs_http_event read_status(struct mohs_http *http, struct mohs_span line) {
    const char *text = line.data;
    if (line.size < 12 || memcmp(text, "HTTP/1.", 7) != 0 || !is_digit(text[7]) || text[8] != ' ')
        return broken(http, MOHS_BAD_STATUS_LINE);
    if (text[9] < '1' || text[9] > '5' || !is_digit(text[10]) || !is_digit(text[11]))
        return broken(http, MOHS_BAD_STATUS_LINE);
    if (line.size > 12 && (text[12] != ' ' || !plain_text(text + 12, line.size - 12)))
        return broken(http, MOHS_BAD_STATUS_LINE);
    http->minor = (uint8_t)(text[7] - '0');
    http->status = (uint16_t)((text[9] - '0') * 100 + (text[10] - '0') * 10 + (text[11] - '0'));
    http->phase = HEADER;
    return MOHS_HTTP_MORE;
}

static enum mohs_http_event read_length(struct mohs_http *http, struct mohs_span value) {
    uint64_t length = 0;
    if (value.size == 0 || value.size > 18) return broken(http, MOHS_BAD_LENGTH); // 18 digits fit
    for (size_t at = 0; at < value.size; at++) {
        if (!is_digit(value.data[at])) return broken(http, MOHS_BAD_LENGTH);
        length = length * 10 + (uint64_t)(value.data[at] - '0');
    }
    if (http->has_length && http->length != length) return broken(http, MOHS_BAD_LENGTH);
    http->has_length = true;
    http->length = length;
    return MOHS_HTTP_MORE;
}

static struct mohs_span trimmed(const char *start, const char *end) {
    while (start < end && (*start == ' ' || *start == '\t')) start++;
    while (end > start && (end[-1] == ' ' || end[-1] == '\t')) end--;
    return (struct mohs_span){start, (size_t)(end - start)};
}

static bool equals(struct mohs_span span, const char *text) {
    return span.size == strlen(text) && strncasecmp(span.data, text, span.size) == 0;
}

/* The next element of a list "a, b"; false at its end. */
static bool next_element(struct mohs_span *list, struct mohs_span *element) {
    if (list->size == 0) return false;
    const char *end = list->data + list->size;
    const char *comma = memchr(list->data, ',', list->size);
    *element = trimmed(list->data, comma ? comma : end);
    const char *rest = comma ? comma + 1 : end;
    *list = (struct mohs_span){rest, (size_t)(end - rest)};
    return true;
}

static enum mohs_http_event read_connection(struct mohs_http *http, struct mohs_span value) {
    struct mohs_span element;
    while (next_element(&value, &element)) {
        if (equals(element, "close")) http->says_close = true;
        if (equals(element, "keep-alive")) http->says_keep_alive = true;
    }
    return MOHS_HTTP_MORE;
}

/* Chunked frames the body if it is the last coding; a coding after it is an error. */
static enum mohs_http_event read_encoding(struct mohs_http *http, struct mohs_span value) {
    struct mohs_span element;
    http->has_encoding = true;
    while (next_element(&value, &element)) {
        if (http->chunked) return broken(http, MOHS_BAD_HEADER);
        http->chunked = equals(element, "chunked");
    }
    return MOHS_HTTP_MORE;
}

/* Parameters, such as charset, are not compared: they do not change the type. */
static void read_type(struct mohs_http *http, struct mohs_span value) {
    const char *semicolon = value.size ? memchr(value.data, ';', value.size) : NULL;
    struct mohs_span type = trimmed(value.data, semicolon ? semicolon : value.data + value.size);
    http->has_type = true;
    http->right_type =
        type.size == http->type.size && strncasecmp(type.data, http->type.data, type.size) == 0;
}

/* Whether no other response follows this one; after a 101 nothing of HTTP follows. */
static bool is_final(const struct mohs_http *http) {
    return http->status >= 200 || http->status == 101;
}

static enum mohs_http_event read_header(struct mohs_http *http, struct mohs_span line) {
    const char *end = line.data + line.size;
    const char *colon = line.data;
    while (colon < end && token_char(*colon)) colon++;
    if (colon == line.data || colon == end || *colon != ':') return broken(http, MOHS_BAD_HEADER);
    struct mohs_span value = trimmed(colon + 1, end);
    if (!plain_text(value.data, value.size)) return broken(http, MOHS_BAD_HEADER);
    if (http->phase == TRAILER) return MOHS_HTTP_MORE; // a trailer can't change the framing
    struct mohs_span name = {line.data, (size_t)(colon - line.data)};
    if (http->tell && is_final(http)) http->tell(http->listener, name, value);
    if (equals(name, "content-length")) return read_length(http, value);
    if (equals(name, "transfer-encoding")) return read_encoding(http, value);
    if (equals(name, "connection")) return read_connection(http, value);
    if (http->type.size && !http->has_type && equals(name, "content-type")) read_type(http, value);
    return MOHS_HTTP_MORE;
}

/* Another head follows an interim response. The interim one is forgotten, except for its size. */
static void skip_interim(struct mohs_http *http) {
    struct mohs_http before = *http;
    mohs_http_begin(http, http->line, http->head_request);
    http->head_used = before.head_used;
    http->tell = before.tell;
    http->listener = before.listener;
    if (before.type.size) mohs_http_want(http, before.type);
    http->begun = true;
}

/* Decides what frames the body, in the order of RFC 9112 6.3. */
static enum mohs_http_event end_head(struct mohs_http *http) {
    if (!is_final(http)) {
        skip_interim(http);
        return MOHS_HTTP_MORE;
    }
    if (http->has_encoding && http->has_length) return broken(http, MOHS_BAD_LENGTH);
    http->reusable =
        http->minor >= 1 ? !http->says_close : http->says_keep_alive && !http->says_close;
    if (http->status == 101) http->reusable = false; // not requested: what follows is not HTTP
    if (http->head_request || http->status == 101 || http->status == 204 || http->status == 304) {
        http->phase = DONE;
    } else if (http->chunked) {
        http->phase = CHUNK_SIZE;
        http->reusable = http->reusable && http->minor >= 1;
    } else if (http->has_length) {
        http->remaining = http->length;
        http->phase = http->length ? LENGTH_BODY : DONE;
    } else {
        http->phase = CLOSE_BODY;
        http->reusable = false;
    }
    return MOHS_HTTP_MORE;
}

/* Reads "1a;name=value": hexadecimal size; extensions are ignored. */
static enum mohs_http_event read_chunk_size(struct mohs_http *http, struct mohs_span line) {
    uint64_t size = 0;
    size_t at = 0;
    for (; at < line.size; at++) {
        char c = line.data[at];
        char low = (char)(c | 0x20);
        if (is_digit(c)) size = size * 16 + (uint64_t)(c - '0');
        else if (low >= 'a' && low <= 'f') size = size * 16 + (uint64_t)(low - 'a' + 10);
        else break;
    }
    if (at == 0 || at > 15) return broken(http, MOHS_BAD_CHUNK); // 15 digits fit
    struct mohs_span rest = trimmed(line.data + at, line.data + line.size);
    if (rest.size && (rest.data[0] != ';' || !plain_text(rest.data, rest.size)))
        return broken(http, MOHS_BAD_CHUNK);
    http->remaining = size;
    http->phase = size ? CHUNK_DATA : TRAILER;
    return MOHS_HTTP_MORE;
}

/* Returns the next piece of the body. */
static enum mohs_http_event body_piece(struct mohs_http *http, const char **cursor, const char *end,
                                       struct mohs_span *span) {
    size_t size = (size_t)(end - *cursor);
    if (http->phase != CLOSE_BODY) {
        if (size > http->remaining) size = (size_t)http->remaining;
        http->remaining -= size;
        if (http->remaining == 0) http->phase = http->phase == CHUNK_DATA ? CHUNK_END : DONE;
    }
    *span = (struct mohs_span){*cursor, size};
    *cursor += size;
    http->body_bytes += size;
    return MOHS_HTTP_BODY;
}

/* Garbage is recognised by its first bytes, without waiting for a line to end or a timeout. */
static bool may_be_status(const struct mohs_http *http) {
    size_t known = http->line_used < 7 ? http->line_used : 7;
    return memcmp(http->line, "HTTP/1.", known) == 0;
}

static enum mohs_http_event head_step(struct mohs_http *http, const char **cursor,
                                      const char *end) {
    struct mohs_span line;
    bool first = http->phase == STATUS;
    enum line_result result = next_head_line(http, cursor, end, &line);
    if (result == LINE_BAD) return broken(http, first ? MOHS_BAD_STATUS_LINE : MOHS_BAD_HEADER);
    if (result != LINE_WHOLE) {
        if (first && !may_be_status(http)) return broken(http, MOHS_BAD_STATUS_LINE);
        if (result == LINE_PARTIAL) return MOHS_HTTP_MORE;
        return broken(http, MOHS_BAD_HEADER); // also endless 1xx
    }
    if (first) return read_status(http, line);
    if (line.size) return read_header(http, line);
    if (http->phase == HEADER) return end_head(http);
    http->phase = DONE;
    return MOHS_HTTP_MORE;
}

static enum mohs_http_event chunk_step(struct mohs_http *http, const char **cursor,
                                       const char *end) {
    struct mohs_span line;
    enum line_result result = next_line(http, cursor, end, &line);
    if (result == LINE_BAD) return broken(http, MOHS_BAD_CHUNK);
    if (result == LINE_PARTIAL) {
        // only CRLF may follow a chunk: two bytes decide, however long the line gets
        bool bad = http->phase == CHUNK_END &&
                   memcmp(http->line, "\r\n", http->line_used < 2 ? 1 : 2) != 0;
        return bad ? broken(http, MOHS_BAD_CHUNK) : MOHS_HTTP_MORE;
    }
    if (http->phase == CHUNK_SIZE) return read_chunk_size(http, line);
    if (line.size) return broken(http, MOHS_BAD_CHUNK);
    http->phase = CHUNK_SIZE;
    return MOHS_HTTP_MORE;
}

enum mohs_http_event mohs_http_next(struct mohs_http *http, const char **cursor, const char *end,
                                    struct mohs_span *span) {
    while (http->phase != DONE) {
        if (*cursor == end) return MOHS_HTTP_MORE;
        http->begun = true;
        enum mohs_http_event event;
        switch ((enum phase)http->phase) {
        case LENGTH_BODY:
        case CLOSE_BODY:
        case CHUNK_DATA:
            return body_piece(http, cursor, end, span);
        case CHUNK_SIZE:
        case CHUNK_END:
            event = chunk_step(http, cursor, end);
            break;
        default:
            event = head_step(http, cursor, end);
        }
        if (event == MOHS_HTTP_BROKEN) return event;
    }
    return MOHS_HTTP_DONE;
}

bool mohs_http_has_head(const struct mohs_http *http) {
    return http->phase != STATUS && http->phase != HEADER;
}

int mohs_http_closed(const struct mohs_http *http) {
    switch ((enum phase)http->phase) {
    case CLOSE_BODY:
    case DONE:
        return MOHS_OK;
    case STATUS:
    case HEADER:
        return MOHS_CLOSED_HEADER;
    default:
        return MOHS_CLOSED_BODY;
    }
}
