#include "streams.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "clock.h"
#include "random.h"

#define LOOK_EVERY_NS (50 * MOHS_MILLISECOND) /* timeouts are noticed at most this late */
#define EXPECTED_GAPS 65536                   /* records whose memory is touched beforehand */
#define MANY          1000                    /* messages begun before events are handled again */

static struct mohs_loop *loop_of(struct mohs_streams *streams) {
    return &streams->worker.loop;
}

/* ---- what is due ----------------------------------------------------------------------------- */

/* When stream `number` has to be opened. */
static uint64_t due_of(const struct mohs_streams *streams, uint64_t number) {
    if (number >= streams->target.connections) return MOHS_NO_LIMIT;
    double after_ns = (double)number / streams->open_per_s * (double)MOHS_SECOND;
    uint64_t due = streams->epoch_ns + (uint64_t)after_ns;
    return due < streams->deadline_ns ? due : MOHS_NO_LIMIT;
}

/* Opens the streams that are due. */
static void open_due(struct mohs_streams *streams) {
    struct mohs_loop *loop = loop_of(streams);
    for (;;) {
        uint64_t number = streams->counts.asked;
        uint64_t due = due_of(streams, number);
        loop->now_ns = mohs_now_ns();
        mohs_loop_ran(loop, loop->now_ns);
        if (due > loop->now_ns) return;
        mohs_live_add(&streams->counts.asked, 1);
        mohs_stream_open(streams, &streams->streams[number], due);
    }
}

/* When the load drops connections, or has to open one of them again. */
static uint64_t storm_due_of(const struct mohs_streams *streams) {
    const struct mohs_storm *storm = &streams->storm;
    if (storm->asked < storm->dropped)
        return streams->streams[storm->numbers[storm->asked]].due_ns; // even when the time is over
    uint64_t due = streams->epoch_ns + storm->after_ns;
    return mohs_storm_waits(storm) && due < streams->deadline_ns ? due : MOHS_NO_LIMIT;
}

/* A message to all is waited for only on the connections that stay. */
static void shrink_audience(struct mohs_streams *streams, uint64_t number) {
    struct mohs_fan_out *fan_out = &streams->fan_out;
    const struct mohs_storm *storm = &streams->storm;
    uint64_t sent = streams->messages.all[number].sent_ns;
    if (!sent || fan_out->fans[number].parts.all_ns) return;
    for (uint32_t at = 0; at < storm->dropped; at++) {
        uint32_t one = storm->numbers[at];
        bool due = mohs_stream_since_ns(streams, one) <= sent;
        if (due && !mohs_fan_out_heard(fan_out, number, one)) mohs_fan_out_leave(fan_out, number);
    }
}

/* Since when a message has been waited for: one that is posted, since its turn came. */
static uint64_t waited_since_ns(const struct mohs_streams *streams,
                                const struct mohs_message *message, uint64_t now_ns) {
    if (!mohs_streams_publish(streams)) return message->due_ns;
    return message->sent_ns ? message->sent_ns : now_ns;
}

/* Leaves out the messages that are under way from connections which were dropped just now: the
 * server may not have read them. A message that would be waited for no longer is lost all the
 * same. */
static void cut_messages(struct mohs_streams *streams, uint64_t now_ns) {
    struct mohs_messages *messages = &streams->messages;
    for (uint64_t at = messages->size; at-- > 0;) {
        struct mohs_message *message = &messages->all[at];
        if (waited_since_ns(streams, message, now_ns) + streams->drain_ns < now_ns) return;
        bool own = streams->websocket && !message->came_ns &&
                   streams->streams[message->talk].state == MOHS_STREAM_AWAY;
        if (own) mohs_message_cut(messages, at);
        if (own && streams->fans_out) mohs_fan_out_cut(&streams->fan_out, at);
        if (!own && streams->fans_out && !message->error) shrink_audience(streams, at);
        bool nobody = streams->fans_out && !message->error && streams->fan_out.fans[at].cut;
        if (nobody && mohs_streams_publish(streams)) mohs_publisher_cut(&streams->publisher, at);
        streams->storm.cut += own || nobody;
    }
}

