#include "connection.h"

#include <assert.h>
#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>

#include "clock.h"
#include "socket.h"

#define FIRST_PAUSE_NS      MOHS_MILLISECOND        /* doubles with each further failure */
#define MAX_PAUSE_DOUBLINGS 9                       /* 512 ms */
#define LEAST_SEGMENT       536                     /* bytes: RFC 9293 3.7.1 */
#define RACE_NS             (10 * MOHS_MILLISECOND) /* for both ends to get a core */

static struct mohs_loop *loop_of(const struct mohs_connection *connection) {
    return connection->job->loop;
}

/* ---- the end of a request -------------------------------------------------------------------- */

static uint8_t record_flags(const struct mohs_connection *connection, int error, bool answered) {
    unsigned flags = 0;
    if (!connection->used) flags |= MOHS_RECORD_FRESH;
    if (connection->job->warm_up) flags |= MOHS_RECORD_WARM_UP;
    if (connection->http.chunked) flags |= MOHS_RECORD_CHUNKED;
    if (answered && !connection->http.reusable) flags |= MOHS_RECORD_CLOSED;
    if (error == MOHS_ABORTED) flags |= MOHS_RECORD_IN_FLIGHT;
    if (connection->queued) flags |= MOHS_RECORD_QUEUED;
    if (connection->shaking_ns >= connection->begun_ns) flags |= MOHS_RECORD_SHAKEN;
    return (uint8_t)flags;
}

static void write_times(const struct mohs_connection *connection, struct mohs_record *record) {
    uint64_t due = connection->due_ns;
    mohs_record_set_begun(record, connection->sent_ns ? connection->sent_ns - due : 0,
                          connection->first_ns ? connection->first_ns - due : 0);
}

/* When the last bytes read had arrived; the delay until this thread read them is not the server's.
 * A stamp from before the request was sent means that the clock was set. */
static uint64_t came_ns(const struct mohs_connection *connection) {
    bool stamped = connection->came_ns > connection->sent_ns;
    return stamped ? connection->came_ns : loop_of(connection)->now_ns;
}

/* When the first bytes of the response had arrived. The kernel merges what waits to be read and
 * gives it the stamp of the last part, so the response began no later than that; but epoll
 * reported the socket because its first bytes were there. */
static uint64_t first_ns(const struct mohs_connection *connection) {
    uint64_t came = came_ns(connection);
    uint64_t woken = loop_of(connection)->woken_ns;
    return woken > connection->sent_ns && woken < came ? woken : came;
}

static void write_record(struct mohs_connection *connection, int error, bool answered,
                         uint64_t ended_ns) {
    struct mohs_record *record = mohs_recording_next(&connection->job->recording);
    connection->record = record;
    if (!record) return;
    const struct mohs_loop *loop = loop_of(connection);
    const struct mohs_request *requests = connection->job->target->requests;
    uint64_t due = connection->due_ns;
    mohs_record_set_span(record, due - loop->epoch_ns, ended_ns - due);
    record->request = (uint64_t)(connection->request - requests) & UINT16_MAX;
    record->connection = connection->index & ((1u << 24) - 1);
    record->bytes = mohs_saturated(connection->http.body_bytes);
    record->status = connection->http.status;
    record->error = (uint8_t)error;
    record->flags = record_flags(connection, error, answered);
    write_times(connection, record);
}

static void count(struct mohs_connection *connection, int error, bool answered, uint64_t ended_ns) {
    struct mohs_job *job = connection->job;
    struct mohs_tally *tally = job->tally;
    tally->errors[error]++;
    tally->bytes += connection->http.body_bytes;
    if (answered) {
        tally->completed++;
        tally->last_ns = loop_of(connection)->now_ns;
        mohs_live_add(&job->live_completed, 1);
    }
    if (error != MOHS_OK) {
        mohs_live_add(&job->live_failed, 1);
        return;
    }
    uint64_t took = ended_ns - connection->due_ns;
    uint64_t waited = job->open_loop ? took : ended_ns - connection->sent_ns;
    mohs_live_add(&job->live_times[mohs_time_step(waited)], 1);
    mohs_job_read(job, &tally->first);
    tally->good++;
    tally->latency_sum_ns += took;
    if (took > tally->max_ns) tally->max_ns = took;
    connection->answers++;
}

/* Keeps the first wrong response: the start of its body, or the bytes that were not HTTP. */
static void keep_failed_response(struct mohs_connection *connection, int error, const char *bytes,
                                 size_t size) {
    mohs_failed_response_keep(&connection->job->failed_response, loop_of(connection)->now_ns,
                              connection->http.status, error, (struct mohs_span){bytes, size});
}

/* Takes back a good response that was already counted, since more bytes followed than it contains.
 * The longest time is found again from the records. */
