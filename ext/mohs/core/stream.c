#include "stream.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/epoll.h>
#include <sys/socket.h>

#include "clock.h"
#include "random.h"
#include "socket.h"

static const char type[] = "text/event-stream";

static struct mohs_loop *loop_of(struct mohs_streams *streams) {
    return &streams->worker.loop;
}

static struct mohs_talk *talk_of(const struct mohs_streams *streams,
                                 const struct mohs_stream *stream) {
    return &streams->talks[stream - streams->streams];
}

static struct mohs_listener *listener_of(const struct mohs_streams *streams,
                                         const struct mohs_stream *stream) {
    return &streams->listeners[stream - streams->streams];
}

static uint32_t index_of(const struct mohs_streams *streams, const struct mohs_stream *stream) {
    return (uint32_t)(stream - streams->streams);
}

/* Whether it is open, or the WebSocket below it is. */
static bool talks(const struct mohs_stream *stream) {
    return stream->state == MOHS_STREAM_OPEN || stream->state == MOHS_STREAM_JOINING;
}

/* Whether the server may not have the whole request yet. It may answer all the same. */
static bool unsent(const struct mohs_streams *streams, const struct mohs_stream *stream) {
    return stream->handed_over < streams->target.requests->size;
}

uint64_t mohs_stream_since_ns(const struct mohs_streams *streams, uint32_t number) {
    return streams->talks ? streams->talks[number].since_ns : streams->listeners[number].since_ns;
}

/* Whether its first event is still to come. With messages to all, that one comes when a message
 * does, so who was dropped by a storm is back when it is open. */
static bool expects_first(const struct mohs_streams *streams, const struct mohs_stream *stream) {
    if (streams->websocket || stream->spoke) return false;
    return !(stream->again && mohs_streams_publish(streams));
}

/* ---- records --------------------------------------------------------------------------------- */

/* Writes the record of what was due at due_ns and is done, or has failed, at done_ns. */
static struct mohs_record *write_record(struct mohs_streams *streams,
                                        struct mohs_recording *recording, uint32_t connection,
                                        uint64_t due_ns, uint64_t done_ns, int error) {
    struct mohs_record *record = mohs_recording_next(recording);
    if (!record) return NULL;
    mohs_record_set_span(record, due_ns - streams->epoch_ns,
                         done_ns > due_ns ? done_ns - due_ns : 0);
    record->connection = connection & ((1u << 24) - 1);
    record->error = (uint8_t)error;
    record->flags = error == MOHS_ABORTED ? MOHS_RECORD_IN_FLIGHT : 0;
    return record;
}

/* The same of what belongs to a stream. */
static struct mohs_record *record_of(struct mohs_streams *streams, struct mohs_recording *recording,
                                     const struct mohs_stream *stream, uint64_t due_ns,
                                     uint64_t done_ns, int error) {
    struct mohs_record *record =
        write_record(streams, recording, index_of(streams, stream), due_ns, done_ns, error);
    if (!record) return NULL;
    record->status = stream->http.status;
    if (stream->http.chunked) record->flags |= MOHS_RECORD_CHUNKED;
    return record;
}

/* A record of what begins with opening the stream. */
static void record_opening(struct mohs_streams *streams, struct mohs_recording *recording,
                           const struct mohs_stream *stream, uint64_t done_ns, int error) {
    uint64_t due = stream->due_ns;
    struct mohs_record *record = record_of(streams, recording, stream, due, done_ns, error);
    if (!record) return;
    record->flags |= MOHS_RECORD_FRESH;
    mohs_record_set_begun(record, stream->sent_ns ? stream->sent_ns - due : 0,
                          stream->first_ns ? stream->first_ns - due : 0);
}

/* When the bytes just read had arrived; the delay until this thread read them is not the server's.
 * A stamp from before the request was sent means that the clock was set. */
static uint64_t arrival_ns(struct mohs_streams *streams, const struct mohs_stream *stream,
                           uint64_t stamped_ns) {
    return stamped_ns > stream->sent_ns ? stamped_ns : loop_of(streams)->now_ns;
}

