/*
 * What the fuzz targets share. They run some hundred million times, so they allocate nothing while
 * they run, start from the same state each time, and cut an input in one way, not in all.
 */
#ifndef MOHS_FUZZ_H
#define MOHS_FUZZ_H

#include <sanitizer/asan_interface.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "core/http.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define HOLDS(condition)                                                                           \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            fprintf(stderr, "%s:%d: %s does not hold\n", __FILE__, __LINE__, #condition);          \
            abort();                                                                               \
        }                                                                                          \
    } while (0)

/* Memory of which only `open` bytes may be touched: the sanitizer finds an access beyond either
 * end, as with a block from malloc, which costs twenty times as much. */
struct room {
    char *bytes;
    size_t capacity;
    size_t open;
};

#define ROOM_EDGE 64

/* Opens `size` bytes with unknown contents; earlier contents are lost. */
static inline char *room_open(struct room *room, size_t size) {
    if (!room->bytes || size > room->capacity) { // the old one stays: few are too small for long
        room->capacity = size < 4096 ? 4096 : 2 * size;
        room->bytes = aligned_alloc(ROOM_EDGE, (room->capacity / ROOM_EDGE + 3) * ROOM_EDGE);
        HOLDS(room->bytes);
        ASAN_POISON_MEMORY_REGION(room->bytes, room->capacity + 2 * ROOM_EDGE);
    } else {
        ASAN_POISON_MEMORY_REGION(room->bytes + ROOM_EDGE, room->open);
    }
    room->open = size;
    ASAN_UNPOISON_MEMORY_REGION(room->bytes + ROOM_EDGE, size);
    return room->bytes + ROOM_EDGE;
}

/* The bytes in a room of their own size. */
static inline char *room_copy(struct room *room, const char *bytes, size_t size) {
    char *copy = room_open(room, size);
    if (size) memcpy(copy, bytes, size);
    return copy;
}

static inline struct mohs_span span_of(const char *text) {
    return (struct mohs_span){text, strlen(text)};
}

static inline bool same_span(struct mohs_span one, struct mohs_span other) {
    return one.size == other.size && (one.size == 0 || memcmp(one.data, other.data, one.size) == 0);
}

/* How an input is cut: at two places, or after each byte. */
struct cuts {
    size_t at[2];
    bool everywhere;
};

/* The cuts follow from all bytes: an input always has the same ones, and one that differs by a byte
 * has others, so every boundary is tried. Every 16th input is cut everywhere. */
static inline struct cuts cuts_of(const char *bytes, size_t size) {
    uint64_t chance = crc32(0, (const Bytef *)bytes, (uInt)size) * 0x9e3779b97f4a7c15u;
    size_t one = 1 + (chance >> 32 & 0xffff) % size, other = 1 + (chance >> 48) % size;
    return (struct cuts){.at = {one < other ? one : other, one < other ? other : one},
                         .everywhere = (chance >> 28 & 15) == 0};
}

/* Where the piece that begins at `from` ends. */
static inline size_t cut_behind(struct cuts cuts, size_t from, size_t size) {
    if (cuts.everywhere) return from + 1;
    if (from < cuts.at[0]) return cuts.at[0];
    return from < cuts.at[1] ? cuts.at[1] : size;
}

#endif
