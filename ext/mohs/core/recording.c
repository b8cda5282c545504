#include "recording.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <sys/mman.h>

#define MOST_RECORDS (SIZE_MAX / sizeof(struct mohs_record) / 2) /* bytes fit in size_t */

static struct mohs_chunk *map_chunk(size_t capacity, int flags) {
    size_t bytes = sizeof(struct mohs_chunk) + capacity * sizeof(struct mohs_record);
    struct mohs_chunk *chunk =
        mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | flags, -1, 0);
    if (chunk == MAP_FAILED) return NULL;
    chunk->capacity = capacity;
    chunk->mapped_bytes = bytes;
    return chunk;
}

int mohs_recording_init(struct mohs_recording *recording, size_t expected) {
    assert(expected > 0);
    *recording = (struct mohs_recording){0};
    if (expected > MOST_RECORDS) return -ENOMEM;
    recording->first = map_chunk(expected, MAP_POPULATE);
    if (!recording->first) return -errno;
    recording->last = recording->first;
    return 0;
}

void mohs_recording_free(struct mohs_recording *recording) {
    struct mohs_chunk *chunk = recording->first;
    while (chunk) {
        struct mohs_chunk *next = chunk->next;
        munmap(chunk, chunk->mapped_bytes);
        chunk = next;
    }
    *recording = (struct mohs_recording){0};
}

static struct mohs_chunk *add_chunk(struct mohs_recording *recording) {
    struct mohs_chunk *chunk = map_chunk(MOHS_CHUNK_RECORDS, MAP_NORESERVE);
    if (!chunk) return NULL;
    recording->last->next = chunk;
    recording->last = chunk;
    return chunk;
}

struct mohs_record *mohs_recording_next(struct mohs_recording *recording) {
    struct mohs_chunk *chunk = recording->last;
    if (__builtin_expect(chunk->used == chunk->capacity, 0)) {
        chunk = add_chunk(recording);
        if (!chunk) {
            recording->lost++;
            return NULL;
        }
    }
    recording->size++;
    return &chunk->records[chunk->used++];
}

size_t mohs_recording_runs(const struct mohs_recording *recording, uint64_t from, uint64_t to,
                           struct mohs_run *runs, size_t max) {
    size_t count = 0;
    uint64_t start = 0; // index of the chunk's first record
    for (const struct mohs_chunk *chunk = recording->first; chunk; chunk = chunk->next) {
        uint64_t end = start + chunk->used;
        uint64_t low = from > start ? from : start;
        uint64_t high = to < end ? to : end;
        if (low < high) {
            if (count < max)
                runs[count] = (struct mohs_run){chunk->records + (low - start), high - low};
            count++;
        }
        start = end;
    }
    return count;
}

void mohs_recording_set_aside(struct mohs_recording *recording, uint64_t from, uint64_t to) {
    uint64_t number = 0;
    for (struct mohs_chunk *chunk = recording->first; chunk; chunk = chunk->next)
        for (size_t at = 0; at < chunk->used; at++, number++)
            if (number >= from && number < to) chunk->records[at].flags |= MOHS_RECORD_WARM_UP;
}

/* Requests that ended at the same time are ordered by connection; any order would do as long as it
 * is always the same. */
static int compare_ends(const void *left, const void *right) {
    const struct mohs_record *one = *(const struct mohs_record *const *)left;
    const struct mohs_record *other = *(const struct mohs_record *const *)right;
    uint64_t ended = mohs_record_ended_ns(one), other_ended = mohs_record_ended_ns(other);
    if (ended != other_ended) return ended < other_ended ? -1 : 1;
    return (one->connection > other->connection) - (one->connection < other->connection);
}

void mohs_runs_ordered(const struct mohs_run *runs, size_t count,
                       const struct mohs_record **ordered) {
    size_t size = 0;
    for (size_t run = 0; run < count; run++)
        for (size_t at = 0; at < runs[run].count; at++) ordered[size++] = &runs[run].records[at];
    if (size > 1) qsort(ordered, size, sizeof *ordered, compare_ends);
}

size_t mohs_recording_bytes(const struct mohs_recording *recording) {
    size_t bytes = 0;
    for (const struct mohs_chunk *chunk = recording->first; chunk; chunk = chunk->next)
        bytes += chunk->mapped_bytes;
    return bytes;
}