/* The same of a time in which a connection waited for something, which a storm may have fallen
 * into. With messages to all, what is told of a storm is when they had come to all. */
static struct mohs_record *record_wait(struct mohs_streams *streams,
                                       struct mohs_recording *recording,
                                       const struct mohs_stream *stream, uint64_t due_ns,
                                       uint64_t done_ns, int error) {
    struct mohs_recording *part = mohs_storm_part(&streams->storm, stream->again, due_ns, done_ns);
    if (part && !streams->fans_out) record_of(streams, part, stream, due_ns, done_ns, error);
    return record_of(streams, recording, stream, due_ns, done_ns, error);
}

/* The first event of a stream, or what became of waiting for it. */
static void settle_first(struct mohs_streams *streams, const struct mohs_stream *stream,
                         uint64_t done_ns, int error) {
    struct mohs_storm *storm = &streams->storm;
    bool again = stream->again;
    record_opening(streams, again ? &storm->returns : &streams->firsts, stream, done_ns, error);
    if (again && error) mohs_storm_failed(storm, error, done_ns);
    else if (again) mohs_storm_back(storm, done_ns);
    else if (!error) mohs_live_add(&streams->counts.speaking, 1);
}

static void note_gap(struct mohs_streams *streams, struct mohs_stream *stream, uint64_t gap_ns) {
    stream->spoke_again = true;
    if (gap_ns > stream->longest_ns) stream->longest_ns = gap_ns;
    if (gap_ns > streams->longest_ns) streams->longest_ns = gap_ns;
}

static void count_event(struct mohs_streams *streams, struct mohs_stream *stream,
                        uint64_t came_ns) {
    uint64_t bytes = stream->sse.data_bytes;
    bool back = stream->again && !stream->spoke, counts = !streams->loaded_ns;
    if (!counts && !back) return; // the load is over but for who has to come back
    if (counts) mohs_live_add(&streams->counts.events, 1);
    if (counts) mohs_live_add(&streams->counts.bytes, (int64_t)bytes);
    if (expects_first(streams, stream)) {
        settle_first(streams, stream, came_ns, MOHS_OK);
    } else if (stream->spoke && !mohs_streams_publish(streams)) { // else it is our own rate
        struct mohs_record *record =
            record_wait(streams, &streams->gaps, stream, stream->last_ns, came_ns, MOHS_OK);
        if (record) record->bytes = mohs_saturated(bytes);
        if (record) note_gap(streams, stream, record->done_ns);
    }
    stream->spoke = true;
    if (came_ns > stream->last_ns) stream->last_ns = came_ns; // stamps may go back a little
}

/* The echo of a message. */
static struct mohs_record *record_echo(struct mohs_streams *streams,
                                       const struct mohs_message *message) {
    const struct mohs_stream *stream = &streams->streams[message->talk];
    bool lasts = stream->end == MOHS_STREAM_LASTS, came = message->came_ns != 0;
    int error = came ? MOHS_OK : lasts ? MOHS_ABORTED : MOHS_CLOSED_FRESH;
    uint64_t done = came ? message->came_ns : loop_of(streams)->now_ns;
    streams->unsent += message->sent_ns == 0;
    return record_wait(streams, &streams->echoes, stream, message->due_ns, done, error);
}

/* The response to the POST of one. */
static struct mohs_record *record_post(struct mohs_streams *streams,
                                       const struct mohs_message *message) {
    struct mohs_record *record = write_record(streams, &streams->echoes, message->talk,
                                              message->due_ns, message->came_ns, message->error);
    streams->unsent += message->error != MOHS_OK;
    if (record) record->status = message->status;
    return record;
}

void mohs_stream_settle_message(struct mohs_streams *streams, const struct mohs_message *message) {
    if (message->cut) return;
    uint64_t late = message->sent_ns ? message->sent_ns - message->due_ns : 0;
    struct mohs_record *record = mohs_streams_publish(streams) ? record_post(streams, message)
                                                               : record_echo(streams, message);
    if (!record) return;
    if (!message->sent_ns) record->flags |= MOHS_RECORD_QUEUED;
    mohs_record_set_begun(record, late, 0);
    record->bytes = MOHS_MESSAGE_BYTES;
}

