#include "fold.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "codec.h"
#include "ranking.h"

/* Rows are found by the leading bits of a time: its exponent and three more bits, so there are 8
 * classes to an exponent. A row that begins inside a class is found one step later. */
enum { CLASSES = 8 * 40 };

struct mohs_fold {
    enum mohs_kind kind;
    struct mohs_codec *codec;
    struct mohs_record *frame;
    struct mohs_ranking times;
    struct mohs_folded result;
    uint64_t *edges;
    uint64_t *rows;
    uint16_t row_of[CLASSES]; /* row of a class's shortest time */
    size_t column;            /* column of the last request: the next is likely to be near */
};

static size_t class_of(uint64_t ns) {
    if (ns < 8) return (size_t)ns;
    unsigned exponent = 63 - (unsigned)__builtin_clzll(ns);
    return 8 * (exponent - 2) + (ns >> (exponent - 3) & 7);
}

/* The shortest time of a class. */
static uint64_t class_start(size_t class) {
    if (class < 8) return class;
    return (8 + (uint64_t) class % 8) << (class / 8 - 1);
}

static size_t row_from(const struct mohs_fold *fold, size_t row, uint64_t ns) {
    while (row + 1 < fold->result.rows && fold->rows[row + 1] <= ns) row++;
    return row;
}

static void prepare_rows(struct mohs_fold *fold) {
    size_t row = 0;
    for (size_t class = 0; class < CLASSES; class ++)
        fold->row_of[class] = (uint16_t)(row = row_from(fold, row, class_start(class)));
}

/* NULL without memory. Allocates one more than needed, since calloc(0) may return NULL too. */
static uint64_t *numbers(size_t count) {
    return calloc(count + 1, sizeof(uint64_t));
}

static uint64_t *copied(const uint64_t *values, size_t count) {
    uint64_t *copy = numbers(count);
    if (copy && count) memcpy(copy, values, count * sizeof *values);
    return copy;
}

static bool prepare(struct mohs_fold *fold, const struct mohs_fold_spec *spec) {
    struct mohs_folded *result = &fold->result;
    result->columns = spec->edges < 2 ? 0 : spec->edges - 1;
    result->rows = result->columns ? spec->rows : 0;
    fold->kind = spec->kind;
    fold->codec = mohs_codec_new();
    fold->frame = malloc(MOHS_CODEC_FRAME * sizeof *fold->frame);
    fold->edges = copied(spec->edges_ns, spec->edges);
    fold->rows = copied(spec->rows_ns, result->rows);
    result->cells = numbers(result->columns * result->rows);
    result->failed_at = numbers(result->columns);
    if (!fold->codec || !fold->frame || !fold->edges || !fold->rows) return false;
    return result->cells && result->failed_at;
}

struct mohs_fold *mohs_fold_new(const struct mohs_fold_spec *spec) {
    assert(spec->kind <= MOHS_RESPONSE && spec->edges <= MOHS_FOLD_COLUMNS + 1);
    assert(spec->edges < 2 || (spec->rows >= 1 && spec->rows <= MOHS_FOLD_ROWS));
    struct mohs_fold *fold = calloc(1, sizeof *fold);
    if (fold && !prepare(fold, spec)) {
        mohs_fold_free(fold);
        return NULL;
    }
    if (fold) prepare_rows(fold);
    return fold;
}

void mohs_fold_free(struct mohs_fold *fold) {
    if (!fold) return;
    mohs_codec_free(fold->codec);
    mohs_ranking_free(&fold->times);
    free(fold->frame);
    free(fold->edges);
    free(fold->rows);
    free(fold->result.cells);
    free(fold->result.failed_at);
    free(fold);
}

void mohs_fold_reset(struct mohs_fold *fold) {
    struct mohs_folded *result = &fold->result;
    struct mohs_folded empty = {.columns = result->columns,
                                .rows = result->rows,
                                .cells = result->cells,
                                .failed_at = result->failed_at};
    *result = empty;
    memset(result->cells, 0, result->columns * result->rows * sizeof *result->cells);
    memset(result->failed_at, 0, result->columns * sizeof *result->failed_at);
    mohs_ranking_reset(&fold->times);
}

