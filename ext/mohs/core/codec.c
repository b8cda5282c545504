/*
 * See codec.h for the format. Reading order: numbers to classes and bits (struct column), the
 * prediction (forward for encoding, backward for decoding: keep them mirror images), the frame.
 */
#include "codec.h"

#include <assert.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum {
    WIDEST = 48,                    /* bits of the widest number, due */
    CLASSES = 8 + 4 * (WIDEST - 3), /* number of classes in use */
    BITS_MOST = 6,                  /* bytes of bits that one number can need: 45 bits */
    SLACK = 8                       /* a 64-bit store may reach beyond the last byte used */
};

#define DUE_MASK        ((UINT64_C(1) << 48) - 1)
#define DONE_MASK       ((UINT64_C(1) << 40) - 1)
#define CONNECTION_MASK UINT32_C(0xffffff)

/* One column being written or read: the class of each number, and the bit stream of the rest. */
struct column {
    uint8_t *classes;
    const uint8_t *bits; /* reading: where the stream begins in the frame */
    uint8_t *written;    /* writing: where it begins in our own memory */
    uint64_t size;       /* reading: bits in the stream */
    uint64_t at;         /* bits written or read so far */
    bool used;           /* some number was not 0 */
};

/* What the last records held, for the prediction. */
struct memory {
    uint64_t free_ns[MOHS_CODEC_CONNECTIONS]; /* due + done: when the connection became free */
    uint32_t after[MOHS_CODEC_CONNECTIONS];   /* connection that ended after it last time */
    uint32_t bytes[MOHS_CODEC_REQUESTS];
    uint32_t outcome[MOHS_CODEC_REQUESTS];
    uint32_t connection;
    uint32_t request;
};

struct mohs_codec {
    z_stream deflate;
    z_stream inflate;
    struct memory memory;
    struct column columns[MOHS_CODEC_COLUMNS];
    uint8_t classes[MOHS_CODEC_COLUMNS][MOHS_CODEC_FRAME];
    uint8_t bits[MOHS_CODEC_COLUMNS][MOHS_CODEC_FRAME * BITS_MOST + SLACK];
};

/* The format is little-endian; on a big-endian machine these four functions would swap bytes. */
_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__,
               "codec.c reads and writes little-endian words in place");

static void put_u32(uint8_t *at, size_t value) {
    uint32_t word = (uint32_t)value;
    memcpy(at, &word, sizeof word);
}

static uint32_t get_u32(const uint8_t *at) {
    uint32_t word;
    memcpy(&word, at, sizeof word);
    return word;
}

static void put_u64(uint8_t *at, uint64_t word) {
    memcpy(at, &word, sizeof word);
}

/* Reads up to eight of the `size` bytes that begin at `at`; bytes beyond them are 0. */
static uint64_t get_u64(const uint8_t *at, uint64_t size) {
    uint64_t word = 0;
    if (size >= sizeof word) {
        memcpy(&word, at, sizeof word);
    } else {
        memcpy(&word, at, (size_t)size);
    }
    return word;
}

static uint64_t zigzag(int64_t number) {
    return ((uint64_t)number << 1) ^ (uint64_t)(number >> 63);
}

static int64_t unzigzag(uint64_t number) {
    return (int64_t)(number >> 1) ^ -(int64_t)(number & 1);
}

/* A difference modulo 2 to the power of width, as the signed number nearest to 0. */
static int64_t wrap(uint64_t difference, unsigned width) {
    return (int64_t)(difference << (64 - width)) >> (64 - width);
}

static void column_put(struct column *column, size_t index, uint64_t number) {
    if (number < 8) {
        column->classes[index] = (uint8_t)number;
        column->used |= number != 0;
        return;
    }
    unsigned exponent = 63 - (unsigned)__builtin_clzll(number), width = exponent - 2;
    column->classes[index] = (uint8_t)(8 + 4 * (exponent - 3) + ((number >> width) & 3));
    column->used = true;
    uint8_t *byte = column->written + column->at / 8;
    unsigned inside = column->at % 8; /* 7 + 45 bits fit into the word */
    uint64_t low = number & ((UINT64_C(1) << width) - 1);
    put_u64(byte, (inside ? *byte & ((1U << inside) - 1) : 0) | low << inside);
    column->at += width;
}