static void take_back(struct mohs_connection *connection, struct mohs_record *record) {
    struct mohs_job *job = connection->job;
    struct mohs_tally *tally = job->tally;
    uint64_t waited = job->open_loop ? record->done_ns : mohs_record_service_ns(record);
    record->error = MOHS_EXTRA_BYTES;
    tally->errors[MOHS_OK]--;
    tally->errors[MOHS_EXTRA_BYTES]++;
    tally->good--;
    tally->completed--;
    tally->latency_sum_ns -= record->done_ns;
    connection->answers--;
    mohs_live_add(&job->live_times[mohs_time_step(waited)], -1);
    mohs_live_add(&job->live_completed, -1);
    mohs_live_add(&job->live_failed, 1);
}

/* Bytes came that no request asked for, after the response of `record`. Returns whether that
 * response was good until then. */
static bool count_extra(struct mohs_connection *connection, struct mohs_record *record,
                        const char *bytes, size_t size) {
    if (!record) connection->unasked = true;
    if (!record || record->error != MOHS_OK) return false;
    keep_failed_response(connection, MOHS_EXTRA_BYTES, bytes, size);
    take_back(connection, record);
    return true;
}

/* A client's action has failed with its last request. If the end of the step cut it short before,
 * it counted neither as finished nor as in flight. */
static void fail_action(struct mohs_connection *connection) {
    struct mohs_client *client = connection->client;
    if (!client) return;
    connection->job->in_flight -= client->midway;
    connection->job->tally->finished -= client->finished;
    client->midway = client->finished = false;
}

/* As recv, over TLS if there is TLS. */
static ssize_t read_rest(struct mohs_tls *tls, int fd, char *buffer, size_t size) {
    return tls ? mohs_tls_receive(tls, buffer, size, true) : recv(fd, buffer, size, MSG_DONTWAIT);
}

/* Bytes came while the connection had no request. The server and mohs disagree about where a
 * response ends, so the connection is not used any more. */
static void count_unasked(struct mohs_connection *connection, const char *bytes, size_t size) {
    if (count_extra(connection, connection->record, bytes, size)) {
        connection->job->tally->lost++;
        fail_action(connection);
    }
    mohs_connection_close(connection);
}

static void free_tls(struct mohs_tls **tls) {
    if (*tls) mohs_tls_free(*tls);
    *tls = NULL;
}

static void close_left(struct mohs_connection *connection) {
    if (connection->left < 0) return;
    free_tls(&connection->left_tls);
    mohs_socket_close(connection->left, false);
    connection->left = -1;
}

/* Checks the socket that was left before for a last time, and closes it. */
static void settle_left(struct mohs_connection *connection) {
    char bytes[MOHS_SAMPLE_MAX];
    if (connection->left < 0) return;
    ssize_t size = read_rest(connection->left_tls, connection->left, bytes, sizeof bytes);
    if (size > 0) count_extra(connection, connection->left_record, bytes, (size_t)size);
    close_left(connection);
}

/* Closes our side of a connection that its server is about to close, and keeps the socket, since
 * more bytes may arrive than the response contains. These are looked for when the next connection
 * is left, or when the step is over. Not for a scenario's client, which may have gone on to
 * another action by then. */
static bool leave_open(struct mohs_connection *connection) {
    if (connection->client) return false;
    if (connection->tls) mohs_tls_part(connection->tls);
    if (shutdown(connection->fd, SHUT_WR) != 0) return false;
    if (epoll_ctl(loop_of(connection)->epoll, EPOLL_CTL_DEL, connection->fd, NULL) != 0)
        return false;
    connection->left = connection->fd;
    connection->left_tls = connection->tls;
    connection->left_record = connection->record;
    connection->tls = NULL;
    connection->fd = -1;
    connection->open = false;
    return true;
}

static void client_next(struct mohs_connection *connection, bool good);

/* Leaves a connection that carries nothing more. If the server closed it after a complete response
 * and the next request follows at once, that request reuses the socket. */
static void leave(struct mohs_connection *connection, bool whole) {
    const struct mohs_target *target = connection->job->target;
    bool ours = target->keep_alive == MOHS_CLOSE_FIN || target->keep_alive == MOHS_CLOSE_RST;
    bool again = whole && connection->ended && target->keep_alive != MOHS_CLOSE_RST &&
                 !connection->job->open_loop && !connection->client;
    settle_left(connection);
    if (whole && !ours && !connection->ended && leave_open(connection)) return;
    if (!again || !mohs_socket_part(target, connection->fd)) {
        mohs_connection_close(connection);
        return;
    }
    free_tls(&connection->tls);
    connection->spare = connection->fd;
    connection->fd = -1;
    connection->open = false;
}

