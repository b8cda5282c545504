/*
 * A reconnect storm: at one moment a load drops a share of its open connections and opens them
 * again at its own rate, as clients do whose network has failed. How soon each was back, and what
 * the other connections saw before that and meanwhile.
 */
#ifndef MOHS_STORM_H
#define MOHS_STORM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "error.h"
#include "parts.h"
#include "recording.h"

/* Times are on the monotonic clock; 0: not yet, or never. */
struct mohs_storm {
    // settings
    double share;      /* of the connections that are open then; 0: there is no storm */
    uint64_t after_ns; /* from the epoch of the load */

    // results
    uint64_t began_ns;
    uint64_t ended_ns;       /* when each was back or had failed */
    struct mohs_parts parts; /* of the dropped connections: when they were back */
    uint32_t dropped;
    uint32_t back;
    uint32_t failed; /* to come back */
    uint64_t errors[MOHS_ERROR_COUNT];
    uint64_t cut;                  /* messages that were under way from dropped connections */
    struct mohs_recording returns; /* of each dropped connection: from when it had to be opened
                                      again to when it was back */
    struct mohs_recording before;  /* gaps, echoes or fan-outs before the storm, */
    struct mohs_recording during;  /* and those of the other connections while it lasted */

    // while it runs
    uint64_t calm_ns;  /* from when on there is a `before` */
    uint32_t *numbers; /* of open connections: the dropped ones first, in the order in which they
                          are opened again */
    uint32_t asked;    /* of these, opened again */
};

/* Allocates for so many connections, if there is a storm. Needs mohs_storm_free either way. Returns
 * 0 or -errno. */
int mohs_storm_init(struct mohs_storm *storm, uint32_t connections);

void mohs_storm_free(struct mohs_storm *storm);

/* Chooses from the first `open` of `numbers` at random, by the seed. The storm has begun. */
void mohs_storm_begin(struct mohs_storm *storm, uint32_t open, uint64_t seed, uint64_t now_ns);

/* Whether it is still to come. */
static inline bool mohs_storm_waits(const struct mohs_storm *storm) {
    return storm->share > 0 && !storm->began_ns;
}

/* A dropped connection is back, or never will be. */
void mohs_storm_back(struct mohs_storm *storm, uint64_t came_ns);
void mohs_storm_failed(struct mohs_storm *storm, int error, uint64_t now_ns);

/* Where something is recorded that a connection saw in this time, `dropped` or not; NULL: nowhere.
 */
struct mohs_recording *mohs_storm_part(struct mohs_storm *storm, bool dropped, uint64_t from_ns,
                                       uint64_t until_ns);

#endif
