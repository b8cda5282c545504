/*
 * A load of long-lived connections: each asks once and then listens to an event stream (sse.h), or
 * becomes a WebSocket over which messages are echoed (talk.h). One thread opens them at a given
 * rate and keeps them until the time is over, so that what is measured is how soon a server accepts
 * and answers many of them, how regularly their events come or how soon messages come back, and
 * which connections it drops. No connection is opened again.
 *
 * Messages fall due as the requests of an open loop do (arrivals.h), from when the last connection
 * had to be opened on, on the open connections in turn.
 *
 * An idle stream takes less than 2 kB: it has no buffer of its own, except for a line of HTTP that
 * was cut.
 *
 * Life cycle: init; fill `target` (target.h: an address, one request, connections) and the
 * settings; start; wait until it is over, or stop it; join; read the results; free.
 */
#ifndef MOHS_STREAMS_H
#define MOHS_STREAMS_H

#include <pthread.h>
#include <stdatomic.h>

#include "arrivals.h"
#include "fields.h"
#include "http.h"
#include "job.h"
#include "recording.h"
#include "sse.h"
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
    FIELD(speaking, ONCE) /* opened, and an event came */                                          \
    FIELD(events, ONCE)                                                                            \
    FIELD(bytes, ONCE) /* of their data */

struct mohs_stream_counts {
    MOHS_STREAM_COUNTS(MOHS_DECLARE_FIELD)
};

struct mohs_stream {
    uint8_t state;
    uint8_t end;          /* enum mohs_stream_end */
    bool spoke;           /* an event came */
    uint8_t proofs;       /* of an upgrade, that came so far */
    int fd;               /* -1: not connected */
    uint32_t handed_over; /* bytes of the request */
    uint32_t parked_size; /* bytes of a line of HTTP that was cut: */
    char *parked;
    uint64_t due_ns;   /* when it had to be opened; this and the times below are monotonic */
    uint64_t sent_ns;  /* when the kernel was handed the request */
    uint64_t first_ns; /* when the response began */
    uint64_t last_ns;  /* when the last event came; before any, when it was opened */
    struct mohs_http http;
    struct mohs_sse sse;
};

_Static_assert(sizeof(struct mohs_stream) + sizeof(struct mohs_talk) <= 1024,
               "an idle stream takes less than 2 kB");

struct mohs_streams {
    // settings
    struct mohs_target target;
    double open_per_s;    /* connections opened in a second, above 0 */
    uint64_t duration_ns; /* 0: only the count ends it */
    uint64_t count;       /* events after which it ends, or MOHS_NO_LIMIT; of messages the most */
    bool websocket;       /* the request has MOHS_STREAM_KEY in place of a Sec-WebSocket-Key */
    struct mohs_arrivals arrivals; /* of messages; needs a duration. MOHS_CLOSED_LOOP: none */
    uint64_t drain_ns;             /* how long to wait for echoes at the end */
    uint64_t seed;                 /* of the keys */
    int cpu;                       /* that the thread is kept on; -1: any */

    // results
    struct mohs_stream_counts counts;
    uint64_t errors[MOHS_ERROR_COUNT];    /* of streams that were not opened */
    uint64_t ends[MOHS_STREAM_END_COUNT]; /* of those that were */
    uint64_t epoch_ns;                    /* when it began */
    uint64_t ended_ns;
    uint64_t cpu_ns;                /* of the thread */
    struct mohs_recording openings; /* due to the head of the response; failures as errors */
    struct mohs_recording firsts;   /* of opened streams: due to the first event */
    struct mohs_recording gaps;     /* from one event of a stream to its next; sent is due. What is
                                       left of a silence at the end is recorded as in flight if it is
                                       longer than every gap */
    struct mohs_recording echoes;   /* of each message: due to its echo. Without one, an error */
    uint64_t unsent;                /* messages that were never sent */
    struct mohs_messages messages;
    struct mohs_failed_response failed_response; /* the first */

    // while it runs
    struct mohs_stream *streams;
    struct mohs_talk *talks; /* of WebSockets, else NULL */
    size_t key_at;           /* where the request has its key */
    uint32_t turn;           /* the stream that has the next message */
    struct mohs_schedule schedule;
    char *line; /* of HTTP, for all streams in turn */
    uint64_t deadline_ns;
    uint64_t longest_ns; /* gap so far */
    struct mohs_worker worker;
    bool started;
    atomic_bool stop;
    atomic_bool running;
    int done; /* eventfd: it is over, or mohs_streams_poke was called */
};

/* What the request of a WebSocket has in place of its key. */
#define MOHS_STREAM_KEY "AAAAAAAAAAAAAAAAAAAAAA=="

/* Prepares settings to be filled in. Needs mohs_streams_free either way. Returns 0 or -errno. */
int mohs_streams_init(struct mohs_streams *streams);

/* Starts the thread, once. Returns 0 or -errno. */
int mohs_streams_start(struct mohs_streams *streams);

/* Waits up to `ms` for the end. Returns true when it is over. */
bool mohs_streams_wait(struct mohs_streams *streams, int ms);

/* Makes a waiter return. Safe in a signal handler. */
void mohs_streams_poke(struct mohs_streams *streams);

/* Ends the load. Does not wait. */
void mohs_streams_stop(struct mohs_streams *streams);

/* Waits for the thread. Results are complete afterwards. */
void mohs_streams_join(struct mohs_streams *streams);

/* Reads the counts while load runs; for WebSockets `events` is the number of echoes. */
void mohs_streams_live(const struct mohs_streams *streams, struct mohs_stream_counts *counts);

/* Records lost for lack of memory. If not 0, no figure is valid. */
uint64_t mohs_streams_lost_records(const struct mohs_streams *streams);

void mohs_streams_free(struct mohs_streams *streams);

/* Bytes held, for Ruby's memory accounting. */
size_t mohs_streams_bytes(const struct mohs_streams *streams);

#endif