/* Records when a message had come to so many. Wherever it came: if its POST failed, it was not
 * sent. */
static void settle_part(struct mohs_streams *streams, struct mohs_recording *recording,
                        const struct mohs_message *message, uint64_t came_ns) {
    if (message->error) came_ns = 0;
    uint64_t done = came_ns ? came_ns : loop_of(streams)->now_ns;
    int error = came_ns ? MOHS_OK : message->error ? message->error : MOHS_ABORTED;
    write_record(streams, recording, message->talk, message->due_ns, done, error);
    if (recording != &streams->alls) return;
    // whoever sent it, it is the others who have it
    recording = mohs_storm_part(&streams->storm, false, message->due_ns, done);
    if (recording) write_record(streams, recording, message->talk, message->due_ns, done, error);
}

void mohs_stream_settle_fan(struct mohs_streams *streams, uint64_t number) {
    const struct mohs_fan *fan = &streams->fan_out.fans[number];
    const struct mohs_message *message = &streams->messages.all[number];
    if (message->cut || (fan->cut && !message->error)) return;
    settle_part(streams, &streams->halves, message, fan->parts.half_ns);
    settle_part(streams, &streams->mosts, message, fan->parts.most_ns);
    settle_part(streams, &streams->alls, message, fan->parts.all_ns);
    if (mohs_streams_publish(streams))
        streams->messages.received += !message->error && fan->heard > 0;
}

void mohs_stream_unsent(struct mohs_streams *streams, uint64_t due_ns) {
    struct mohs_recording *recordings[] = {&streams->echoes, &streams->halves, &streams->mosts,
                                           &streams->alls};
    streams->unsent++;
    for (size_t at = 0; at < (streams->fans_out ? 4 : 1); at++) {
        struct mohs_record *record = write_record(streams, recordings[at], 0, due_ns,
                                                  loop_of(streams)->now_ns, MOHS_ABORTED);
        if (record) record->flags |= MOHS_RECORD_QUEUED;
    }
}

/* ---- the end of a stream --------------------------------------------------------------------- */

void mohs_stream_close(struct mohs_stream *stream) {
    if (stream->fd >= 0) mohs_socket_close(stream->fd, false);
    stream->fd = -1;
    free(stream->parked);
    stream->parked = NULL;
    stream->parked_size = 0;
    stream->state = MOHS_STREAM_OVER;
}

/* It could not be opened. */
static void fail(struct mohs_streams *streams, struct mohs_stream *stream, int error) {
    if (stream->again) {
        settle_first(streams, stream, loop_of(streams)->now_ns, error);
    } else {
        record_opening(streams, &streams->openings, stream, loop_of(streams)->now_ns, error);
        streams->errors[error]++;
        mohs_live_add(&streams->counts.failed, 1);
    }
    mohs_stream_close(stream);
}

/* Closes a WebSocket with this code; there are no frames before the request is sent. */
static void say_end(const struct mohs_streams *streams, const struct mohs_stream *stream,
                    unsigned code) {
    if (!unsent(streams, stream)) mohs_talk_end(talk_of(streams, stream), stream->fd, code);
}

/* What a WebSocket has not sent back will not come. */
static void give_up(struct mohs_streams *streams, const struct mohs_stream *stream,
                    enum mohs_stream_end end) {
    struct mohs_talk *talk = talk_of(streams, stream);
    streams->given_up += talk->added - talk->received;
    if (end == MOHS_STREAM_BROKEN) say_end(streams, stream, talk->in.code);
}

/* An opened stream ends. When the time of the load is over, it has lasted. */
static void drop(struct mohs_streams *streams, struct mohs_stream *stream,
                 enum mohs_stream_end end) {
    uint64_t now = loop_of(streams)->now_ns;
    if (streams->websocket) give_up(streams, stream, end);
    else if (expects_first(streams, stream)) settle_first(streams, stream, now, MOHS_CLOSED_BODY);
    streams->messages.open -= mohs_streams_talk(streams);
    if (!streams->loaded_ns) {
        stream->end = (uint8_t)end;
        stream->dropped_ns = now;
        record_opening(streams, &streams->drops, stream, now, MOHS_DROPPED);
        mohs_live_add(&streams->counts.dropped, 1);
    }
    mohs_stream_close(stream);
}