/* Ends the request now, with its error class, and goes on to the next one. */
static void finish(struct mohs_connection *connection, int error) {
    struct mohs_job *job = connection->job;
    bool answered = mohs_answered(error);
    if (answered) mohs_job_recover(job, loop_of(connection)->now_ns);
    if (mohs_wrong(error))
        keep_failed_response(connection, error, connection->checking.sample,
                             connection->checking.kept);
    if (error == MOHS_NO_CAPTURE)
        keep_failed_response(connection, error, connection->client->page,
                             connection->client->page_size);
    uint64_t ended_ns = answered ? came_ns(connection) : loop_of(connection)->now_ns;
    write_record(connection, error, answered, ended_ns);
    count(connection, error, answered, ended_ns);
    connection->free_ns = ended_ns;
    mohs_live_set(&connection->live_since_ns, 0);
    job->in_flight--;
    bool whole = connection->state == MOHS_WAITING; // else the rest of the request is still unsent
    bool keep = answered && whole && connection->http.reusable &&
                job->target->keep_alive == MOHS_KEEP_ALIVE;
    connection->state = MOHS_IDLE;
    connection->used = true;
    if (answered) {
        connection->failures = 0;
    } else {
        if (connection->open && error != MOHS_ABORTED) job->tally->lost++;
        connection->failures++;
        mohs_job_fail(job, loop_of(connection)->now_ns);
    }
    if (!keep) leave(connection, answered && whole);
    if (connection->client) client_next(connection, error == MOHS_OK);
    else mohs_connection_next(connection);
}

/* ---- sending --------------------------------------------------------------------------------- */

static bool consume(struct mohs_connection *connection, const char *bytes, size_t size);
static void hang_up(struct mohs_connection *connection, int number);

/* Returns false if epoll has no room for another socket. */
static bool watch(struct mohs_connection *connection, int operation, uint32_t events) {
    struct epoll_event event = {.events = events, .data.ptr = connection};
    return epoll_ctl(loop_of(connection)->epoll, operation, connection->fd, &event) == 0;
}

/* Registers these events with epoll, and the server's closing of its side after the response.
 * `fresh`: epoll does not know the socket yet; `changed`: epoll knows it with other events. If
 * registering fails, the request ends, since epoll would never report anything for its socket. */
static void listen_for(struct mohs_connection *connection, uint32_t events, bool fresh,
                       bool changed) {
    events |= EPOLLRDHUP;
    if (fresh && !watch(connection, EPOLL_CTL_ADD, events)) finish(connection, MOHS_NO_DESCRIPTOR);
    else if (!fresh && changed) watch(connection, EPOLL_CTL_MOD, events);
}

/* The socket's buffer is full: epoll reports when there is room. */
static void wait_writable(struct mohs_connection *connection, enum mohs_state state, bool fresh) {
    bool changed = connection->state != state;
    connection->state = (uint8_t)state;
    listen_for(connection, EPOLLIN | EPOLLOUT, fresh, changed);
}

/* The error class of a connection that ended before the first byte of a response. On a reused
 * connection it may be the keep-alive race: the server was closing it when the request was sent.
 * That shows within a round trip; a server that closes the connection later had received the
 * request and did not answer it. */
static int end_class(const struct mohs_connection *connection, bool reset) {
    uint64_t reach = RACE_NS + mohs_socket_round_trip_ns(connection->job->target, connection->fd);
    bool raced = connection->used && loop_of(connection)->now_ns <= connection->begun_ns + reach;
    return mohs_socket_end_class(raced, reset);
}

static int send_class(const struct mohs_connection *connection, int number) {
    if (!connection->used) return mohs_socket_class(number);
    bool ended = number == EPIPE || number == ECONNRESET;
    return ended ? end_class(connection, number == ECONNRESET) : MOHS_OTHER;
}

/* A server may respond and close before it has read the whole request; that response counts.
 * Before the first byte of a request was sent, nothing that arrived can be its response. */
static void send_failed(struct mohs_connection *connection, int number) {
    char *buffer = loop_of(connection)->buffer;
    ssize_t size = 0;
    if (connection->handed_over)
        size = read_rest(connection->tls, connection->fd, buffer, MOHS_BUFFER_BYTES);
    while (size > 0) {
        if (!consume(connection, buffer, (size_t)size)) return;
        size = read_rest(connection->tls, connection->fd, buffer, MOHS_BUFFER_BYTES);
    }
    if (connection->http.begun) hang_up(connection, number == EPIPE ? 0 : number);
    else finish(connection, send_class(connection, number));
}

/* Sends as much as the socket takes. `fresh`: the socket is new and epoll does not know it yet. */
static void hand_over(struct mohs_connection *connection, bool fresh) {
    size_t left = connection->size - connection->handed_over;
    const char *bytes = connection->bytes + connection->handed_over;
    ssize_t size = connection->tls ? mohs_tls_send(connection->tls, bytes, left)
                                   : send(connection->fd, bytes, left, MSG_NOSIGNAL);
    if (size < 0 && errno != EAGAIN && errno != EINTR) {
        send_failed(connection, errno);
        return;
    }
    if (size > 0) {
        connection->job->tally->opened += !connection->open;
        connection->open = true;
        connection->handed_over += (size_t)size;
    }
    if (connection->handed_over < connection->size) {
        wait_writable(connection, connection->open ? MOHS_SENDING : MOHS_CONNECTING, fresh);
        return;
    }
    // in the common case this is when the previous response was read
    connection->sent_ns = loop_of(connection)->now_ns;
    bool changed = connection->state != MOHS_IDLE;
    connection->state = MOHS_WAITING;
    listen_for(connection, EPOLLIN, fresh, changed);
}

