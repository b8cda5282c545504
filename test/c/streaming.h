/* Loads of event streams and WebSockets on the tests' servers, and what must hold after each. */
#ifndef MOHS_TEST_STREAMING_H
#define MOHS_TEST_STREAMING_H

#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>

#include "core/clock.h"
#include "core/streams.h"
#include "runner.h"

/* A load of so many connections for `ms`, which is not started. */
static inline struct mohs_streams *streams_of(const struct sockaddr_in *address,
                                              const char *request, uint32_t connections,
                                              uint64_t ms) {
    struct mohs_streams *streams =
        aligned_alloc(_Alignof(struct mohs_streams), sizeof(struct mohs_streams));
    struct mohs_check check = {.mode = MOHS_CHECK_STATUS};
    if (!streams || mohs_streams_init(streams)) abort();
    CHECK_EQUAL(0, mohs_target_set_address(&streams->target, address, sizeof *address));
    CHECK_EQUAL(
        0, mohs_target_add_request(&streams->target, request, strlen(request), 1, false, &check));
    streams->target.connections = connections;
    streams->target.timeout_ns = 5 * MOHS_SECOND;
    streams->duration_ns = ms * MOHS_MILLISECOND;
    return streams;
}

/* Has it send so many messages per second. */
static inline void send_at(struct mohs_streams *streams, double rate) {
    streams->count = 1000000;
    streams->seed = 48;
    streams->arrivals = (struct mohs_arrivals){
        .kind = MOHS_REGULAR, .rate_per_s = rate, .to_per_s = rate, .burst = 1};
}

/* Until its end. */
static inline void await(struct mohs_streams *streams) {
    CHECK_EQUAL(0, mohs_streams_start(streams));
    while (!mohs_streams_wait(streams, 100)) continue;
    mohs_streams_join(streams);
    CHECK_EQUAL(0, mohs_streams_lost_records(streams));
}

static inline void free_load(struct mohs_streams *streams) {
    mohs_streams_free(streams);
    free(streams);
}

/* The records of a class of error. */
static inline uint64_t count_of(const struct mohs_recording *recording, int error) {
    struct mohs_run runs[8];
    uint64_t found = 0;
    size_t count = mohs_recording_runs(recording, 0, recording->size, runs, 8);
    for (size_t run = 0; run < count; run++)
        for (size_t at = 0; at < runs[run].count; at++)
            found += runs[run].records[at].error == error;
    return found;
}

#endif