/* Records a silence that had no end, if it is longer than every gap of the stream: another stream
 * that once paused for longer says nothing about this one, unless it has had no gap yet. */
static void settle_silence(struct mohs_streams *streams, const struct mohs_stream *stream,
                           uint64_t until_ns, int error) {
    if (mohs_streams_talk(streams) || !stream->spoke || until_ns <= stream->last_ns) return;
    uint64_t longest = stream->spoke_again ? stream->longest_ns : streams->longest_ns;
    if (until_ns - stream->last_ns > longest)
        record_wait(streams, &streams->gaps, stream, stream->last_ns, until_ns, error);
}

/* What it was waiting for when the load ends it. A silence is over with the load's time. */
static void settle_events(struct mohs_streams *streams, const struct mohs_stream *stream) {
    uint64_t now = loop_of(streams)->now_ns, loaded = streams->loaded_ns;
    if (expects_first(streams, stream)) settle_first(streams, stream, now, MOHS_ABORTED);
    else settle_silence(streams, stream, loaded ? loaded : now, MOHS_ABORTED);
}

void mohs_stream_cut(struct mohs_streams *streams, struct mohs_stream *stream, uint64_t due_ns) {
    settle_events(streams, stream);
    if (streams->websocket) {
        const struct mohs_talk *talk = talk_of(streams, stream);
        streams->given_up += talk->added - talk->received;
    }
    streams->messages.open -= mohs_streams_talk(streams);
    mohs_stream_close(stream);
    *stream =
        (struct mohs_stream){.state = MOHS_STREAM_AWAY, .again = true, .fd = -1, .due_ns = due_ns};
    mohs_live_add(&streams->counts.away, 1);
}

void mohs_stream_settle(struct mohs_streams *streams, struct mohs_stream *stream) {
    if (stream->dropped_ns) settle_silence(streams, stream, stream->dropped_ns, MOHS_CLOSED_BODY);
    if (stream->state == MOHS_STREAM_UNASKED || stream->state == MOHS_STREAM_OVER) return;
    if (stream->state != MOHS_STREAM_OPEN) {
        fail(streams, stream, MOHS_ABORTED);
        return;
    }
    settle_events(streams, stream);
    if (streams->websocket) say_end(streams, stream, MOHS_WS_NORMAL);
    mohs_stream_close(stream);
}

/* ---- opening --------------------------------------------------------------------------------- */

/* Returns false if epoll has no room for another socket. */
static bool watch(struct mohs_streams *streams, struct mohs_stream *stream, int operation,
                  uint32_t events) {
    struct epoll_event event = {.events = events, .data.ptr = stream};
    return epoll_ctl(loop_of(streams)->epoll, operation, stream->fd, &event) == 0;
}

/* The key of a stream, which is not kept. */
static void write_key(const struct mohs_streams *streams, const struct mohs_stream *stream,
                      char key[MOHS_WS_KEY_MAX]) {
    uint64_t number = index_of(streams, stream) + (stream->again ? 1ull << 32 : 0);
    uint64_t random = streams->seed ^ (number + 1) * 0xd1342543de82ef95u;
    uint64_t one = mohs_random(&random);
    mohs_websocket_key(one, mohs_random(&random), key);
}

/* The request's bytes; those of a WebSocket in the thread's buffer. */
static const char *request_of(struct mohs_streams *streams, const struct mohs_stream *stream) {
    const struct mohs_request *request = streams->target.requests;
    char *buffer = loop_of(streams)->buffer;
    char key[MOHS_WS_KEY_MAX];
    if (!streams->websocket) return request->bytes;
    write_key(streams, stream, key);
    memcpy(buffer, request->bytes, request->size);
    memcpy(buffer + streams->key_at, key, sizeof key - 1);
    return buffer;
}

/* Sends what waits; what the socket does not take now is sent when epoll reports room, as it may
 * have been `waited` for. */
