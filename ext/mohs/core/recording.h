/*
 * Where records are kept: one writer, no lock, and no allocation while load runs except for the
 * next chunk of mapped memory. The first chunk is touched beforehand: a store costs 0.6 ns there,
 * and up to 37 ns in memory that the machine has not used yet.
 */
#ifndef MOHS_RECORDING_H
#define MOHS_RECORDING_H

#include <stddef.h>
#include <stdint.h>

#include "record.h"

#define MOHS_CHUNK_RECORDS 262144 /* records in a chunk beyond the expected ones: 8 MB */

struct mohs_chunk {
    struct mohs_chunk *next;
    size_t capacity;
    size_t used;
    size_t mapped_bytes;
    struct mohs_record records[];
};

struct mohs_recording {
    struct mohs_chunk *first;
    struct mohs_chunk *last;
    uint64_t size; /* records in all chunks */
    uint64_t lost; /* records for which there was no memory */
};

/* A run of records in memory. */
struct mohs_run {
    const struct mohs_record *records;
    size_t count;
};

/* Maps and touches room for `expected` records. Returns 0 or -errno. */
int mohs_recording_init(struct mohs_recording *recording, size_t expected);

void mohs_recording_free(struct mohs_recording *recording);

/* The place for the next record, counted as written; without memory NULL, counted as lost. */
struct mohs_record *mohs_recording_next(struct mohs_recording *recording);

/* Gives records [from, to) as up to `max` runs, one per chunk; returns how many there are. */
size_t mohs_recording_runs(const struct mohs_recording *recording, uint64_t from, uint64_t to,
                           struct mohs_run *runs, size_t max);

/* Marks records [from, to) as warm-up. */
void mohs_recording_set_aside(struct mohs_recording *recording, uint64_t from, uint64_t to);

/* Gives all records of the runs, whichever worker they belong to, in the order in which their
 * requests ended. `ordered` has room for all of them. */
void mohs_runs_ordered(const struct mohs_run *runs, size_t count,
                       const struct mohs_record **ordered);

/* Bytes mapped, for Ruby's memory accounting. */
size_t mohs_recording_bytes(const struct mohs_recording *recording);

#endif
