#include "websocket.h"

#include <assert.h>
#include <string.h>
#include <strings.h>

#include "sha1.h"

enum phase { HEAD, PAYLOAD, CONTROL, CLOSED, BROKEN };

/* What the head of an upgrade has to prove, a bit each; and what it must not have. */
enum proof { UPGRADES = 1, CONNECTS = 2, ACCEPTS = 4, PROVEN = 7, REFUTES = 8 };

/* RFC 6455 1.3: it is behind the key that is hashed. */
static const char guid[] = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";

/* ---- the handshake --------------------------------------------------------------------------- */

/* Base64 (RFC 4648 4), with a NUL behind it. */
static void write_base64(const uint8_t *bytes, size_t size, char *out) {
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (size_t at = 0; at < size; at += 3) {
        uint32_t three = (uint32_t)bytes[at] << 16;
        if (at + 1 < size) three |= (uint32_t)bytes[at + 1] << 8;
        if (at + 2 < size) three |= bytes[at + 2];
        *out++ = digits[three >> 18];
        *out++ = digits[three >> 12 & 63];
        *out++ = at + 1 < size ? digits[three >> 6 & 63] : '=';
        *out++ = at + 2 < size ? digits[three & 63] : '=';
    }
    *out = 0;
}

void mohs_websocket_key(uint64_t one, uint64_t other, char key[MOHS_WS_KEY_MAX]) {
    uint8_t bytes[16];
    for (unsigned at = 0; at < 8; at++) {
        bytes[at] = (uint8_t)(one >> (8 * at));
        bytes[8 + at] = (uint8_t)(other >> (8 * at));
    }
    write_base64(bytes, sizeof bytes, key);
}

void mohs_websocket_accept(const char *key, char accept[MOHS_WS_ACCEPT_MAX]) {
    char text[MOHS_WS_KEY_MAX + sizeof guid];
    uint8_t digest[MOHS_SHA1_BYTES];
    size_t size = strlen(key);
    assert(size < MOHS_WS_KEY_MAX);
    memcpy(text, key, size);
    memcpy(text + size, guid, sizeof guid - 1);
    mohs_sha1(text, size + sizeof guid - 1, digest);
    write_base64(digest, sizeof digest, accept);
}

static bool same(struct mohs_span one, struct mohs_span other) {
    return one.size == other.size && strncasecmp(one.data, other.data, one.size) == 0;
}

static bool is(struct mohs_span span, const char *text) {
    return same(span, (struct mohs_span){text, strlen(text)});
}

/* Whether one of the elements of a list "a, b" is this. */
static bool lists(struct mohs_span list, struct mohs_span element) {
    const char *at = list.data, *end = list.data + list.size;
    while (at < end) {
        const char *comma = memchr(at, ',', (size_t)(end - at));
        const char *stop = comma ? comma : end, *last = stop;
        while (at < last && (*at == ' ' || *at == '\t')) at++;
        while (last > at && (last[-1] == ' ' || last[-1] == '\t')) last--;
        if (same((struct mohs_span){at, (size_t)(last - at)}, element)) return true;
        at = comma ? comma + 1 : end;
    }
    return false;
}

void mohs_upgrade_tell(void *listener, struct mohs_span name, struct mohs_span value) {
    struct mohs_upgrade *upgrade = listener;
    static const struct mohs_span word = {"upgrade", 7};
    char accept[MOHS_WS_ACCEPT_MAX];
    if (is(name, "upgrade") && is(value, "websocket")) upgrade->proofs |= UPGRADES;
    if (is(name, "connection") && lists(value, word)) upgrade->proofs |= CONNECTS;
    if (is(name, "sec-websocket-extensions")) upgrade->proofs |= REFUTES;
    if (is(name, "sec-websocket-protocol") && !lists(upgrade->protocols, value))
        upgrade->proofs |= REFUTES;
    if (!is(name, "sec-websocket-accept")) return;
    mohs_websocket_accept(upgrade->key, accept);
    bool right = value.size == strlen(accept) && memcmp(value.data, accept, value.size) == 0;
    upgrade->proofs |= right && !(upgrade->proofs & ACCEPTS) ? ACCEPTS : REFUTES;
}

bool mohs_upgrade_proven(const struct mohs_upgrade *upgrade) {
    return upgrade->proofs == PROVEN;
}

/* ---- frames to send -------------------------------------------------------------------------- */