static void speak(struct mohs_streams *streams, struct mohs_stream *stream, bool waited) {
    if (unsent(streams, stream)) return; // hand_over goes on with it
    bool left = mohs_talk_send(talk_of(streams, stream), &streams->messages, stream->fd);
    loop_of(streams)->now_ns = mohs_now_ns();
    if (left != waited) watch(streams, stream, EPOLL_CTL_MOD, left ? EPOLLIN | EPOLLOUT : EPOLLIN);
}

/* The rest of the request can't be sent. A server that refuses it may have said why, and that is
 * still there to be read, up to the end of the connection. */
static void give_request_up(struct mohs_streams *streams, struct mohs_stream *stream, int number) {
    stream->refused = true;
    if (stream->handed_over == 0) fail(streams, stream, mohs_socket_class(number));
    else watch(streams, stream, EPOLL_CTL_MOD, EPOLLIN);
}

/* Sends what is left of the request, as far as the socket takes it. The stream may be open: some
 * servers answer before they have read all of it. */
static void hand_over(struct mohs_streams *streams, struct mohs_stream *stream) {
    const struct mohs_request *request = streams->target.requests;
    ssize_t size = send(stream->fd, request_of(streams, stream) + stream->handed_over,
                        request->size - stream->handed_over, MSG_NOSIGNAL);
    loop_of(streams)->now_ns = mohs_now_ns();
    if (size < 0 && errno != EAGAIN && errno != EINTR) {
        give_request_up(streams, stream, errno);
        return;
    }
    bool open = talks(stream);
    if (size > 0) stream->handed_over += (uint32_t)size;
    if (size > 0 && !open) stream->state = MOHS_STREAM_ASKING;
    if (unsent(streams, stream)) return;
    stream->sent_ns = loop_of(streams)->now_ns;
    if (!open) stream->state = MOHS_STREAM_WAITING;
    if (open && streams->websocket) speak(streams, stream, true);
    else watch(streams, stream, EPOLL_CTL_MOD, EPOLLIN);
}

static void dial(struct mohs_streams *streams, struct mohs_stream *stream) {
    int number = mohs_socket_dial(&streams->target, index_of(streams, stream), &stream->fd);
    loop_of(streams)->now_ns = mohs_now_ns();
    if (number == EAGAIN) {
        stream->state = MOHS_STREAM_DIALLING;
        mohs_loop_look_at(loop_of(streams), loop_of(streams)->now_ns + MOHS_DIAL_AGAIN_NS);
        return;
    }
    stream->state = MOHS_STREAM_CONNECTING;
    if (number) {
        fail(streams, stream, mohs_socket_class(number));
        return;
    }
    mohs_socket_hurry(&streams->target, stream->fd);
    if (!watch(streams, stream, EPOLL_CTL_ADD, EPOLLIN | EPOLLOUT))
        fail(streams, stream, MOHS_NO_DESCRIPTOR);
}

/* Events that are compressed are not those that were asked for: nobody here reads them. */
static void note_encoding(void *listener, struct mohs_span name, struct mohs_span value) {
    static const char encoding[] = "content-encoding", none[] = "identity";
    struct mohs_stream *stream = listener;
    if (name.size != sizeof encoding - 1 || strncasecmp(name.data, encoding, name.size) != 0)
        return;
    bool plain = value.size == sizeof none - 1 && strncasecmp(value.data, none, value.size) == 0;
    stream->encoded = stream->encoded || !plain;
}

void mohs_stream_open(struct mohs_streams *streams, struct mohs_stream *stream, uint64_t due_ns) {
    stream->due_ns = due_ns;
    mohs_http_begin(&stream->http, streams->line, false);
    if (!streams->websocket) {
        mohs_http_want(&stream->http, (struct mohs_span){type, sizeof type - 1});
        stream->http.tell = note_encoding;
        stream->http.listener = stream;
    }
    mohs_sse_begin(&stream->sse);
    dial(streams, stream);
}

void mohs_stream_reopen(struct mohs_streams *streams, struct mohs_stream *stream) {
    mohs_stream_open(streams, stream, stream->due_ns);
}

