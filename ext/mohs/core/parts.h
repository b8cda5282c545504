/*
 * When half of a crowd had or did something, when 99 % of it, and when all: of connections that a
 * message came to, or that came back.
 */
#ifndef MOHS_PARTS_H
#define MOHS_PARTS_H

#include <stdint.h>

/* Times are on the monotonic clock; 0: not yet. What is read is not read in the order in which it
 * came, so those of a part are of the latest of the first ones read. */
struct mohs_parts {
    uint64_t latest_ns; /* of those so far */
    uint64_t half_ns;
    uint64_t most_ns;
    uint64_t all_ns;
};

/* Notes the parts, rounded up, that `count` of `whole` are the first to reach. */
static inline void mohs_parts_note(struct mohs_parts *parts, uint32_t count, uint32_t whole) {
    uint64_t most = ((uint64_t)whole * 99 + 99) / 100;
    if (!parts->half_ns && count >= whole / 2 + whole % 2) parts->half_ns = parts->latest_ns;
    if (!parts->most_ns && count >= most) parts->most_ns = parts->latest_ns;
    if (!parts->all_ns && count >= whole) parts->all_ns = parts->latest_ns;
}

/* One more came then, and there are `count` of `whole` now. */
static inline void mohs_parts_add(struct mohs_parts *parts, uint64_t came_ns, uint32_t count,
                                  uint32_t whole) {
    if (came_ns > parts->latest_ns) parts->latest_ns = came_ns;
    mohs_parts_note(parts, count, whole);
}

#endif