size_t mohs_websocket_frame(char *out, enum mohs_ws_opcode opcode, struct mohs_span payload,
                            uint32_t mask) {
    char *start = out;
    unsigned bytes = payload.size < 126 ? 0 : payload.size <= UINT16_MAX ? 2 : 8;
    *out++ = (char)(0x80 | opcode);
    *out++ = (char)(0x80 | (bytes == 0 ? payload.size : bytes == 2 ? 126 : 127));
    while (bytes--) *out++ = (char)((uint64_t)payload.size >> (8 * bytes));
    memcpy(out, &mask, sizeof mask);
    const char *key = out;
    out += sizeof mask;
    for (size_t at = 0; at < payload.size; at++) *out++ = payload.data[at] ^ key[at % 4];
    return (size_t)(out - start);
}

/* ---- UTF-8 ----------------------------------------------------------------------------------- */

static void start_text(struct mohs_websocket *socket) {
    socket->rest = 0;
}

/* Reads the first byte of a character. Returns false if no character begins so. The next byte's
 * range excludes longer forms than necessary, surrogates, and what is beyond U+10FFFF (Unicode
 * 15, table 3-7). */
static bool start_character(struct mohs_websocket *socket, uint8_t byte) {
    socket->low = 0x80;
    socket->high = 0xbf;
    if (byte < 0x80) return true;
    if (byte < 0xc2 || byte > 0xf4) return false;
    socket->rest = byte < 0xe0 ? 1 : byte < 0xf0 ? 2 : 3;
    if (byte == 0xe0) socket->low = 0xa0;
    if (byte == 0xed) socket->high = 0x9f;
    if (byte == 0xf0) socket->low = 0x90;
    if (byte == 0xf4) socket->high = 0x8f;
    return true;
}

/* Reads on. Returns false if it can't be UTF-8. */
static bool is_text(struct mohs_websocket *socket, struct mohs_span piece) {
    for (size_t at = 0; at < piece.size; at++) {
        uint8_t byte = (uint8_t)piece.data[at];
        if (socket->rest == 0) {
            if (!start_character(socket, byte)) return false;
            continue;
        }
        if (byte < socket->low || byte > socket->high) return false;
        socket->low = 0x80;
        socket->high = 0xbf;
        socket->rest--;
    }
    return true;
}

/* ---- the parser ------------------------------------------------------------------------------ */

void mohs_websocket_begin(struct mohs_websocket *socket, uint64_t limit) {
    *socket = (struct mohs_websocket){.limit = limit, .phase = HEAD};
}

static enum mohs_ws_found broken(struct mohs_websocket *socket, enum mohs_ws_code code) {
    socket->code = (uint16_t)code;
    socket->phase = BROKEN;
    return MOHS_WS_BROKEN;
}

static bool is_control(const struct mohs_websocket *socket) {
    return socket->opcode >= MOHS_WS_CLOSE;
}

/* How many bytes the head has, by the first two. */
static unsigned head_size(const struct mohs_websocket *socket) {
    unsigned length = socket->head[1] & 0x7f;
    return length < 126 ? 2 : length == 126 ? 4 : 10;
}

/* The length of the payload; UINT64_MAX if it is longer than it needs to be, or negative. */
static uint64_t payload_length(const struct mohs_websocket *socket) {
    unsigned size = head_size(socket);
    uint64_t length = 0;
    if (size == 2) return socket->head[1] & 0x7f;
    for (unsigned at = 2; at < size; at++) length = length << 8 | socket->head[at];
    bool needed = size == 4 ? length > 125 : length > UINT16_MAX;
    return needed && length >> 63 == 0 ? length : UINT64_MAX;
}

/* Whether the first two bytes can begin a frame here. */
static bool allowed(const struct mohs_websocket *socket) {
    uint8_t first = socket->head[0], second = socket->head[1];
    unsigned opcode = first & 15;
    if (first & 0x70 || second & 0x80) return false; // reserved bits; masked
    if (opcode >= MOHS_WS_CLOSE)
        return opcode <= MOHS_WS_PONG && first & 0x80 && second <= MOHS_WS_CONTROL_MAX;
    if (opcode > MOHS_WS_BINARY) return false;
    return (opcode == MOHS_WS_CONTINUATION) == socket->under_way;
}

static void start_message(struct mohs_websocket *socket) {
    socket->message = socket->opcode;
    socket->message_bytes = 0;
    socket->under_way = true;
    start_text(socket);
}

/* The head is complete. */
static enum mohs_ws_found start_frame(struct mohs_websocket *socket) {
    uint64_t length = payload_length(socket);
    socket->head_used = 0;
    if (length == UINT64_MAX) return broken(socket, MOHS_WS_PROTOCOL);
    socket->opcode = socket->head[0] & 15;
    socket->final = socket->head[0] >> 7;
    socket->left = length;
    if (is_control(socket)) {
        socket->control_size = 0;
        socket->phase = CONTROL;
        return MOHS_WS_MORE;
    }
    if (socket->opcode != MOHS_WS_CONTINUATION) start_message(socket);
    if (length > socket->limit - socket->message_bytes) return broken(socket, MOHS_WS_TOO_LONG);
    socket->phase = PAYLOAD;
    return MOHS_WS_MORE;
}