bool mohs_stream_look(struct mohs_streams *streams, struct mohs_stream *stream, bool room) {
    if (stream->state >= MOHS_STREAM_OPEN) return room;
    if (loop_of(streams)->now_ns - stream->due_ns >= streams->target.timeout_ns) {
        fail(streams, stream,
             stream->state == MOHS_STREAM_WAITING   ? MOHS_TIMEOUT_FIRST
             : stream->state == MOHS_STREAM_JOINING ? MOHS_TIMEOUT
                                                    : MOHS_CONNECT_TIMEOUT);
        return room;
    }
    if (stream->state != MOHS_STREAM_DIALLING || !room) return room;
    dial(streams, stream);
    return stream->state != MOHS_STREAM_DIALLING;
}

/* ---- events ---------------------------------------------------------------------------------- */

/* Lets the stream's parser use the common line, with what it had read of its own. */
static void unpark(struct mohs_streams *streams, struct mohs_stream *stream) {
    stream->http.line = streams->line;
    if (stream->parked_size) memcpy(streams->line, stream->parked, stream->parked_size);
}

/* Keeps a line that was cut. Returns false without memory. */
static bool park(struct mohs_stream *stream) {
    uint32_t size = stream->http.line_used;
    if (size > stream->parked_size) {
        char *grown = realloc(stream->parked, size);
        if (!grown) return false;
        stream->parked = grown;
    } else if (size == 0) {
        free(stream->parked);
        stream->parked = NULL;
    }
    stream->parked_size = size;
    if (size) memcpy(stream->parked, stream->http.line, size);
    return true;
}

/* Keeps the first response that is no event stream, as far as its body came with its head. */
static void keep_failed(struct mohs_streams *streams, const struct mohs_stream *stream, int error,
                        struct mohs_span bytes) {
    mohs_failed_response_keep(&streams->failed_response, loop_of(streams)->now_ns,
                              stream->http.status, error, bytes);
}

static int judge(const struct mohs_streams *streams, const struct mohs_stream *stream) {
    const struct mohs_upgrade upgrade = {.proofs = stream->proofs};
    if (stream->http.status != (streams->websocket ? 101 : 200)) return MOHS_WRONG_STATUS;
    if (streams->websocket) return mohs_upgrade_proven(&upgrade) ? MOHS_OK : MOHS_BAD_UPGRADE;
    return stream->http.right_type && !stream->encoded ? MOHS_OK : MOHS_WRONG_TYPE;
}

/* It is open: what follows are events or messages. */
static void opened(struct mohs_streams *streams, struct mohs_stream *stream, uint64_t came_ns) {
    stream->state = MOHS_STREAM_OPEN;
    stream->last_ns = came_ns;
    if (stream->again) {
        mohs_live_add(&streams->counts.away, -1);
        if (mohs_streams_talk(streams)) settle_first(streams, stream, came_ns, MOHS_OK);
    } else {
        record_opening(streams, &streams->openings, stream, came_ns, MOHS_OK);
        mohs_live_add(&streams->counts.opened, 1);
    }
    if (!mohs_streams_talk(streams)) return;
    uint64_t now = loop_of(streams)->now_ns;
    if (streams->websocket) talk_of(streams, stream)->since_ns = now;
    else mohs_listener_begin(listener_of(streams, stream), index_of(streams, stream), now);
    streams->messages.open++;
    if (stream->again) loop_of(streams)->due_ns = loop_of(streams)->now_ns; // messages may wait
}

/* Judges a head. Returns false if no stream follows. `bytes`: what came of the body. */
static bool opens(struct mohs_streams *streams, struct mohs_stream *stream, uint64_t came_ns,
                  struct mohs_span bytes) {
    int error = judge(streams, stream);
    if (error) {
        keep_failed(streams, stream, error, bytes);
        fail(streams, stream, error);
        return false;
    }
    if (streams->cable.join.size) stream->state = MOHS_STREAM_JOINING;
    else opened(streams, stream, came_ns);
    return true;
}

/* The end of the response, or what can't be read as one. */
static void end_response(struct mohs_streams *streams, struct mohs_stream *stream, bool broken,
                         struct mohs_span bytes) {
    if (stream->state == MOHS_STREAM_OPEN) {
        drop(streams, stream, broken ? MOHS_STREAM_BROKEN : MOHS_STREAM_ENDED);
        return;
    }
    keep_failed(streams, stream, stream->http.error, bytes);
    fail(streams, stream, stream->http.error);
}

