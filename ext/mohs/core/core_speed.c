#include "core_speed.h"

#include <pthread.h>
#include <stddef.h>
#include <unistd.h>

#include "clock.h"
#include "random.h"

#define LEAST 256u  /* 16 KB */
#define USUAL 512u  /* if the kernel does not report the size of the nearest cache */
#define MOST  1024u /* 64 KB */

static struct line { /* a cache line */
    struct line *next;
    char rest[64 - sizeof(struct line *)];
} lines[MOST] __attribute__((aligned(64)));

#define FAR_LINES 32768u /* 2 MB */
#define FAR_STEPS 16

static struct line far_lines[FAR_LINES] __attribute__((aligned(64)));

static size_t count; /* how many of `lines` are used */
static pthread_once_t once = PTHREAD_ONCE_INIT;

static size_t lines_of_cache(void) {
    long bytes = sysconf(_SC_LEVEL1_DCACHE_SIZE);
    if (bytes <= 0) return USUAL;
    size_t held = (size_t)bytes / sizeof(struct line);
    return held < LEAST ? LEAST : held < MOST ? held : MOST;
}

/* Links all lines into one ring, in an order that no prefetcher can guess (Sattolo 1986, "An
 * algorithm to generate a random cyclic permutation"). */
static void make_ring(struct line *ring, size_t size) {
    uint64_t chance = 1;
    for (size_t at = 0; at < size; at++) ring[at].next = &ring[at];
    for (size_t at = size - 1; at > 0; at--) {
        struct line *other = &ring[mohs_random_below(&chance, at)];
        struct line *next = ring[at].next;
        ring[at].next = other->next;
        other->next = next;
    }
}

static void make_rings(void) {
    count = lines_of_cache();
    make_ring(lines, count);
    make_ring(far_lines, FAR_LINES);
}

/* Keeps the compiler from computing sums at compile time and from vectorizing them. */
static inline void hide(uint64_t *value) {
    __asm__ volatile("" : "+r"(*value));
}

#define ADD(sum, what) (sum) += (what), hide(&(sum));
#define ADD_4          ADD(a, 0x12345678) ADD(b, 0x12345679) ADD(c, 0x1234567a) ADD(d, 0x1234567b)

/* Each step waits for the previous line; the sixteen additions beside it do not. */
__attribute__((noinline)) static uint64_t work(uint64_t seed) {
    uint64_t a = seed, b = seed, c = seed, d = seed;
    const struct line *line = lines;
    for (size_t left = count; left; left--) {
        line = line->next;
        ADD_4 ADD_4 ADD_4 ADD_4
    }
    return a ^ b ^ c ^ d ^ (uint64_t)(uintptr_t)line;
}

uint64_t mohs_core_speed_ns(void) {
    pthread_once(&once, make_rings);
    uint64_t result = work(1);
    uint64_t began = mohs_now_ns();
    result = work(result);
    hide(&result);
    return mohs_now_ns() - began;
}

uint64_t mohs_memory_speed_ns(uint32_t *place) {
    pthread_once(&once, make_rings);
    struct line *line = &far_lines[*place % FAR_LINES];
    uint64_t began = mohs_now_ns();
    for (int left = FAR_STEPS; left; left--) line = line->next;
    __asm__ volatile("" : "+r"(line));
    uint64_t took = mohs_now_ns() - began;
    *place = (uint32_t)(line - far_lines);
    return took;
}
