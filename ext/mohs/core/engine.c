#include "engine.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <unistd.h>

#include "clock.h"
#include "connection.h"
#include "select.h"

/* How long opening a step's connections may take. Those not open by then open with their first
 * request. */
#define PREPARE_NS (2 * MOHS_SECOND)

/* How long to look for bytes that follow the last responses of a list of steps. */
#define AFTERMATH_LEAST_NS MOHS_MILLISECOND
#define AFTERMATH_MOST_NS  (50 * MOHS_MILLISECOND)

/* How many ages stand for those of all requests that wait for a connection, in live figures. */
#define LIVE_PARTS 1000

/* A record holds 24 bits of a connection's index. */
#define MAX_CONNECTIONS (1u << 24)

static struct mohs_lane *lane_of(const struct mohs_engine *engine, size_t worker, size_t target) {
    return &engine->lanes[worker * engine->target_count + target];
}

static size_t lane_total(const struct mohs_engine *engine) {
    return engine->worker_count * engine->target_count;
}

/* ---- set-up ---------------------------------------------------------------------------------- */

static int allocate(struct mohs_engine *engine, const int *cpus) {
    size_t cpu_bytes = engine->cpu_count * sizeof *cpus;
    size_t worker_bytes = engine->worker_count * sizeof *engine->workers;
    engine->targets = calloc(engine->target_count, sizeof *engine->targets);
    engine->lanes = calloc(lane_total(engine), sizeof *engine->lanes);
    engine->cpus = malloc(cpu_bytes + sizeof *cpus);
    engine->workers = aligned_alloc(_Alignof(struct mohs_worker), worker_bytes);
    engine->done = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    pthread_mutex_init(&engine->gate, NULL);
    if (engine->workers) memset(engine->workers, 0, worker_bytes);
    if (!engine->targets || !engine->lanes || !engine->cpus || !engine->workers) return -ENOMEM;
    if (engine->done < 0) return -errno;
    if (cpu_bytes) memcpy(engine->cpus, cpus, cpu_bytes);
    return 0;
}

void mohs_engine_pin(struct mohs_engine *engine, const int *cpus) {
    assert(!engine->started);
    for (size_t at = 0; at < engine->cpu_count; at++) engine->cpus[at] = cpus[at];
}

int mohs_engine_init(struct mohs_engine *engine, size_t targets, size_t workers, const int *cpus,
                     size_t cpu_count) {
    assert(targets > 0 && workers > 0);
    *engine = (struct mohs_engine){.target_count = targets, .done = -1, .cpu_count = cpu_count};
    if (targets > MOHS_MAX_TARGETS) return -E2BIG;
    engine->worker_count = workers;
    int result = allocate(engine, cpus);
    for (size_t at = 0; engine->workers && at < workers; at++)
        engine->workers[at] = (struct mohs_worker){
            .loop = MOHS_LOOP_NONE, .timer = -1, .stamped = -1, .owner = engine};
    for (size_t at = 0; result == 0 && at < workers; at++) {
        struct mohs_worker *worker = &engine->workers[at];
        worker->lanes = lane_of(engine, at, 0);
        worker->lane_count = targets;
        result = mohs_worker_init(worker);
    }
    if (result) mohs_engine_free(engine);
    return result;
}

/* How many of a target's first `connections` belong to `worker`. */
static size_t share_of(const struct mohs_target *target, size_t worker, uint32_t connections) {
    size_t share = 0;
    for (size_t index = 0; index < connections; index++)
        share += target->workers[index % target->worker_count] == worker;
    return share;
}

static void make_connection(struct mohs_engine *engine, struct mohs_connection *connection,
                            struct mohs_lane *lane, uint32_t index, uint64_t seed) {
    char *scratch = engine->scratch + (size_t)index * (MOHS_HTTP_LINE_MAX + MOHS_SAMPLE_MAX);
    *connection = (struct mohs_connection){
        .job = &lane->job,
        .fd = -1,
        .spare = -1,
        .left = -1,
        .index = index,
        .line = scratch,
        .sample = scratch + MOHS_HTTP_LINE_MAX,
        .random = seed ^ (uint64_t)(index + 1) * 0xd1342543de82ef95u, // odd: spreads the seeds
    };
    uint32_t number = index - lane->job.target->first_connection;
    connection->client = mohs_target_client(lane->job.target, number, connection->random);
}

/* A lane's connections are adjacent in memory; indexes are dealt to the workers in turn, so an
 * index is not a position. */
