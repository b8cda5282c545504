/* Exact figures over records, without copying or sorting them: ten million stay in place. */
#ifndef MOHS_SELECT_H
#define MOHS_SELECT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "error.h"
#include "fields.h"
#include "recording.h"

#define MOHS_KINDS(NAME)                                                                           \
    NAME(SERVICE, service)   /* sent to done */                                                    \
    NAME(RESPONSE, response) /* due to done */                                                     \
    NAME(FIRST, first)       /* sent to first byte */                                              \
    NAME(LAG, lag)           /* due to sent, if a connection was free when it was due */           \
    NAME(QUEUE, queue)       /* due to sent, if it had to wait for a connection */

enum mohs_kind { MOHS_KINDS(MOHS_DECLARE_NAME) };

/* Which requests count beside good ones: bits. */
enum mohs_with {
    MOHS_ONLY_GOOD = 0,
    MOHS_WITH_WARM_UP = 1,
    MOHS_WITH_FAILED = 2 /* SERVICE and RESPONSE: those without a right answer */
};

/* Whether a request is one of these and has a time of this kind. */
static inline bool mohs_counts(const struct mohs_record *record, enum mohs_kind kind,
                               unsigned with) {
    if (record->error != MOHS_OK && !(with & MOHS_WITH_FAILED && kind <= MOHS_RESPONSE))
        return false;
    if (!(with & MOHS_WITH_WARM_UP) && record->flags & MOHS_RECORD_WARM_UP) return false;
    if (kind < MOHS_LAG) return true;
    return (kind == MOHS_QUEUE) == ((record->flags & MOHS_RECORD_QUEUED) != 0);
}

static inline uint64_t mohs_time_of(const struct mohs_record *record, enum mohs_kind kind) {
    if (kind == MOHS_SERVICE) return mohs_record_service_ns(record);
    if (kind == MOHS_RESPONSE) return record->done_ns;
    uint64_t sent = mohs_record_sent_ns(record);
    if (kind != MOHS_FIRST) return sent;
    uint64_t first = mohs_record_first_ns(record);
    return first > sent ? first - sent : 0;
}

/* What a failed request is known to have taken. If it waited for a connection and was not sent, no
 * record has when it got one. */
static inline uint64_t mohs_known_ns(const struct mohs_record *record, enum mohs_kind kind) {
    bool unknown = record->sent_ns == 0 && record->flags & MOHS_RECORD_QUEUED;
    return kind == MOHS_SERVICE && unknown ? 0 : mohs_time_of(record, kind);
}

/* The last of the ascending edges at or before `ns`; edges[0] is. */
size_t mohs_edge_of(const uint64_t *edges, size_t count, uint64_t ns);

/* How many of these requests have a time of this kind. */
uint64_t mohs_count(const struct mohs_run *runs, size_t count, enum mohs_kind kind, unsigned with);

/* How many good ones outside warm-up took [low_ns, high_ns). */
uint64_t mohs_count_between(const struct mohs_run *runs, size_t count, enum mohs_kind kind,
                            uint64_t low_ns, uint64_t high_ns);

/* The time at `rank` in ascending order, counted from 0; 0 if there are fewer. Radix select: one
 * pass over the records for every 11 bits of the largest time. */
uint64_t mohs_select(const struct mohs_run *runs, size_t count, enum mohs_kind kind, uint64_t rank,
                     unsigned with);

/* A time at a rank. `endless`: no right answer came, so that it is longer than `ns`. */
struct mohs_ranked {
    uint64_t ns;
    bool endless;
};

/* The same of SERVICE and RESPONSE among good and failed requests, the rule for every percentile: a
 * request without a right answer ranks after each good one, whatever its own time, since nobody
 * knows how long a right one would have taken. `ns` of such a rank is the longest time that any of
 * them is known to have taken, so that no rank is below an earlier one. */
struct mohs_ranked mohs_rank(const struct mohs_run *runs, size_t count, enum mohs_kind kind,
                             uint64_t rank, unsigned with);

/* The time in which the good ones kept their connections busy, warm-up included: from sent to done;
 * of the first on its connection from due, since the server opens it too. */
uint64_t mohs_service_sum(const struct mohs_run *runs, size_t count);

/* What a step counted, computed again from its records, warm-up included. FIELD(name) is a uint64_t
 * and a key of the Hash that Core::Records#totals returns. */
#define MOHS_TOTAL_FIELDS(FIELD)                                                                   \
    FIELD(completed, ONCE) /* whole answers, right or wrong */                                     \
    FIELD(bytes, ONCE)     /* of bodies */                                                         \
    FIELD(queued, ONCE)                                                                            \
    FIELD(latency_sum_ns, ONCE) /* due to done, of good ones */                                    \
    FIELD(service_sum_ns,                                                                          \
          ONCE)               /* sent to done, or where that opened its connection due to done */  \
    FIELD(served, ONCE)       /* connections with a good answer */                                 \
    FIELD(requests_min, ONCE) /* good answers on the one with the fewest */                        \
    FIELD(requests_max, ONCE) /* on the one with the most; 0 without any */

struct mohs_totals {
    MOHS_TOTAL_FIELDS(MOHS_DECLARE_FIELD)
};

/* Fills `totals`. Returns 0 or -ENOMEM: it counts per connection. */
int mohs_total(const struct mohs_run *runs, size_t count, struct mohs_totals *totals);

/* Connections that the server let wait while it served others. */
struct mohs_starved {
    uint64_t connections; /* with a request of at least so long, and a quarter of the good answers
                             of the one with the most, or fewer */
    uint64_t longest_ns;  /* of their requests, service time or until it was given up */
};

/* Finds them, warm-up excluded. Returns 0 or -ENOMEM. */
int mohs_find_starved(const struct mohs_run *runs, size_t count, uint64_t least_ns,
                      struct mohs_starved *found);

/* Adds to `counts`, for each i below count - 1, how many requests were sent in [edges[i], edges[i +
 * 1]) ns since the epoch, warm-up excluded; edges ascend. A request that waited for a connection
 * counts when it was due: the server made it wait. */
void mohs_count_sent(const struct mohs_run *runs, size_t run_count, const uint64_t *edges,
                     size_t count, uint64_t *counts);

/* Adds the number of records in each error class, warm-up included, to `counts`. */
void mohs_count_errors(const struct mohs_run *runs, size_t count,
                       uint64_t counts[MOHS_ERROR_COUNT]);

#endif
