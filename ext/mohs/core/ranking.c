/*
 * The digits of the wanted times form a tree: its root stands for the first digit, and a node
 * below it for one value of all digits above. A pass counts, for each node of one level, the times
 * below it by their next digit; this gives each rank its digit, and the next level its nodes.
 */
#include "ranking.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>

enum {
    DIGIT_BITS = 14, /* 16384 counters of 8 bytes stay in the second-level cache */
    DIGITS = 1 << DIGIT_BITS,
    LEVELS = 3 /* 42 bits */
};

/* A rank whose time is wanted. */
struct wanted {
    uint64_t left; /* times to skip below its node */
    uint64_t time; /* its digits so far */
    size_t node;
};

struct tree {
    unsigned levels;
    unsigned level;   /* being counted */
    size_t nodes;     /* on this level */
    uint64_t *counts; /* of each node, by digit */
    uint16_t
        *children[LEVELS]; /* of each node of a level, by digit: 0, or the child's number + 1 */
};

void mohs_ranking_free(struct mohs_ranking *ranking) {
    for (size_t at = 0; at < ranking->count; at++) free(ranking->chunks[at]);
    free(ranking->chunks);
    *ranking = (struct mohs_ranking){0};
}

void mohs_ranking_reset(struct mohs_ranking *ranking) {
    ranking->size = 0;
    ranking->bits = 0;
}

size_t mohs_ranking_bytes(const struct mohs_ranking *ranking) {
    return ranking->count * sizeof(struct mohs_ranking_chunk) +
           ranking->places * sizeof *ranking->chunks;
}

static int add_chunk(struct mohs_ranking *ranking) {
    if (ranking->count == ranking->places) {
        size_t places = ranking->places ? 2 * ranking->places : 16;
        void *chunks = realloc(ranking->chunks, places * sizeof *ranking->chunks);
        if (!chunks) return -ENOMEM;
        ranking->chunks = chunks;
        ranking->places = places;
    }
    struct mohs_ranking_chunk *chunk = malloc(sizeof *chunk);
    if (!chunk) return -ENOMEM;
    ranking->chunks[ranking->count++] = chunk;
    return 0;
}

int mohs_ranking_add(struct mohs_ranking *ranking, uint64_t ns) {
    assert(ns <= MOHS_RANKING_LONGEST);
    size_t place = ranking->size % MOHS_RANKING_CHUNK;
    size_t at = (size_t)(ranking->size / MOHS_RANKING_CHUNK);
    if (at == ranking->count && add_chunk(ranking)) return -ENOMEM;
    struct mohs_ranking_chunk *chunk = ranking->chunks[at];
    chunk->low[place] = (uint32_t)ns;
    chunk->high[place] = (uint8_t)(ns >> 32);
    ranking->bits |= ns;
    ranking->size++;
    return 0;
}

static size_t digit_of(uint64_t time, const struct tree *tree, unsigned level) {
    return time >> (tree->levels - 1 - level) * DIGIT_BITS & (DIGITS - 1);
}

/* Counts the time if a wanted rank lies below its node on this level. */
static inline void count_time(struct tree *tree, uint64_t time) {
    size_t node = 0;
    for (unsigned level = 0; level < tree->level; level++) {
        uint16_t child = tree->children[level][node * DIGITS + digit_of(time, tree, level)];
        if (!child) return;
        node = child - 1u;
    }
    tree->counts[node * DIGITS + digit_of(time, tree, tree->level)]++;
}

static void count_times(struct tree *tree, const struct mohs_ranking *ranking) {
    uint64_t left = ranking->size;
    for (size_t at = 0; left > 0; at++) {
        const struct mohs_ranking_chunk *chunk = ranking->chunks[at];
        size_t size = left < MOHS_RANKING_CHUNK ? (size_t)left : MOHS_RANKING_CHUNK;
        for (size_t place = 0; place < size; place++)
            count_time(tree, (uint64_t)chunk->high[place] << 32 | chunk->low[place]);
        left -= size;
    }
}

/* Gives each rank its digit on this level, and the node below that. */
static void descend(struct tree *tree, struct wanted *wanted, size_t count) {
    uint16_t *children = tree->children[tree->level];
    size_t nodes = 0;
    for (struct wanted *one = wanted; one < wanted + count; one++) {
        const uint64_t *counts = tree->counts + one->node * DIGITS;
        size_t digit = 0;
        while (one->left >= counts[digit]) one->left -= counts[digit++];
        uint16_t *child = &children[one->node * DIGITS + digit];
        if (!*child) *child = (uint16_t)++nodes;
        one->time = one->time << DIGIT_BITS | digit;
        one->node = *child - 1u;
    }
    tree->nodes = nodes;
    tree->level++;
}

static int search(struct tree *tree, const struct mohs_ranking *ranking, struct wanted *wanted,
                  size_t count) {
    while (tree->level < tree->levels) {
        size_t places = tree->nodes * DIGITS;
        tree->counts = calloc(places, sizeof *tree->counts);
        tree->children[tree->level] = calloc(places, sizeof *tree->children[0]);
        if (!tree->counts || !tree->children[tree->level]) return -ENOMEM;
        count_times(tree, ranking);
        descend(tree, wanted, count);
        free(tree->counts);
        tree->counts = NULL;
    }
    return 0;
}

int mohs_ranking_select(const struct mohs_ranking *ranking, const uint64_t *ranks, size_t count,
                        uint64_t *times) {
    assert(count <= MOHS_RANKING_RANKS);
    struct wanted wanted[MOHS_RANKING_RANKS] = {0};
    struct tree tree = {.levels = 1, .nodes = 1};
    if (count == 0) return 0;
    while (ranking->bits >> tree.levels * DIGIT_BITS) tree.levels++;
    for (size_t at = 0; at < count; at++) {
        assert(ranks[at] < ranking->size);
        wanted[at].left = ranks[at];
    }
    int error = search(&tree, ranking, wanted, count);
    for (size_t at = 0; !error && at < count; at++) times[at] = wanted[at].time;
    free(tree.counts);
    for (unsigned level = 0; level < LEVELS; level++) free(tree.children[level]);
    return error;
}
