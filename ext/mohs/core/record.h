/*
 * One request as it is kept: 32 bytes, written once when the request ends, in the order in which requests end on their
 * worker. Everything that a report says about requests can be computed again from these.
 *
 * Reading order of the core: record.h, error.h, then each header beside its .c file.
 */
#ifndef MOHS_RECORD_H
#define MOHS_RECORD_H

#include <stdint.h>

/* Bits of mohs_record.flags. */
enum mohs_record_flag {
    MOHS_RECORD_FRESH = 1,     /* first request on its connection */
    MOHS_RECORD_WARM_UP = 2,   /* belongs to a step declared as warm-up */
    MOHS_RECORD_CHUNKED = 4,   /* the answer was chunked */
    MOHS_RECORD_CLOSED = 8,    /* the server closed the connection after this answer */
    MOHS_RECORD_IN_FLIGHT = 16 /* unanswered when the load ended: done is the moment of giving up, so done - due its age */
};

/*
 * Times in nanoseconds. due counts from the start of the engine's clock (mohs_engine_epoch_ns); the three others from due.
 * In a closed loop due is the moment at which the connection became free, so service time = done_ns - sent_ns and
 * response time = done_ns. sent_ns and first_ns saturate at UINT32_MAX (4.29 s).
 */
struct mohs_record {
    uint64_t due_ns : 48;    /* 78 hours */
    uint64_t request : 16;   /* index into the target's request mix */
    uint32_t sent_ns;        /* last byte handed to the kernel */
    uint32_t first_ns;       /* first byte of the answer read */
    uint64_t done_ns : 40;   /* last byte of the answer read, or the failure noticed; 18 minutes */
    uint64_t connection : 24; /* index over all targets of the engine, stable over reconnects */
    uint32_t bytes;          /* of the body, saturating */
    uint16_t status;         /* 0 when no status line was read */
    uint8_t error;           /* enum mohs_error */
    uint8_t flags;           /* enum mohs_record_flag */
};

_Static_assert(sizeof(struct mohs_record) == 32, "a record is 32 bytes");

#endif