/* ---- TLS ------------------------------------------------------------------------------------- */

/* mohs_tls_source: the time of an event is read as without TLS, and its kernel's stamp. */
static ssize_t read_encrypted(void *owner, int fd, char *buffer, size_t size) {
    struct mohs_connection *connection = owner;
    struct mohs_loop *loop = loop_of(connection);
    return mohs_socket_receive(connection->job->target, fd, buffer, size, &loop->wall,
                               &loop->now_ns, &connection->came_ns);
}

/* Returns false without memory. */
static bool begin_tls(struct mohs_connection *connection) {
    connection->tls =
        mohs_tls_begin(connection->job->target->tls, connection->fd, read_encrypted, connection);
    connection->replying = false;
    return connection->tls;
}

/* Goes on with the handshake, and counts it at its end. It begins once there is a connection. */
static enum mohs_tls_turn turn_of(struct mohs_connection *connection) {
    struct mohs_handshakes *handshakes = &connection->job->handshakes;
    if (!connection->open) connection->shaking_ns = mohs_now_ns();
    enum mohs_tls_turn turn = mohs_tls_shake(connection->tls);
    bool failed = turn == MOHS_TLS_FAILED;
    bool open = failed ? errno == MOHS_TLS_BROKEN || errno == MOHS_TLS_CUT : turn != MOHS_TLS_WRITE;
    connection->job->tally->opened += open && !connection->open;
    connection->open |= open;
    handshakes->failed += failed && connection->open;
    if (turn != MOHS_TLS_READY) return turn;
    handshakes->done++;
    handshakes->times[mohs_time_step(mohs_now_ns() - connection->shaking_ns)]++;
    return turn;
}

/* No event reports what was read with the end of a handshake: bytes that nobody asked for, or the
 * server's own end. Returns its error class; MOHS_OK if there is nothing. */
static int judge_handshake(struct mohs_connection *connection) {
    char *buffer = loop_of(connection)->buffer;
    if (!mohs_tls_pending(connection->tls)) return MOHS_OK;
    ssize_t size = mohs_tls_receive(connection->tls, buffer, MOHS_BUFFER_BYTES, false);
    if (size < 0 && errno == EAGAIN) return MOHS_OK;
    if (size < 0 && errno == MOHS_TLS_BROKEN) return MOHS_TLS_ERROR;
    if (size <= 0) return MOHS_CLOSED_FRESH;
    keep_failed_response(connection, MOHS_EXTRA_BYTES, buffer, (size_t)size);
    return MOHS_EXTRA_BYTES;
}

/* The handshake of a request's connection, before the request is sent. */
static void shake(struct mohs_connection *connection, bool fresh) {
    enum mohs_tls_turn turn = turn_of(connection);
    int number = errno;
    loop_of(connection)->now_ns = mohs_now_ns();
    if (turn == MOHS_TLS_READY) {
        int error = judge_handshake(connection);
        if (error == MOHS_OK) hand_over(connection, fresh);
        else finish(connection, error);
    } else if (turn == MOHS_TLS_FAILED) {
        finish(connection, connection->open ? MOHS_TLS_ERROR : mohs_socket_class(number));
    } else {
        connection->state = connection->open ? MOHS_SHAKING : MOHS_CONNECTING;
        listen_for(connection, turn == MOHS_TLS_READ ? EPOLLIN : EPOLLIN | EPOLLOUT, fresh, true);
    }
}

/* The handshake of a connection that has no request yet. Returns whether it succeeded in time. */
static bool shake_ahead(struct mohs_connection *connection, uint64_t deadline_ns) {
    enum mohs_tls_turn turn = MOHS_TLS_WRITE;
    if (!begin_tls(connection)) return false;
    do {
        short events = turn == MOHS_TLS_READ ? POLLIN : POLLOUT;
        if (mohs_socket_wait(connection->fd, events, loop_of(connection)->wake, deadline_ns)) {
            connection->job->handshakes.failed += connection->open;
            return false;
        }
        turn = turn_of(connection);
    } while (turn == MOHS_TLS_READ || turn == MOHS_TLS_WRITE);
    int error = turn == MOHS_TLS_READY ? judge_handshake(connection) : MOHS_TLS_ERROR;
    connection->unasked |= error == MOHS_EXTRA_BYTES;
    return error == MOHS_OK;
}

