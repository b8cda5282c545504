/*
 * One WebSocket conversation with a server that echoes: numbered messages go out as they fall due,
 * and each is expected back unchanged, on the same connection and in the order in which it was
 * sent. Answers pings. Messages wait here, not in the kernel, while the socket takes no more.
 *
 * With ActionCable (cable.h) a conversation first joins a channel, and messages are within its
 * JSON, both ways.
 */
#ifndef MOHS_TALK_H
#define MOHS_TALK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cable.h"
#include "fan_out.h"
#include "fields.h"
#include "websocket.h"

#define MOHS_NO_MESSAGE UINT32_MAX
#define MOHS_ANSWER_MAX 1048576 /* bytes of a message that is read: longer ones end the talk */

/* A message, by its number. Times are on the monotonic clock. */
struct mohs_message {
    uint64_t due_ns;
    uint64_t sent_ns; /* the kernel was handed the last byte; 0: it was not */
    uint64_t came_ns; /* its echo came; 0: it did not. Of a POST: it was answered, or failed */
    uint32_t talk;    /* whose it is */
    uint32_t next;    /* that waits behind it on the same connection, or MOHS_NO_MESSAGE */
    bool cut;         /* the load itself dropped its connection meanwhile */
    uint8_t error;    /* of a POST (publisher.h): why the server did not take it, */
    uint16_t status;  /* and the status of its response */
};

/* Counts over all conversations. */
#define MOHS_MESSAGE_COUNTS(FIELD)                                                                 \
    FIELD(sent, ONCE)       /* of a POST: got 2xx */                                               \
    FIELD(received, ONCE)   /* echoes of them; of a POST: came to a stream */                      \
    FIELD(disordered, ONCE) /* of these, after the echo of one that was sent later; of a POST:     \
                               how often that was so on a stream */                                \
    FIELD(repeated, ONCE)   /* further echoes of the same message; on one stream */                \
    FIELD(others, ONCE)     /* messages that are the echo of none; events without a message */

/* All messages of a load, in the order in which they fell due. */
struct mohs_messages {
    struct mohs_message *all;
    uint64_t capacity;
    uint64_t size;
    const struct mohs_cable *cable; /* NULL: the texts alone are sent */
    struct mohs_fan_out *fan_out;   /* messages should come to all connections; NULL: only back */
    uint32_t open;                  /* connections now: who should get what is sent */
    uint32_t mark; /* the upper half of all numbers that are sent: what a server sends late, of
                      another load, is none of these */
    MOHS_MESSAGE_COUNTS(MOHS_DECLARE_FIELD)
};

struct mohs_talk {
    struct mohs_websocket in;
    uint64_t since_ns; /* when it was open, or never yet; earlier messages are none of its */
    uint64_t latest;   /* highest number whose echo came, plus one */
    uint64_t added;    /* messages, */
    uint64_t received; /* and echoes of them */
    uint32_t number;   /* its own, among the talks */
    uint32_t first;    /* message that waits to be sent, */
    uint32_t last;     /* and the last of them */
    uint32_t sending;  /* message that `out` holds, or MOHS_NO_MESSAGE */
    uint32_t mask;
    uint32_t out_size; /* of a frame that was begun */
    uint32_t out_used; /* bytes of it that were handed over */
    uint8_t pong_size;
    bool pong;                      /* a ping has to be answered, */
    bool join;                      /* or the channel to be joined */
    bool joined;                    /* messages may be sent: it is, or there is none */
    struct mohs_cable_reader cable; /* of the message under way */
    char pong_text[MOHS_WS_CONTROL_MAX];
    char *out; /* room for a frame: the caller's */
};

enum mohs_talk_found {
    MOHS_TALK_GOES_ON,
    MOHS_TALK_CLOSED,
    MOHS_TALK_BROKEN,
    MOHS_TALK_REJECTED /* by the channel, or by the server before that */
};

/* Maps memory for this many messages, which is only used as it is needed. Returns 0 or -errno. */
int mohs_messages_init(struct mohs_messages *messages, uint64_t capacity);

void mohs_messages_free(struct mohs_messages *messages);

/* Bytes of the longest frame that a conversation sends. */
size_t mohs_talk_frame_max(const struct mohs_messages *messages);

/* Prepares for what follows a handshake. `out` has room for mohs_talk_frame_max bytes. */
void mohs_talk_begin(struct mohs_talk *talk, const struct mohs_messages *messages, uint32_t number,
                     char *out);

/* The load has dropped the connection of a message that is not back: it counts no more. */
void mohs_message_cut(struct mohs_messages *messages, uint64_t number);

/* Adds a message that was due at due_ns, to be sent by mohs_talk_send. There must be room. */
void mohs_talk_add(struct mohs_talk *talk, struct mohs_messages *messages, uint64_t due_ns);

/* Sends what waits, as far as the socket takes it. Returns whether something is left. */
bool mohs_talk_send(struct mohs_talk *talk, struct mohs_messages *messages, int fd);

/* Reads frames that came at came_ns. After MOHS_TALK_GOES_ON there may be something to send. */
enum mohs_talk_found mohs_talk_read(struct mohs_talk *talk, struct mohs_messages *messages,
                                    const char *bytes, size_t size, uint64_t came_ns);

/* Sends a close frame with this code, unless another frame is partly sent or the socket takes no
 * more: the connection is closed next either way. */
void mohs_talk_end(struct mohs_talk *talk, int fd, unsigned code);

#endif
