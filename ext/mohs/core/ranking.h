/*
 * Finds the times at given ranks. Times are added as they come and kept: 5 bytes each, 500 MB for
 * 10^8. So the records that they are taken from are decoded only once, which takes most of the
 * time; a radix select that keeps nothing would decode them again for every digit.
 */
#ifndef MOHS_RANKING_H
#define MOHS_RANKING_H

#include <stddef.h>
#include <stdint.h>

enum {
    MOHS_RANKING_CHUNK = 65536,
    MOHS_RANKING_RANKS = 256 /* at most so many in one call */
};

#define MOHS_RANKING_LONGEST ((UINT64_C(1) << 40) - 1) /* ns, as done_ns of a record */

struct mohs_ranking_chunk {
    uint32_t low[MOHS_RANKING_CHUNK];
    uint8_t high[MOHS_RANKING_CHUNK];
};

/* A zeroed one is empty. */
struct mohs_ranking {
    struct mohs_ranking_chunk **chunks; /* in the order in which they are filled */
    size_t count;                       /* of chunks */
    size_t places;                      /* room for chunks */
    uint64_t size;                      /* times in them */
    uint64_t bits;                      /* bits that are set in any of the times */
};

void mohs_ranking_free(struct mohs_ranking *ranking);

/* Forgets the times and keeps their memory for new ones. */
void mohs_ranking_reset(struct mohs_ranking *ranking);

/* Adds a time of at most MOHS_RANKING_LONGEST. Returns 0 or -ENOMEM. */
int mohs_ranking_add(struct mohs_ranking *ranking, uint64_t ns);

/* Sets times[i], for each i below count (at most MOHS_RANKING_RANKS), to the time at ranks[i] in
 * ascending order. Ranks count from 0 and must be below size. Radix select for all ranks together:
 * one pass over the times for every 14 bits of the longest, three at most. Returns 0 or
 * -ENOMEM. */
int mohs_ranking_select(const struct mohs_ranking *ranking, const uint64_t *ranks, size_t count,
                        uint64_t *times);

/* Bytes allocated. */
size_t mohs_ranking_bytes(const struct mohs_ranking *ranking);

#endif