/* Reads what came. Some of it OpenSSL answers at once, for which it may have to wait. */
static ssize_t decrypt(struct mohs_connection *connection, bool socket) {
    char *buffer = loop_of(connection)->buffer;
    ssize_t size = mohs_tls_receive(connection->tls, buffer, MOHS_BUFFER_BYTES, socket);
    int number = errno;
    bool replies = size < 0 && mohs_tls_replies(connection->tls);
    if (replies != connection->replying && connection->state != MOHS_SENDING) {
        watch(connection, EPOLL_CTL_MOD, (replies ? EPOLLIN | EPOLLOUT : EPOLLIN) | EPOLLRDHUP);
        connection->replying = replies;
    }
    errno = number;
    return size;
}

/* Whether a response is followed by more, which was read with it; or came with the end. */
static bool more_over_tls(struct mohs_connection *connection) {
    char byte;
    uint64_t came = connection->came_ns;
    if (!connection->ended && !mohs_tls_pending(connection->tls)) return false;
    bool more = mohs_tls_receive(connection->tls, &byte, 1, connection->ended) > 0;
    connection->came_ns = came; // of the response
    return more;
}

/* How an idle connection over TLS is: what the server said of TLS itself may have come. */
static enum mohs_idle idle_over_tls(struct mohs_connection *connection) {
    char byte;
    ssize_t size = mohs_tls_receive(connection->tls, &byte, 1, true);
    if (size > 0) return MOHS_IDLE_BYTES;
    return size < 0 && errno == EAGAIN ? MOHS_IDLE_QUIET : MOHS_IDLE_ENDED;
}

/* ---- a new connection ------------------------------------------------------------------------ */

static void dial(struct mohs_connection *connection) {
    struct mohs_loop *loop = loop_of(connection);
    const struct mohs_target *target = connection->job->target;
    bool fresh = connection->spare < 0;
    connection->fd = connection->spare;
    connection->spare = -1;
    uint32_t turn = connection->index + connection->dials;
    int number = fresh ? mohs_socket_dial(target, turn, &connection->fd)
                       : mohs_socket_redial(target, &connection->fd);
    if (number == EMFILE && connection->left >= 0) { // one of our own descriptors can be freed
        settle_left(connection);
        number = mohs_socket_dial(target, turn, &connection->fd);
    }
    connection->used = false;
    if (number == EAGAIN) {
        connection->state = MOHS_DIALLING;
        connection->retry_ns = loop->now_ns + FIRST_PAUSE_NS;
        mohs_loop_look_at(loop_of(connection), connection->retry_ns);
        return;
    }
    if (number) {
        finish(connection, mohs_socket_class(number));
        return;
    }
    connection->dials += (uint32_t)target->worker_count;
    // a single segment on a new connection leaves at once anyway
    if (target->keep_alive == MOHS_KEEP_ALIVE || connection->size > LEAST_SEGMENT || target->tls)
        mohs_socket_hurry(target, connection->fd);
    loop->now_ns = mohs_now_ns(); // dialling takes 20 us and more, and comes before sent
    if (!target->tls) hand_over(connection, fresh);
    else if (begin_tls(connection)) shake(connection, fresh);
    else finish(connection, MOHS_NO_DESCRIPTOR);
}

/* Sends `connection->request`, which consists of these bytes. */
static void start(struct mohs_connection *connection, uint64_t due_ns, const char *bytes,
                  size_t size) {
    struct mohs_job *job = connection->job;
    job->tally->sent++;
    job->in_flight++;
    connection->queued = job->open_loop && connection->free_ns > due_ns &&
                         !mohs_loop_held_up(loop_of(connection), due_ns);
    job->tally->queued += connection->queued;
    connection->bytes = bytes;
    connection->size = size;
    connection->due_ns = due_ns;
    connection->begun_ns = loop_of(connection)->now_ns;
    mohs_live_set(&connection->live_since_ns, job->open_loop ? due_ns : connection->begun_ns);
    connection->sent_ns = 0;
    connection->first_ns = 0;
    connection->came_ns = 0;
    connection->handed_over = 0;
    connection->ended = false;
    bool unasked = connection->unasked;
    connection->unasked = false;
    connection->state = MOHS_IDLE;
    mohs_http_begin(&connection->http, connection->line, connection->request->head);
    mohs_checking_begin(&connection->checking, &connection->request->check, connection->sample);
    if (connection->request->check.type.size)
        mohs_http_want(&connection->http, connection->request->check.type);
    if (connection->client) {
        connection->http.tell = mohs_client_tell;
        connection->http.listener = connection->client;
    }
    if (unasked) finish(connection, MOHS_EXTRA_BYTES);
    else if (connection->fd < 0) dial(connection);
    else hand_over(connection, false);
}

/* Sends the next step of the client's action. */
static void start_step(struct mohs_connection *connection, uint64_t due_ns) {
    struct mohs_span bytes;
    uint32_t step = mohs_client_render(connection->client, &bytes);
    connection->request = &connection->job->target->requests[step];
    start(connection, due_ns, bytes.data, bytes.size);
}

