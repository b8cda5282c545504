#include "lane.h"

#include <string.h>

#include "clock.h"
#include "connection.h"
#include "worker.h"

void mohs_lane_forget(struct mohs_lane *lane) {
    lane->live_completed = lane->live_failed = 0;
    memset(lane->live_times, 0, sizeof lane->live_times);
}

void mohs_tally_add(struct mohs_tally *total, const struct mohs_tally *part) {
    total->sent += part->sent;
    total->completed += part->completed;
    total->good += part->good;
    for (int error = 0; error < MOHS_ERROR_COUNT; error++)
        total->errors[error] += part->errors[error];
    total->bytes += part->bytes;
    total->latency_sum_ns += part->latency_sum_ns;
    if (part->max_ns > total->max_ns) total->max_ns = part->max_ns;
    if (part->last_ns > total->last_ns) total->last_ns = part->last_ns;
    total->opened += part->opened;
    total->lost += part->lost;
    total->served += part->served;
    if (part->requests_min < total->requests_min) total->requests_min = part->requests_min;
    if (part->requests_max > total->requests_max) total->requests_max = part->requests_max;
    total->driver_cpu_ns += part->driver_cpu_ns;
    total->queued += part->queued;
    total->late += part->late;
    total->unsent += part->unsent;
    total->waiting_max += part->waiting_max; // at most: each worker's own moment
    total->actions += part->actions;
    total->finished += part->finished;
    total->gone |= part->gone;
    mohs_thread_stats_add(&total->thread_stats, &part->thread_stats);
}

/* The connection that has been free for longest, so that all get their turn. A new one, where that
 * was asked for, only while the server answers: a refusal is not cured by more connections. */
static struct mohs_connection *take(struct mohs_lane *lane) {
    struct mohs_connection *taken = lane->idle;
    if (taken) {
        lane->idle = taken->next_idle;
        return taken;
    }
    if (lane->connection_count == lane->connection_limit || lane->failing_ns) return NULL;
    taken = &lane->connections[lane->connection_count++];
    taken->free_ns = lane->worker->now_ns;
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

/* Only the walk over what has arrived knows how many wait: they are nowhere kept. */
static void count_waiting(struct mohs_lane *lane) {
    if (lane->schedule.due_ns > lane->worker->now_ns) return;
    mohs_schedule_pass(&lane->arrived, lane->worker->now_ns);
    uint64_t waiting = lane->arrived.passed - lane->schedule.passed;
    if (waiting > lane->tally->waiting_max) lane->tally->waiting_max = waiting;
}

/* After the step's time; where it has none, after the last one fell due. */
static bool too_late(const struct mohs_lane *lane) {
    if (lane->deadline_ns) return lane->worker->now_ns >= lane->deadline_ns;
    return lane->arrived.due_ns == MOHS_NO_LIMIT;
}

void mohs_lane_start(struct mohs_lane *lane) {
    lane->arrived = lane->schedule;
    lane->idle = NULL;
    for (size_t index = 0; index < lane->connection_count; index++)
        put(lane, &lane->connections[index], lane->schedule.begin_ns);
    mohs_lane_dispatch(lane);
}

void mohs_lane_free(struct mohs_lane *lane, struct mohs_connection *connection) {
    put(lane, connection, connection->free_ns);
    mohs_lane_dispatch(lane);
    uint64_t next = mohs_lane_due(lane);
    if (next < lane->worker->due_ns) lane->worker->due_ns = next;
}

void mohs_lane_dispatch(struct mohs_lane *lane) {
    struct mohs_connection *connection;
    struct mohs_tally *tally = lane->tally;
    struct mohs_worker *worker = lane->worker;
    if (lane->dispatching) return; // a request failed at once: the loop below goes on
    lane->dispatching = true;
    for (;;) {
        uint64_t due = lane->schedule.due_ns;
        worker->now_ns = mohs_now_ns(); // sending takes time: each is sent when it is
        if (lane->stopped || due > worker->now_ns || !(connection = take(lane))) break;
        mohs_schedule_next(&lane->schedule);
        tally->queued += connection->free_ns > due;
        tally->late += too_late(lane);
        mohs_connection_begin(connection, due);
    }
    lane->dispatching = false;
    count_waiting(lane);
}

uint64_t mohs_lane_due(const struct mohs_lane *lane) {
    bool room =
        lane->idle || (lane->connection_count < lane->connection_limit && !lane->failing_ns);
    return room && !lane->stopped ? lane->schedule.due_ns : MOHS_NO_LIMIT;
}

void mohs_lane_settle(struct mohs_lane *lane) {
    uint64_t until = mohs_now_ns();
    if (lane->deadline_ns && lane->deadline_ns < until) until = lane->deadline_ns;
    lane->tally->unsent = mohs_schedule_pass(&lane->schedule, until);
    for (size_t index = lane->connection_base; index < lane->connection_count; index++)
        mohs_connection_close(&lane->connections[index]);
    lane->connection_count = lane->connection_base;
}
