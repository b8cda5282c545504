/*
 * WebSocket (RFC 6455), the client's side: the proof of the handshake, frames to send, and a strict
 * incremental parser of the frames that a server sends. The parser is fed whatever recv()
 * returned, cut anywhere. Messages come in pieces within the caller's bytes; only the payload of
 * control frames, 125 bytes at most, is kept.
 *
 * Strict: no extension was agreed on, so reserved bits and opcodes are errors, as are masked
 * frames, lengths that are longer than they need to be, fragmented or long control frames, text
 * that is not UTF-8, and close codes that must not be sent.
 */
#ifndef MOHS_WEBSOCKET_H
#define MOHS_WEBSOCKET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "http.h"

#define MOHS_WS_KEY_MAX     25 /* characters of a Sec-WebSocket-Key, and a NUL */
#define MOHS_WS_ACCEPT_MAX  29 /* the same of a Sec-WebSocket-Accept */
#define MOHS_WS_CONTROL_MAX 125
#define MOHS_WS_HEAD_MAX    14 /* of a masked frame */

enum mohs_ws_opcode {
    MOHS_WS_CONTINUATION = 0,
    MOHS_WS_TEXT = 1,
    MOHS_WS_BINARY = 2,
    MOHS_WS_CLOSE = 8,
    MOHS_WS_PING = 9,
    MOHS_WS_PONG = 10
};

/* Close codes (RFC 6455 7.4.1). */
enum mohs_ws_code {
    MOHS_WS_NORMAL = 1000,
    MOHS_WS_PROTOCOL = 1002,
    MOHS_WS_NO_CODE = 1005, /* the frame had none */
    MOHS_WS_NOT_UTF8 = 1007,
    MOHS_WS_TOO_LONG = 1009
};

enum mohs_ws_found {
    MOHS_WS_MORE,    /* all bytes are used */
    MOHS_WS_PIECE,   /* a piece of the message under way */
    MOHS_WS_MESSAGE, /* its end: `message` is its opcode, `message_bytes` its length */
    MOHS_WS_CONTROL, /* a control frame: `opcode`, `control` and `control_size`; after a close
                        frame, whose code is `code`, nothing more is read */
    MOHS_WS_BROKEN   /* not WebSocket: `code` is what to close with */
};

struct mohs_websocket {
    uint64_t limit;         /* bytes of a message */
    uint64_t message_bytes; /* of the message under way, or the last one */
    uint64_t left;          /* payload of the frame, yet to come */
    uint16_t code;
    uint8_t phase;
    uint8_t opcode;  /* of the frame */
    uint8_t message; /* opcode of the message under way, or of the last one */
    bool final;      /* the frame ends the message */
    bool under_way;  /* a message has begun */
    uint8_t head_used;
    uint8_t head[10];
    uint8_t rest; /* bytes that the character under way still needs (UTF-8), */
    uint8_t low;  /* and the range that its next byte is in */
    uint8_t high;
    uint8_t control_size;
    char control[MOHS_WS_CONTROL_MAX];
};

/* Prepares for what follows the handshake's response. Longer messages than `limit` are refused. */
void mohs_websocket_begin(struct mohs_websocket *socket, uint64_t limit);

/* Parses from *cursor, which it advances, to `end` at most. On MOHS_WS_PIECE, *piece is within the
 * caller's bytes. */
enum mohs_ws_found mohs_websocket_next(struct mohs_websocket *socket, const char **cursor,
                                       const char *end, struct mohs_span *piece);

/* Whether the server may close the connection now: it sent a close frame. */
bool mohs_websocket_closed(const struct mohs_websocket *socket);

/* Writes a final frame, masked, to `out`, which has room for the payload and MOHS_WS_HEAD_MAX.
 * Returns its size. */
size_t mohs_websocket_frame(char *out, enum mohs_ws_opcode opcode, struct mohs_span payload,
                            uint32_t mask);

/* Writes the Sec-WebSocket-Key of 16 random bytes, from two numbers, with a NUL behind it. */
void mohs_websocket_key(uint64_t one, uint64_t other, char key[MOHS_WS_KEY_MAX]);

/* What the head of a response proves about an upgrade (RFC 6455 4.1). */
struct mohs_upgrade {
    char key[MOHS_WS_KEY_MAX];  /* that was sent */
    struct mohs_span protocols; /* a list of those that were offered; empty: none */
    uint8_t proofs;
};

/* Takes a header of the response (mohs_header_listener; the listener is the upgrade). */
void mohs_upgrade_tell(void *upgrade, struct mohs_span name, struct mohs_span value);

/* Whether its headers accept the upgrade, once, and neither an extension, since none was offered,
 * nor a protocol that was not. */
bool mohs_upgrade_proven(const struct mohs_upgrade *upgrade);

/* Writes the Sec-WebSocket-Accept that a server has to answer this key with. */
void mohs_websocket_accept(const char *key, char accept[MOHS_WS_ACCEPT_MAX]);

#endif