size_t mohs_fold_bytes(const struct mohs_fold *fold) {
    size_t counts = fold->result.columns * (fold->result.rows + 2) + fold->result.rows;
    return sizeof *fold + MOHS_CODEC_FRAME * sizeof *fold->frame + counts * sizeof(uint64_t) +
           mohs_ranking_bytes(&fold->times);
}

/* Sets the column in which a request was due; returns false if it is in none. */
static bool find_column(struct mohs_fold *fold, uint64_t due_ns) {
    size_t columns = fold->result.columns;
    const uint64_t *edges = fold->edges;
    if (columns == 0 || due_ns < edges[0] || due_ns >= edges[columns]) return false;
    if (due_ns < edges[fold->column] || due_ns >= edges[fold->column + 1])
        fold->column = mohs_edge_of(edges, columns, due_ns);
    return true;
}

static int add(struct mohs_fold *fold, const struct mohs_record *record) {
    struct mohs_folded *result = &fold->result;
    result->records++;
    result->errors[record->error < MOHS_ERROR_COUNT ? record->error : MOHS_OTHER]++;
    if (!mohs_counts(record, fold->kind, MOHS_WITH_FAILED)) return MOHS_CODEC_OK;
    uint64_t known = mohs_known_ns(record, fold->kind);
    if (known > result->longest_ns) result->longest_ns = known;
    bool inside = find_column(fold, record->due_ns);
    if (record->error != MOHS_OK) {
        result->failed++;
        if (inside) result->failed_at[fold->column]++;
        return MOHS_CODEC_OK;
    }
    uint64_t ns = mohs_time_of(record, fold->kind);
    result->good++;
    if (inside) {
        size_t row = row_from(fold, fold->row_of[class_of(ns)], ns);
        result->cells[fold->column * result->rows + row]++;
    }
    return mohs_ranking_add(&fold->times, ns) ? MOHS_CODEC_MEMORY : MOHS_CODEC_OK;
}

int mohs_fold_records(struct mohs_fold *fold, const struct mohs_record *records, size_t count) {
    int error = MOHS_CODEC_OK;
    for (size_t at = 0; at < count && !error; at++) error = add(fold, &records[at]);
    return error;
}

int mohs_fold_add(struct mohs_fold *fold, const uint8_t *in, size_t size, size_t *at) {
    size_t length, count;
    for (*at = 0; *at < size; *at += length) {
        int error = mohs_codec_peek(in + *at, size - *at, &length, &count);
        if (!error) error = mohs_codec_decode(fold->codec, in + *at, length, fold->frame);
        if (!error) error = mohs_fold_records(fold, fold->frame, count);
        if (error) return error;
    }
    return MOHS_CODEC_OK;
}

const struct mohs_folded *mohs_fold_result(const struct mohs_fold *fold) {
    return &fold->result;
}

int mohs_fold_ranks(const struct mohs_fold *fold, const uint64_t *ranks, size_t count,
                    struct mohs_ranked *found) {
    assert(count <= MOHS_RANKING_RANKS);
    uint64_t known[MOHS_RANKING_RANKS] = {0}, times[MOHS_RANKING_RANKS];
    size_t good = 0;
    for (size_t at = 0; at < count; at++)
        if (ranks[at] < fold->result.good) known[good++] = ranks[at];
    if (mohs_ranking_select(&fold->times, known, good, times)) return MOHS_CODEC_MEMORY;
    for (size_t at = 0, next = 0; at < count; at++) {
        bool endless = ranks[at] >= fold->result.good;
        found[at].endless = endless;
        found[at].ns = endless ? fold->result.longest_ns : times[next++];
    }
    return MOHS_CODEC_OK;
}
