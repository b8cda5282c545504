/*
 * Records to bytes and back, without loss: the form in which observations are stored.
 *
 * An encoding is a sequence of frames, so two concatenated encodings form one. A frame holds up to
 * MOHS_CODEC_FRAME records and can be read without any other frame. All numbers are little-endian:
 *
 *     0  char[4]  magic "mohs"
 *     4  u8       version, 1
 *     5  u8       number of columns, 8
 *     6  u16      0
 *     8  u32      number of records, 1 to 65536
 *    12  u32      length of the frame, this header included
 *    16  u32      CRC-32 (zlib's) of the frame without these four bytes
 *    20  8 times  u32 length of the column's classes, u32 length of its bits
 *    84           for each column its classes, then its bits
 *
 * A column holds one unsigned number per record: the error of the prediction below, so it is
 * mostly 0 or small. A number is split into a class, one byte, and the bits that the class leaves
 * open. Numbers below 8 are their own class. Others, of the form 1mm... in binary with e bits
 * after the leading 1, have the class 8 + 4 (e - 3) + mm, and their e - 2 lower bits follow as
 * they are, lowest first. The classes are distributed unevenly, so they are deflated (raw
 * deflate); the bits are noise, which can't be compressed, so deflating them would only cost time.
 * A column of zeros alone has neither classes nor bits.
 *
 * The columns, in this order. "Last" means within the frame, and is 0 at its start; arithmetic is
 * modulo the width of the field, and signed differences d are stored as 2 |d| - (d < 0), so that
 * small ones of both signs stay small.
 *
 *     due         signed, from the last due + done on this connection: 0 in a closed loop
 *     sent        sent_ns
 *     first       signed, min(done, UINT32_MAX) - first: 0 if one read brought the whole response
 *     done        done_ns
 *     connection  XOR with the one that followed the same predecessor last time: 0 for round robin
 *     request     XOR with the last one
 *     bytes       signed, from the last response to this request
 *     outcome     status | error << 16 | flags << 24, XOR with the last one of this request
 *
 * "This connection" and "this request" are looked up in tables with MOHS_CODEC_CONNECTIONS and
 * MOHS_CODEC_REQUESTS entries, by index modulo size: sharing an entry costs bytes, never
 * correctness.
 */
#ifndef MOHS_CODEC_H
#define MOHS_CODEC_H

#include <stddef.h>
#include <stdint.h>

#include "record.h"

enum {
    MOHS_CODEC_VERSION = 1,
    MOHS_CODEC_COLUMNS = 8,
    MOHS_CODEC_FRAME = 65536,
    MOHS_CODEC_HEADER = 20 + 8 * MOHS_CODEC_COLUMNS,
    MOHS_CODEC_CONNECTIONS = 8192,
    MOHS_CODEC_REQUESTS = 256
};

/* What encoding and decoding return: 0, or the reason for the failure. */
enum mohs_codec_error {
    MOHS_CODEC_OK = 0,
    MOHS_CODEC_MEMORY = -1,   /* no memory for the tables, or zlib refused */
    MOHS_CODEC_SHORT = -2,    /* the input ends inside the frame */
    MOHS_CODEC_MAGIC = -3,    /* no frame begins here */
    MOHS_CODEC_NEWER = -4,    /* a version that this code does not know */
    MOHS_CODEC_CHECKSUM = -5, /* changed since it was written */
    MOHS_CODEC_LAYOUT = -6    /* the lengths contradict each other or the records */
};

/* Scratch space of one encoder or decoder, to be used by one thread at a time. */
struct mohs_codec;

/* Returns NULL without memory. Takes about 4 MB; one object encodes and decodes any number of
 * frames. */
struct mohs_codec *mohs_codec_new(void);
void mohs_codec_free(struct mohs_codec *codec);

/* The most bytes that a frame of count records can take. */
size_t mohs_codec_bound(size_t count);

/*
 * Encodes records[0 .. count), 1 <= count <= MOHS_CODEC_FRAME, into out, which has room for
 * mohs_codec_bound(count). Sets *length to the bytes written.
 */
int mohs_codec_encode(struct mohs_codec *codec, const struct mohs_record *records, size_t count,
                      uint8_t *out, size_t *length);

/* Reads only the header at in. Sets *length (of the frame, which lies wholly within in) and
 * *count. */
int mohs_codec_peek(const uint8_t *in, size_t size, size_t *length, size_t *count);

/* Decodes a frame into records. mohs_codec_peek gives its length and how many records need
 * room. */
int mohs_codec_decode(struct mohs_codec *codec, const uint8_t *in, size_t length,
                      struct mohs_record *records);

/* A clause to show to people ("its checksum differs"). Never NULL. */
const char *mohs_codec_message(int error);

#endif
