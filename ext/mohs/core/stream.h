/*
 * One long-lived connection: it asks once, and then listens to an event stream (sse.h) or becomes a
 * WebSocket (talk.h), until it is dropped or the load is over.
 */
#ifndef MOHS_STREAM_H
#define MOHS_STREAM_H

#include <pthread.h>
#include <stdatomic.h>

#include "arrivals.h"
#include "fields.h"
#include "http.h"
#include "job.h"
#include "listener.h"
#include "publisher.h"
#include "recording.h"
#include "sse.h"
#include "storm.h"
#include "talk.h"
#include "target.h"
#include "worker.h"

/* Why a stream that had been opened did not last until the end. */
#define MOHS_STREAM_ENDS(NAME)                                                                     \
    NAME(STREAM_LASTS, lasts)   /* it did */                                                       \
    NAME(STREAM_ENDED, ended)   /* the server completed its response, or sent a close frame */     \
    NAME(STREAM_CLOSED, closed) /* the server closed the connection without that */                \
    NAME(STREAM_RESET, reset)   /* the connection was reset */                                     \
    NAME(STREAM_BROKEN, broken) /* what came was not HTTP, or not WebSocket */

enum mohs_stream_end { MOHS_STREAM_ENDS(MOHS_DECLARE_NAME) MOHS_STREAM_END_COUNT };

/* Counts, which another thread may read while load runs. */
#define MOHS_STREAM_COUNTS(FIELD)                                                                  \
    FIELD(asked, ONCE)    /* whose time to be opened had come */                                   \
    FIELD(opened, ONCE)   /* the server answered with an event stream, or an upgrade */            \
    FIELD(failed, ONCE)   /* it did not */                                                         \
    FIELD(dropped, ONCE)  /* opened, but did not last until the end */                             \
    FIELD(away, ONCE)     /* opened, but dropped by a storm and not open again */                  \
    FIELD(speaking, ONCE) /* opened, and an event came */                                          \
    FIELD(events, ONCE)                                                                            \
    FIELD(bytes, ONCE) /* of their data */

struct mohs_stream_counts {
    MOHS_STREAM_COUNTS(MOHS_DECLARE_FIELD)
};

enum mohs_stream_state {
    MOHS_STREAM_UNASKED,    /* not yet due */
    MOHS_STREAM_DIALLING,   /* a unix socket's backlog is full */
    MOHS_STREAM_CONNECTING, /* the request waits for the connection */
    MOHS_STREAM_ASKING,     /* the request is partly sent */
    MOHS_STREAM_WAITING,    /* for the head of the response */
    MOHS_STREAM_JOINING,    /* a WebSocket is open, but the channel is not joined yet */
    MOHS_STREAM_OPEN,       /* events or messages come */
    MOHS_STREAM_AWAY,       /* dropped by a storm, and not yet to be opened again */
    MOHS_STREAM_OVER
};

struct mohs_stream {
    uint8_t state;        /* enum mohs_stream_state */
    uint8_t end;          /* enum mohs_stream_end */
    bool spoke;           /* an event came, */
    bool spoke_again;     /* and another one */
    bool again;           /* a storm has dropped it: it is opened again, or will be */
    bool refused;         /* the server takes no more of the request */
    bool encoded;         /* the response has a Content-Encoding */
    uint8_t proofs;       /* of an upgrade, that came so far */
    int fd;               /* -1: not connected */
    uint32_t handed_over; /* bytes of the request */
    uint32_t parked_size; /* bytes of a line of HTTP that was cut: */
    char *parked;
    uint64_t due_ns;     /* when it had to be opened; this and the times below are monotonic */
    uint64_t sent_ns;    /* when the kernel was handed the request */
    uint64_t first_ns;   /* when the response began */
    uint64_t last_ns;    /* when the last event came; before any, when it was opened */
    uint64_t longest_ns; /* gap between its events so far */
    uint64_t dropped_ns;
    struct mohs_http http;
    struct mohs_sse sse;
};

_Static_assert(sizeof(struct mohs_stream) + sizeof(struct mohs_talk) <= 1024,
               "an idle stream takes less than 2 kB");

/* What they share: one load. streams.h has its life cycle. */
struct mohs_streams {
    // settings
    struct mohs_target target;
    double open_per_s;    /* connections opened in a second, above 0 */
    uint64_t duration_ns; /* 0: only the count ends it */
    uint64_t count;       /* events after which it ends, or MOHS_NO_LIMIT; of messages the most */
    bool brief;           /* it ends when each stream has had its first event, or can't have one;
                             of WebSockets, when they are open and `count` messages came back */
    bool websocket;       /* the request has `Sec-WebSocket-Key: ` MOHS_STREAM_KEY */
    struct mohs_cable cable; /* of WebSockets: the channel that each joins, if `join` is not empty
                                (mohs_streams_set_cable) */
    bool fans_out;           /* each message should come to all WebSockets, or event streams */
    struct mohs_publisher publisher; /* of event streams that fan out: sends the messages, if it has
                                        a request (mohs_publisher_set) */
    struct mohs_storm storm;
    struct mohs_arrivals arrivals; /* of messages; needs a duration. MOHS_CLOSED_LOOP: none */
    uint64_t drain_ns;             /* to wait for echoes and dropped ones at the end */
    uint64_t seed;                 /* of the keys */
    int cpu;                       /* that the thread is kept on; -1: any */

