/*
 * Slow clients beside a load: connections that take their responses, or give the bodies of their
 * requests, at so many bytes per second, as clients on bad networks do. What they cost a server is
 * seen in the load beside them; of themselves they only count what became of their requests.
 *
 * One thread moves a piece of each connection's bytes whenever it is due, without waiting for any.
 * The rest of an exchange is as fast as the server: a slow reader sends its request at once, a slow
 * sender takes its response at once. Each connection makes one request after the other until it is
 * stopped; one that failed begins again after a pause.
 *
 * A kernel buffers for the slowest reader: a receive buffer of RECEIVE_BYTES leaves that to the
 * server's side. On a unix socket the sender's buffer decides, which the client can't make smaller.
 *
 * Life cycle: init; fill `target` (target.h: an address, one request, connections) and the
 * settings; start; stop; join; read the results; free.
 */
#ifndef MOHS_SLOW_H
#define MOHS_SLOW_H

#include "http.h"
#include "worker.h"

#define MOHS_SLOW_COUNTS(FIELD)                                                                    \
    FIELD(opened, SUM)    /* connections that a request was sent on, whatever came of it */        \
    FIELD(completed, SUM) /* requests whose responses came to an end and are the expected ones */  \
    FIELD(failed, SUM)                                                                             \
    FIELD(underway, SUM) /* requests that were begun and not over when the clients were stopped */ \
    FIELD(sent_bytes, SUM)                                                                         \
    FIELD(received_bytes, SUM)

struct mohs_slow_counts {
    MOHS_SLOW_COUNTS(MOHS_DECLARE_FIELD)
};

struct mohs_slow_client {
    int fd;
    uint8_t phase;     /* enum phase of slow.c */
    bool served;       /* the connection has carried a response */
    size_t sent;       /* bytes of the request */
    uint64_t due_ns;   /* when it goes on */
    uint64_t piece_ns; /* when its next piece is due: due_ns may wait for the server meanwhile */
    struct mohs_http http;
    char *line;
};

struct mohs_slow {
    struct mohs_target target; /* settings, and below; its timeout_ns (from due, in ns) is not kept:
                                * an exchange takes as long as its bytes at this rate */
    bool sends;                /* bodies slowly; else it reads responses slowly */
    double bytes_per_s;        /* of each connection, above 0 */
    int cpu;                   /* of the thread; -1: any */

    struct mohs_slow_counts counts; /* live: written by the thread only */
    uint64_t errors[MOHS_ERROR_COUNT];
    uint64_t cpu_ns; /* of the thread */

    struct mohs_worker worker;
    struct mohs_slow_client *clients;
    char *lines;
    size_t at_once; /* bytes of the request that are sent at once */
    size_t piece;   /* bytes that are moved together at most */
    uint32_t turn;
    bool started;
    atomic_bool stop;
};

/* Prepares settings to be filled in. Needs mohs_slow_free either way. Returns 0 or -errno. */
int mohs_slow_init(struct mohs_slow *slow);

/* Starts the thread, once. Returns 0 or -errno; -EINVAL if bodies are to be sent and the request
 * has none. */
int mohs_slow_start(struct mohs_slow *slow);

/* Ends all requests. Does not wait. */
void mohs_slow_stop(struct mohs_slow *slow);

/* Waits for the thread. Results are complete afterwards. */
void mohs_slow_join(struct mohs_slow *slow);

/* Reads the counts while it runs. */
void mohs_slow_live(const struct mohs_slow *slow, struct mohs_slow_counts *counts);

void mohs_slow_free(struct mohs_slow *slow);

/* Bytes held, for Ruby's memory accounting. */
size_t mohs_slow_bytes(const struct mohs_slow *slow);

#endif
