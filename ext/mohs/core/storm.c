#include "storm.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>

#include "random.h"

#define EXPECTED 65536 /* records whose memory is touched beforehand */

int mohs_storm_init(struct mohs_storm *storm, uint32_t connections) {
    if (storm->share <= 0) return 0;
    storm->numbers = calloc(connections, sizeof *storm->numbers);
    if (!storm->numbers) return -ENOMEM;
    int result = mohs_recording_init(&storm->returns, connections);
    if (result == 0) result = mohs_recording_init(&storm->before, EXPECTED);
    return result ? result : mohs_recording_init(&storm->during, EXPECTED);
}

void mohs_storm_free(struct mohs_storm *storm) {
    mohs_recording_free(&storm->returns);
    mohs_recording_free(&storm->before);
    mohs_recording_free(&storm->during);
    free(storm->numbers);
    storm->numbers = NULL;
}

void mohs_storm_begin(struct mohs_storm *storm, uint32_t open, uint64_t seed, uint64_t now_ns) {
    assert(mohs_storm_waits(storm));
    uint32_t count = (uint32_t)(storm->share * open + 0.5);
    if (count == 0) count = 1;
    if (count > open) count = open;
    for (uint32_t at = 0; at < count; at++) {
        uint32_t other = at + (uint32_t)mohs_random_below(&seed, open - at);
        uint32_t number = storm->numbers[at];
        storm->numbers[at] = storm->numbers[other];
        storm->numbers[other] = number;
    }
    storm->dropped = count;
    storm->began_ns = now_ns;
    if (count == 0) storm->ended_ns = now_ns;
}

/* Nothing more is expected of the last one. */
static void settle(struct mohs_storm *storm, uint64_t now_ns) {
    if (storm->back + storm->failed == storm->dropped) storm->ended_ns = now_ns;
}

void mohs_storm_back(struct mohs_storm *storm, uint64_t came_ns) {
    storm->back++;
    mohs_parts_add(&storm->parts, came_ns, storm->back, storm->dropped);
    settle(storm, storm->parts.latest_ns);
}

void mohs_storm_failed(struct mohs_storm *storm, int error, uint64_t now_ns) {
    storm->failed++;
    storm->errors[error]++;
    settle(storm, now_ns);
}

struct mohs_recording *mohs_storm_part(struct mohs_storm *storm, bool dropped, uint64_t from_ns,
                                       uint64_t until_ns) {
    if (storm->share <= 0 || from_ns < storm->calm_ns) return NULL;
    if (!storm->began_ns || until_ns < storm->began_ns) return &storm->before;
    if (dropped || (storm->ended_ns && from_ns > storm->ended_ns)) return NULL;
    return &storm->during;
}