void mohs_connection_begin(struct mohs_connection *connection, uint64_t due_ns) {
    struct mohs_job *job = connection->job;
    const struct mohs_target *target = job->target;
    if (job->quota != MOHS_NO_LIMIT) {
        job->quota--;
        connection->quota--;
    }
    if (connection->client) {
        job->tally->actions++;
        mohs_client_begin(connection->client, job->login, &connection->random);
        start_step(connection, due_ns);
        return;
    }
    connection->request = &target->requests[mohs_target_pick(target, &connection->random)];
    start(connection, due_ns, connection->request->bytes, connection->request->size);
}

/* Pause before a connection that keeps failing is opened again: none the first time, then
 * 1 ms, 2 ms, 4 ms, ... */
static uint64_t pause_ns(const struct mohs_connection *connection) {
    if (connection->failures < 2) return 0;
    uint32_t doublings = connection->failures - 2;
    return FIRST_PAUSE_NS << (doublings < MAX_PAUSE_DOUBLINGS ? doublings : MAX_PAUSE_DOUBLINGS);
}

static void begin_next(struct mohs_connection *connection) {
    struct mohs_job *job = connection->job;
    if (job->open_loop) job->freed(job, connection);
    else mohs_connection_begin(connection, connection->free_ns);
}

static void pause_for(struct mohs_connection *connection, uint64_t pause) {
    connection->state = MOHS_PAUSED;
    connection->retry_ns = loop_of(connection)->now_ns + pause;
    mohs_loop_look_at(loop_of(connection), connection->retry_ns);
}

/* The connection has nothing more to send in this step. A server's thread may wait for its next
 * request while other connections wait for a thread (Puma before 8: 200 ms each), so it is closed
 * if that is wanted. */
static void rest(struct mohs_connection *connection) {
    struct mohs_job *job = connection->job;
    if (job->open_loop) return;
    bool answered = connection->failures == 0; // else it gave up, maybe long after the load
    if (answered && !job->tally->full_until_ns) job->tally->full_until_ns = connection->free_ns;
    if (answered) mohs_job_read(job, &job->tally->full);
    if (!job->hang_up) return;
    mohs_connection_check(connection);
    mohs_connection_close(connection);
}

/* Begins a new request or action after a pause. */
static void next_after(struct mohs_connection *connection, uint64_t pause) {
    uint64_t now = loop_of(connection)->now_ns;
    connection->state = MOHS_IDLE;
    if (connection->quota == 0 || !mohs_job_open(connection->job, now)) {
        rest(connection);
        return;
    }
    if (pause == 0) begin_next(connection);
    else pause_for(connection, pause);
}

void mohs_connection_next(struct mohs_connection *connection) {
    next_after(connection, pause_ns(connection));
}

/* ---- clients of a scenario ------------------------------------------------------------------- */

/* Goes on with an action. A client that thinks counts as in flight. */
static void go_on(struct mohs_connection *connection, uint64_t think) {
    struct mohs_job *job = connection->job;
    uint64_t now = loop_of(connection)->now_ns;
    connection->state = MOHS_IDLE;
    if (!mohs_job_goes_on(job, now + think)) {
        connection->client->midway = false; // the rest would come after the step's end
        if (think) pause_for(connection, think);
        else rest(connection);
    } else if (think) {
        job->in_flight++;
        pause_for(connection, think);
    } else {
        start_step(connection, connection->free_ns);
    }
}

/* The client's request has ended. In an open loop the next arrival is another visitor, who does not
 * wait while the previous one thinks. */
static void client_next(struct mohs_connection *connection, bool good) {
    struct mohs_job *job = connection->job;
    uint64_t think = mohs_client_ended(connection->client, good);
    uint64_t pause = pause_ns(connection);
    if (connection->client->midway) {
        go_on(connection, think);
        return;
    }
    job->tally->finished += connection->client->finished;
    if (job->open_loop) think = 0;
    next_after(connection, think > pause ? think : pause);
}

/* The pause is over. */
static void wake(struct mohs_connection *connection) {
    struct mohs_job *job = connection->job;
    uint64_t now = loop_of(connection)->now_ns;
    connection->state = MOHS_IDLE;
    connection->free_ns = now;
    if (connection->client && connection->client->midway) {
        job->in_flight--;
        if (mohs_job_goes_on(job, now)) start_step(connection, now);
        else connection->client->midway = false;
    } else if (mohs_job_open(job, now)) {
        begin_next(connection);
    }
}

/* ---- reading --------------------------------------------------------------------------------- */

/* Checks a complete response. */
static int judge(struct mohs_connection *connection) {
    const struct mohs_http *http = &connection->http;
    int error = mohs_checking_end(&connection->checking, http);
    if (error == MOHS_OK && connection->client) error = mohs_client_judge(connection->client);
    return error;
}