/* Drops connections, all at once. */
static void begin_storm(struct mohs_streams *streams) {
    struct mohs_storm *storm = &streams->storm;
    uint64_t now = loop_of(streams)->now_ns;
    uint32_t open = 0;
    for (uint32_t at = 0; at < streams->target.connections; at++)
        if (streams->streams[at].state == MOHS_STREAM_OPEN) storm->numbers[open++] = at;
    mohs_storm_begin(storm, open, streams->seed, now);
    for (uint32_t at = 0; at < storm->dropped; at++) {
        double after_ns = at / streams->open_per_s * (double)MOHS_SECOND;
        mohs_stream_cut(streams, &streams->streams[storm->numbers[at]], now + (uint64_t)after_ns);
    }
    cut_messages(streams, now);
}

/* Begins a storm that is due, and opens again what is due of it. */
static void weather(struct mohs_streams *streams) {
    struct mohs_loop *loop = loop_of(streams);
    struct mohs_storm *storm = &streams->storm;
    while (storm_due_of(streams) <= loop->now_ns) {
        if (mohs_storm_waits(storm)) begin_storm(streams);
        else mohs_stream_reopen(streams, &streams->streams[storm->numbers[storm->asked++]]);
        loop->now_ns = mohs_now_ns();
        mohs_loop_ran(loop, loop->now_ns);
    }
}

/* The next open stream in turn; NULL if none is open. */
static struct mohs_stream *take_turn(struct mohs_streams *streams) {
    uint32_t count = streams->target.connections;
    for (uint32_t tried = 0; tried < count; tried++) {
        struct mohs_stream *stream = &streams->streams[streams->turn];
        streams->turn = (streams->turn + 1) % count;
        if (stream->state == MOHS_STREAM_OPEN) return stream;
    }
    return NULL;
}

/* Whether messages wait, since a storm has left no connection open and none is back: who would have
 * sent them sends them then. */
static bool holds(const struct mohs_streams *streams) {
    const struct mohs_storm *storm = &streams->storm;
    return storm->began_ns && !storm->ended_ns && streams->messages.open == 0;
}

/* Sends a message, if somebody is there. */
static void send_message(struct mohs_streams *streams, uint64_t due_ns) {
    if (mohs_streams_publish(streams) && streams->messages.open) {
        mohs_publisher_add(&streams->publisher, due_ns);
        return;
    }
    struct mohs_stream *stream = streams->websocket ? take_turn(streams) : NULL;
    if (stream) mohs_stream_say(streams, stream, due_ns);
    else mohs_stream_unsent(streams, due_ns);
}

/* Sends the messages that are due. */
static void send_due(struct mohs_streams *streams) {
    struct mohs_schedule *schedule = &streams->schedule;
    struct mohs_messages *messages = &streams->messages;
    struct mohs_loop *loop = loop_of(streams);
    for (int begun = 0; begun < MANY && messages->size < messages->capacity; begun++) {
        uint64_t due = schedule->due_ns;
        if (due > loop->now_ns || holds(streams)) return;
        mohs_schedule_next(schedule);
        send_message(streams, due);
        mohs_loop_ran(loop, loop->now_ns);
    }
}

/* Does what is due, and finds when the next opening or message is. */
static void act(struct mohs_streams *streams) {
    open_due(streams);
    weather(streams);
    if (mohs_streams_publish(streams)) mohs_publisher_hold(&streams->publisher, holds(streams));
    if (mohs_streams_talk(streams)) send_due(streams);
    uint64_t opening = due_of(streams, streams->counts.asked), storm = storm_due_of(streams);
    if (storm < opening) opening = storm;
    uint64_t message = streams->schedule.due_ns;
    bool none = streams->messages.size == streams->messages.capacity || holds(streams);
    if (none) message = MOHS_NO_LIMIT;
    loop_of(streams)->due_ns = opening < message ? opening : message;
}

/* Messages fall due from when the last stream has to be opened. */
static void set_schedule(struct mohs_streams *streams) {
    static const uint32_t worker = 0;
    const struct mohs_share all = {.workers = &worker, .worker_count = 1, .connections = 1};
    double opening_ns = streams->target.connections / streams->open_per_s * (double)MOHS_SECOND;
    uint64_t after = (uint64_t)opening_ns;
    streams->storm.calm_ns = streams->epoch_ns + after;
    streams->schedule.due_ns = MOHS_NO_LIMIT;
    if (streams->arrivals.kind == MOHS_CLOSED_LOOP || after >= streams->duration_ns) return;
    mohs_schedule_init(&streams->schedule, &streams->arrivals, &all, streams->epoch_ns + after,
                       streams->duration_ns - after, MOHS_NO_LIMIT);
}

