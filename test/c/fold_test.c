/* What is folded compared with what select.h has of the same records. */
#include "core/fold.h"

#include <stdlib.h>

#include "core/codec.h"
#include "core/ranking.h"
#include "runner.h"

enum { COUNT = 70000, EDGES = 8, ROWS = 31 };

static struct mohs_record records[COUNT];
static uint64_t state = 88172645463325252u;

static uint64_t next_random(void) {
    state ^= state << 13;
    state ^= state >> 7;
    return state ^= state << 17;
}

/* Of any length below 2 to the power of bits; every tenth failed, every seventh was warm-up, some
 * waited, and of some nobody knows when they were sent. */
static void fill(unsigned bits) {
    memset(records, 0, sizeof records);
    for (size_t at = 0; at < COUNT; at++) {
        struct mohs_record *record = &records[at];
        unsigned own = 1 + (unsigned)next_random() % bits;
        record->done_ns = next_random() & ((UINT64_C(1) << own) - 1) & ((UINT64_C(1) << 40) - 1);
        record->due_ns = next_random() % 1000000 & ((UINT64_C(1) << 48) - 1);
        record->sent_ns = (uint32_t)(next_random() % 3 ? record->done_ns / 4 : 0);
        record->error = at % 10 == 0 ? (uint8_t)(next_random() % 40) : MOHS_OK;
        record->flags = at % 7 == 0 ? MOHS_RECORD_WARM_UP : at % 5 ? 0 : MOHS_RECORD_QUEUED;
    }
}

static uint8_t *encoded(size_t *size) {
    struct mohs_codec *codec = mohs_codec_new();
    uint8_t *bytes = malloc(2 * mohs_codec_bound(MOHS_CODEC_FRAME));
    if (!codec || !bytes) abort();
    *size = 0;
    for (size_t at = 0, length; at < COUNT; at += MOHS_CODEC_FRAME) {
        size_t count = COUNT - at < MOHS_CODEC_FRAME ? COUNT - at : MOHS_CODEC_FRAME;
        CHECK(mohs_codec_encode(codec, records + at, count, bytes + *size, &length) == 0);
        *size += length;
    }
    mohs_codec_free(codec);
    return bytes;
}

static const uint64_t edges[EDGES] = {1000, 1001, 90000, 90000, 300000, 700000, 999000, 999500};

/* Rows that begin anywhere: at 5, then 2.3 times as far each. */
static struct mohs_fold *new_fold(enum mohs_kind kind) {
    static uint64_t rows[ROWS];
    double row = 5;
    for (size_t at = 0; at < ROWS; at++, row *= 2.3) rows[at] = (uint64_t)row;
    struct mohs_fold_spec spec = {
        .kind = kind, .edges_ns = edges, .edges = EDGES, .rows_ns = rows, .rows = ROWS};
    struct mohs_fold *fold = mohs_fold_new(&spec);
    if (!fold) abort();
    return fold;
}

static void check_ranks(const struct mohs_fold *fold, enum mohs_kind kind) {
    const struct mohs_run run = {records, COUNT};
    const struct mohs_folded *result = mohs_fold_result(fold);
    uint64_t due = mohs_count(&run, 1, kind, MOHS_WITH_FAILED), ranks[24];
    struct mohs_ranked found[24];
    CHECK_EQUAL(mohs_count(&run, 1, kind, MOHS_ONLY_GOOD), result->good);
    CHECK_EQUAL(due, result->good + result->failed);
    CHECK_EQUAL(COUNT, result->records);
    for (size_t at = 0; at < 24; at++) ranks[at] = at < 4 ? at : (due - 1) * at / 23;
    CHECK(mohs_fold_ranks(fold, ranks, 24, found) == MOHS_CODEC_OK);
    for (size_t at = 0; at < 24; at++) {
        struct mohs_ranked wanted = mohs_rank(&run, 1, kind, ranks[at], MOHS_WITH_FAILED);
        CHECK_EQUAL(wanted.ns, found[at].ns);
        CHECK_EQUAL(wanted.endless, found[at].endless);
    }
}

/* The column and row of a record, the slow way. */
static void check_cells(const struct mohs_fold *fold, enum mohs_kind kind) {
    const struct mohs_folded *result = mohs_fold_result(fold);
    static uint64_t cells[(EDGES - 1) * ROWS], failed[EDGES - 1];
    memset(cells, 0, sizeof cells);
    memset(failed, 0, sizeof failed);
    for (size_t at = 0; at < COUNT; at++) {
        const struct mohs_record *record = &records[at];
        for (size_t column = 0; column < EDGES - 1; column++) {
            if (record->due_ns < edges[column] || record->due_ns >= edges[column + 1]) continue;
            if (record->flags & MOHS_RECORD_WARM_UP) continue;
            uint64_t row = ROWS - 1, ns = mohs_time_of(record, kind);
            double start = 5;
            for (size_t next = 1; next < ROWS; next++)
                if (ns < (uint64_t)(start *= 2.3) && row == ROWS - 1) row = next - 1;
            if (record->error) failed[column]++;
            else cells[column * ROWS + row]++;
        }
    }
    CHECK_EQUAL(EDGES - 1, result->columns);
    CHECK(memcmp(cells, result->cells, sizeof cells) == 0);
    CHECK(memcmp(failed, result->failed_at, sizeof failed) == 0);
}