static enum mohs_ws_found read_head(struct mohs_websocket *socket, const char **cursor,
                                    const char *end) {
    while (*cursor < end) {
        socket->head[socket->head_used++] = (uint8_t) * (*cursor)++;
        if (socket->head_used < 2) continue;
        if (socket->head_used == 2 && !allowed(socket)) return broken(socket, MOHS_WS_PROTOCOL);
        if (socket->head_used == head_size(socket)) return start_frame(socket);
    }
    return MOHS_WS_MORE;
}

static struct mohs_span take(struct mohs_websocket *socket, const char **cursor, const char *end) {
    size_t size = (size_t)(end - *cursor);
    if (size > socket->left) size = (size_t)socket->left;
    struct mohs_span piece = {*cursor, size};
    *cursor += size;
    socket->left -= size;
    return piece;
}

/* The payload of a message's frame: a piece, or its end if nothing is left. */
static enum mohs_ws_found read_payload(struct mohs_websocket *socket, const char **cursor,
                                       const char *end, struct mohs_span *piece) {
    bool text = socket->message == MOHS_WS_TEXT;
    if (socket->left) {
        *piece = take(socket, cursor, end);
        if (text && !is_text(socket, *piece)) return broken(socket, MOHS_WS_NOT_UTF8);
        socket->message_bytes += piece->size;
        return MOHS_WS_PIECE;
    }
    socket->phase = HEAD;
    if (!socket->final) return MOHS_WS_MORE;
    socket->under_way = false;
    if (text && socket->rest) return broken(socket, MOHS_WS_NOT_UTF8);
    return MOHS_WS_MESSAGE;
}

/* Whether an endpoint may send this code (RFC 6455 7.4, and the registry of 2025). */
static bool may_be_sent(unsigned code) {
    if (code >= 3000) return code < 5000;
    return (code >= 1000 && code <= 1003) || (code >= 1007 && code <= 1014);
}

static enum mohs_ws_found end_close(struct mohs_websocket *socket) {
    const uint8_t *bytes = (const uint8_t *)socket->control;
    unsigned code = MOHS_WS_NO_CODE;
    if (socket->control_size == 1) return broken(socket, MOHS_WS_PROTOCOL);
    if (socket->control_size) {
        struct mohs_span reason = {socket->control + 2, socket->control_size - 2u};
        code = (unsigned)bytes[0] << 8 | bytes[1];
        if (!may_be_sent(code)) return broken(socket, MOHS_WS_PROTOCOL);
        start_text(socket); // the message under way, if any, has no end
        if (!is_text(socket, reason) || socket->rest) return broken(socket, MOHS_WS_NOT_UTF8);
    }
    socket->code = (uint16_t)code;
    socket->phase = CLOSED;
    return MOHS_WS_CONTROL;
}

static enum mohs_ws_found read_control(struct mohs_websocket *socket, const char **cursor,
                                       const char *end) {
    struct mohs_span piece = take(socket, cursor, end);
    if (piece.size) memcpy(socket->control + socket->control_size, piece.data, piece.size);
    socket->control_size = (uint8_t)(socket->control_size + piece.size);
    if (socket->left) return MOHS_WS_MORE;
    if (socket->opcode == MOHS_WS_CLOSE) return end_close(socket);
    socket->phase = HEAD;
    return MOHS_WS_CONTROL;
}

/* Whether what is under way ends without another byte: a frame whose payload is read. */
static bool complete(const struct mohs_websocket *socket) {
    return (socket->phase == PAYLOAD || socket->phase == CONTROL) && socket->left == 0;
}

enum mohs_ws_found mohs_websocket_next(struct mohs_websocket *socket, const char **cursor,
                                       const char *end, struct mohs_span *piece) {
    enum mohs_ws_found found = MOHS_WS_MORE;
    while (found == MOHS_WS_MORE && (*cursor < end || complete(socket))) {
        switch ((enum phase)socket->phase) {
        case HEAD:
            found = read_head(socket, cursor, end);
            break;
        case PAYLOAD:
            found = read_payload(socket, cursor, end, piece);
            break;
        case CONTROL:
            found = read_control(socket, cursor, end);
            break;
        case CLOSED:
            *cursor = end;
            break;
        case BROKEN:
            return MOHS_WS_BROKEN;
        }
    }
    return found;
}

bool mohs_websocket_closed(const struct mohs_websocket *socket) {
    return socket->phase == CLOSED;
}