static int make_lane(struct mohs_engine *engine, size_t worker, size_t target, uint64_t seed,
                     size_t capacity, struct mohs_connection **next) {
    struct mohs_lane *lane = lane_of(engine, worker, target);
    struct mohs_target *of = &engine->targets[target];
    mohs_lane_init(lane, of, &engine->workers[worker].loop);
    lane->connections = *next;
    lane->connection_count = lane->connection_base = share_of(of, worker, of->connections);
    lane->connection_limit = share_of(of, worker, of->max_connections);
    for (uint32_t index = 0; index < of->max_connections; index++)
        if (of->workers[index % of->worker_count] == worker)
            make_connection(engine, (*next)++, lane, of->first_connection + index, seed);
    if (lane->connection_count == 0) return 0;
    int result = mohs_recording_init(&lane->job.unsent, 1); // most steps need none
    if (result) return result;
    size_t share = capacity / of->worker_count;
    return mohs_recording_init(&lane->job.recording, share < SIZE_MAX ? share + 1 : share);
}

int mohs_engine_ready(struct mohs_engine *engine, uint64_t seed, size_t capacity) {
    for (size_t at = 0; at < engine->target_count; at++) {
        struct mohs_target *target = &engine->targets[at];
        target->first_connection = engine->connection_count;
        if (target->max_connections < target->connections)
            target->max_connections = target->connections;
        int result = mohs_target_map_clients(target);
        if (result) return result;
        if (target->max_connections >= MAX_CONNECTIONS - engine->connection_count) return -E2BIG;
        engine->connection_count += target->max_connections;
    }
    size_t scratch = MOHS_HTTP_LINE_MAX + MOHS_SAMPLE_MAX;
    engine->scratch_bytes = engine->connection_count * scratch;
    engine->scratch = mmap(NULL, engine->scratch_bytes, PROT_READ | PROT_WRITE,
                           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (engine->scratch == MAP_FAILED) return -errno;
    engine->connections = calloc(engine->connection_count, sizeof *engine->connections);
    if (!engine->connections) return -ENOMEM;
    struct mohs_connection *next = engine->connections;
    for (size_t worker = 0; worker < engine->worker_count; worker++) {
        for (size_t target = 0; target < engine->target_count; target++) {
            int result = make_lane(engine, worker, target, seed, capacity, &next);
            if (result) return result;
        }
    }
    engine->epoch_ns = mohs_now_ns();
    for (size_t worker = 0; worker < engine->worker_count; worker++)
        engine->workers[worker].loop.epoch_ns = engine->epoch_ns;
    return 0;
}

/* ---- what a worker does ---------------------------------------------------------------------- */

/* Spreads the count over the connections so that no two differ by more than one. */
static void give_quota(struct mohs_lane *lane, const struct mohs_step *step) {
    const struct mohs_target *target = lane->job.target;
    bool limited = !step->duration_ns && !lane->job.open_loop; // arrivals count themselves
    lane->job.quota = limited ? 0 : MOHS_NO_LIMIT;
    for (size_t at = 0; at < lane->connection_count; at++) {
        struct mohs_connection *connection = &lane->connections[at];
        uint32_t place = connection->index - target->first_connection;
        uint64_t share = step->count / target->connections;
        if (place < step->count % target->connections) share++;
        connection->quota = limited ? share : MOHS_NO_LIMIT;
        connection->answers = 0;
        connection->failures = 0;
        if (limited) lane->job.quota += share;
    }
    if (lane->connection_count == 0) lane->job.quota = 0;
}

/* Before the first barrier: prepares what does not depend on the common start time. A lane without
 * a tally sits the step out. */
static void ready_lanes(struct mohs_worker *worker, size_t number) {
    const struct mohs_engine *engine = worker->owner;
    const struct mohs_step *step = &engine->steps[number];
    for (size_t at = 0; at < worker->lane_count; at++) {
        struct mohs_lane *lane = &worker->lanes[at];
        struct mohs_job *job = &lane->job;
        size_t place = (size_t)(lane - engine->lanes);
        job->tally = NULL;
        if (!(step->targets >> at & 1) || lane->connection_count == 0) continue;
        job->tally = &engine->tallies[number * lane_total(engine) + place];
        job->tally->first_record = job->tally->end_record = job->recording.size;
        job->stopped = false;
        job->failing_ns = job->failed_ns = 0;
        job->hang_up = step->hang_up;
        job->warm_up = step->warm_up;
        job->login = step->login;
        job->open_loop = step->arrivals.kind != MOHS_CLOSED_LOOP;
        give_quota(lane, step);
    }
}

/* Each target gets its own process: with the same one all targets would be busy at the same
 * moments. */
static void set_schedule(struct mohs_job *job, uint32_t worker, size_t target,
                         const struct mohs_step *step, uint64_t begin_ns) {
    struct mohs_arrivals arrivals = step->arrivals;
    struct mohs_share share = {.workers = job->target->workers,
                               .worker_count = job->target->worker_count,
                               .connections = job->target->connections,
                               .worker = worker};
    arrivals.seed += target * 0xd1342543de82ef95u;
    mohs_schedule_init(&job->schedule, &arrivals, &share, begin_ns, step->duration_ns,
                       step->duration_ns ? MOHS_NO_LIMIT : step->count);
}

/* After the barrier: sets when to stop, and from when arrivals count. */
static void set_times(struct mohs_worker *worker, size_t number) {
    const struct mohs_engine *engine = worker->owner;
    uint64_t duration = engine->steps[number].duration_ns;
    uint64_t limit = engine->steps[number].limit_ns;
    for (size_t at = 0; at < worker->lane_count; at++) {
        struct mohs_job *job = &worker->lanes[at].job;
        job->begun_ns = engine->started_ns[number];
        job->deadline_ns = duration ? engine->started_ns[number] + duration : 0;
        job->limit_ns = limit ? engine->started_ns[number] + limit : 0;
        job->drain_ns = job->deadline_ns + engine->drain_ns;
        if (job->tally && job->open_loop)
            set_schedule(job, (uint32_t)(worker - engine->workers), at, &engine->steps[number],
                         engine->started_ns[number]);
    }
}

static void count_connections(const struct mohs_lane *lane) {
    struct mohs_tally *tally = lane->job.tally;
    tally->requests_min = MOHS_NO_LIMIT;
    for (size_t index = 0; index < lane->connection_count; index++) {
        uint64_t answers = lane->connections[index].answers;
        tally->served += answers > 0;
        if (answers < tally->requests_min) tally->requests_min = answers;
        if (answers > tally->requests_max) tally->requests_max = answers;
    }
}

/* How long to wait for unrequested bytes after the last responses: if every response was mistaken
 * for that of the request after its own, one is still to come. */
static uint64_t aftermath_ns(const struct mohs_worker *worker) {
    uint64_t longest = AFTERMATH_LEAST_NS;
    for (size_t at = 0; at < worker->lane_count; at++) {
        const struct mohs_tally *tally = worker->lanes[at].job.tally;
        uint64_t mean = tally && tally->good ? tally->latency_sum_ns / tally->good : 0;
        if (2 * mean > longest) longest = 2 * mean;
    }
    return longest < AFTERMATH_MOST_NS ? longest : AFTERMATH_MOST_NS;
}

/* After the barrier, when the clocks of the watched processes have been read. A list that is
 * followed by another leaves it to that to detect surplus bytes. */
static void close_lanes(struct mohs_worker *worker, size_t number) {
    const struct mohs_engine *engine = worker->owner;
    bool rests = number + 1 == engine->step_count && !engine->steps[number].followed &&
                 !atomic_load(&engine->stop);
    mohs_worker_check(worker, rests ? aftermath_ns(worker) : 0);
    for (size_t at = 0; at < worker->lane_count; at++) {
        struct mohs_lane *lane = &worker->lanes[at];
        if (!lane->job.tally) continue;
        lane->job.tally->end_record = lane->job.recording.size;
        count_connections(lane);
        mohs_lane_close(lane);
    }
}

/* Called right after the load: counts the requests that are still waiting. */
static void settle_lanes(struct mohs_worker *worker) {
    for (size_t at = 0; at < worker->lane_count; at++)
        if (worker->lanes[at].job.tally && worker->lanes[at].job.open_loop)
            mohs_lane_settle(&worker->lanes[at]);
}

/* Of a step and a target: where `clocks` has the CPU times of the target's watched processes. */
static int64_t *clocks_of(const struct mohs_engine *engine, size_t step, size_t target) {
    return engine->clocks + step * engine->first_clock[engine->target_count] +
           engine->first_clock[target];
}

static size_t clock_count(const struct mohs_engine *engine, size_t target) {
    return engine->first_clock[target + 1] - engine->first_clock[target];
}

/* Reads the CPU clocks of the processes watched in a step, `end` of which replaces what the
 * beginning left by what each has spent. */
static void read_clocks(struct mohs_engine *engine, size_t step, bool end) {
    for (size_t target = 0; target < engine->target_count; target++) {
        int64_t *clocks = clocks_of(engine, step, target);
        if (!(engine->steps[step].targets >> target & 1)) continue;
        for (size_t at = 0; at < clock_count(engine, target); at++) {
            int64_t now = mohs_process_cpu_ns(engine->targets[target].watched[at]);
            bool known = now >= 0 && clocks[at] >= 0;
            clocks[at] = end ? (known ? now - clocks[at] : -1) : now;
        }
    }
}

static void begin_step(struct mohs_engine *engine, size_t number) {
    engine->halted = atomic_load(&engine->stop);
    if (engine->halted) return;
    read_clocks(engine, number, false);
    __atomic_store_n(&engine->live_step, number, __ATOMIC_RELAXED);
    engine->started_ns[number] = mohs_now_ns();
}

static void end_step(struct mohs_engine *engine, size_t number) {
    engine->ended_ns[number] = mohs_now_ns();
    read_clocks(engine, number, true);
    engine->steps_done = number + 1;
}

/* A barrier for all workers; one of them calls `meanwhile` before any of them goes on. */
static void meet(struct mohs_engine *engine, size_t number,
                 void (*meanwhile)(struct mohs_engine *, size_t)) {
    if (pthread_barrier_wait(&engine->barrier) == PTHREAD_BARRIER_SERIAL_THREAD)
        meanwhile(engine, number);
    pthread_barrier_wait(&engine->barrier);
}

static void *work(void *argument) {
    struct mohs_worker *worker = argument;
    struct mohs_engine *engine = worker->owner;
    mohs_worker_begin(worker, engine->sched_class);
    pthread_mutex_lock(&engine->gate); // until all threads exist: the barriers count them
    pthread_mutex_unlock(&engine->gate);
    for (size_t number = 0; number < engine->step_count; number++) {
        ready_lanes(worker, number);
        if (!atomic_load(&engine->stop)) mohs_worker_prepare(worker, mohs_now_ns() + PREPARE_NS);
        meet(engine, number, begin_step);
        if (engine->halted) break;
        set_times(worker, number);
        mohs_worker_load(worker, engine->gone_ns, &engine->stop);
        settle_lanes(worker);
        meet(engine, number, end_step);
        close_lanes(worker, number);
    }
    mohs_worker_end(worker);
    if (atomic_fetch_sub(&engine->running, 1) == 1) mohs_eventfd_set(engine->done);
    return NULL;
}

/* ---- a list of steps ------------------------------------------------------------------------- */

static void free_list(struct mohs_engine *engine) {
    free(engine->steps);
    free(engine->times);
    free(engine->tallies);
    free(engine->clocks);
    free(engine->first_clock);
    free(engine->started_ns);
    free(engine->ended_ns);
    engine->steps = NULL;
    engine->times = NULL;
    engine->tallies = NULL;
    engine->clocks = NULL;
    engine->first_clock = NULL;
    engine->started_ns = engine->ended_ns = NULL;
    engine->step_count = engine->steps_done = 0;
}

/* Copies the given times of all steps, one after the other. Returns false without memory. */
static bool copy_times(struct mohs_engine *engine, const struct mohs_step *steps, size_t count) {
    size_t total = 0;
    for (size_t at = 0; at < count; at++) total += steps[at].arrivals.time_count;
    engine->times = calloc(total + 1, sizeof *engine->times);
    if (!engine->times) return false;
    uint64_t *next = engine->times;
    for (size_t at = 0; at < count; at++) {
        const struct mohs_arrivals *arrivals = &steps[at].arrivals;
        engine->steps[at].arrivals.times = next;
        if (arrivals->time_count)
            memcpy(next, arrivals->times, arrivals->time_count * sizeof *next);
        next += arrivals->time_count;
    }
    return true;
}

/* Makes room for the CPU times of all processes watched in a list of steps. Returns false without
 * memory. */
static bool make_clocks(struct mohs_engine *engine, size_t count) {
    engine->first_clock = calloc(engine->target_count + 1, sizeof *engine->first_clock);
    if (!engine->first_clock) return false;
    for (size_t target = 0; target < engine->target_count; target++)
        engine->first_clock[target + 1] =
            engine->first_clock[target] + engine->targets[target].watched_count;
    size_t total = count * engine->first_clock[engine->target_count];
    engine->clocks = calloc(total + 1, sizeof *engine->clocks);
    return engine->clocks != NULL;
}

static int copy_list(struct mohs_engine *engine, const struct mohs_step *steps, size_t count) {
    free_list(engine);
    engine->steps = calloc(count, sizeof *steps);
    engine->tallies = calloc(count * lane_total(engine), sizeof *engine->tallies);
    if (!make_clocks(engine, count)) return -ENOMEM;
    engine->started_ns = calloc(count, sizeof *engine->started_ns);
    engine->ended_ns = calloc(count, sizeof *engine->ended_ns);
    if (!engine->steps || !engine->tallies || !engine->started_ns || !engine->ended_ns)
        return -ENOMEM;
    memcpy(engine->steps, steps, count * sizeof *steps);
    engine->step_count = count;
    return copy_times(engine, steps, count) ? 0 : -ENOMEM;
}

static int start_worker(struct mohs_engine *engine, size_t number) {
    struct mohs_worker *worker = &engine->workers[number];
    int cpu = engine->cpu_count ? engine->cpus[number % engine->cpu_count] : -1;
    return mohs_worker_run(worker, cpu, work, worker);
}

/* If a thread can't be started, the others find no steps behind the gate. */
static int start_workers(struct mohs_engine *engine) {
    int result = 0;
    pthread_mutex_lock(&engine->gate);
    while (result == 0 && engine->threads < engine->worker_count) {
        result = start_worker(engine, engine->threads);
        if (result == 0) engine->threads++;
    }
    if (result) engine->step_count = 0;
    pthread_mutex_unlock(&engine->gate);
    return result;
}

int mohs_engine_start(struct mohs_engine *engine, const struct mohs_step *steps, size_t count) {
    assert(!engine->started && count > 0);
    int result = copy_list(engine, steps, count);
    if (result) return result;
    atomic_store(&engine->stop, false);
    atomic_store(&engine->running, engine->worker_count);
    mohs_eventfd_clear(engine->done);
    for (size_t at = 0; at < engine->worker_count; at++) {
        mohs_eventfd_clear(engine->workers[at].loop.wake);
        engine->workers[at].spin = engine->spin;
        engine->workers[at].measures_speed = engine->measures_speed;
    }
    engine->live_step = 0;
    for (size_t at = 0; at < lane_total(engine); at++) mohs_lane_forget(&engine->lanes[at]);
    pthread_barrier_init(&engine->barrier, NULL, (unsigned)engine->worker_count);
    engine->started = true;
    result = start_workers(engine);
    if (result) mohs_engine_join(engine);
    return result;
}

bool mohs_engine_wait(struct mohs_engine *engine, int ms) {
    if (atomic_load(&engine->running) == 0) return true;
    mohs_eventfd_wait(engine->done, ms);
    return atomic_load(&engine->running) == 0;
}

void mohs_engine_poke(struct mohs_engine *engine) {
    mohs_eventfd_set(engine->done);
}

void mohs_engine_stop(struct mohs_engine *engine) {
    atomic_store(&engine->stop, true);
    for (size_t at = 0; engine->workers && at < engine->worker_count; at++)
        mohs_eventfd_set(engine->workers[at].loop.wake);
}

void mohs_engine_join(struct mohs_engine *engine) {
    if (!engine->started) return;
    for (size_t at = 0; at < engine->threads; at++) pthread_join(engine->workers[at].thread, NULL);
    engine->threads = 0;
    engine->started = false;
    pthread_barrier_destroy(&engine->barrier);
}

enum mohs_sched_class mohs_engine_sched_class(const struct mohs_engine *engine) {
    return mohs_workers_sched_class(engine->workers, engine->worker_count);
}

/* Only the number of requests that wait for a connection and the age of the oldest are known.
 * Their ages are taken as evenly spaced, as they are at a steady rate. */
static void add_waiting(struct mohs_live *live, const struct mohs_job *job, uint64_t now_ns) {
    uint64_t waiting = mohs_live_get(&job->live_waiting);
    uint64_t oldest = mohs_live_get(&job->live_oldest_ns);
    uint64_t age = now_ns > oldest ? now_ns - oldest : 0;
    uint64_t parts = waiting < LIVE_PARTS ? waiting : LIVE_PARTS;
    for (uint64_t at = 0; at < parts; at++)
        live->waiting[mohs_time_step(age * (at + 1) / parts)] +=
            waiting / parts + (at < waiting % parts);
}

void mohs_engine_live(const struct mohs_engine *engine, struct mohs_live *live) {
    uint64_t now = mohs_now_ns();
    *live = (struct mohs_live){0};
    live->step = mohs_live_get(&engine->live_step);
    for (size_t at = 0; at < lane_total(engine); at++) {
        const struct mohs_job *job = &engine->lanes[at].job;
        live->completed += mohs_live_get(&job->live_completed);
        live->failed += mohs_live_get(&job->live_failed);
        for (size_t step = 0; step < MOHS_TIME_STEPS; step++)
            live->times[step] += mohs_live_get(&job->live_times[step]);
        add_waiting(live, job, now);
    }
    for (uint32_t at = 0; at < engine->connection_count; at++) {
        uint64_t since = mohs_live_get(&engine->connections[at].live_since_ns);
        if (since) live->waiting[mohs_time_step(now > since ? now - since : 0)]++;
    }
}

/* ---- results --------------------------------------------------------------------------------- */

size_t mohs_engine_steps_done(const struct mohs_engine *engine) {
    return engine->steps_done;
}

/* Gives the step's records on every lane, as mohs_engine_runs does. */
static size_t runs_of_step(const struct mohs_engine *engine, size_t step, size_t target,
                           struct mohs_run *runs, size_t max) {
    size_t count = 0;
    for (size_t worker = 0; worker < engine->worker_count; worker++) {
        size_t place = worker * engine->target_count + target;
        const struct mohs_tally *tally = &engine->tallies[step * lane_total(engine) + place];
        size_t room = count < max ? max - count : 0;
        count += mohs_recording_runs(&engine->lanes[place].job.recording, tally->first_record,
                                     tally->end_record, room ? runs + count : NULL, room);
    }
    return count;
}

/* The smallest time that `percent` of the `total` requests of this kind did not exceed. */
static uint64_t quantile(const struct mohs_run *runs, size_t count, enum mohs_kind kind,
                         uint64_t total, uint64_t percent) {
    return total
               ? mohs_select(runs, count, kind, (total * percent + 99) / 100 - 1, MOHS_WITH_WARM_UP)
               : 0;
}

/* The median among all requests, like every percentile. */
static void find_median(const struct mohs_run *runs, size_t count,
                        struct mohs_step_result *result) {
    const unsigned all = MOHS_WITH_FAILED | MOHS_WITH_WARM_UP;
    uint64_t total = mohs_count(runs, count, MOHS_SERVICE, all);
    if (!total) return;
    struct mohs_ranked median = mohs_rank(runs, count, MOHS_SERVICE, (total + 1) / 2 - 1, all);
    result->has_p50 = !median.endless;
    result->p50_ns = median.endless ? 0 : median.ns;
}

/*
 * The length of the rate's edges. By times: all connections begin together, and if each is served
 * at once their responses come together, too, a mean service time apart. With one connection there
 * are no bunches.
 */
static uint64_t edge_of(const struct mohs_step *step, const struct mohs_run *runs, size_t count,
                        uint64_t good, uint32_t connections) {
    if (step->edge_ns != MOHS_EDGE_BY_TIMES) return step->edge_ns;
    if (good == 0 || connections < 2) return 0;
    return 2 * mohs_service_sum(runs, count) / good;
}

/* The first requests may all wait before one of them computes, so the pace begins later. */
static int64_t loaded_cpu(const struct mohs_tally *total, uint64_t loaded_ns) {
    struct mohs_reading from = total->first, to = total->full;
    if (!from.at_ns || to.at_ns <= from.at_ns || from.cpu_ns < 0 || to.cpu_ns < 0) return -1;
    double pace = (double)(to.cpu_ns - from.cpu_ns) / (double)(to.at_ns - from.at_ns);
    return (int64_t)(pace * (double)loaded_ns);
}

/*
 * How long all connections were loaded, and the time that the good responses take at the rate of
 * that part. What is in flight when no more is sent comes more slowly than under load: connections
 * that are done leave threads, or whole processes of the server, without work. So a timed closed
 * loop counts the responses until then. A counted step, an open loop, and a step whose server
 * answered nothing after its time, or was given up, are one whole.
 */
static void find_rate(const struct mohs_step *step, const struct mohs_run *runs, size_t count,
                      struct mohs_step_result *result, uint64_t epoch_ns, uint32_t connections) {
    const struct mohs_tally *total = &result->total;
    uint64_t begun = epoch_ns + result->started_ns;
    bool whole = result->open_loop || total->gone || total->full_until_ns <= begun;
    uint64_t loaded = whole ? result->wall_ns : total->full_until_ns - begun;
    result->span_ns = result->wall_ns;
    result->loaded_ns = loaded < result->wall_ns ? loaded : result->wall_ns;
    result->in_use_ns = mohs_service_within(runs, count, result->started_ns, result->loaded_ns);
    result->loaded_cpu_ns = -1;
    if (whole || !step->duration_ns) return;
    result->loaded_cpu_ns = loaded_cpu(total, result->loaded_ns);
    uint64_t edge = edge_of(step, runs, count, total->good, connections);
    double span =
        mohs_edged_span(runs, count, result->started_ns, result->loaded_ns, edge, total->good);
    if (span > 0) result->span_ns = (uint64_t)span;
}

/* Fills in the figures that need every single request. Returns 0 or -ENOMEM. */
static int find_quantiles(const struct mohs_engine *engine, size_t step, size_t target,
                          struct mohs_step_result *result) {
    size_t count = runs_of_step(engine, step, target, NULL, 0);
    struct mohs_run *runs = malloc((count + 1) * sizeof *runs);
    if (!runs) return -ENOMEM;
    runs_of_step(engine, step, target, runs, count);
    uint64_t at_once = mohs_count(runs, count, MOHS_LAG, MOHS_WITH_WARM_UP);
    find_median(runs, count, result);
    find_rate(&engine->steps[step], runs, count, result, engine->epoch_ns,
              engine->targets[target].connections);
    result->service_sum_ns = mohs_service_sum(runs, count);
    result->turn_ns = quantile(runs, count, MOHS_LAG, at_once, 50);
    if (result->total.errors[MOHS_EXTRA_BYTES]) // the longest may have been one of these
        result->total.max_ns = quantile(runs, count, MOHS_RESPONSE, result->total.good, 100);
    if (result->open_loop) {
        uint64_t queued = mohs_count(runs, count, MOHS_QUEUE, MOHS_WITH_WARM_UP);
        result->has_lag = at_once > 0;
        result->has_queue = queued > 0;
        for (size_t at = 0; at < 2; at++) {
            result->lag_ns[at] =
                at ? quantile(runs, count, MOHS_LAG, at_once, 99) : result->turn_ns;
            result->queue_ns[at] = quantile(runs, count, MOHS_QUEUE, queued, at ? 99 : 50);
        }
    }
    free(runs);
    return 0;
}

/*
 * When the step ended. An open loop lasts its full time unless it was stopped. A step whose server
 * left requests unanswered lasts its full time or, if it has none, until these requests were given
 * up. A step in which requests failed after the last response lasts until its time was over or the
 * server was given up. If a step ended with its last response, a server that hangs or dies would
 * be the fastest of all; if it ended where its last requests were given up, a server that keeps
 * some connections waiting would seem too slow, since nothing is asked of it once the time is
 * over.
 */
static uint64_t end_of(const struct mohs_engine *engine, size_t step,
                       const struct mohs_tally *total) {
    uint64_t hanging = total->errors[MOHS_ABORTED] + total->errors[MOHS_TIMEOUT] +
                       total->errors[MOHS_TIMEOUT_FIRST];
    uint64_t last = total->last_ns > total->down_until_ns ? total->last_ns : total->down_until_ns;
    uint64_t end = last && !hanging ? last : engine->ended_ns[step];
    uint64_t duration = engine->steps[step].duration_ns;
    uint64_t wanted = engine->started_ns[step] + duration;
    if (wanted > engine->ended_ns[step]) wanted = engine->ended_ns[step];
    if (duration && hanging && end > wanted)
        end = total->last_ns > wanted ? total->last_ns : wanted;
    if (engine->steps[step].arrivals.kind == MOHS_CLOSED_LOOP) return end;
    return end < wanted ? wanted : end;
}

void mohs_engine_set_aside(struct mohs_engine *engine, size_t step, size_t target) {
    assert(step < engine->steps_done && target < engine->target_count);
    for (size_t worker = 0; worker < engine->worker_count; worker++) {
        size_t place = worker * engine->target_count + target;
        const struct mohs_tally *tally = &engine->tallies[step * lane_total(engine) + place];
        if (engine->lanes[place].connection_count)
            mohs_recording_set_aside(&engine->lanes[place].job.recording, tally->first_record,
                                     tally->end_record);
    }
}

/* -1 if one of them is unknown, or without any. */
static int64_t sum_if_known(const int64_t *values, size_t count) {
    int64_t total = 0;
    for (size_t at = 0; at < count; at++) {
        if (values[at] < 0) return -1;
        total += values[at];
    }
    return count ? total : -1;
}

int mohs_engine_result(const struct mohs_engine *engine, size_t step, size_t target,
                       struct mohs_step_result *result) {
    assert(step < engine->steps_done && target < engine->target_count);
    uint64_t started = engine->started_ns[step];
    *result = (struct mohs_step_result){
        .total = MOHS_TALLY_NONE,
        .open_loop = engine->steps[step].arrivals.kind != MOHS_CLOSED_LOOP,
        .scenario = engine->targets[target].scenario != NULL,
    };
    for (size_t worker = 0; worker < engine->worker_count; worker++) {
        size_t place = worker * engine->target_count + target;
        if (engine->lanes[place].connection_count)
            mohs_tally_add(&result->total, &engine->tallies[step * lane_total(engine) + place]);
    }
    result->started_ns = started - engine->epoch_ns;
    if (result->total.outage_ns) result->total.outage_from_ns -= started;
    result->wall_ns = end_of(engine, step, &result->total) - started;
    result->processes_cpu_ns = clocks_of(engine, step, target);
    result->process_count = clock_count(engine, target);
    result->cpu_ns = sum_if_known(result->processes_cpu_ns, result->process_count);
    return find_quantiles(engine, step, target, result);
}

size_t mohs_engine_runs(const struct mohs_engine *engine, size_t target, bool unsent,
                        struct mohs_run *runs, size_t max) {
    size_t count = 0;
    for (size_t worker = 0; worker < engine->worker_count; worker++) {
        const struct mohs_job *job = &lane_of(engine, worker, target)->job;
        const struct mohs_recording *recording = unsent ? &job->unsent : &job->recording;
        size_t room = count < max ? max - count : 0;
        count +=
            mohs_recording_runs(recording, 0, recording->size, room ? runs + count : NULL, room);
    }
    return count;
}

const struct mohs_failed_response *mohs_engine_failed_response(const struct mohs_engine *engine,
                                                               size_t target) {
    const struct mohs_failed_response *first = NULL;
    for (size_t worker = 0; worker < engine->worker_count; worker++) {
        const struct mohs_failed_response *own =
            &lane_of(engine, worker, target)->job.failed_response;
        if (own->at_ns && (!first || own->at_ns < first->at_ns)) first = own;
    }
    return first;
}

bool mohs_engine_handshakes(const struct mohs_engine *engine, size_t target,
                            struct mohs_handshakes *handshakes) {
    *handshakes = (struct mohs_handshakes){0};
    for (size_t worker = 0; worker < engine->worker_count; worker++) {
        const struct mohs_handshakes *own = &lane_of(engine, worker, target)->job.handshakes;
        handshakes->done += own->done;
        handshakes->failed += own->failed;
        for (size_t step = 0; step < MOHS_TIME_STEPS; step++)
            handshakes->times[step] += own->times[step];
    }
    return engine->targets[target].tls;
}

uint64_t mohs_engine_lost_records(const struct mohs_engine *engine) {
    uint64_t lost = 0;
    for (size_t at = 0; at < lane_total(engine); at++)
        lost += engine->lanes[at].job.recording.lost + engine->lanes[at].job.unsent.lost;
    return lost;
}

/* ---- the end --------------------------------------------------------------------------------- */

void mohs_engine_close(struct mohs_engine *engine) {
    if (!engine->connections) return;
    for (uint32_t at = 0; at < engine->connection_count; at++)
        if (engine->connections[at].job) mohs_connection_close(&engine->connections[at]);
}

void mohs_engine_free(struct mohs_engine *engine) {
    mohs_engine_stop(engine);
    mohs_engine_join(engine);
    mohs_engine_close(engine);
    free_list(engine);
    for (size_t at = 0; engine->lanes && at < lane_total(engine); at++) {
        mohs_recording_free(&engine->lanes[at].job.recording);
        mohs_recording_free(&engine->lanes[at].job.unsent);
    }
    for (size_t at = 0; engine->workers && at < engine->worker_count; at++)
        mohs_worker_free(&engine->workers[at]);
    for (size_t at = 0; engine->targets && at < engine->target_count; at++)
        mohs_target_free(&engine->targets[at]);
    if (engine->scratch && engine->scratch != MAP_FAILED)
        munmap(engine->scratch, engine->scratch_bytes);
    free(engine->connections);
    free(engine->targets);
    free(engine->lanes);
    free(engine->workers);
    free(engine->cpus);
    if (engine->done >= 0) close(engine->done);
    *engine = (struct mohs_engine){.done = -1};
}

size_t mohs_engine_bytes(const struct mohs_engine *engine) {
    size_t bytes = sizeof *engine + engine->connection_count * sizeof *engine->connections;
    for (size_t at = 0; engine->lanes && at < lane_total(engine); at++)
        bytes += mohs_recording_bytes(&engine->lanes[at].job.recording) +
                 mohs_recording_bytes(&engine->lanes[at].job.unsent);
    return bytes;
}
