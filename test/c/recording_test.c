/* Nothing is lost when memory grows, and the runs of a recording are right. */
#include "core/recording.h"

#include <stdbool.h>

#include "runner.h"

static void fill(struct mohs_recording *recording, uint64_t from, uint64_t to) {
    for (uint64_t at = from; at < to; at++) {
        struct mohs_record *record = mohs_recording_next(recording);
        CHECK(record != NULL);
        if (record) record->due_ns = at & ((1ull << 48) - 1);
    }
}

/* Whether the runs of [from, to) hold these numbers in order. */
static bool holds(const struct mohs_recording *recording, uint64_t from, uint64_t to) {
    struct mohs_run runs[8];
    size_t count = mohs_recording_runs(recording, from, to, runs, 8);
    uint64_t wanted = from;
    if (count > 8) return false;
    for (size_t run = 0; run < count; run++)
        for (size_t at = 0; at < runs[run].count; at++)
            if (runs[run].records[at].due_ns != wanted++) return false;
    return wanted == to;
}

TEST(records_beyond_the_expected_are_kept_in_order) {
    struct mohs_recording recording;
    uint64_t total = 10 + 2ull * MOHS_CHUNK_RECORDS + 3;
    CHECK_EQUAL(0, mohs_recording_init(&recording, 10));
    fill(&recording, 0, total);
    CHECK_EQUAL(total, recording.size);
    CHECK_EQUAL(0, recording.lost);
    CHECK_EQUAL(4, mohs_recording_runs(&recording, 0, total, NULL, 0));
    CHECK(holds(&recording, 0, total));
    CHECK(holds(&recording, 0, 10));
    CHECK(holds(&recording, 9, 11));
    CHECK(holds(&recording, 5, total - 1));
    CHECK(holds(&recording, total - 3, total));
    CHECK_EQUAL(0, mohs_recording_runs(&recording, 4, 4, NULL, 0));
    mohs_recording_free(&recording);
}

TEST(memory_is_32_bytes_a_record_and_little_more) {
    struct mohs_recording recording;
    CHECK_EQUAL(0, mohs_recording_init(&recording, 100000));
    fill(&recording, 0, 100000);
    CHECK(mohs_recording_bytes(&recording) < 100000 * 32 + 4096);
    mohs_recording_free(&recording);
    CHECK_EQUAL(0, mohs_recording_bytes(&recording));
}

TEST(records_of_several_workers_are_ordered_by_their_end) {
    const uint16_t ended[3][3] = {{10, 40, 70}, {20, 80, 30}, {70, 75, 90}};
    const uint8_t connections[3] = {2, 1, 0};
    struct mohs_record records[3][3] = {0};
    struct mohs_run runs[4] = {{records[0], 3}, {records[1], 3}, {NULL, 0}, {records[2], 3}};
    for (size_t worker = 0; worker < 3; worker++) {
        for (size_t index = 0; index < 3; index++) {
            struct mohs_record *record = &records[worker][index];
            record->done_ns = 5 * connections[worker]; /* due and done together tell */
            record->due_ns = (uint16_t)(ended[worker][index] - 5 * connections[worker]);
            record->connection = connections[worker];
        }
    }
    const struct mohs_record *ordered[9];
    mohs_runs_ordered(runs, 4, ordered);
    const uint64_t wanted[9] = {10, 20, 30, 40, 70, 70, 75, 80, 90};
    for (size_t index = 0; index < 9; index++)
        CHECK_EQUAL(wanted[index], mohs_record_ended_ns(ordered[index]));
    CHECK_EQUAL(0, ordered[4]->connection); /* of two that ended at once */
    CHECK_EQUAL(2, ordered[5]->connection);
    mohs_runs_ordered(NULL, 0, NULL);
}

TEST(times_of_a_record_keep_their_range) {
    struct mohs_record record = {0};
    record.due_ns = (1ull << 48) - 1;
    record.request = UINT16_MAX;
    record.done_ns = (1ull << 40) - 1;
    record.connection = (1u << 24) - 1;
    CHECK(record.due_ns == (1ull << 48) - 1);
    CHECK_EQUAL(UINT16_MAX, record.request);
    CHECK(record.done_ns == (1ull << 40) - 1);
    CHECK_EQUAL((1 << 24) - 1, record.connection);
    record.sent_ns = 5;
    record.done_ns = 12;
    CHECK_EQUAL(7, mohs_record_service_ns(&record));
    record.sent_ns = 13;
    CHECK_EQUAL(0, mohs_record_service_ns(&record));
}

int main(void) {
    RUN(records_beyond_the_expected_are_kept_in_order);
    RUN(memory_is_32_bytes_a_record_and_little_more);
    RUN(records_of_several_workers_are_ordered_by_their_end);
    RUN(times_of_a_record_keep_their_range);
    return report();
}