/* Returns false if the class is unknown or the stream ends early. */
static bool column_get(struct column *column, size_t index, uint64_t *number) {
    unsigned class = column->classes[index];
    if (class < 8) {
        *number = class;
        return true;
    }
    unsigned exponent = (class - 8) / 4 + 3, width = exponent - 2;
    if (class >= CLASSES || column->at + width > column->size) return false;
    uint64_t byte = column->at / 8;
    uint64_t word = get_u64(column->bits + byte, (column->size + 7) / 8 - byte) >> column->at % 8;
    *number = (UINT64_C(4) | ((class - 8) & 3)) << width | (word & ((UINT64_C(1) << width) - 1));
    column->at += width;
    return true;
}

static uint32_t outcome_of(const struct mohs_record *record) {
    return record->status | (uint32_t)record->error << 16 | (uint32_t)record->flags << 24;
}

static void remember(struct memory *memory, const struct mohs_record *record) {
    size_t place = record->connection % MOHS_CODEC_CONNECTIONS,
           answer = record->request % MOHS_CODEC_REQUESTS;
    memory->free_ns[place] = record->due_ns + record->done_ns;
    memory->after[memory->connection % MOHS_CODEC_CONNECTIONS] = record->connection;
    memory->bytes[answer] = record->bytes;
    memory->outcome[answer] = outcome_of(record);
    memory->connection = record->connection;
    memory->request = record->request;
}

static void forward(struct memory *memory, const struct mohs_record *record,
                    uint64_t numbers[MOHS_CODEC_COLUMNS]) {
    size_t place = record->connection % MOHS_CODEC_CONNECTIONS,
           answer = record->request % MOHS_CODEC_REQUESTS;
    numbers[0] = zigzag(wrap(record->due_ns - memory->free_ns[place], 48));
    numbers[1] = record->sent_ns;
    numbers[2] = zigzag(wrap(mohs_saturated(record->done_ns) - record->first_ns, 32));
    numbers[3] = record->done_ns;
    numbers[4] = record->connection ^ memory->after[memory->connection % MOHS_CODEC_CONNECTIONS];
    numbers[5] = record->request ^ memory->request;
    numbers[6] = zigzag(wrap(record->bytes - memory->bytes[answer], 32));
    numbers[7] = outcome_of(record) ^ memory->outcome[answer];
    remember(memory, record);
}

static void backward(struct memory *memory, const uint64_t numbers[MOHS_CODEC_COLUMNS],
                     struct mohs_record *record) {
    record->connection =
        (numbers[4] ^ memory->after[memory->connection % MOHS_CODEC_CONNECTIONS]) & CONNECTION_MASK;
    record->request = (uint16_t)(numbers[5] ^ memory->request);
    size_t place = record->connection % MOHS_CODEC_CONNECTIONS,
           answer = record->request % MOHS_CODEC_REQUESTS;
    uint32_t outcome = (uint32_t)numbers[7] ^ memory->outcome[answer];
    record->due_ns = (memory->free_ns[place] + (uint64_t)unzigzag(numbers[0])) & DUE_MASK;
    record->sent_ns = (uint32_t)numbers[1];
    record->done_ns = numbers[3] & DONE_MASK;
    record->first_ns = mohs_saturated(record->done_ns) - (uint32_t)unzigzag(numbers[2]);
    record->bytes = memory->bytes[answer] + (uint32_t)unzigzag(numbers[6]);
    record->status = (uint16_t)outcome;
    record->error = (uint8_t)(outcome >> 16);
    record->flags = (uint8_t)(outcome >> 24);
    remember(memory, record);
}

struct mohs_codec *mohs_codec_new(void) {
    struct mohs_codec *codec = calloc(1, sizeof *codec);
    if (!codec) return NULL;
    /* Runs and Huffman codes only: classes repeat by being frequent, not in phrases, and looking
     * for phrases is slow. */
    if (deflateInit2(&codec->deflate, 1, Z_DEFLATED, -15, 9, Z_RLE) != Z_OK) goto fail;
    if (inflateInit2(&codec->inflate, -15) != Z_OK) goto fail;
    return codec;
fail:
    mohs_codec_free(codec);
    return NULL;
}

