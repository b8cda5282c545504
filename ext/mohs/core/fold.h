/*
 * Computes what a report needs to know about recorded requests from their encoding (codec.h), a
 * frame at a time: exact times at any ranks, and how many requests of each stretch of time took
 * how long. It takes one pass over the frames, and holds in memory one decoded frame (2 MB), the
 * codec (4 MB), the counts, and 5 bytes for each good request (ranking.h).
 *
 * Which requests count is as in select.h: warm-up does not; a request without a correct response
 * ranks after every good one, and is counted apart from the cells.
 */
#ifndef MOHS_FOLD_H
#define MOHS_FOLD_H

#include <stddef.h>
#include <stdint.h>

#include "error.h"
#include "record.h"
#include "select.h"

enum {
    MOHS_FOLD_COLUMNS = 65536, /* maximum */
    MOHS_FOLD_ROWS = 4096
};

struct mohs_fold_spec {
    enum mohs_kind kind;      /* MOHS_SERVICE or MOHS_RESPONSE */
    const uint64_t *edges_ns; /* of columns, ascending: column i is [edges[i], edges[i + 1]) */
    size_t edges;             /* at most MOHS_FOLD_COLUMNS + 1; fewer than 2: no cells */
    const uint64_t *rows_ns;  /* where each row begins, ascending; the last has no end, and the
                                 first also has all shorter times */
    size_t rows;              /* 1 to MOHS_FOLD_ROWS, if there are columns */
};

/* FIELD(name, rule) as in fields.h, keys of the Hash that Core::Fold#totals returns. */
#define MOHS_FOLD_FIELDS(FIELD)                                                                    \
    FIELD(records, SUM)    /* all, warm-up included */                                             \
    FIELD(good, SUM)       /* outside warm-up, with a correct response */                          \
    FIELD(failed, SUM)     /* outside warm-up, without one */                                      \
    FIELD(longest_ns, MAX) /* longest time that any of these is known to have taken */

struct mohs_folded {
    MOHS_FOLD_FIELDS(MOHS_DECLARE_FIELD)
    uint64_t errors[MOHS_ERROR_COUNT]; /* records of each class, warm-up included */
    size_t columns;
    size_t rows;
    uint64_t *cells;     /* good requests, by the column in which they were due, then by row */
    uint64_t *failed_at; /* failed requests, by column */
};

struct mohs_fold;

/* Returns NULL without memory. Copies the spec's arrays. */
struct mohs_fold *mohs_fold_new(const struct mohs_fold_spec *spec);
void mohs_fold_free(struct mohs_fold *fold);

/* Empties the fold for other requests. */
void mohs_fold_reset(struct mohs_fold *fold);

/* Folds in the frames of `in`, which holds whole frames only. Returns an enum mohs_codec_error;
 * after an error the frames before *at are folded in, and nothing of the frame at *at. */
int mohs_fold_add(struct mohs_fold *fold, const uint8_t *in, size_t size, size_t *at);

/* Folds in records that are not encoded. Returns MOHS_CODEC_OK or MOHS_CODEC_MEMORY; after the
 * latter some are missing and the fold is unusable. */
int mohs_fold_records(struct mohs_fold *fold, const struct mohs_record *records, size_t count);

/* What was counted so far; valid as long as the fold. */
const struct mohs_folded *mohs_fold_result(const struct mohs_fold *fold);

/* Sets found[i], for each i below count (at most MOHS_RANKING_RANKS), to what mohs_rank returns
 * for ranks[i] among good and failed requests. Returns MOHS_CODEC_OK or MOHS_CODEC_MEMORY. */
int mohs_fold_ranks(const struct mohs_fold *fold, const uint64_t *ranks, size_t count,
                    struct mohs_ranked *found);

/* Bytes allocated, for Ruby's memory accounting. */
size_t mohs_fold_bytes(const struct mohs_fold *fold);

#endif
