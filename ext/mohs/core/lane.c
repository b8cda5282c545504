#include "lane.h"

#include <string.h>

#include "clock.h"

/* Takes the connection that has been free for longest, so that all take turns. Opens a new one, if
 * allowed, only while the server responds: more connections don't cure a refusal. */
static struct mohs_connection *take(struct mohs_lane *lane) {
    struct mohs_connection *taken = lane->idle;
    if (taken) {
        lane->idle = taken->next_idle;
        return taken;
    }
    if (lane->connection_count == lane->connection_limit || lane->job.failing_ns) return NULL;
    taken = &lane->connections[lane->connection_count++];
    taken->free_ns = lane->job.loop->now_ns;
    taken->failures = 0;
    taken->answers = 0;
    taken->quota = MOHS_NO_LIMIT;
    return taken;
}

static void put(struct mohs_lane *lane, struct mohs_connection *connection, uint64_t free_ns) {
    connection->free_ns = free_ns;
    connection->next_idle = NULL;
    if (lane->idle) lane->idle_last->next_idle = connection;
    else lane->idle = connection;
    lane->idle_last = connection;
}

/* Waiting requests are not stored; only the schedule that counts arrivals knows their number. */
static void count_waiting(struct mohs_lane *lane) {
    uint64_t oldest = lane->job.schedule.due_ns, waiting = 0;
    if (oldest <= lane->job.loop->now_ns) {
        mohs_schedule_pass(&lane->arrived, lane->job.loop->now_ns);
        waiting = lane->arrived.passed - lane->job.schedule.passed;
    }
    mohs_live_set(&lane->job.live_oldest_ns, oldest);
    mohs_live_set(&lane->job.live_waiting, waiting);
    if (waiting > lane->job.tally->waiting_max) lane->job.tally->waiting_max = waiting;
}

/* Whether the step's time is over; without a duration, whether the last arrival has fallen due. */
static bool too_late(const struct mohs_lane *lane) {
    if (lane->job.deadline_ns) return lane->job.loop->now_ns >= lane->job.deadline_ns;
    return lane->arrived.due_ns == MOHS_NO_LIMIT;
}

/* mohs_job.freed: a free connection gets the request that has waited longest. */
static void freed(struct mohs_job *job, struct mohs_connection *connection) {
    struct mohs_lane *lane = (struct mohs_lane *)job;
    put(lane, connection, connection->free_ns);
    mohs_lane_dispatch(lane);
    uint64_t next = mohs_lane_due(lane);
    if (next < job->loop->due_ns) job->loop->due_ns = next;
}

void mohs_lane_init(struct mohs_lane *lane, struct mohs_target *target, struct mohs_loop *loop) {
    lane->job.target = target;
    lane->job.loop = loop;
    lane->job.freed = freed;
}

void mohs_lane_forget(struct mohs_lane *lane) {
    lane->job.live_completed = lane->job.live_failed = lane->job.live_waiting = 0;
    memset(lane->job.live_times, 0, sizeof lane->job.live_times);
}

void mohs_lane_start(struct mohs_lane *lane) {
    lane->arrived = lane->job.schedule;
    lane->idle = NULL;
    for (size_t index = 0; index < lane->connection_count; index++)
        put(lane, &lane->connections[index], lane->job.schedule.begin_ns);
    mohs_lane_dispatch(lane);
}

void mohs_lane_dispatch(struct mohs_lane *lane) {
    struct mohs_connection *connection;
    struct mohs_tally *tally = lane->job.tally;
    struct mohs_loop *loop = lane->job.loop;
    if (lane->dispatching)
        return; // called again from the loop below, where a request failed at once
    lane->dispatching = true;
    for (;;) {
        uint64_t due = lane->job.schedule.due_ns;
        loop->now_ns = mohs_now_ns(); // sending takes time: read the clock for each request
        mohs_loop_ran(loop, loop->now_ns);
        if (lane->job.stopped || due > loop->now_ns || !(connection = take(lane))) break;
        mohs_schedule_next(&lane->job.schedule);
        tally->late += too_late(lane);
        mohs_connection_begin(connection, due);
    }
    lane->dispatching = false;
    count_waiting(lane);
}

void mohs_lane_look(struct mohs_lane *lane) {
    if (!lane->job.stopped) count_waiting(lane);
}

uint64_t mohs_lane_due(const struct mohs_lane *lane) {
    bool room =
        lane->idle || (lane->connection_count < lane->connection_limit && !lane->job.failing_ns);
    return room && !lane->job.stopped ? lane->job.schedule.due_ns : MOHS_NO_LIMIT;
}

static void record_unsent(struct mohs_job *job, uint64_t now_ns) {
    struct mohs_record *record = mohs_recording_next(&job->unsent);
    if (!record) return;
    uint64_t due = job->schedule.due_ns;
    *record = (struct mohs_record){.error = MOHS_ABORTED,
                                   .flags = MOHS_RECORD_IN_FLIGHT | MOHS_RECORD_QUEUED};
    record->due_ns = (due - job->loop->epoch_ns) & ((1ull << 48) - 1);
    record->done_ns = (now_ns - due) & ((1ull << 40) - 1);
    if (job->warm_up) record->flags |= MOHS_RECORD_WARM_UP;
}

void mohs_lane_settle(struct mohs_lane *lane) {
    struct mohs_job *job = &lane->job;
    uint64_t now = mohs_now_ns();
    uint64_t until = job->deadline_ns && job->deadline_ns < now ? job->deadline_ns : now;
    for (; job->schedule.due_ns <= until; mohs_schedule_next(&job->schedule)) {
        if (job->schedule.due_ns == MOHS_NO_LIMIT) break;
        record_unsent(job, now);
        job->tally->unsent++;
        job->tally->queued++;
    }
    mohs_live_set(&job->live_waiting, 0);
}

void mohs_lane_close(struct mohs_lane *lane) {
    for (size_t index = lane->connection_base; index < lane->connection_count; index++)
        mohs_connection_close(&lane->connections[index]);
    lane->connection_count = lane->connection_base;
}