void mohs_codec_free(struct mohs_codec *codec) {
    if (!codec) return;
    deflateEnd(&codec->deflate);
    inflateEnd(&codec->inflate);
    free(codec);
}

/* deflate's own bound for data that it must store, rounded up generously. */
static size_t classes_bound(size_t count) {
    return count + count / 8 + 64;
}

size_t mohs_codec_bound(size_t count) {
    return MOHS_CODEC_HEADER + MOHS_CODEC_COLUMNS * (classes_bound(count) + count * BITS_MOST);
}

/* Writes a column's classes and bits to out, and their lengths to lengths. Returns the number of
 * bytes written to out, or SIZE_MAX if zlib fails. */
static size_t write_column(struct mohs_codec *codec, size_t index, size_t count, uint8_t *lengths,
                           uint8_t *out) {
    struct column *column = &codec->columns[index];
    if (!column->used) return put_u32(lengths, 0), put_u32(lengths + 4, 0), (size_t)0;
    z_stream *stream = &codec->deflate;
    deflateReset(stream);
    stream->next_in = column->classes;
    stream->avail_in = (uInt)count;
    stream->next_out = out;
    stream->avail_out = (uInt)classes_bound(count);
    if (deflate(stream, Z_FINISH) != Z_STREAM_END) return SIZE_MAX;
    size_t deflated = stream->total_out, packed = (size_t)(column->at + 7) / 8;
    memcpy(out + deflated, column->written, packed);
    put_u32(lengths, deflated);
    put_u32(lengths + 4, packed);
    return deflated + packed;
}

/* The checksum's own four bytes, at offset 16, are left out. */
static uint32_t checksum(const uint8_t *frame, size_t length) {
    uLong crc = crc32(crc32(0, NULL, 0), frame, 16);
    return (uint32_t)crc32(crc, frame + 20, (uInt)(length - 20));
}

static void begin(struct mohs_codec *codec) {
    memset(&codec->memory, 0, sizeof codec->memory);
    memset(codec->columns, 0, sizeof codec->columns);
    for (size_t i = 0; i < MOHS_CODEC_COLUMNS; i++) {
        codec->columns[i].classes = codec->classes[i];
        codec->columns[i].written = codec->bits[i];
    }
}

int mohs_codec_encode(struct mohs_codec *codec, const struct mohs_record *records, size_t count,
                      uint8_t *out, size_t *length) {
    assert(codec && records && out && length && count >= 1 && count <= MOHS_CODEC_FRAME);
    uint64_t numbers[MOHS_CODEC_COLUMNS];
    begin(codec);
    for (size_t i = 0; i < count; i++) {
        forward(&codec->memory, &records[i], numbers);
        for (size_t j = 0; j < MOHS_CODEC_COLUMNS; j++)
            column_put(&codec->columns[j], i, numbers[j]);
    }
    memcpy(out, "mohs", 4);
    out[4] = MOHS_CODEC_VERSION;
    out[5] = MOHS_CODEC_COLUMNS;
    out[6] = out[7] = 0;
    size_t end = MOHS_CODEC_HEADER;
    for (size_t j = 0; j < MOHS_CODEC_COLUMNS; j++) {
        size_t written = write_column(codec, j, count, out + 20 + 8 * j, out + end);
        if (written == SIZE_MAX) return MOHS_CODEC_MEMORY;
        end += written;
    }
    put_u32(out + 8, count);
    put_u32(out + 12, end);
    put_u32(out + 16, checksum(out, end));
    *length = end;
    return MOHS_CODEC_OK;
}