    // results
    struct mohs_stream_counts counts;
    uint64_t errors[MOHS_ERROR_COUNT];    /* of streams that were not opened */
    uint64_t ends[MOHS_STREAM_END_COUNT]; /* of those that were */
    uint64_t epoch_ns;                    /* when it began */
    uint64_t loaded_ns;                   /* when its time was over, or it ended before that */
    uint64_t ended_ns;                    /* when nothing was waited for any more */
    uint64_t cpu_ns;                      /* of the thread, until loaded_ns, */
    struct mohs_thread_stats stats;       /* and what it measured about itself */
    struct mohs_recording openings;       /* due to the head of the response, or to the channel's
                                             confirmation; failures as errors */
    struct mohs_recording firsts;         /* of opened streams: due to the first event */
    struct mohs_recording drops;  /* of those that were dropped: due to the end, as errors */
    struct mohs_recording gaps;   /* from one event of a stream to its next, unless messages make
                                     them; sent is due. What is left of a silence at the end of the
                                     load, or of the stream, is recorded as unanswered if it is
                                     longer than every gap of the stream or, if that has had none,
                                     of any stream */
    struct mohs_recording echoes; /* of each message: due to its echo, or to the response to its
                                     POST. Without one, an error */
    struct mohs_recording halves; /* of each message that should come to all: due to when half of */
    struct mohs_recording mosts;  /* the connections had it, 99 % */
    struct mohs_recording alls;   /* and the last */
    struct mohs_fan_out fan_out;
    uint64_t unsent; /* messages that were never sent, or whose POST was not answered with 2xx */
    struct mohs_messages messages;
    struct mohs_failed_response failed_response; /* the first */

    // while it runs
    struct mohs_stream *streams;
    struct mohs_listener *listeners; /* of event streams that fan out, else NULL */
    struct mohs_talk *talks;         /* of WebSockets, else NULL, */
    char *frames;                    /* and the room for a frame of each, */
    size_t frame_bytes;              /* of this size */
    char *cable_text;                /* what `cable` points to */
    size_t key_at;                   /* where the request has its key */
    struct mohs_span protocols;      /* that the request offers */
    uint64_t given_up;               /* messages of dropped connections, which will not come back */
    uint32_t turn;                   /* the stream that has the next message */
    struct mohs_schedule schedule;
    char *line; /* of HTTP, for all streams in turn */
    uint64_t deadline_ns;
    uint64_t drained_ns; /* until when echoes are waited for */
    uint64_t longest_ns; /* gap of any stream so far */
    uint64_t looked_ns;  /* when all connections were last looked at */
    struct mohs_worker worker;
    bool started;
    atomic_bool stop;
    atomic_bool running;
    int done; /* eventfd: it is over, or mohs_streams_poke was called */
};

/* What the request of a WebSocket has in place of its key. */
#define MOHS_STREAM_KEY "AAAAAAAAAAAAAAAAAAAAAA=="

/* Opens a stream that was due at due_ns. */
void mohs_stream_open(struct mohs_streams *streams, struct mohs_stream *stream, uint64_t due_ns);

/* The load drops it, and opens it again when it is due. */
void mohs_stream_cut(struct mohs_streams *streams, struct mohs_stream *stream, uint64_t due_ns);
void mohs_stream_reopen(struct mohs_streams *streams, struct mohs_stream *stream);

/* Handles the events that epoll reports for its socket. */
void mohs_stream_ready(struct mohs_streams *streams, struct mohs_stream *stream, uint32_t events);

/* Gives up a stream that takes too long to open. If its unix socket's backlog was full, and there
 * may be `room` now, dials again. Returns whether there may be room for others. */
bool mohs_stream_look(struct mohs_streams *streams, struct mohs_stream *stream, bool room);

/* Sends a message that was due at due_ns on an open WebSocket, now or when its socket has room. */
void mohs_stream_say(struct mohs_streams *streams, struct mohs_stream *stream, uint64_t due_ns);

/* Records a message for which no stream was open. */
void mohs_stream_unsent(struct mohs_streams *streams, uint64_t due_ns);

/* Whether messages are sent by POSTs, and should come as events; and whether there are messages. */
static inline bool mohs_streams_publish(const struct mohs_streams *streams) {
    return streams->publisher.request != NULL;
}

static inline bool mohs_streams_talk(const struct mohs_streams *streams) {
    return streams->websocket || mohs_streams_publish(streams);
}

/* Records what became of a message, unless it was cut off. */
void mohs_stream_settle_message(struct mohs_streams *streams, const struct mohs_message *message);

/* Records how soon a message came to all connections. */
void mohs_stream_settle_fan(struct mohs_streams *streams, uint64_t number);

/* When a stream was open: earlier messages are none of its. */
uint64_t mohs_stream_since_ns(const struct mohs_streams *streams, uint32_t number);

/* The load is over: records what a stream still waited for, or did when it was dropped, and closes
 * it. Streams that are not open yet, or had no event, rank as slower than all others. */
void mohs_stream_settle(struct mohs_streams *streams, struct mohs_stream *stream);

/* Closes its socket and frees what it holds. */
void mohs_stream_close(struct mohs_stream *stream);

#endif
