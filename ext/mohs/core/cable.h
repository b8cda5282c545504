/*
 * ActionCable's messages (protocol actioncable-v1-json), as far as a client has to understand them:
 * what kind of message a server sent, and the text of ours that is in it. A message may come in
 * pieces, cut anywhere, and nothing of it is kept.
 *
 * It is no parser of JSON. ActionCable and AnyCable write the kind of their own messages as "type",
 * and what an application sends behind "message"; whichever of these keys comes first decides.
 * Quotes within strings are escaped, so neither is found in an identifier. An application that
 * could not do what was asked often says so in an "error", with our text: that is no echo.
 */
#ifndef MOHS_CABLE_H
#define MOHS_CABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "http.h"

#define MOHS_MESSAGE_BYTES 21 /* of ours: "mohs " and 16 hexadecimal digits */
#define MOHS_NO_NUMBER     UINT64_MAX

/* The messages of ActionCable's own; what has another type is a server's, of a kind that we don't
 * know, and anything else is an application's. */
#define MOHS_CABLE_KINDS(KIND)                                                                     \
    KIND(WELCOME, "welcome")                                                                       \
    KIND(JOINED, "confirm_subscription")                                                           \
    KIND(REJECTED, "reject_subscription")                                                          \
    KIND(DISCONNECT, "disconnect")                                                                 \
    KIND(PING, "ping")

enum mohs_cable_kind {
    MOHS_CABLE_MESSAGE,
    MOHS_CABLE_OTHER,
#define MOHS_CABLE_ENUM(name, word) MOHS_CABLE_##name,
    MOHS_CABLE_KINDS(MOHS_CABLE_ENUM)
#undef MOHS_CABLE_ENUM
};

/* What a client says, as JSON. */
struct mohs_cable {
    struct mohs_span join;   /* subscribes to the channel */
    struct mohs_span before; /* calls an action: the text of ours is between these two */
    struct mohs_span after;
};

/* Finds "mohs " and 16 digits anywhere. */
struct mohs_number_finder {
    uint64_t found; /* the first number, or MOHS_NO_NUMBER */
    uint64_t digits;
    uint8_t used; /* bytes of a text of ours so far */
};

struct mohs_cable_reader {
    struct mohs_number_finder number;
    uint8_t type_used;    /* bytes of the key "type" so far, */
    uint8_t message_used; /* and of "message" */
    bool decided;         /* one of them came */
    bool typed;           /* it was "type" */
    bool in_word;         /* the kind's word is being read */
    bool error;           /* there is an "error" or "errors", and not null, false, 0 or empty */
    uint8_t error_used;   /* bytes of these keys */
    uint8_t errors_used;
    uint8_t error_phase; /* enum error_phase of cable.c */
    char closes;         /* what would close the value of such a key at once */
    uint8_t word_used;
    char word[sizeof "confirm_subscription"];
};

/* Prepares for a message. */
void mohs_cable_begin(struct mohs_cable_reader *reader);

/* Reads a piece of it. */
void mohs_cable_read(struct mohs_cable_reader *reader, struct mohs_span piece);

/* What kind of message it was, when all of it is read. */
enum mohs_cable_kind mohs_cable_kind(const struct mohs_cable_reader *reader);

/* Writes the text of ours with this number: MOHS_MESSAGE_BYTES. */
void mohs_message_write(char *text, uint64_t number);

/* Prepares to find one, and looks for it in a piece. Returns how many bytes that took: all, unless
 * it was found. */
void mohs_number_begin(struct mohs_number_finder *finder);
size_t mohs_number_find(struct mohs_number_finder *finder, struct mohs_span piece);

#endif