int mohs_codec_peek(const uint8_t *in, size_t size, size_t *length, size_t *count) {
    assert(in && length && count);
    if (size < 5) return MOHS_CODEC_SHORT;
    if (memcmp(in, "mohs", 4) != 0) return MOHS_CODEC_MAGIC;
    if (in[4] != MOHS_CODEC_VERSION) return MOHS_CODEC_NEWER;
    if (size < MOHS_CODEC_HEADER) return MOHS_CODEC_SHORT;
    *count = get_u32(in + 8);
    *length = get_u32(in + 12);
    bool plain = in[5] == MOHS_CODEC_COLUMNS && in[6] == 0 && in[7] == 0;
    if (!plain || *count < 1 || *count > MOHS_CODEC_FRAME || *length < MOHS_CODEC_HEADER)
        return MOHS_CODEC_LAYOUT;
    return *length > size ? MOHS_CODEC_SHORT : MOHS_CODEC_OK;
}

/* Fills the column's classes: exactly count of them, from exactly size bytes at in. */
static int read_classes(struct mohs_codec *codec, struct column *column, size_t count,
                        const uint8_t *in, size_t size) {
    if (size == 0) {
        memset(column->classes, 0, count);
        return MOHS_CODEC_OK;
    }
    z_stream *stream = &codec->inflate;
    if (inflateReset(stream) != Z_OK) return MOHS_CODEC_MEMORY;
    stream->next_in = (Bytef *)in; /* zlib does not write there, but says so only with ZLIB_CONST */
    stream->avail_in = (uInt)size;
    stream->next_out = column->classes;
    stream->avail_out = (uInt)count;
    int status = inflate(stream, Z_FINISH);
    if (status == Z_MEM_ERROR) return MOHS_CODEC_MEMORY;
    bool whole = status == Z_STREAM_END && stream->avail_in == 0 && stream->avail_out == 0;
    return whole ? MOHS_CODEC_OK : MOHS_CODEC_LAYOUT;
}

static int read_columns(struct mohs_codec *codec, const uint8_t *in, size_t length, size_t count) {
    size_t at = MOHS_CODEC_HEADER;
    for (size_t j = 0; j < MOHS_CODEC_COLUMNS; j++) {
        struct column *column = &codec->columns[j];
        size_t classes = get_u32(in + 20 + 8 * j), bits = get_u32(in + 24 + 8 * j);
        if (classes > length - at || bits > length - at - classes) return MOHS_CODEC_LAYOUT;
        int error = read_classes(codec, column, count, in + at, classes);
        if (error) return error;
        column->bits = in + at + classes;
        column->size = (uint64_t)bits * 8;
        at += classes + bits;
    }
    return at == length ? MOHS_CODEC_OK : MOHS_CODEC_LAYOUT;
}

int mohs_codec_decode(struct mohs_codec *codec, const uint8_t *in, size_t length,
                      struct mohs_record *records) {
    assert(codec && in && records && length >= MOHS_CODEC_HEADER);
    if (checksum(in, length) != get_u32(in + 16)) return MOHS_CODEC_CHECKSUM;
    size_t count = get_u32(in + 8);
    uint64_t numbers[MOHS_CODEC_COLUMNS];
    begin(codec);
    int error = read_columns(codec, in, length, count);
    if (error) return error;
    for (size_t i = 0; i < count; i++) {
        for (size_t j = 0; j < MOHS_CODEC_COLUMNS; j++) {
            if (!column_get(&codec->columns[j], i, &numbers[j])) return MOHS_CODEC_LAYOUT;
        }
        backward(&codec->memory, numbers, &records[i]);
    }
    for (size_t j = 0; j < MOHS_CODEC_COLUMNS; j++) {
        if ((codec->columns[j].at + 7) / 8 * 8 != codec->columns[j].size) return MOHS_CODEC_LAYOUT;
    }
    return MOHS_CODEC_OK;
}

const char *mohs_codec_message(int error) {
    switch (error) {
    case MOHS_CODEC_OK:
        return "all is well";
    case MOHS_CODEC_MEMORY:
        return "there is no memory for it";
    case MOHS_CODEC_SHORT:
        return "it ends too early";
    case MOHS_CODEC_MAGIC:
        return "it does not begin as a frame does";
    case MOHS_CODEC_NEWER:
        return "it was written by a version of mohs that this one does not know";
    case MOHS_CODEC_CHECKSUM:
        return "its checksum differs: it was changed after it was written";
    case MOHS_CODEC_LAYOUT:
        return "its lengths contradict each other";
    default:
        return "unknown";
    }
}
