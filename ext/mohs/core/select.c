#include "select.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define DIGIT_BITS 11 /* 2048 counters of 8 bytes stay in the first-level cache */
#define DIGITS     (1u << DIGIT_BITS)

uint64_t mohs_count(const struct mohs_run *runs, size_t count, enum mohs_kind kind, unsigned with) {
    uint64_t counted = 0;
    for (size_t run = 0; run < count; run++)
        for (size_t at = 0; at < runs[run].count; at++)
            counted += mohs_counts(&runs[run].records[at], kind, with);
    return counted;
}

uint64_t mohs_count_between(const struct mohs_run *runs, size_t count, enum mohs_kind kind,
                            uint64_t low_ns, uint64_t high_ns, unsigned with) {
    uint64_t found = 0;
    for (size_t run = 0; run < count; run++) {
        for (size_t at = 0; at < runs[run].count; at++) {
            const struct mohs_record *record = &runs[run].records[at];
            uint64_t time = mohs_time_of(record, kind);
            found += mohs_counts(record, kind, with) && time >= low_ns && time < high_ns;
        }
    }
    return found;
}

/* All bits that are set in any of the times. */
static uint64_t bits_used(const struct mohs_run *runs, size_t count, enum mohs_kind kind,
                          unsigned with) {
    uint64_t bits = 0;
    for (size_t run = 0; run < count; run++)
        for (size_t at = 0; at < runs[run].count; at++)
            if (mohs_counts(&runs[run].records[at], kind, with))
                bits |= mohs_time_of(&runs[run].records[at], kind);
    return bits;
}

/* Counts the times whose higher digits are `prefix` by their digit at `shift`. */
static void count_digits(const struct mohs_run *runs, size_t count, enum mohs_kind kind,
                         unsigned with, unsigned shift, uint64_t prefix, uint64_t *digits) {
    memset(digits, 0, DIGITS * sizeof *digits);
    for (size_t run = 0; run < count; run++) {
        for (size_t at = 0; at < runs[run].count; at++) {
            const struct mohs_record *record = &runs[run].records[at];
            uint64_t time = mohs_time_of(record, kind) >> shift;
            if (time >> DIGIT_BITS == prefix && mohs_counts(record, kind, with))
                digits[time & (DIGITS - 1)]++;
        }
    }
}

uint64_t mohs_select(const struct mohs_run *runs, size_t count, enum mohs_kind kind, uint64_t rank,
                     unsigned with) {
    uint64_t digits[DIGITS];
    uint64_t bits = bits_used(runs, count, kind, with);
    uint64_t prefix = 0;
    unsigned shift = 0;
    while (bits >> shift >= DIGITS) shift += DIGIT_BITS;
    for (;;) {
        count_digits(runs, count, kind, with, shift, prefix, digits);
        uint64_t digit = 0;
        while (digit < DIGITS && rank >= digits[digit]) rank -= digits[digit++];
        if (digit == DIGITS) return 0;
        prefix = prefix << DIGIT_BITS | digit;
        if (shift == 0) return prefix;
        shift -= DIGIT_BITS;
    }
}

static uint64_t longest(const struct mohs_run *runs, size_t count, enum mohs_kind kind,
                        unsigned with) {
    uint64_t most = 0;
    for (size_t run = 0; run < count; run++) {
        for (size_t at = 0; at < runs[run].count; at++) {
            const struct mohs_record *record = &runs[run].records[at];
            if (!mohs_counts(record, kind, with)) continue;
            uint64_t time = mohs_known_ns(record, kind);
            if (time > most) most = time;
        }
    }
    return most;
}

struct mohs_ranked mohs_rank(const struct mohs_run *runs, size_t count, enum mohs_kind kind,
                             uint64_t rank, unsigned with) {
    unsigned good = with & ~(unsigned)MOHS_WITH_FAILED;
    bool endless = rank >= mohs_count(runs, count, kind, good);
    uint64_t ns =
        endless ? longest(runs, count, kind, with) : mohs_select(runs, count, kind, rank, good);
    return (struct mohs_ranked){ns, endless};
}

