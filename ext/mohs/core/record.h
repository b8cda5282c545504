/*
 * One request as it is kept: 32 bytes, written once when the request ends, in the order in which
 * requests end on their worker. Every figure that a report shows about requests can be computed
 * again from these records.
 *
 * Reading order of the core: record.h, error.h, clock.h, http.h (the parser of responses), check.h
 * (is it the expected response), recording.h (where records are kept), select.h (figures from
 * records), target.h (what is loaded), arrivals.h (when requests fall due), tally.h (what a step
 * counts), loop.h and job.h (what connections share), socket.h, connection.h (one request after
 * another), lane.h (a worker's share of a target), thread_stats.h (what a thread measures about
 * itself), worker.h (one thread's loop), engine.h (the whole). For scenarios scenario.h (what
 * clients do) and client.h (one of them), on top of pattern.h, json.h, escape.h, cookies.h and
 * random.h. For long-lived connections sse.h (the parser of event streams), sha1.h and websocket.h
 * (frames), talk.h (an exchange of messages), publisher.h and listener.h (the same by POSTs and
 * events), stream.h (one connection) and streams.h (a load of
 * them). Beside them supervisor.h; codec.h and rows.h, which turn records into bytes and text; and
 * fold.h, which computes figures from encoded records, on top of ranking.h. A file uses only those
 * before it in test/support/core_layers.rb.
 */
#ifndef MOHS_RECORD_H
#define MOHS_RECORD_H

#include <stdbool.h>
#include <stdint.h>

#define MOHS_COARSE_NS 1024 /* 32 bits hold 73 minutes */

/* Bits of mohs_record.flags: FLAG(CONSTANT, name, bit). Ruby has the names, in this order. */
#define MOHS_RECORD_FLAGS(FLAG)                                                                    \
    FLAG(FRESH, fresh, 1)          /* first request on its connection */                           \
    FLAG(WARM_UP, warm_up, 2)      /* belongs to a step declared as warm-up */                     \
    FLAG(CHUNKED, chunked, 4)      /* the response was chunked */                                  \
    FLAG(CLOSED, closed, 8)        /* the server closed, or said it would, after this response */  \
    FLAG(IN_FLIGHT, in_flight, 16) /* unanswered when the load ended: done = its age then */       \
    FLAG(QUEUED, queued, 32)       /* open loop: due when no connection was free, so it waited */  \
    FLAG(COARSE, coarse, 64)       /* sent_ns and first_ns are in units of MOHS_COARSE_NS */       \
    FLAG(SHAKEN, shaken, 128)      /* a TLS handshake came between due and sent */

enum mohs_record_flag {
#define MOHS_DECLARE_FLAG(constant, name, bit) MOHS_RECORD_##constant = bit,
    MOHS_RECORD_FLAGS(MOHS_DECLARE_FLAG)
#undef MOHS_DECLARE_FLAG
};

/*
 * Times in nanoseconds. due counts from the engine's epoch; the three others from due. In a closed
 * loop due is when the connection became free, in an open loop when the schedule says; service
 * time = done_ns - sent_ns and response time = done_ns. Over TCP first and done are when the bytes
 * read had come, by the kernel's stamp. If sent or first came later than UINT32_MAX ns (4.29 s),
 * both are stored in coarser units: read them with the functions below.
 *
 * FIELD(name, type), or BITS(name, width) of a uint64_t: bit-fields of 64 bits are a GNU extension
 * that gcc and clang lay out alike. Ruby reads and writes fields by these names.
 */
#define MOHS_RECORD_FIELDS(FIELD, BITS)                                                            \
    BITS(due_ns, 48)          /* 78 hours */                                                       \
    BITS(request, 16)         /* index into the target's requests */                               \
    FIELD(sent_ns, uint32_t)  /* the kernel was handed the last byte; 0 if it never was */         \
    FIELD(first_ns, uint32_t) /* the first byte of the response came; 0 if none did */             \
    BITS(done_ns, 40)         /* last byte came, or the failure noticed; 18 minutes */             \
    BITS(connection, 24)      /* number over all targets, stable across reconnects */              \
    FIELD(bytes, uint32_t)    /* of the body, saturating */                                        \
    FIELD(status, uint16_t)   /* 0 when no status line was read */                                 \
    FIELD(error, uint8_t)     /* enum mohs_error */                                                \
    FIELD(flags, uint8_t)     /* enum mohs_record_flag */

struct mohs_record {
#define MOHS_DECLARE_PLAIN(name, type) type name;
#define MOHS_DECLARE_BITS(name, width) __extension__ uint64_t name : width;
    MOHS_RECORD_FIELDS(MOHS_DECLARE_PLAIN, MOHS_DECLARE_BITS)
#undef MOHS_DECLARE_PLAIN
#undef MOHS_DECLARE_BITS
};

_Static_assert(sizeof(struct mohs_record) == 32, "a record is 32 bytes");

/* From due to handed over to the kernel. */
static inline uint64_t mohs_record_sent_ns(const struct mohs_record *record) {
    bool coarse = record->flags & MOHS_RECORD_COARSE;
    return coarse ? (uint64_t)record->sent_ns * MOHS_COARSE_NS : record->sent_ns;
}

/* From due to the first byte. */
static inline uint64_t mohs_record_first_ns(const struct mohs_record *record) {
    bool coarse = record->flags & MOHS_RECORD_COARSE;
    return coarse ? (uint64_t)record->first_ns * MOHS_COARSE_NS : record->first_ns;
}

/* When it ended, since the engine's epoch. */
static inline uint64_t mohs_record_ended_ns(const struct mohs_record *record) {
    return (uint64_t)record->due_ns + record->done_ns;
}

/* From handed over to the kernel to the end. */
static inline uint64_t mohs_record_service_ns(const struct mohs_record *record) {
    uint64_t done = record->done_ns;
    uint64_t sent = mohs_record_sent_ns(record);
    return done > sent ? done - sent : 0;
}

static inline uint32_t mohs_saturated(uint64_t value) {
    return value > UINT32_MAX ? UINT32_MAX : (uint32_t)value;
}

/* Writes when it was due, since the engine's epoch, and how long it took from then on. */
static inline void mohs_record_set_span(struct mohs_record *record, uint64_t due_ns,
                                        uint64_t took_ns) {
    const uint64_t longest = (1ull << 40) - 1;
    record->due_ns = due_ns & ((1ull << 48) - 1);
    record->done_ns = (took_ns < longest ? took_ns : longest) & ((1ull << 40) - 1);
}

/* Writes from due to handed over to the kernel, and to the first byte, in a unit in which both fit.
 * Its other flags are there already. */
static inline void mohs_record_set_begun(struct mohs_record *record, uint64_t sent_ns,
                                         uint64_t first_ns) {
    bool coarse = sent_ns > UINT32_MAX || first_ns > UINT32_MAX;
    if (coarse) record->flags |= MOHS_RECORD_COARSE;
    record->sent_ns = mohs_saturated(coarse ? sent_ns / MOHS_COARSE_NS : sent_ns);
    record->first_ns = mohs_saturated(coarse ? first_ns / MOHS_COARSE_NS : first_ns);
}

#endif