static void read_events(struct mohs_streams *streams, struct mohs_stream *stream,
                        struct mohs_span body, uint64_t came_ns) {
    struct mohs_span piece;
    const char *cursor = body.data, *end = body.data + body.size;
    enum mohs_sse_found found;
    while ((found = mohs_sse_next(&stream->sse, &cursor, end, &piece)) != MOHS_SSE_MORE) {
        if (streams->listeners)
            mohs_listener_hear(listener_of(streams, stream), &streams->messages, &stream->sse,
                               found, piece, came_ns);
        if (found == MOHS_SSE_EVENT) count_event(streams, stream, came_ns);
    }
}

/* ---- WebSockets ------------------------------------------------------------------------------ */

/* A WebSocket ends: if it waited for its channel, it was never open. */
static void end_talk(struct mohs_streams *streams, struct mohs_stream *stream,
                     enum mohs_stream_end end, int error) {
    if (stream->state == MOHS_STREAM_JOINING) {
        say_end(streams, stream, MOHS_WS_NORMAL);
        fail(streams, stream, error);
        return;
    }
    drop(streams, stream, end);
}

/* Reads frames. Returns false if that ended the stream. */
static bool converse(struct mohs_streams *streams, struct mohs_stream *stream, const char *bytes,
                     size_t size, uint64_t came_ns) {
    struct mohs_talk *talk = talk_of(streams, stream);
    bool waited = talk->out_size > 0;
    switch (mohs_talk_read(talk, &streams->messages, bytes, size, came_ns)) {
    case MOHS_TALK_GOES_ON:
        if (talk->joined && stream->state == MOHS_STREAM_JOINING) opened(streams, stream, came_ns);
        if ((talk->pong || talk->join) && !waited) speak(streams, stream, false);
        mohs_live_set(&streams->counts.events, streams->messages.received);
        return true;
    case MOHS_TALK_CLOSED:
        say_end(streams, stream, talk->in.code);
        end_talk(streams, stream, MOHS_STREAM_ENDED, MOHS_CLOSED_BODY);
        return false;
    case MOHS_TALK_REJECTED:
        end_talk(streams, stream, MOHS_STREAM_ENDED, MOHS_REJECTED);
        return false;
    case MOHS_TALK_BROKEN:
        end_talk(streams, stream, MOHS_STREAM_BROKEN, MOHS_BAD_UPGRADE);
    }
    return false;
}

/* Parses the head of an upgrade, and what came behind it. Returns false if that ended the
 * stream. */
static bool upgrade(struct mohs_streams *streams, struct mohs_stream *stream, const char *bytes,
                    size_t size, uint64_t came_ns) {
    struct mohs_upgrade upgrade = {.protocols = streams->protocols, .proofs = stream->proofs};
    const char *cursor = bytes, *end = bytes + size;
    struct mohs_span body = {NULL, 0};
    write_key(streams, stream, upgrade.key);
    stream->http.tell = mohs_upgrade_tell;
    stream->http.listener = &upgrade;
    enum mohs_http_event event = mohs_http_next(&stream->http, &cursor, end, &body);
    stream->proofs = upgrade.proofs;
    if (event == MOHS_HTTP_BROKEN || (event == MOHS_HTTP_MORE && !park(stream))) {
        end_response(streams, stream, true, (struct mohs_span){bytes, size});
        return false;
    }
    if (!mohs_http_has_head(&stream->http)) return true;
    if (event != MOHS_HTTP_BODY) body.size = 0;
    char *frame = streams->frames + index_of(streams, stream) * streams->frame_bytes;
    mohs_talk_begin(talk_of(streams, stream), &streams->messages, index_of(streams, stream), frame);
    if (!opens(streams, stream, came_ns, body)) return false;
    return converse(streams, stream, cursor, (size_t)(end - cursor), came_ns);
}

