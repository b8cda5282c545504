/*
 * What a report needs of recorded requests, folded out of their encoding (codec.h) a frame at a
 * time: exact times at any ranks, and how many requests of each stretch of time took how long. One
 * pass over the frames; in memory are one decoded frame (2 MB), the codec (4 MB), the counts, and 5
 * bytes for each good request (ranking.h).
 *
 * Which requests count is as in select.h: warm-up doesn't; a request without a right answer ranks
 * after each good one, and is counted beside the cells.
 */
#ifndef MOHS_FOLD_H
#define MOHS_FOLD_H

#include <stddef.h>
#include <stdint.h>

#include "error.h"
#include "record.h"
#include "select.h"

enum {
    MOHS_FOLD_COLUMNS = 65536, /* the most */
    MOHS_FOLD_ROWS = 4096
};

struct mohs_fold_spec {
    enum mohs_kind kind;      /* MOHS_SERVICE or MOHS_RESPONSE */
    const uint64_t *edges_ns; /* of columns, ascending: column i is [edges[i], edges[i + 1]) */
    size_t edges;             /* at most MOHS_FOLD_COLUMNS + 1; with fewer than 2 no cells */
    const uint64_t *rows_ns;  /* ascending: where each row begins; the last one has no end, and what
                                 is shorter than the first belongs to it */
    size_t rows;              /* 1 to MOHS_FOLD_ROWS, where there are columns */
};

/* FIELD(name, rule) as in fields.h, keys of the Hash that Core::Fold#totals returns. */
#define MOHS_FOLD_FIELDS(FIELD)                                                                    \
    FIELD(records, SUM)    /* all, warm-up included */                                             \
    FIELD(good, SUM)       /* outside warm-up, with a right answer */                              \
    FIELD(failed, SUM)     /* outside warm-up, without */                                          \
    FIELD(longest_ns, MAX) /* time that any of these two is known to have taken */

struct mohs_folded {
    MOHS_FOLD_FIELDS(MOHS_DECLARE_FIELD)
    uint64_t errors[MOHS_ERROR_COUNT]; /* records of each class, warm-up included */
    size_t columns;
    size_t rows;
    uint64_t *cells;     /* good requests, by the column in which they were due, then by row */
    uint64_t *failed_at; /* failed ones, by column */
};

struct mohs_fold;

/* NULL without memory. The spec's arrays are copied. */
struct mohs_fold *mohs_fold_new(const struct mohs_fold_spec *spec);
void mohs_fold_free(struct mohs_fold *fold);

/* Empties it, for other requests. */
void mohs_fold_reset(struct mohs_fold *fold);

/* Folds in the frames of `in`, which has whole ones only. Returns an enum mohs_codec_error: then
 * the frames before *at are folded in, and nothing of the one there. */
int mohs_fold_add(struct mohs_fold *fold, const uint8_t *in, size_t size, size_t *at);

/* Folds in records as they are. Returns MOHS_CODEC_OK or MOHS_CODEC_MEMORY; then some are missing
 * and the fold is of no more use. */
int mohs_fold_records(struct mohs_fold *fold, const struct mohs_record *records, size_t count);

/* What was counted so far; it lives as long as the fold. */
const struct mohs_folded *mohs_fold_result(const struct mohs_fold *fold);

/* Sets found[i] to what mohs_rank has for ranks[i] among good and failed requests, for each i below
 * count, at most MOHS_RANKING_RANKS. Returns MOHS_CODEC_OK or MOHS_CODEC_MEMORY. */
int mohs_fold_ranks(const struct mohs_fold *fold, const uint64_t *ranks, size_t count,
                    struct mohs_ranked *found);

/* Bytes allocated, for Ruby's memory accounting. */
size_t mohs_fold_bytes(const struct mohs_fold *fold);

#endif
