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

/* Which requests count besides good ones: bits. */
enum mohs_with {
    MOHS_ONLY_GOOD = 0,
    MOHS_WITH_WARM_UP = 1,
    MOHS_WITH_FAILED = 2 /* SERVICE and RESPONSE: requests without a correct response; LAG: those of
                            them that were sent */
};

/* Whether a request counts, by `with`, and has a time of this kind. */
static inline bool mohs_counts(const struct mohs_record *record, enum mohs_kind kind,
                               unsigned with) {
    bool known = kind <= MOHS_RESPONSE || (kind == MOHS_LAG && record->sent_ns);
    if (record->error != MOHS_OK && !(with & MOHS_WITH_FAILED && known)) return false;
    if (!(with & MOHS_WITH_WARM_UP) && record->flags & MOHS_RECORD_WARM_UP) return false;
    if (kind < MOHS_LAG) return true;
    if (kind == MOHS_LAG && record->flags & MOHS_RECORD_SHAKEN) return false; // the server's time
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

/* The time that a failed request is known to have taken. If it waited for a connection and was not
 * sent, no record says when it got one. */
static inline uint64_t mohs_known_ns(const struct mohs_record *record, enum mohs_kind kind) {
    bool unknown = record->sent_ns == 0 && record->flags & MOHS_RECORD_QUEUED;
    return kind == MOHS_SERVICE && unknown ? 0 : mohs_time_of(record, kind);
}

/* The index of the last of the ascending edges at or before `ns`. edges[0] must be at or before
 * it. */
size_t mohs_edge_of(const uint64_t *edges, size_t count, uint64_t ns);

/* How many requests count and have a time of this kind. */
uint64_t mohs_count(const struct mohs_run *runs, size_t count, enum mohs_kind kind, unsigned with);

/* How many of them took [low_ns, high_ns). */
uint64_t mohs_count_between(const struct mohs_run *runs, size_t count, enum mohs_kind kind,
                            uint64_t low_ns, uint64_t high_ns, unsigned with);

/* The time at `rank` in ascending order, counted from 0; 0 if there are fewer. Radix select: one
 * pass over the records for every 11 bits of the largest time. */
uint64_t mohs_select(const struct mohs_run *runs, size_t count, enum mohs_kind kind, uint64_t rank,
                     unsigned with);

/* The time at a rank. `endless`: no correct response came, so the time is longer than `ns`. */
struct mohs_ranked {
    uint64_t ns;
    bool endless;
};

/* The same for SERVICE and RESPONSE among good and failed requests, the rule for every percentile:
 * a request without a correct response ranks after every good one, whatever its own time, since
 * nobody knows how long a correct response would have taken. `ns` of such a rank is the longest
 * time that any request is known to have taken, so that no rank is below an earlier one. */
struct mohs_ranked mohs_rank(const struct mohs_run *runs, size_t count, enum mohs_kind kind,
                             uint64_t rank, unsigned with);

/* The time for which good requests kept their connections busy, warm-up included: from sent to
 * done; for the first request on a connection from due, since the server opens the connection
 * too. */
uint64_t mohs_service_sum(const struct mohs_run *runs, size_t count);

/* The part of the same time that lies in the `length_ns` after `from_ns` (since the epoch). */
uint64_t mohs_service_within(const struct mohs_run *runs, size_t count, uint64_t from_ns,
                             uint64_t length_ns);

/*
 * How long `good` requests take, in ns, at the rate of those, warm-up included, that ended well in
 * the first `length_ns` after `from_ns` (since the epoch); 0 if none did. Those near its ends count
 * in part. Responses may come in bunches, at equal times, if a server works on several requests at
 * once; a plain count is then off by up to half a bunch at either end, and always in the same
 * direction, since all connections begin together. So the weight grows from 0 to 1 over `edge_ns`,
 * at most 4/9 of the length, as 2x^2 and then 1 - 2(1 - x)^2: what two bunches' length of a
 * periodic series weighs together is then the same wherever an edge of that length begins in it
 * (a triangle, added up: Bartlett's window; docs/method.md has figures). A quarter of an edge at
 * the beginning counts nothing: connections that begin together wait for each other's turn at
 * first, and not later.
 */
double mohs_edged_span(const struct mohs_run *runs, size_t count, uint64_t from_ns,
                       uint64_t length_ns, uint64_t edge_ns, uint64_t good);

/* What a step counted, computed again from its records, warm-up included. FIELD(name) is a uint64_t
 * and a key of the Hash that Core::Records#totals returns. */
#define MOHS_TOTAL_FIELDS(FIELD)                                                                   \
    FIELD(completed, ONCE) /* complete responses, correct or wrong */                              \
    FIELD(bytes, ONCE)     /* of bodies */                                                         \
    FIELD(queued, ONCE)                                                                            \
    FIELD(latency_sum_ns, ONCE) /* due to done, of good requests */                                \
    FIELD(service_sum_ns, ONCE) /* sent to done; due to done if that opened its connection */      \
    FIELD(served, ONCE)         /* connections with a good response */                             \
    FIELD(requests_min, ONCE)   /* good responses on the connection with the fewest */             \
    FIELD(requests_max, ONCE)   /* on the one with the most; 0 if there are none */

struct mohs_totals {
    MOHS_TOTAL_FIELDS(MOHS_DECLARE_FIELD)
};

/* Fills `totals`. Returns 0, or -ENOMEM since it counts per connection. */
int mohs_total(const struct mohs_run *runs, size_t count, struct mohs_totals *totals);

/* Connections that the server kept waiting while it served others. */
struct mohs_starved {
    uint64_t connections; /* with a request that took at least this long, and at most a quarter of
                             the good responses of the connection with the most */
    uint64_t longest_ns;  /* of their requests: service time, or until it was given up */
};

/* Finds starved connections, warm-up excluded. Returns 0 or -ENOMEM. */
int mohs_find_starved(const struct mohs_run *runs, size_t count, uint64_t least_ns,
                      struct mohs_starved *found);

/* How many good responses ended later than this, since the epoch; warm-up excluded. */
uint64_t mohs_count_after(const struct mohs_run *runs, size_t count, uint64_t ns);

/* Adds to counts[i], for each i below count - 1, how many requests were sent in [edges[i], edges[i
 * + 1]) ns since the epoch, warm-up excluded; edges ascend. A request that waited for a connection
 * counts from when it was due, since the server made it wait. */
void mohs_count_sent(const struct mohs_run *runs, size_t run_count, const uint64_t *edges,
                     size_t count, uint64_t *counts);

/* Adds the number of records in each error class, warm-up included, to `counts`. */
void mohs_count_errors(const struct mohs_run *runs, size_t count,
                       uint64_t counts[MOHS_ERROR_COUNT]);

#endif
