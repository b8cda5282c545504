/*
 * The codec without Ruby: encoding and decoding are inverse, use no more memory than asked for, and
 * refuse damaged input.
 */
#include "core/codec.h"

#include <stdlib.h>

#include "runner.h"

/* xorshift64: the same numbers in every run. */
static uint64_t state = 88172645463325252u;

static uint64_t next_number(void) {
    state ^= state << 13;
    state ^= state >> 7;
    return state ^= state << 17;
}

static void *allocate(size_t size) {
    void *memory = malloc(size);
    if (!memory) abort();
    return memory;
}

static struct mohs_codec *new_codec(void) {
    struct mohs_codec *codec = mohs_codec_new();
    if (!codec) abort();
    return codec;
}

/* One closed loop over `connections`, with an answer in 2 pieces and an error now and then. */
static struct mohs_record *closed_loop(size_t count, uint32_t connections) {
    struct mohs_record *records = allocate(count * sizeof *records);
    uint64_t *free_ns = calloc(connections, sizeof *free_ns);
    if (!free_ns) abort();
    memset(records, 0, count * sizeof *records);
    for (size_t i = 0; i < count; i++) {
        uint32_t connection = (uint32_t)(next_number() % connections) & 0xffffff;
        uint64_t done = (100000 + next_number() % 50000) & 0xffffffffff;
        records[i].due_ns = free_ns[connection] & 0xffffffffffff;
        records[i].sent_ns = (uint32_t)(5000 + next_number() % 3000);
        records[i].done_ns = done & 0xffffffffff;
        records[i].first_ns = (uint32_t)(next_number() % 9 ? done : done - 700);
        records[i].connection = connection & 0xffffff;
        records[i].bytes = 12;
        records[i].status = next_number() % 99 ? 200 : 500;
        records[i].error = records[i].status == 200 ? 0 : 19;
        free_ns[connection] += done;
    }
    free(free_ns);
    return records;
}

/* Encodes and decodes in memory of just the right size. Returns the bytes of the frame. */
static size_t round_trip(struct mohs_codec *codec, const struct mohs_record *records,
                         size_t count) {
    size_t length = 0, found = 0, counted = 0, bound = mohs_codec_bound(count);
    uint8_t *encoded = allocate(bound);
    CHECK(mohs_codec_encode(codec, records, count, encoded, &length) == MOHS_CODEC_OK);
    CHECK(length <= bound);
    uint8_t *frame = allocate(length);
    memcpy(frame, encoded, length);
    free(encoded);
    struct mohs_record *decoded = allocate(count * sizeof *decoded);
    CHECK(mohs_codec_peek(frame, length, &found, &counted) == MOHS_CODEC_OK);
    CHECK_EQUAL(length, found);
    CHECK_EQUAL(count, counted);
    CHECK(mohs_codec_decode(codec, frame, length, decoded) == MOHS_CODEC_OK);
    CHECK(memcmp(records, decoded, count * sizeof *records) == 0);
    free(decoded);
    free(frame);
    return length;
}

TEST(closed_loops) {
    struct mohs_codec *codec = new_codec();
    static const uint32_t connections[] = {1, 5, 100, 20000};
    for (size_t i = 0; i < sizeof connections / sizeof *connections; i++) {
        struct mohs_record *records = closed_loop(MOHS_CODEC_FRAME, connections[i]);
        size_t length = round_trip(codec, records, MOHS_CODEC_FRAME);
        if (connections[i] <= 100) CHECK(length <= 6 * (size_t)MOHS_CODEC_FRAME);
        round_trip(codec, records, 1);
        round_trip(codec, records, MOHS_CODEC_FRAME - 1);
        free(records);
    }
    mohs_codec_free(codec);
}

TEST(noise) {
    struct mohs_codec *codec = new_codec();
    size_t size = MOHS_CODEC_FRAME * sizeof(struct mohs_record);
    struct mohs_record *records = allocate(size);
    for (size_t fill = 0; fill < 4; fill++) {
        for (size_t i = 0; i < size / sizeof(uint64_t); i++) {
            uint64_t patterns[] = {0, UINT64_MAX, next_number(), i % 2 ? UINT64_MAX : 0};
            memcpy((uint8_t *)records + i * sizeof(uint64_t), &patterns[fill], sizeof(uint64_t));
        }
        round_trip(codec, records, MOHS_CODEC_FRAME);
    }
    free(records);
    mohs_codec_free(codec);
}

/* Peeks and decodes a copy of the input in memory of just its size. */
static int attempt(struct mohs_codec *codec, const uint8_t *in, size_t size) {
    size_t length, count;
    uint8_t *copy = allocate(size ? size : 1);
    memcpy(copy, in, size);
    int error = mohs_codec_peek(copy, size, &length, &count);
    if (!error) {
        struct mohs_record *records = allocate(count * sizeof *records);
        error = mohs_codec_decode(codec, copy, length, records);
        free(records);
    }
    free(copy);
    return error;
}

TEST(damage) {
    struct mohs_codec *codec = new_codec();
    size_t count = 300, length;
    struct mohs_record *records = closed_loop(count, 5);
    uint8_t *frame = allocate(mohs_codec_bound(count));
    CHECK(mohs_codec_encode(codec, records, count, frame, &length) == MOHS_CODEC_OK);
    CHECK(attempt(codec, frame, length) == MOHS_CODEC_OK);
    for (size_t size = 0; size < length; size++) {
        CHECK(attempt(codec, frame, size) == MOHS_CODEC_SHORT);
    }
    for (size_t at = 0; at < length; at++) {
        frame[at] ^= (uint8_t)(1 << at % 8);
        CHECK(attempt(codec, frame, length) != MOHS_CODEC_OK);
        frame[at] ^= (uint8_t)(1 << at % 8);
    }
    CHECK(attempt(codec, frame, length) == MOHS_CODEC_OK);
    free(frame);
    free(records);
    mohs_codec_free(codec);
}

TEST(messages) {
    for (int error = MOHS_CODEC_LAYOUT; error <= MOHS_CODEC_OK; error++) {
        CHECK(strcmp(mohs_codec_message(error), "unknown") != 0);
    }
    CHECK(strcmp(mohs_codec_message(1), "unknown") == 0);
    mohs_codec_free(NULL);
}

int main(void) {
    RUN(closed_loops);
    RUN(noise);
    RUN(damage);
    RUN(messages);
    return report();
}