static void check_errors(const struct mohs_fold *fold) {
    const struct mohs_run run = {records, COUNT};
    uint64_t errors[MOHS_ERROR_COUNT] = {0};
    mohs_count_errors(&run, 1, errors);
    CHECK(memcmp(errors, mohs_fold_result(fold)->errors, sizeof errors) == 0);
}

TEST(a_fold_has_what_the_records_have) {
    static const unsigned bits[] = {3, 20, 34, 40};
    for (size_t at = 0; at < sizeof bits / sizeof *bits; at++) {
        fill(bits[at]);
        for (int kind = MOHS_SERVICE; kind <= MOHS_RESPONSE; kind++) {
            size_t size, end;
            uint8_t *bytes = encoded(&size);
            struct mohs_fold *fold = new_fold((enum mohs_kind)kind);
            CHECK(mohs_fold_add(fold, bytes, size, &end) == MOHS_CODEC_OK);
            CHECK_EQUAL(size, end);
            check_ranks(fold, (enum mohs_kind)kind);
            check_cells(fold, (enum mohs_kind)kind);
            check_errors(fold);
            CHECK(mohs_fold_bytes(fold) > 5 * mohs_fold_result(fold)->good);
            mohs_fold_free(fold);
            free(bytes);
        }
    }
}

TEST(records_in_memory_are_folded_like_encoded_ones) {
    fill(30);
    struct mohs_fold *fold = new_fold(MOHS_SERVICE);
    CHECK(mohs_fold_records(fold, records, 1) == MOHS_CODEC_OK);
    CHECK(mohs_fold_records(fold, records + 1, COUNT - 1) == MOHS_CODEC_OK);
    check_ranks(fold, MOHS_SERVICE);
    check_cells(fold, MOHS_SERVICE);
    fill(12);
    mohs_fold_reset(fold);
    CHECK_EQUAL(0, mohs_fold_result(fold)->records);
    CHECK(mohs_fold_records(fold, records, COUNT) == MOHS_CODEC_OK);
    check_ranks(fold, MOHS_SERVICE);
    check_cells(fold, MOHS_SERVICE);
    check_errors(fold);
    mohs_fold_free(fold);
}

TEST(damage_is_found_and_what_is_before_it_counts) {
    fill(30);
    size_t size, at, first, count;
    uint8_t *bytes = encoded(&size);
    CHECK(mohs_codec_peek(bytes, size, &first, &count) == MOHS_CODEC_OK);
    bytes[size - 1] ^= 1;
    struct mohs_fold *fold = new_fold(MOHS_SERVICE);
    CHECK(mohs_fold_add(fold, bytes, size, &at) == MOHS_CODEC_CHECKSUM);
    CHECK_EQUAL(first, at);
    CHECK_EQUAL(count, mohs_fold_result(fold)->records);
    CHECK(mohs_fold_add(fold, bytes, first - 1, &at) == MOHS_CODEC_SHORT);
    CHECK_EQUAL(count, mohs_fold_result(fold)->records);
    mohs_fold_free(fold);
    free(bytes);
}

TEST(without_columns_there_are_ranks_and_no_cells) {
    struct mohs_fold_spec spec = {.kind = MOHS_RESPONSE, .edges_ns = edges, .edges = 1};
    struct mohs_fold *fold = mohs_fold_new(&spec);
    struct mohs_ranked found;
    size_t at;
    if (!fold) abort();
    CHECK(mohs_fold_add(fold, NULL, 0, &at) == MOHS_CODEC_OK);
    CHECK(mohs_fold_ranks(fold, (uint64_t[]){0}, 1, &found) == MOHS_CODEC_OK);
    CHECK_EQUAL(0, found.ns);
    CHECK(found.endless);
    fill(30);
    CHECK(mohs_fold_records(fold, records, COUNT) == MOHS_CODEC_OK);
    check_ranks(fold, MOHS_RESPONSE);
    CHECK_EQUAL(0, mohs_fold_result(fold)->columns + mohs_fold_result(fold)->rows);
    mohs_fold_free(fold);
    mohs_fold_free(NULL);
}

int main(void) {
    RUN(a_fold_has_what_the_records_have);
    RUN(records_in_memory_are_folded_like_encoded_ones);
    RUN(damage_is_found_and_what_is_before_it_counts);
    RUN(without_columns_there_are_ranks_and_no_cells);
    return report();
}
