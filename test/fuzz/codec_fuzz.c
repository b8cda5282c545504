/*
 * Feeds the decoder with garbage: it must refuse or decode, never crash, read beyond its input or
 * write beyond its output. The input is tried as it is and with its checksum put right, since else
 * hardly any would get past it; what decodes is encoded again and must come back the same.
 *
 *     clang -g -O1 -fsanitize=fuzzer,address,undefined -D_GNU_SOURCE -Iext/mohs \
 *         test/fuzz/codec_fuzz.c ext/mohs/core/codec.c -lz -o codec_fuzz
 */
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "core/codec.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Decodes the frames of in as a reader of the store does. Each output is just as large as it may. */
static void decode_all(struct mohs_codec *codec, const uint8_t *in, size_t size) {
    for (size_t at = 0, length, count; at < size; at += length) {
        if (mohs_codec_peek(in + at, size - at, &length, &count)) return;
        struct mohs_record *records = malloc(count * sizeof *records);
        struct mohs_record *again = malloc(count * sizeof *again);
        uint8_t *encoded = malloc(mohs_codec_bound(count));
        if (records && again && encoded && !mohs_codec_decode(codec, in + at, length, records)) {
            size_t bytes, frame, found;
            if (mohs_codec_encode(codec, records, count, encoded, &bytes)) abort();
            if (bytes > mohs_codec_bound(count)) abort();
            if (mohs_codec_peek(encoded, bytes, &frame, &found) || found != count) abort();
            if (mohs_codec_decode(codec, encoded, frame, again)) abort();
            if (memcmp(records, again, count * sizeof *records) != 0) abort();
        }
        free(records);
        free(again);
        free(encoded);
    }
}

/* Makes the first frame's length and checksum true. */
static void repair(uint8_t *frame, size_t size) {
    uint32_t length = (uint32_t)size;
    memcpy(frame, "mohs\1\10\0\0", 8);
    memcpy(frame + 12, &length, sizeof length);
    uLong crc = crc32(crc32(0, NULL, 0), frame, 16);
    uint32_t sum = (uint32_t)crc32(crc, frame + 20, (uInt)(size - 20));
    memcpy(frame + 16, &sum, sizeof sum);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static struct mohs_codec *codec;
    if (!codec && !(codec = mohs_codec_new())) abort();
    decode_all(codec, data, size);
    if (size < MOHS_CODEC_HEADER) return 0;
    uint8_t *copy = malloc(size);
    if (!copy) abort();
    memcpy(copy, data, size);
    repair(copy, size);
    decode_all(codec, copy, size);
    free(copy);
    return 0;
}