size_t mohs_edge_of(const uint64_t *edges, size_t count, uint64_t ns) {
    size_t low = 0, high = count;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (edges[middle] <= ns) low = middle;
        else high = middle;
    }
    return low;
}

uint64_t mohs_count_after(const struct mohs_run *runs, size_t count, uint64_t ns) {
    uint64_t after = 0;
    for (size_t run = 0; run < count; run++) {
        for (size_t at = 0; at < runs[run].count; at++) {
            const struct mohs_record *record = &runs[run].records[at];
            bool good = record->error == MOHS_OK && !(record->flags & MOHS_RECORD_WARM_UP);
            after += good && mohs_record_ended_ns(record) > ns;
        }
    }
    return after;
}

void mohs_count_sent(const struct mohs_run *runs, size_t run_count, const uint64_t *edges,
                     size_t count, uint64_t *counts) {
    assert(count > 0);
    for (size_t run = 0; run < run_count; run++) {
        for (size_t at = 0; at < runs[run].count; at++) {
            const struct mohs_record *record = &runs[run].records[at];
            bool held = record->flags & (MOHS_RECORD_QUEUED | MOHS_RECORD_SHAKEN);
            uint64_t sent = record->due_ns + (held ? 0 : mohs_record_sent_ns(record));
            if (record->flags & MOHS_RECORD_WARM_UP) continue;
            if (sent >= edges[0] && sent < edges[count - 1])
                counts[mohs_edge_of(edges, count, sent)]++;
        }
    }
}

void mohs_count_errors(const struct mohs_run *runs, size_t count,
                       uint64_t errors[MOHS_ERROR_COUNT]) {
    for (size_t run = 0; run < count; run++) {
        for (size_t at = 0; at < runs[run].count; at++) {
            uint8_t error = runs[run].records[at].error;
            errors[error < MOHS_ERROR_COUNT ? error : MOHS_OTHER]++;
        }
    }
}

static uint64_t busy_ns(const struct mohs_record *record) {
    if (record->error != MOHS_OK) return 0;
    return record->flags & MOHS_RECORD_FRESH ? record->done_ns : mohs_record_service_ns(record);
}

uint64_t mohs_service_sum(const struct mohs_run *runs, size_t count) {
    uint64_t sum = 0;
    for (size_t run = 0; run < count; run++)
        for (size_t at = 0; at < runs[run].count; at++) sum += busy_ns(&runs[run].records[at]);
    return sum;
}

uint64_t mohs_service_within(const struct mohs_run *runs, size_t count, uint64_t from_ns,
                             uint64_t length_ns) {
    uint64_t sum = 0;
    for (size_t run = 0; run < count; run++) {
        for (size_t at = 0; at < runs[run].count; at++) {
            const struct mohs_record *record = &runs[run].records[at];
            uint64_t end = mohs_record_ended_ns(record);
            uint64_t begin = end - busy_ns(record);
            if (begin < from_ns) begin = from_ns;
            if (end > from_ns + length_ns) end = from_ns + length_ns;
            if (end > begin) sum += end - begin;
        }
    }
    return sum;
}

/* The weight of a response `at_ns` after the beginning: 1, less within an edge. */
static double weight_at(uint64_t at_ns, uint64_t length_ns, uint64_t edge_ns) {
    uint64_t inside = at_ns < length_ns - at_ns ? at_ns : length_ns - at_ns;
    if (inside >= edge_ns) return 1;
    double share = (double)inside / (double)edge_ns;
    return share < 0.5 ? 2 * share * share : 1 - 2 * (1 - share) * (1 - share);
}

/* The sum of the weights of the good responses in a time. */
static double count_edged(const struct mohs_run *runs, size_t count, uint64_t from_ns,
                          uint64_t length_ns, uint64_t edge_ns) {
    double sum = 0;
    for (size_t run = 0; run < count; run++) {
        for (size_t at = 0; at < runs[run].count; at++) {
            const struct mohs_record *record = &runs[run].records[at];
            uint64_t ended = mohs_record_ended_ns(record);
            if (record->error != MOHS_OK || ended < from_ns || ended - from_ns > length_ns)
                continue;
            sum += weight_at(ended - from_ns, length_ns, edge_ns);
        }
    }
    return sum;
}