/* Whether more has arrived than was read. Only looks if the server has closed its side, since
 * nothing else can follow then. */
static bool more_came(struct mohs_connection *connection) {
    char byte;
    if (connection->tls) return more_over_tls(connection);
    return connection->ended && recv(connection->fd, &byte, 1, MSG_PEEK | MSG_DONTWAIT) > 0;
}

/* Parses what was read. Returns false if that ended the request. */
static bool consume(struct mohs_connection *connection, const char *bytes, size_t size) {
    const char *cursor = bytes;
    const char *end = bytes + size;
    struct mohs_http *http = &connection->http;
    struct mohs_span piece;
    enum mohs_http_event event;
    if (connection->first_ns == 0) {
        if (mohs_socket_came_before(&loop_of(connection)->wall, connection->came_ns,
                                    connection->sent_ns)) {
            keep_failed_response(connection, MOHS_EXTRA_BYTES, bytes, size);
            finish(connection, MOHS_EXTRA_BYTES);
            return false;
        }
        connection->first_ns = first_ns(connection);
    }
    while ((event = mohs_http_next(http, &cursor, end, &piece)) == MOHS_HTTP_BODY) {
        mohs_checking_body(&connection->checking, http, piece);
        if (connection->client) mohs_client_body(connection->client, piece);
    }
    if (event == MOHS_HTTP_MORE) return true;
    int error = event == MOHS_HTTP_BROKEN ? http->error : MOHS_OK;
    if (event == MOHS_HTTP_DONE && (cursor < end || more_came(connection)))
        error = MOHS_EXTRA_BYTES;
    if (error) keep_failed_response(connection, error, bytes, size);
    else error = judge(connection);
    finish(connection, error);
    return false;
}

/* The server closed (number 0) or reset the connection, or broke TLS (tls.h). */
static void hang_up(struct mohs_connection *connection, int number) {
    const struct mohs_http *http = &connection->http;
    connection->came_ns = 0; // framed by the connection's end: done now, not with its last byte
    if (connection->state == MOHS_IDLE || connection->state == MOHS_PAUSED) {
        mohs_connection_close(connection); // it may close an idle connection
        return;
    }
    if (number == MOHS_TLS_BROKEN) {
        finish(connection, MOHS_TLS_ERROR);
        return;
    }
    if (!http->begun) {
        finish(connection, end_class(connection, number != 0 && number != MOHS_TLS_CUT));
        return;
    }
    int error = mohs_http_closed(http);
    if (error == MOHS_OK && number) error = MOHS_CLOSED_BODY;
    if (error == MOHS_OK) error = judge(connection);
    finish(connection, error);
}

/* Reads into the loop's buffer, after so many `reads` for the same event. */
static ssize_t receive(struct mohs_connection *connection, int reads) {
    struct mohs_loop *loop = loop_of(connection);
    if (connection->tls) return decrypt(connection, reads < MOHS_READS);
    // the time of the event: after recv, before parsing
    return mohs_socket_receive(connection->job->target, connection->fd, loop->buffer,
                               MOHS_BUFFER_BYTES, &loop->wall, &loop->now_ns, &connection->came_ns);
}

/* Whether to read on after so many bytes. Over TLS no event would report what was read with
 * them. */
static bool reads_on(const struct mohs_connection *connection, ssize_t size, int reads) {
    if (connection->tls) return mohs_tls_pending(connection->tls);
    return size == MOHS_BUFFER_BYTES && reads < MOHS_READS;
}

static void readable(struct mohs_connection *connection) {
    struct mohs_loop *loop = loop_of(connection);
    ssize_t size;
    int reads = 0;
    do {
        size = receive(connection, reads);
        mohs_loop_ran(loop, came_ns(connection));
        if (size < 0 && (errno == EAGAIN || errno == EINTR)) return;
        if (size <= 0) {
            hang_up(connection, size < 0 ? errno : 0);
            return;
        }
        if (connection->state == MOHS_IDLE || connection->state == MOHS_PAUSED) {
            count_unasked(connection, loop->buffer, (size_t)size);
            return;
        }
        if (!consume(connection, loop->buffer, (size_t)size)) return;
    } while (reads_on(connection, size, ++reads));
}

void mohs_connection_ready(struct mohs_connection *connection, uint32_t events) {
    if (connection->fd < 0) { // closed in this round, or a forked child still holds the socket
        loop_of(connection)->now_ns = mohs_now_ns();
        mohs_connection_close(connection); // its spare socket, after its last request
        return;
    }
    bool unsent = connection->state >= MOHS_CONNECTING && connection->state <= MOHS_SENDING;
    if (unsent && (connection->state != MOHS_SENDING || events & EPOLLOUT)) {
        loop_of(connection)->now_ns = mohs_now_ns();
        if (connection->tls && connection->state != MOHS_SENDING) shake(connection, false);
        else hand_over(connection, false);
        return; // epoll is level-triggered: it reports again what can be read
    }
    connection->ended = events & EPOLLRDHUP;
    readable(connection);
}

