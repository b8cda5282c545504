/*
 * The parser of WebSocket frames. Even first byte: the rest is what a server sent, and how it is
 * cut must not change what is found. Odd: the rest is a message, which is put into frames as a
 * server would and must come out unchanged.
 */
#include "core/websocket.h"

#include "fuzz.h"

#define LIMIT 4096

struct found {
    uint64_t messages;
    uint64_t controls;
    uint64_t bytes;
    uint64_t code;
    uLong digest;
    enum mohs_ws_found last;
};

static void note(struct found *found, const struct mohs_websocket *socket,
                 enum mohs_ws_found what) {
    uint64_t facts[] = {what, socket->message, socket->message_bytes, socket->opcode,
                        socket->control_size};
    if (what == MOHS_WS_MESSAGE) facts[3] = facts[4] = 0;
    if (what == MOHS_WS_CONTROL) {
        HOLDS(socket->control_size <= MOHS_WS_CONTROL_MAX);
        facts[2] = 0;
        found->digest = crc32(found->digest, (const Bytef *)socket->control, socket->control_size);
    }
    found->digest = crc32(found->digest, (const Bytef *)facts, sizeof facts);
    found->messages += what == MOHS_WS_MESSAGE;
    found->controls += what == MOHS_WS_CONTROL;
    HOLDS(socket->message_bytes <= LIMIT);
}

static struct found parse(const char *bytes, size_t size, const struct cuts *cuts) {
    static struct room room;
    struct found found = {0};
    struct mohs_websocket socket;
    struct mohs_span piece;
    mohs_websocket_begin(&socket, LIMIT);
    found.last = MOHS_WS_MORE;
    for (size_t from = 0; from < size && found.last != MOHS_WS_BROKEN;) {
        size_t end = cuts ? cut_behind(*cuts, from, size) : size;
        const char *start = room_copy(&room, bytes + from, end - from);
        const char *cursor = start, *stop = start + (end - from);
        while ((found.last = mohs_websocket_next(&socket, &cursor, stop, &piece)) != MOHS_WS_MORE &&
               found.last != MOHS_WS_BROKEN) {
            if (found.last != MOHS_WS_PIECE) {
                note(&found, &socket, found.last);
                continue;
            }
            HOLDS(piece.data >= start && piece.size > 0 && piece.data + piece.size == cursor);
            found.bytes += piece.size;
            found.digest = crc32(found.digest, (const Bytef *)piece.data, (uInt)piece.size);
        }
        HOLDS(cursor == stop || found.last == MOHS_WS_BROKEN);
        from = end;
    }
    found.code = socket.code;
    return found;
}

/* Of a text that turns out not to be one, how much was found before depends on the cuts. */
static void same(const struct found *one, const struct found *other) {
    HOLDS(one->last == other->last && one->code == other->code);
    HOLDS(one->messages == other->messages && one->controls == other->controls);
    if (one->last == MOHS_WS_BROKEN) return;
    HOLDS(one->bytes == other->bytes && one->digest == other->digest);
}

/* A server's frames are not masked: the mask is taken away. */
static void there_and_back(const char *body, size_t size) {
    static struct room frame, stripped;
    char *masked = room_open(&frame, size + MOHS_WS_HEAD_MAX);
    size_t length = mohs_websocket_frame(masked, MOHS_WS_BINARY, (struct mohs_span){body, size}, 0);
    size_t head = length - size - 4;
    char *bytes = room_open(&stripped, length - 4);
    memcpy(bytes, masked, head);
    bytes[1] &= 0x7f;
    memcpy(bytes + head, masked + head + 4, size);
    struct cuts cuts = cuts_of(bytes, length - 4);
    struct found whole = parse(bytes, length - 4, NULL), cut = parse(bytes, length - 4, &cuts);
    same(&whole, &cut);
    HOLDS(whole.messages == 1 && whole.bytes == size && whole.controls == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size < 2) return 0;
    const char *bytes = (const char *)data + 1;
    if (data[0] % 2) {
        there_and_back(bytes, size - 1);
        return 0;
    }
    struct cuts cuts = cuts_of(bytes, size - 1);
    struct found whole = parse(bytes, size - 1, NULL), cut = parse(bytes, size - 1, &cuts);
    same(&whole, &cut);
    return 0;
}
