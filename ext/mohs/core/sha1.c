#include "sha1.h"

#include <string.h>

#define BLOCK 64

static uint32_t rotated(uint32_t word, unsigned bits) {
    return word << bits | word >> (32 - bits);
}

/* The function and the constant of a round (FIPS 180-4, 4.1.1 and 4.2.1). */
static uint32_t mixed(unsigned round, uint32_t b, uint32_t c, uint32_t d) {
    if (round < 20) return ((b & c) | (~b & d)) + 0x5a827999u;
    if (round < 40) return (b ^ c ^ d) + 0x6ed9eba1u;
    if (round < 60) return ((b & c) | (b & d) | (c & d)) + 0x8f1bbcdcu;
    return (b ^ c ^ d) + 0xca62c1d6u;
}

static void take_block(uint32_t state[5], const uint8_t *block) {
    uint32_t words[80];
    for (unsigned at = 0; at < 16; at++)
        words[at] = (uint32_t)block[4 * at] << 24 | (uint32_t)block[4 * at + 1] << 16 |
                    (uint32_t)block[4 * at + 2] << 8 | block[4 * at + 3];
    for (unsigned at = 16; at < 80; at++)
        words[at] = rotated(words[at - 3] ^ words[at - 8] ^ words[at - 14] ^ words[at - 16], 1);
    uint32_t a = state[0], b = state[1], c = state[2], d = state[3], e = state[4];
    for (unsigned round = 0; round < 80; round++) {
        uint32_t next = rotated(a, 5) + mixed(round, b, c, d) + e + words[round];
        e = d;
        d = c;
        c = rotated(b, 30);
        b = a;
        a = next;
    }
    state[0] += a;
    state[1] += b;
    state[2] += c;
    state[3] += d;
    state[4] += e;
}

/* The rest of the text, a bit, and its length: one block, or two if there is no room. */
static void take_end(uint32_t state[5], const char *rest, size_t left, uint64_t bits) {
    uint8_t blocks[2 * BLOCK] = {0};
    size_t size = left + 9 <= BLOCK ? BLOCK : 2 * BLOCK;
    if (left) memcpy(blocks, rest, left);
    blocks[left] = 0x80;
    for (unsigned at = 0; at < 8; at++) blocks[size - 1 - at] = (uint8_t)(bits >> (8 * at));
    for (size_t from = 0; from < size; from += BLOCK) take_block(state, blocks + from);
}

void mohs_sha1(const char *text, size_t size, uint8_t digest[MOHS_SHA1_BYTES]) {
    uint32_t state[5] = {0x67452301u, 0xefcdab89u, 0x98badcfeu, 0x10325476u, 0xc3d2e1f0u};
    size_t whole = size / BLOCK * BLOCK;
    for (size_t from = 0; from < whole; from += BLOCK)
        take_block(state, (const uint8_t *)text + from);
    take_end(state, text + whole, size - whole, (uint64_t)size * 8);
    for (unsigned at = 0; at < MOHS_SHA1_BYTES; at++)
        digest[at] = (uint8_t)(state[at / 4] >> (24 - 8 * (at % 4)));
}