/* ---- the thread ------------------------------------------------------------------------------ */

static void handle(struct mohs_streams *streams, const struct epoll_event *event) {
    struct mohs_worker *worker = &streams->worker;
    bool own = event->data.ptr && event->data.ptr != &worker->timer;
    if (event->data.ptr == &streams->publisher)
        mohs_publisher_ready(&streams->publisher, event->events);
    else if (own) mohs_stream_ready(streams, event->data.ptr, event->events);
    else worker->loop.now_ns = mohs_now_ns();
}

/* Gives up streams that take too long to open, and opens again what found no room: a full backlog
 * is full for all, so one of them finds that out. Between looks at all, nothing else is of
 * interest. */
static void look(struct mohs_streams *streams) {
    struct mohs_loop *loop = loop_of(streams);
    bool all = loop->now_ns >= streams->looked_ns + LOOK_EVERY_NS, room = true;
    if (all) streams->looked_ns = loop->now_ns;
    loop->look_ns = streams->looked_ns + LOOK_EVERY_NS;
    bool ends = streams->deadline_ns > loop->now_ns && streams->deadline_ns < loop->look_ns;
    if (ends) loop->look_ns = streams->deadline_ns;
    if (mohs_streams_publish(streams)) mohs_publisher_look(&streams->publisher);
    for (uint64_t at = 0; at < streams->counts.asked && (all || room); at++)
        room = mohs_stream_look(streams, &streams->streams[at], room);
}

/* Whether messages that fell due in time have still to be begun: this thread was late. */
static bool behind(const struct mohs_streams *streams) {
    return streams->schedule.due_ns < streams->deadline_ns &&
           streams->messages.size < streams->messages.capacity;
}

/* Whether messages to all have come wherever they should. */
static bool heard(const struct mohs_streams *streams) {
    return streams->fan_out.came >= streams->fan_out.due;
}

/* Whether dropped connections may still come back after the time is over. The last one has as long
 * for that as messages have, from when it had to be opened again. */
static bool return_later(const struct mohs_streams *streams, uint64_t now_ns) {
    const struct mohs_storm *storm = &streams->storm;
    if (!storm->began_ns || storm->ended_ns) return false;
    uint64_t due = streams->streams[storm->numbers[storm->dropped - 1]].due_ns;
    return now_ns < (due > streams->loaded_ns ? due : streams->loaded_ns) + streams->drain_ns;
}

/* Messages that came back, or will not; POSTs that were answered or have failed. */
static uint64_t settled(const struct mohs_streams *streams) {
    if (mohs_streams_publish(streams)) return streams->publisher.settled;
    return streams->messages.received + streams->given_up;
}

/* Whether echoes may still come after the time is over. They have their time from when the last
 * message that fell due was begun. */
static bool waits(struct mohs_streams *streams, uint64_t now_ns) {
    const struct mohs_messages *messages = &streams->messages;
    if (return_later(streams, now_ns)) return true;
    if (!mohs_streams_talk(streams)) return false;
    if (behind(streams) && now_ns < streams->loaded_ns + streams->drain_ns) {
        streams->drained_ns = now_ns + streams->drain_ns;
        return true;
    }
    bool back = settled(streams) >= messages->size;
    return !(back && heard(streams)) && now_ns < streams->drained_ns;
}

/* The load is over, but for what has still to come back: what the thread does then is not what the
 * load took. */
static void end_load(struct mohs_streams *streams, uint64_t now_ns) {
    if (streams->loaded_ns) return;
    streams->loaded_ns = now_ns;
    streams->drained_ns = now_ns + streams->drain_ns;
    streams->cpu_ns = mohs_thread_cpu_ns() - streams->cpu_ns;
    mohs_worker_finish(&streams->worker);
    streams->stats = streams->worker.watch.stats;
}

/* Whether there are all events or messages that it is to have. */
static bool enough(const struct mohs_streams *streams) {
    const struct mohs_stream_counts *counts = &streams->counts;
    bool talks = mohs_streams_talk(streams), publishes = mohs_streams_publish(streams);
    bool all = (publishes ? settled(streams) : counts->events) >= streams->count;
    if (!streams->brief) return all && (!publishes || heard(streams));
    uint64_t begun = talks ? counts->opened : streams->firsts.size;
    bool silent = !talks || streams->arrivals.kind == MOHS_CLOSED_LOOP;
    bool done = silent || (all && heard(streams));
    return counts->failed + begun == streams->target.connections && done;
}

