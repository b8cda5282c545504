#include "pace.h"

#include <pthread.h>
#include <stddef.h>
#include <unistd.h>

#include "clock.h"
#include "random.h"

#define LEAST 256u  /* 16 KB */
#define USUAL 512u  /* where the kernel does not tell what the nearest cache holds */
#define MOST  1024u /* 64 KB */

static struct line { /* what a cache moves at once */
    struct line *next;
    char rest[64 - sizeof(struct line *)];
} lines[MOST] __attribute__((aligned(64)));

static size_t count;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static size_t lines_of_cache(void) {
    long bytes = sysconf(_SC_LEVEL1_DCACHE_SIZE);
    if (bytes <= 0) return USUAL;
    size_t held = (size_t)bytes / sizeof(struct line);
    return held < LEAST ? LEAST : held < MOST ? held : MOST;
}

/* One ring through all lines, in an order that no prefetcher guesses. */
static void make_ring(void) {
    uint32_t order[MOST];
    uint64_t chance = 1;
    count = lines_of_cache();
    for (uint32_t at = 0; at < count; at++) {
        uint64_t other = mohs_random_below(&chance, at + 1);
        order[at] = order[other];
        order[other] = at;
    }
    for (size_t at = 0; at < count; at++) lines[order[at]].next = &lines[order[(at + 1) % count]];
}

/* Keeps the compiler from working sums out, and from making one vector of several. */
static inline void hide(uint64_t *value) {
    __asm__ volatile("" : "+r"(*value));
}

#define ADD(sum, what) (sum) += (what), hide(&(sum));
#define ADD_4          ADD(a, 0x12345678) ADD(b, 0x12345679) ADD(c, 0x1234567a) ADD(d, 0x1234567b)

/* Each step waits for the line before; sixteen sums beside it do not. */
__attribute__((noinline)) static uint64_t work(uint64_t seed) {
    uint64_t a = seed, b = seed, c = seed, d = seed;
    const struct line *line = lines;
    for (size_t left = count; left; left--) {
        line = line->next;
        ADD_4 ADD_4 ADD_4 ADD_4
    }
    return a ^ b ^ c ^ d ^ (uint64_t)(uintptr_t)line;
}

uint64_t mohs_pace_ns(void) {
    pthread_once(&once, make_ring);
    uint64_t result = work(1);
    uint64_t began = mohs_now_ns();
    result = work(result);
    hide(&result);
    return mohs_now_ns() - began;
}