/* ---- time ------------------------------------------------------------------------------------ */

static int timeout_class(const struct mohs_connection *connection) {
    if (connection->state >= MOHS_DIALLING && connection->state <= MOHS_SHAKING)
        return MOHS_CONNECT_TIMEOUT;
    return connection->first_ns ? MOHS_TIMEOUT : MOHS_TIMEOUT_FIRST;
}

/* Ends the request now, and the handshake before it, if that is not over. */
static void give_up(struct mohs_connection *connection, int error) {
    connection->job->handshakes.failed += connection->state == MOHS_SHAKING;
    finish(connection, error);
}

uint64_t mohs_connection_look(struct mohs_connection *connection) {
    uint64_t now = loop_of(connection)->now_ns;
    if (connection->state == MOHS_IDLE) return MOHS_NO_LIMIT;
    if (connection->state == MOHS_PAUSED) {
        if (now < connection->retry_ns) return connection->retry_ns;
        wake(connection);
        return MOHS_NO_LIMIT;
    }
    uint64_t end = connection->begun_ns + connection->job->target->timeout_ns;
    if (now >= end) {
        give_up(connection, timeout_class(connection));
        return MOHS_NO_LIMIT;
    }
    if (connection->state != MOHS_DIALLING) return end;
    if (now >= connection->retry_ns) {
        dial(connection); // which sets when to look again
        return end;
    }
    return end < connection->retry_ns ? end : connection->retry_ns;
}

void mohs_connection_acknowledge(struct mohs_connection *connection) {
    if (connection->fd >= 0) mohs_socket_acknowledge(connection->job->target, connection->fd);
}

void mohs_connection_check(struct mohs_connection *connection) {
    struct mohs_loop *loop = loop_of(connection);
    settle_left(connection);
    if (connection->fd < 0 || connection->state > MOHS_PAUSED) return;
    ssize_t size = read_rest(connection->tls, connection->fd, loop->buffer, MOHS_BUFFER_BYTES);
    if (size > 0) count_unasked(connection, loop->buffer, (size_t)size);
}

void mohs_connection_abort(struct mohs_connection *connection) {
    struct mohs_client *client = connection->client;
    if (connection->state > MOHS_PAUSED) give_up(connection, MOHS_ABORTED);
    if (connection->state == MOHS_PAUSED && client && client->midway) {
        connection->job->in_flight--;
        client->midway = false;
    }
    connection->state = MOHS_IDLE;
}

/* ---- opening and closing --------------------------------------------------------------------- */

void mohs_connection_close(struct mohs_connection *connection) {
    if (connection->spare >= 0) mohs_socket_close(connection->spare, false);
    connection->spare = -1;
    close_left(connection);
    if (connection->fd < 0) return;
    bool reset = connection->job->target->keep_alive == MOHS_CLOSE_RST;
    if (connection->tls && !reset) mohs_tls_part(connection->tls);
    free_tls(&connection->tls);
    mohs_socket_close(connection->fd, reset);
    connection->fd = -1;
    connection->open = false;
}

static enum mohs_idle idle_state(struct mohs_connection *connection) {
    if (connection->fd < 0) return MOHS_IDLE_ENDED;
    return connection->tls ? idle_over_tls(connection) : mohs_socket_idle(connection->fd);
}

void mohs_connection_prepare(struct mohs_connection *connection, uint64_t deadline_ns) {
    const struct mohs_target *target = connection->job->target;
    enum mohs_idle idle = idle_state(connection);
    connection->record = NULL;
    if (idle == MOHS_IDLE_QUIET) return;
    if (idle == MOHS_IDLE_BYTES) connection->unasked = true;
    mohs_connection_close(connection);
    // A server that reads one connection at a time would wait for a request on this one.
    if (connection->quota == 0) return;
    if (target->keep_alive != MOHS_KEEP_ALIVE) return; // each request opens its own
    if (mohs_now_ns() >= deadline_ns) return;          // the others waited long enough
    struct mohs_loop *loop = loop_of(connection);
    int number;
    do {
        number = mohs_socket_dial(target, connection->index + connection->dials, &connection->fd);
    } while (number == EAGAIN && mohs_now_ns() < deadline_ns &&
             mohs_loop_rest(loop, mohs_now_ns() + FIRST_PAUSE_NS));
    if (number) return;
    connection->dials += (uint32_t)target->worker_count;
    mohs_socket_hurry(target, connection->fd);
    if (mohs_socket_wait(connection->fd, POLLOUT, loop->wake, deadline_ns) != 0 ||
        (target->tls && !shake_ahead(connection, deadline_ns)) ||
        !watch(connection, EPOLL_CTL_ADD, EPOLLIN)) {
        mohs_connection_close(connection);
        return;
    }
    connection->used = false;
    connection->job->tally->opened += !connection->open;
    connection->open = true;
}