/* Whether the time is over, or nothing can come any more. */
static bool over(struct mohs_streams *streams) {
    const struct mohs_stream_counts *counts = &streams->counts;
    uint64_t now = loop_of(streams)->now_ns;
    if (atomic_load(&streams->stop) || enough(streams)) return true;
    if (now >= streams->deadline_ns) end_load(streams, now);
    if (now >= streams->deadline_ns && !waits(streams, now)) return true;
    uint64_t lost = streams->storm.ended_ns ? counts->away : 0;
    return counts->failed + counts->dropped + lost == streams->target.connections;
}

/* Marks this load's messages. */
static void mark_messages(struct mohs_streams *streams) {
    uint64_t random = streams->seed ^ streams->epoch_ns;
    streams->messages.mark = (uint32_t)mohs_random(&random);
}

static void serve(struct mohs_streams *streams) {
    struct mohs_worker *worker = &streams->worker;
    struct mohs_loop *loop = &worker->loop;
    struct epoll_event events[MOHS_WORKER_EVENTS];
    streams->cpu_ns = mohs_thread_cpu_ns();
    mohs_worker_start(worker);
    streams->epoch_ns = loop->epoch_ns = loop->now_ns;
    streams->deadline_ns =
        streams->duration_ns ? loop->now_ns + streams->duration_ns : MOHS_NO_LIMIT;
    set_schedule(streams);
    mark_messages(streams);
    if (mohs_streams_publish(streams))
        mohs_publisher_begin(&streams->publisher, &streams->target, loop, &streams->messages);
    act(streams);
    while (!over(streams)) {
        int count = mohs_worker_wait(worker, events);
        for (int at = 0; at < count; at++) {
            handle(streams, &events[at]);
            mohs_thread_watch_handled(&worker->watch, loop->now_ns);
            if (loop->now_ns >= loop->due_ns) act(streams); // now, not after all events
        }
        if (loop->now_ns >= loop->due_ns) act(streams);
        if (loop->now_ns >= loop->look_ns) look(streams);
        if (loop->now_ns >= worker->watch.next_ns)
            mohs_thread_watch_turn(&worker->watch, loop->now_ns);
    }
    streams->ended_ns = loop->now_ns;
    end_load(streams, loop->now_ns);
}

/* Records the messages that fell due and were not begun, as many as a load may have. */
static void settle_schedule(struct mohs_streams *streams) {
    struct mohs_schedule *schedule = &streams->schedule;
    const struct mohs_messages *messages = &streams->messages;
    uint64_t most = messages->capacity, ended = streams->loaded_ns;
    while (schedule->due_ns != MOHS_NO_LIMIT && schedule->due_ns <= ended &&
           messages->size + streams->unsent < most) {
        mohs_stream_unsent(streams, schedule->due_ns);
        mohs_schedule_next(schedule);
    }
}

static void *work(void *argument) {
    struct mohs_streams *streams = argument;
    mohs_worker_begin(&streams->worker, MOHS_SCHED_PLAIN);
    serve(streams);
    mohs_publisher_end(&streams->publisher);
    if (mohs_streams_talk(streams)) settle_schedule(streams);
    for (uint64_t at = 0; at < streams->messages.size; at++)
        mohs_stream_settle_message(streams, &streams->messages.all[at]);
    for (uint64_t at = 0; streams->fans_out && at < streams->messages.size; at++)
        mohs_stream_settle_fan(streams, at);
    for (uint64_t at = 0; at < streams->counts.asked; at++)
        mohs_stream_settle(streams, &streams->streams[at]);
    for (uint64_t at = 0; at < streams->target.connections; at++)
        streams->ends[streams->streams[at].end]++;
    streams->ends[MOHS_STREAM_LASTS] = streams->counts.opened - streams->counts.dropped;
    mohs_worker_end(&streams->worker);
    atomic_store(&streams->running, false);
    mohs_eventfd_set(streams->done);
    return NULL;
}

/* ---- life cycle ------------------------------------------------------------------------------ */

int mohs_streams_init(struct mohs_streams *streams) {
    *streams = (struct mohs_streams){.done = -1, .cpu = -1, .count = MOHS_NO_LIMIT};
    streams->publisher = MOHS_PUBLISHER_NONE;
    streams->worker =
        (struct mohs_worker){.loop = MOHS_LOOP_NONE, .timer = -1, .stamped = -1, .owner = streams};
    streams->done = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    return streams->done < 0 ? -errno : mohs_worker_init(&streams->worker);
}