double mohs_edged_span(const struct mohs_run *runs, size_t count, uint64_t from_ns,
                       uint64_t length_ns, uint64_t edge_ns, uint64_t good) {
    uint64_t longest = length_ns / 9 * 4;
    if (edge_ns > longest) edge_ns = longest;
    uint64_t begins = edge_ns / 4;
    double sum = count_edged(runs, count, from_ns + begins, length_ns - begins, edge_ns);
    return sum > 0 ? (double)good * (double)(length_ns - begins - edge_ns) / sum : 0;
}

static void add(struct mohs_totals *totals, const struct mohs_record *record, uint64_t *answers) {
    totals->completed += mohs_answered(record->error);
    totals->bytes += record->bytes;
    totals->queued += (record->flags & MOHS_RECORD_QUEUED) != 0;
    if (record->error != MOHS_OK) return;
    totals->latency_sum_ns += record->done_ns;
    totals->service_sum_ns += busy_ns(record);
    answers[record->connection]++;
}

static void add_connections(struct mohs_totals *totals, const uint64_t *answers, size_t size) {
    for (size_t at = 0; at < size; at++) {
        if (!answers[at]) continue;
        bool fewest = !totals->served++ || answers[at] < totals->requests_min;
        if (fewest) totals->requests_min = answers[at];
        if (answers[at] > totals->requests_max) totals->requests_max = answers[at];
    }
}

/* One more than the largest connection number. */
static size_t connections(const struct mohs_run *runs, size_t count) {
    size_t end = 1;
    for (size_t run = 0; run < count; run++)
        for (size_t at = 0; at < runs[run].count; at++)
            if (runs[run].records[at].connection >= end) end = runs[run].records[at].connection + 1;
    return end;
}

int mohs_total(const struct mohs_run *runs, size_t count, struct mohs_totals *totals) {
    size_t size = connections(runs, count);
    uint64_t *answers = calloc(size, sizeof *answers);
    if (!answers) return -ENOMEM;
    *totals = (struct mohs_totals){0};
    for (size_t run = 0; run < count; run++)
        for (size_t at = 0; at < runs[run].count; at++)
            add(totals, &runs[run].records[at], answers);
    add_connections(totals, answers, size);
    free(answers);
    return 0;
}

struct share {
    uint64_t answers;
    uint64_t longest_ns;
};

static void add_share(struct share *share, const struct mohs_record *record) {
    bool good = record->error == MOHS_OK;
    if (record->flags & MOHS_RECORD_WARM_UP || (!good && !mohs_unanswered(record->error))) return;
    uint64_t took = mohs_record_service_ns(record);
    share->answers += good;
    if (took > share->longest_ns) share->longest_ns = took;
}

static void judge_shares(const struct share *shares, size_t size, uint64_t least_ns,
                         struct mohs_starved *found) {
    uint64_t most = 0;
    for (size_t at = 0; at < size; at++)
        if (shares[at].answers > most) most = shares[at].answers;
    for (size_t at = 0; at < size; at++) {
        if (shares[at].longest_ns < least_ns || shares[at].answers > most / 4) continue;
        found->connections++;
        if (shares[at].longest_ns > found->longest_ns) found->longest_ns = shares[at].longest_ns;
    }
}

int mohs_find_starved(const struct mohs_run *runs, size_t count, uint64_t least_ns,
                      struct mohs_starved *found) {
    size_t size = connections(runs, count);
    struct share *shares = calloc(size, sizeof *shares);
    if (!shares) return -ENOMEM;
    *found = (struct mohs_starved){0};
    for (size_t run = 0; run < count; run++)
        for (size_t at = 0; at < runs[run].count; at++)
            add_share(&shares[runs[run].records[at].connection], &runs[run].records[at]);
    judge_shares(shares, size, least_ns, found);
    free(shares);
    return 0;
}
