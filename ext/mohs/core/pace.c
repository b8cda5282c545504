#include "pace.h"

#include "clock.h"

#define LINES 512u /* as many as there are steps */

static struct line {   /* only read */
    uint64_t words[8]; /* what a cache moves at once */
} table[LINES];

/* Keeps the compiler from working sums out, and from making one vector of several. */
static inline void hide(uint64_t *value) {
    __asm__ volatile("" : "+r"(*value));
}

/* Six sums that do not wait for each other, two of them over a line of the table. Long constants
 * make long instructions. */
#define ADD(sum, what) (sum) += (what), hide(&(sum));
#define STEP(line)                                                                                 \
    ADD(a, 0x12345678)                                                                             \
    ADD(b, 0x12345679)                                                                             \
    ADD(c, 0x1234567a)                                                                             \
    ADD(d, 0x1234567b)                                                                             \
    ADD(e, lines[line].words[0])                                                                   \
    ADD(f, lines[line].words[4])
#define STEPS_4(at)   STEP(at) STEP((at) + 1) STEP((at) + 2) STEP((at) + 3)
#define STEPS_16(at)  STEPS_4(at) STEPS_4((at) + 4) STEPS_4((at) + 8) STEPS_4((at) + 12)
#define STEPS_64(at)  STEPS_16(at) STEPS_16((at) + 16) STEPS_16((at) + 32) STEPS_16((at) + 48)
#define STEPS_256(at) STEPS_64(at) STEPS_64((at) + 64) STEPS_64((at) + 128) STEPS_64((at) + 192)

__attribute__((noinline)) static uint64_t work(uint64_t seed) {
    const struct line *lines = table;
    uint64_t a = seed, b = seed, c = seed, d = seed, e = seed, f = seed;
    __asm__("" : "+r"(lines)); // else it is known to hold zeros
    STEPS_256(0)
    STEPS_256(256)
    return a ^ b ^ c ^ d ^ e ^ f;
}

uint64_t mohs_pace_ns(void) {
    uint64_t result = work(1);
    uint64_t began = mohs_now_ns();
    result = work(result);
    hide(&result);
    return mohs_now_ns() - began;
}
