/*
 * What the connections of one thread to one target work on: the target, the step under way, and
 * where they record and count. A lane owns the job; connections know their job, but nothing of
 * lanes or workers.
 */
#ifndef MOHS_JOB_H
#define MOHS_JOB_H

#include <string.h>

#include "arrivals.h"
#include "check.h"
#include "clock.h"
#include "loop.h"
#include "recording.h"
#include "tally.h"
#include "target.h"
#include "times.h"

struct mohs_connection;

/* The first wrong response of a job. */
struct mohs_failed_response {
    uint64_t at_ns; /* 0: there was none */
    uint16_t status;
    uint8_t error;
    uint32_t size;
    char bytes[MOHS_SAMPLE_MAX];
};

/* Keeps it unless there was one before: the start of `bytes`, which were read at at_ns. */
static inline void mohs_failed_response_keep(struct mohs_failed_response *failed, uint64_t at_ns,
                                             uint16_t status, int error, struct mohs_span bytes) {
    if (failed->at_ns) return;
    failed->at_ns = at_ns;
    failed->status = status;
    failed->error = (uint8_t)error;
    failed->size = (uint32_t)(bytes.size < MOHS_SAMPLE_MAX ? bytes.size : MOHS_SAMPLE_MAX);
    if (failed->size) memcpy(failed->bytes, bytes.data, failed->size);
}

/* TLS handshakes of a job, in all of its steps: how long each took that was done. */
struct mohs_handshakes {
    uint64_t done;
    uint64_t failed;
    uint64_t times[MOHS_TIME_STEPS];
};

struct mohs_job {
    struct mohs_target *target;
    struct mohs_loop *loop;
    struct mohs_recording recording;
    struct mohs_recording unsent; /* open loop: fell due, never sent; done = when given up */
    struct mohs_failed_response failed_response;
    struct mohs_handshakes handshakes;

    // of the step under way
    struct mohs_tally *tally; /* NULL: no step is under way here */
    uint64_t quota;           /* requests yet to begin, over all connections; or MOHS_NO_LIMIT */
    uint64_t deadline_ns;     /* no request begins from here on; 0 for a counted step */
    uint64_t limit_ns;        /* the same for a counted step, which may end sooner; 0: no limit */
    uint64_t drain_ns;        /* when requests still in flight are given up */
    uint64_t begun_ns;        /* when the step began */
    uint64_t failing_ns;      /* since when requests have only failed; 0 after a response */
    uint64_t failed_ns;       /* when the last one failed, or the server was given up */
    uint64_t in_flight;       /* requests, and clients that think between two steps of an action */
    bool warm_up;
    bool login;   /* scenario: each client does its login instead of its actions */
    bool hang_up; /* closed loop: close a connection as soon as it has nothing more to send */
    bool stopped; /* no request begins: the server is gone, or the load was stopped */

    // in an open loop
    bool open_loop;
    struct mohs_schedule schedule; /* at the oldest arrival not yet begun */
    /* Called for a connection that has become free: the owner decides what it does next. */
    void (*freed)(struct mohs_job *job, struct mohs_connection *connection);

    // read by another thread while load runs: relaxed atomic stores, which are plain moves
    uint64_t live_completed;
    uint64_t live_failed;
    uint64_t live_waiting;                /* open loop: requests due but not begun */
    uint64_t live_oldest_ns;              /* when the oldest of them was due */
    uint64_t live_times[MOHS_TIME_STEPS]; /* good responses by time, as in mohs_live */
};

/* Sets a value that another thread reads. */
static inline void mohs_live_set(uint64_t *value, uint64_t to) {
    __atomic_store_n(value, to, __ATOMIC_RELAXED);
}

static inline uint64_t mohs_live_get(const uint64_t *value) {
    return __atomic_load_n(value, __ATOMIC_RELAXED);
}

/* Adds to a counter that another thread reads. */
static inline void mohs_live_add(uint64_t *counter, int64_t count) {
    mohs_live_set(counter, *counter + (uint64_t)count);
}

/* Reads the CPU clocks of the target's processes: of those of a closed loop. */
static inline void mohs_job_read(const struct mohs_job *job, struct mohs_reading *reading) {
    const struct mohs_target *target = job->target;
    if (job->open_loop || reading->at_ns || !target->watched_count) return;
    *reading = (struct mohs_reading){.at_ns = mohs_now_ns()};
    for (size_t at = 0; at < target->watched_count && reading->cpu_ns >= 0; at++) {
        int64_t spent = mohs_process_cpu_ns(target->watched[at]);
        reading->cpu_ns = spent < 0 ? -1 : reading->cpu_ns + spent;
    }
}

/* Notes that a request failed. */
static inline void mohs_job_fail(struct mohs_job *job, uint64_t now) {
    if (job->failing_ns == 0) job->failing_ns = now;
    job->failed_ns = now;
}

/* A response came at `now`, or the step ends then. To be called before that response is counted,
 * since the outage counts from the last response before it. No outage goes on after the step's
 * time: what is in flight then is only waited for. */
static inline void mohs_job_recover(struct mohs_job *job, uint64_t now) {
    struct mohs_tally *tally = job->tally;
    if (job->failing_ns == 0) return;
    uint64_t from = tally->last_ns ? tally->last_ns : job->begun_ns;
    uint64_t until = job->deadline_ns && job->deadline_ns < now ? job->deadline_ns : now;
    job->failing_ns = 0;
    if (until <= from || until - from <= tally->outage_ns) return;
    tally->outage_ns = until - from;
    tally->outage_from_ns = from;
}

/* The step ends while requests only fail. They fail until the step's time was over, or until the
 * step ended early. */
static inline void mohs_job_end(struct mohs_job *job, uint64_t now) {
    if (job->failing_ns == 0) return;
    uint64_t until = job->failed_ns;
    if (job->deadline_ns) {
        if (!job->tally->gone) until = now;
        if (job->deadline_ns < until) until = job->deadline_ns;
    }
    job->tally->down_until_ns = until;
    mohs_job_recover(job, until);
}

/* Whether a request may begin at all. */
static inline bool mohs_job_open(const struct mohs_job *job, uint64_t now) {
    if (job->open_loop) return !job->stopped && job->schedule.due_ns != MOHS_NO_LIMIT;
    if (job->limit_ns && now >= job->limit_ns) return false;
    return !job->stopped && job->quota > 0 && (job->deadline_ns == 0 || now < job->deadline_ns);
}

/* Whether an action under way may send its next step at at_ns. In an open loop it may do so during
 * the drain too. */
static inline bool mohs_job_goes_on(const struct mohs_job *job, uint64_t at_ns) {
    if (job->stopped || (job->limit_ns && at_ns >= job->limit_ns)) return false;
    return job->open_loop || job->deadline_ns == 0 || at_ns < job->deadline_ns;
}

/* Whether nothing is under way and nothing will come. An open loop lasts its full time even without
 * arrivals. */
static inline bool mohs_job_finished(const struct mohs_job *job, uint64_t now) {
    return job->in_flight == 0 && !mohs_job_open(job, now) &&
           (job->stopped || now >= job->deadline_ns);
}

#endif