void mohs_stream_say(struct mohs_streams *streams, struct mohs_stream *stream, uint64_t due_ns) {
    struct mohs_talk *talk = talk_of(streams, stream);
    bool waited = talk->out_size > 0;
    mohs_talk_add(talk, &streams->messages, due_ns);
    if (!waited) speak(streams, stream, false); // else epoll reports room
}

/* ---- what came ------------------------------------------------------------------------------- */

/* Parses what was read. Returns false if that ended the stream. */
static bool consume(struct mohs_streams *streams, struct mohs_stream *stream, const char *bytes,
                    size_t size, uint64_t came_ns) {
    if (streams->websocket && talks(stream)) return converse(streams, stream, bytes, size, came_ns);
    const char *cursor = bytes, *end = bytes + size;
    struct mohs_span body = {NULL, 0};
    enum mohs_http_event event;
    if (!stream->first_ns) stream->first_ns = came_ns;
    unpark(streams, stream);
    if (streams->websocket) return upgrade(streams, stream, bytes, size, came_ns);
    do {
        event = mohs_http_next(&stream->http, &cursor, end, &body);
        if (event == MOHS_HTTP_BROKEN) break;
        if (event != MOHS_HTTP_BODY) body.size = 0;
        if (stream->state != MOHS_STREAM_OPEN && mohs_http_has_head(&stream->http) &&
            !opens(streams, stream, came_ns, body))
            return false;
        if (event == MOHS_HTTP_BODY) read_events(streams, stream, body, came_ns);
    } while (event == MOHS_HTTP_BODY);
    if (event == MOHS_HTTP_MORE && park(stream)) return true;
    end_response(streams, stream, event != MOHS_HTTP_DONE, (struct mohs_span){bytes, size});
    return false;
}

/* The server closed (number 0) or reset the connection, which a request may have found out before:
 * then reading no longer tells. */
static void hang_up(struct mohs_streams *streams, struct mohs_stream *stream, int number) {
    if (stream->refused) number = ECONNRESET;
    if (stream->state == MOHS_STREAM_JOINING) {
        fail(streams, stream, number ? MOHS_RESET_FRESH : MOHS_CLOSED_BODY);
        return;
    }
    if (stream->state != MOHS_STREAM_OPEN) {
        int fresh = number ? MOHS_RESET_FRESH : MOHS_CLOSED_FRESH;
        fail(streams, stream, stream->http.begun ? MOHS_CLOSED_HEADER : fresh);
        return;
    }
    bool whole = number == 0 && !streams->websocket && mohs_http_closed(&stream->http) == MOHS_OK;
    drop(streams, stream,
         number  ? MOHS_STREAM_RESET
         : whole ? MOHS_STREAM_ENDED
                 : MOHS_STREAM_CLOSED);
}

static void readable(struct mohs_streams *streams, struct mohs_stream *stream) {
    struct mohs_loop *loop = loop_of(streams);
    ssize_t size;
    int reads = 0;
    do {
        uint64_t stamped;
        size = mohs_socket_receive(&streams->target, stream->fd, loop->buffer, MOHS_BUFFER_BYTES,
                                   &loop->wall, &loop->now_ns, &stamped);
        int number = errno;
        uint64_t came = arrival_ns(streams, stream, stamped);
        mohs_loop_ran(loop, came);
        if (size < 0 && (number == EAGAIN || number == EINTR)) return;
        if (size <= 0) {
            hang_up(streams, stream, size < 0 ? number : 0);
            return;
        }
        if (!consume(streams, stream, loop->buffer, (size_t)size, came)) return;
    } while (size == MOHS_BUFFER_BYTES && ++reads < MOHS_READS);
}

void mohs_stream_ready(struct mohs_streams *streams, struct mohs_stream *stream, uint32_t events) {
    if (stream->fd < 0) return; // closed in this round
    bool sends = unsent(streams, stream) && !stream->refused;
    if (sends && events & (EPOLLOUT | EPOLLERR | EPOLLHUP)) {
        hand_over(streams, stream);
        return;
    }
    if (streams->websocket && talks(stream) && events & EPOLLOUT) speak(streams, stream, true);
    if (events & ~(uint32_t)EPOLLOUT) readable(streams, stream);
}