/* Copies a text to *to, which it advances; the copy. */
static struct mohs_span copy_text(char **to, struct mohs_span text) {
    struct mohs_span copy = {*to, text.size};
    if (text.size) memcpy(*to, text.data, text.size);
    *to += text.size;
    return copy;
}

int mohs_streams_set_cable(struct mohs_streams *streams, const struct mohs_cable *cable) {
    char *to = malloc(cable->join.size + cable->before.size + cable->after.size + 1);
    if (!to) return -ENOMEM;
    free(streams->cable_text);
    streams->cable_text = to;
    streams->cable.join = copy_text(&to, cable->join);
    streams->cable.before = copy_text(&to, cable->before);
    streams->cable.after = copy_text(&to, cable->after);
    return 0;
}

/* The value of the request's header with this name and a colon; empty without one. */
static struct mohs_span value_of(const struct mohs_request *request, const char *name) {
    const char *end = request->bytes + request->size, *line = request->bytes, *next;
    size_t size = strlen(name);
    while ((next = memmem(line, (size_t)(end - line), "\r\n", 2)) && next > line) {
        if ((size_t)(next - line) >= size && strncasecmp(line, name, size) == 0)
            return (struct mohs_span){line + size, (size_t)(next - line) - size};
        line = next + 2;
    }
    return (struct mohs_span){NULL, 0};
}

/* Makes room for messages, and for who has them. */
static int prepare_messages(struct mohs_streams *streams) {
    bool silent = streams->arrivals.kind == MOHS_CLOSED_LOOP;
    uint64_t most = streams->count < MOHS_NO_MESSAGE ? streams->count : MOHS_NO_MESSAGE - 1;
    most = silent ? 1 : most;
    int result = mohs_messages_init(&streams->messages, most);
    if (result == 0 && streams->fans_out)
        result = mohs_fan_out_init(&streams->fan_out, most, streams->target.connections);
    if (streams->fans_out) streams->messages.fan_out = &streams->fan_out;
    return result;
}

/* Returns 0, -ENOMEM, or -EINVAL if the messages do not go to all. */
static int prepare_listeners(struct mohs_streams *streams) {
    if (!streams->fans_out) return -EINVAL;
    streams->listeners = calloc(streams->target.connections, sizeof *streams->listeners);
    return streams->listeners ? prepare_messages(streams) : -ENOMEM;
}

/* Returns 0, -ENOMEM, or -EINVAL if the request has no place for its key or is too long. */
static int prepare_talks(struct mohs_streams *streams) {
    static const char before[] = "\r\nSec-WebSocket-Key: ";
    static const char header[] = "\r\nSec-WebSocket-Key: " MOHS_STREAM_KEY "\r\n";
    const struct mohs_request *request = streams->target.requests;
    const char *place = memmem(request->bytes, request->size, header, sizeof header - 1);
    if (!place || request->size > MOHS_BUFFER_BYTES) return -EINVAL;
    streams->key_at = (size_t)(place - request->bytes) + sizeof before - 1;
    streams->protocols = value_of(request, "Sec-WebSocket-Protocol:");
    streams->talks = calloc(streams->target.connections, sizeof *streams->talks);
    if (!streams->talks) return -ENOMEM;
    int result = prepare_messages(streams);
    if (result) return result;
    if (streams->cable.join.size) streams->messages.cable = &streams->cable;
    streams->frame_bytes = mohs_talk_frame_max(&streams->messages);
    streams->frames = calloc(streams->target.connections, streams->frame_bytes);
    return streams->frames ? 0 : -ENOMEM;
}

static int allocate(struct mohs_streams *streams) {
    size_t count = streams->target.connections;
    int result = mohs_recording_init(&streams->openings, count);
    if (result == 0) result = mohs_recording_init(&streams->firsts, count);
    if (result == 0) result = mohs_recording_init(&streams->drops, 1);
    if (result == 0) result = mohs_recording_init(&streams->gaps, EXPECTED_GAPS);
    if (result == 0) result = mohs_recording_init(&streams->echoes, EXPECTED_GAPS);
    uint64_t fans = streams->fans_out ? EXPECTED_GAPS : 1;
    if (result == 0) result = mohs_recording_init(&streams->halves, fans);
    if (result == 0) result = mohs_recording_init(&streams->mosts, fans);
    if (result == 0) result = mohs_recording_init(&streams->alls, fans);
    if (result == 0 && streams->websocket) result = prepare_talks(streams);
    else if (result == 0 && mohs_streams_publish(streams)) result = prepare_listeners(streams);
    if (result == 0) result = mohs_storm_init(&streams->storm, streams->target.connections);
    if (result) return result;
    streams->line = malloc(MOHS_HTTP_LINE_MAX);
    streams->streams = calloc(count, sizeof *streams->streams);
    if (!streams->line || !streams->streams) return -ENOMEM;
    for (size_t at = 0; at < count; at++) streams->streams[at].fd = -1;
    return 0;
}

