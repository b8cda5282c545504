/*
 * Feeds garbage to the decoder: it must refuse or decode it, and never crash, read beyond its input
 * or write beyond its output. Each input is tried as it is and with a corrected checksum, since
 * otherwise hardly any would pass; what decodes is encoded again and must come back the same.
 */
#include "core/codec.h"

#include "fuzz.h"

/* Decodes the frames of `in` as a reader of the store does, into rooms of exactly the allowed size.
 * */
static void decode_all(struct mohs_codec *codec, const uint8_t *in, size_t size) {
    static struct room first, second, third;
    for (size_t at = 0, length, count; at < size; at += length) {
        if (mohs_codec_peek(in + at, size - at, &length, &count)) return;
        size_t taken = count * sizeof(struct mohs_record), bound = mohs_codec_bound(count);
        struct mohs_record *records = (void *)room_open(&first, taken);
        if (mohs_codec_decode(codec, in + at, length, records)) continue;
        uint8_t *encoded = (uint8_t *)room_open(&second, bound);
        struct mohs_record *again = (void *)room_open(&third, taken);
        size_t bytes, frame, found;
        HOLDS(mohs_codec_encode(codec, records, count, encoded, &bytes) == 0 && bytes <= bound);
        HOLDS(mohs_codec_peek(encoded, bytes, &frame, &found) == 0 && found == count);
        HOLDS(mohs_codec_decode(codec, encoded, frame, again) == 0);
        HOLDS(memcmp(records, again, taken) == 0);
    }
}

/* Corrects the first frame's length and checksum, and limits its records unless the input insists:
 * 65536 records of zeros fit into 84 bytes and take as long as a thousand small frames. */
static void repair(uint8_t *frame, size_t size) {
    uint32_t length = (uint32_t)size;
    bool few = frame[6] != 0xff;
    memcpy(frame, "mohs\1\10\0\0", 8);
    if (few) memcpy(frame + 8, (uint8_t[4]){frame[8] % 64}, 4);
    memcpy(frame + 12, &length, sizeof length);
    uLong crc = crc32(crc32(0, NULL, 0), frame, 16);
    uint32_t sum = (uint32_t)crc32(crc, frame + 20, (uInt)(size - 20));
    memcpy(frame + 16, &sum, sizeof sum);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static struct mohs_codec *codec;
    static struct room room;
    if (!codec) codec = mohs_codec_new();
    HOLDS(codec);
    decode_all(codec, data, size);
    if (size < MOHS_CODEC_HEADER) return 0;
    uint8_t *copy = (uint8_t *)room_copy(&room, (const char *)data, size);
    repair(copy, size);
    decode_all(codec, copy, size);
    return 0;
}
