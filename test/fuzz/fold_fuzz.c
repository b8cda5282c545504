/*
 * Folds an input as the frames and as the records that it may be. As frames, what is counted are
 * whole records or none. As records, whatever is in them, counts and ranks are those of select.h,
 * and every good request that was due in a column is in one of its cells.
 */
#include "core/fold.h"

#include "fuzz.h"

enum { COLUMNS = 3, ROWS = 5, MOST = 16, RANKS = 4 };

static const uint64_t edges[COLUMNS + 1] = {0, 1000, UINT64_C(1) << 24, UINT64_C(1) << 47};
static const uint64_t rows[ROWS] = {3, 9, 1000, 65537, UINT64_C(1) << 33};

static struct mohs_fold *new_fold(enum mohs_kind kind) {
    struct mohs_fold_spec spec = {
        .kind = kind, .edges_ns = edges, .edges = COLUMNS + 1, .rows_ns = rows, .rows = ROWS};
    struct mohs_fold *fold = mohs_fold_new(&spec);
    HOLDS(fold);
    return fold;
}

static uint64_t sum(const uint64_t *numbers, size_t count) {
    uint64_t all = 0;
    for (size_t at = 0; at < count; at++) all += numbers[at];
    return all;
}

static void check_sums(const struct mohs_folded *result) {
    HOLDS(sum(result->errors, MOHS_ERROR_COUNT) == result->records);
    HOLDS(result->good + result->failed <= result->records);
    HOLDS(sum(result->cells, COLUMNS * ROWS) <= result->good);
    HOLDS(sum(result->failed_at, COLUMNS) <= result->failed);
}

static void fold_frames(struct mohs_fold *fold, const uint8_t *data, size_t size) {
    static struct room room;
    size_t at = 0;
    const uint8_t *copy = (const uint8_t *)room_copy(&room, (const char *)data, size);
    mohs_fold_reset(fold);
    int error = mohs_fold_add(fold, copy, size, &at);
    HOLDS(error ? at < size : at == size);
    HOLDS(at > 0 || mohs_fold_result(fold)->records == 0);
    check_sums(mohs_fold_result(fold));
}

static void fold_records(struct mohs_fold *fold, const struct mohs_record *records, size_t count,
                         enum mohs_kind kind) {
    const struct mohs_run run = {records, count};
    const struct mohs_folded *result = mohs_fold_result(fold);
    uint64_t ranks[RANKS], due = mohs_count(&run, 1, kind, MOHS_WITH_FAILED), inside = 0;
    struct mohs_ranked found[RANKS];
    mohs_fold_reset(fold);
    HOLDS(mohs_fold_records(fold, records, count) == 0);
    check_sums(result);
    HOLDS(result->good == mohs_count(&run, 1, kind, MOHS_ONLY_GOOD));
    HOLDS(result->good + result->failed == due);
    for (size_t at = 0; at < count; at++)
        inside +=
            mohs_counts(&records[at], kind, MOHS_ONLY_GOOD) && records[at].due_ns < edges[COLUMNS];
    HOLDS(sum(result->cells, COLUMNS * ROWS) == inside);
    for (size_t at = 0; at < RANKS; at++) ranks[at] = due * at / (RANKS - 1);
    HOLDS(mohs_fold_ranks(fold, ranks, RANKS, found) == 0);
    for (size_t at = 0; at < RANKS; at++) {
        struct mohs_ranked wanted = mohs_rank(&run, 1, kind, ranks[at], MOHS_WITH_FAILED);
        HOLDS(wanted.ns == found[at].ns && wanted.endless == found[at].endless);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static struct mohs_fold *folds[2];
    static struct room room;
    if (!folds[0]) folds[0] = new_fold(MOHS_SERVICE), folds[1] = new_fold(MOHS_RESPONSE);
    size_t count = size / sizeof(struct mohs_record);
    if (count > MOST) count = MOST;
    void *records = room_copy(&room, (const char *)data, count * sizeof(struct mohs_record));
    for (int kind = MOHS_SERVICE; kind <= MOHS_RESPONSE; kind++) {
        fold_frames(folds[kind], data, size);
        fold_records(folds[kind], records, count, (enum mohs_kind)kind);
    }
    return 0;
}