int mohs_streams_start(struct mohs_streams *streams) {
    const struct mohs_target *target = &streams->target;
    assert(!streams->streams && target->request_count == 1 && target->connections > 0);
    assert(streams->open_per_s > 0);
    int result = allocate(streams);
    if (result) return result;
    atomic_store(&streams->running, true);
    result = mohs_worker_run(&streams->worker, streams->cpu, work, streams);
    streams->started = result == 0;
    if (result) atomic_store(&streams->running, false);
    return result;
}

bool mohs_streams_wait(struct mohs_streams *streams, int ms) {
    if (!atomic_load(&streams->running)) return true;
    mohs_eventfd_wait(streams->done, ms);
    return !atomic_load(&streams->running);
}

void mohs_streams_poke(struct mohs_streams *streams) {
    mohs_eventfd_set(streams->done);
}

void mohs_streams_stop(struct mohs_streams *streams) {
    atomic_store(&streams->stop, true);
    mohs_eventfd_set(streams->worker.loop.wake);
}

void mohs_streams_join(struct mohs_streams *streams) {
    if (streams->started) pthread_join(streams->worker.thread, NULL);
    streams->started = false;
}

#define READ_COUNT(name, rule) counts->name = mohs_live_get(&streams->counts.name);

void mohs_streams_live(const struct mohs_streams *streams,
                       struct mohs_stream_counts *counts){MOHS_STREAM_COUNTS(READ_COUNT)}

uint64_t mohs_streams_lost_records(const struct mohs_streams *streams) {
    return streams->openings.lost + streams->firsts.lost + streams->drops.lost +
           streams->gaps.lost + streams->echoes.lost + streams->halves.lost + streams->mosts.lost +
           streams->alls.lost + streams->storm.returns.lost + streams->storm.before.lost +
           streams->storm.during.lost;
}

void mohs_streams_free(struct mohs_streams *streams) {
    mohs_streams_stop(streams);
    mohs_streams_join(streams);
    for (size_t at = 0; streams->streams && at < streams->target.connections; at++)
        mohs_stream_close(&streams->streams[at]);
    mohs_worker_free(&streams->worker);
    mohs_recording_free(&streams->openings);
    mohs_recording_free(&streams->firsts);
    mohs_recording_free(&streams->drops);
    mohs_recording_free(&streams->gaps);
    mohs_recording_free(&streams->echoes);
    mohs_recording_free(&streams->halves);
    mohs_recording_free(&streams->mosts);
    mohs_recording_free(&streams->alls);
    mohs_messages_free(&streams->messages);
    mohs_fan_out_free(&streams->fan_out);
    mohs_publisher_free(&streams->publisher);
    mohs_storm_free(&streams->storm);
    mohs_target_free(&streams->target);
    if (streams->done >= 0) close(streams->done);
    streams->done = -1;
    free(streams->line);
    free(streams->streams);
    free(streams->talks);
    free(streams->listeners);
    free(streams->frames);
    free(streams->cable_text);
    streams->line = NULL;
    streams->streams = NULL;
    streams->talks = NULL;
    streams->listeners = NULL;
    streams->frames = NULL;
    streams->cable_text = NULL;
}

size_t mohs_streams_bytes(const struct mohs_streams *streams) {
    return streams->target.connections * sizeof *streams->streams + MOHS_HTTP_LINE_MAX +
           mohs_recording_bytes(&streams->openings) + mohs_recording_bytes(&streams->firsts) +
           mohs_recording_bytes(&streams->drops) + mohs_recording_bytes(&streams->gaps) +
           mohs_recording_bytes(&streams->echoes) + mohs_recording_bytes(&streams->halves) +
           mohs_recording_bytes(&streams->mosts) + mohs_recording_bytes(&streams->alls) +
           streams->messages.size * sizeof *streams->messages.all;
}
