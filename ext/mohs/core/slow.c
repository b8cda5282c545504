#include "slow.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "clock.h"

#define PIECES_PER_S  10   /* of each connection, if its rate has so many bytes */
#define PIECE_MAX     4096 /* faster ones move more pieces instead of larger ones */
#define RECEIVE_BYTES 4096 /* the kernel makes it twice as much, and counts its own overhead */
#define SCAN_NS       MOHS_MILLISECOND         /* clients are looked at no more often */
#define WAIT_NS       (5 * MOHS_MILLISECOND)   /* until a socket is tried again */
#define PAUSE_NS      (100 * MOHS_MILLISECOND) /* after a failure */

/* What a client does next. */
enum phase { DIAL, ASK, GIVE, TAKE };

static char *buffer_of(const struct mohs_slow *slow) {
    return slow->worker.loop.buffer;
}

static const struct mohs_request *request_of(const struct mohs_slow *slow) {
    return slow->target.requests;
}

/* ---- one request ----------------------------------------------------------------------------- */

static void begin(const struct mohs_slow *slow, struct mohs_slow_client *client) {
    client->sent = 0;
    client->phase = ASK;
    mohs_http_begin(&client->http, client->line, request_of(slow)->head);
}

static void hang_up(struct mohs_slow_client *client) {
    if (client->fd >= 0) mohs_socket_close(client->fd, false);
    client->fd = -1;
    client->phase = DIAL;
    client->served = false;
}

static void fail(struct mohs_slow *slow, struct mohs_slow_client *client, int error, uint64_t now) {
    slow->errors[error]++;
    mohs_live_add(&slow->counts.failed, 1);
    hang_up(client);
    client->due_ns = now + PAUSE_NS;
}

static bool expected(const struct mohs_slow *slow, unsigned status) {
    const struct mohs_check *check = &request_of(slow)->check;
    return status / 64 < MOHS_STATUS_WORDS && check->statuses[status / 64] >> status % 64 & 1;
}

/* A response has come to its end, and nothing may follow it: the next request does, on the same
 * connection if it may. */
static void complete(struct mohs_slow *slow, struct mohs_slow_client *client, bool ended,
                     uint64_t now) {
    bool whole = client->sent == request_of(slow)->size;
    if (!expected(slow, client->http.status)) {
        fail(slow, client, MOHS_WRONG_STATUS, now);
        return;
    }
    if (!ended && mohs_socket_idle(client->fd) == MOHS_IDLE_BYTES) {
        fail(slow, client, MOHS_EXTRA_BYTES, now); // not read with its last piece
        return;
    }
    mohs_live_add(&slow->counts.completed, 1);
    client->served = true;
    client->due_ns = now;
    if (ended || !whole || !client->http.reusable) hang_up(client);
    else begin(slow, client);
}

/* ---- its steps ------------------------------------------------------------------------------- */

static void dial(struct mohs_slow *slow, struct mohs_slow_client *client, uint64_t now) {
    int number = mohs_socket_dial(&slow->target, slow->turn++, &client->fd);
    if (number == EAGAIN) { // a unix socket's backlog is full
        client->due_ns = now + WAIT_NS;
        return;
    }
    if (number) {
        fail(slow, client, mohs_socket_class(number), now);
        return;
    }
    mohs_socket_hurry(&slow->target, client->fd);
    begin(slow, client);
}

/* The next piece is due as long after this one as its bytes take. What was missed is not made up
 * for: nobody on a bad network is faster for having waited. */
static void pace(const struct mohs_slow *slow, struct mohs_slow_client *client, size_t bytes,
                 uint64_t now) {
    client->piece_ns += (uint64_t)((double)bytes / slow->bytes_per_s * (double)MOHS_SECOND);
    if (client->piece_ns < now) client->piece_ns = now;
}

/* Sends up to `size` bytes. Returns how many; 0 if the socket takes none now, or if its end has to
 * be read. */
static size_t send_some(struct mohs_slow *slow, struct mohs_slow_client *client, size_t size,
                        uint64_t now) {
    const char *bytes = request_of(slow)->bytes + client->sent;
    ssize_t sent = send(client->fd, bytes, size, MSG_NOSIGNAL);
    client->due_ns = now + WAIT_NS;
    if (sent < 0 && errno != EAGAIN && errno != EINTR) {
        if (client->sent == 0 && !client->served) fail(slow, client, mohs_socket_class(errno), now);
        else client->phase = TAKE; // a server that refuses the rest may have said why
        return 0;
    }
    if (sent <= 0) return 0;
    if (client->sent == 0 && !client->served) mohs_live_add(&slow->counts.opened, 1);
    client->sent += (size_t)sent;
    mohs_live_add(&slow->counts.sent_bytes, sent);
    return (size_t)sent;
}

/* Sends what needs no time: the request, or its head. What comes next waits until its last piece,
 * perhaps of the request before, has had its time. */
static void ask(struct mohs_slow *slow, struct mohs_slow_client *client, uint64_t now) {
    if (send_some(slow, client, slow->at_once - client->sent, now) == 0) return;
    if (client->sent < slow->at_once) return;
    client->phase = slow->sends ? GIVE : TAKE;
    if (client->piece_ns < now) client->piece_ns = now;
    client->due_ns = client->piece_ns;
}

/* Takes bytes of the response. */
static void feed(struct mohs_slow *slow, struct mohs_slow_client *client, size_t size,
                 uint64_t now) {
    const char *cursor = buffer_of(slow), *end = cursor + size;
    struct mohs_span piece;
    enum mohs_http_event event;
    mohs_live_add(&slow->counts.received_bytes, (int64_t)size);
    do {
        event = mohs_http_next(&client->http, &cursor, end, &piece);
    } while (event == MOHS_HTTP_BODY);
    if (event == MOHS_HTTP_BROKEN) fail(slow, client, client->http.error, now);
    else if (event == MOHS_HTTP_DONE && cursor < end) fail(slow, client, MOHS_EXTRA_BYTES, now);
    else if (event == MOHS_HTTP_DONE) complete(slow, client, false, now);
}

/* The server has closed the connection, or it broke (`number`). */
static void ended(struct mohs_slow *slow, struct mohs_slow_client *client, int number,
                  uint64_t now) {
    bool begun = client->http.begun;
    int error = begun ? mohs_http_closed(&client->http) : MOHS_CLOSED_FRESH;
    if (number && begun && error == MOHS_OK) error = MOHS_CLOSED_BODY;
    if (!begun && client->served) error = number ? MOHS_RESET_REUSED : MOHS_CLOSED_REUSED;
    else if (!begun && number) error = mohs_socket_class(number);
    if (error == MOHS_OK) complete(slow, client, true, now);
    else fail(slow, client, error, now);
}

/* Reads up to `size` bytes. Returns how many; 0 if none are there, or at the end. */
static size_t take(struct mohs_slow *slow, struct mohs_slow_client *client, size_t size,
                   uint64_t now) {
    ssize_t got = recv(client->fd, buffer_of(slow), size, 0);
    if (got < 0 && (errno == EAGAIN || errno == EINTR)) return 0;
    if (got > 0) feed(slow, client, (size_t)got, now);
    else ended(slow, client, got < 0 ? errno : 0, now);
    return got > 0 ? (size_t)got : 0;
}

/* Sends a piece of the body. A server may answer before it has all of it. */
static void give(struct mohs_slow *slow, struct mohs_slow_client *client, uint64_t now) {
    if (take(slow, client, MOHS_BUFFER_BYTES, now) || client->phase != GIVE) return;
    size_t left = request_of(slow)->size - client->sent;
    size_t sent = send_some(slow, client, left < slow->piece ? left : slow->piece, now);
    if (sent == 0) return;
    pace(slow, client, sent, now);
    bool whole = client->sent == request_of(slow)->size;
    if (whole) client->phase = TAKE;
    client->due_ns = whole ? now : client->piece_ns;
}

static void receive(struct mohs_slow *slow, struct mohs_slow_client *client, uint64_t now) {
    client->due_ns = now + WAIT_NS;
    size_t got = take(slow, client, slow->sends ? MOHS_BUFFER_BYTES : slow->piece, now);
    if (got && !slow->sends) pace(slow, client, got, now);
    if (got == 0 || client->phase != TAKE) return;
    client->due_ns = slow->sends ? now : client->piece_ns;
}

static void go_on(struct mohs_slow *slow, struct mohs_slow_client *client, uint64_t now) {
    switch ((enum phase)client->phase) {
    case DIAL:
        dial(slow, client, now);
        return;
    case ASK:
        ask(slow, client, now);
        return;
    case GIVE:
        give(slow, client, now);
        return;
    case TAKE:
        receive(slow, client, now);
        return;
    }
}

/* ---- the thread ------------------------------------------------------------------------------ */

/* Does what is due. Returns when something is next. */
static uint64_t scan(struct mohs_slow *slow, uint64_t now) {
    uint64_t next = MOHS_NO_LIMIT;
    for (uint32_t at = 0; at < slow->target.connections; at++) {
        struct mohs_slow_client *client = &slow->clients[at];
        if (client->due_ns <= now) go_on(slow, client, now);
        if (client->due_ns < next) next = client->due_ns;
    }
    return next > now + SCAN_NS ? next : now + SCAN_NS;
}

static void *work(void *argument) {
    struct mohs_slow *slow = argument;
    mohs_worker_begin(&slow->worker, MOHS_SCHED_PLAIN);
    while (!atomic_load(&slow->stop)) mohs_loop_rest(&slow->worker.loop, scan(slow, mohs_now_ns()));
    for (uint32_t at = 0; at < slow->target.connections; at++) {
        struct mohs_slow_client *client = &slow->clients[at];
        if (client->fd >= 0 && client->sent > 0) mohs_live_add(&slow->counts.underway, 1);
        hang_up(client);
    }
    slow->cpu_ns = mohs_thread_cpu_ns();
    mohs_worker_end(&slow->worker);
    return NULL;
}

/* ---- life cycle ------------------------------------------------------------------------------ */

int mohs_slow_init(struct mohs_slow *slow) {
    *slow = (struct mohs_slow){.cpu = -1};
    slow->worker =
        (struct mohs_worker){.loop = MOHS_LOOP_NONE, .timer = -1, .stamped = -1, .owner = slow};
    return mohs_worker_init(&slow->worker);
}

/* The bytes of the request up to its body. */
static size_t head_of(const struct mohs_request *request) {
    static const char blank[] = "\r\n\r\n";
    const char *end = memmem(request->bytes, request->size, blank, sizeof blank - 1);
    return end ? (size_t)(end - request->bytes) + sizeof blank - 1 : request->size;
}

static size_t piece_of(double bytes_per_s) {
    double piece = bytes_per_s / PIECES_PER_S;
    return piece > PIECE_MAX ? PIECE_MAX : piece < 1 ? 1 : (size_t)piece;
}

int mohs_slow_start(struct mohs_slow *slow) {
    uint32_t count = slow->target.connections;
    assert(!slow->clients && slow->target.request_count == 1 && count > 0);
    assert(slow->bytes_per_s > 0);
    slow->at_once = slow->sends ? head_of(request_of(slow)) : request_of(slow)->size;
    if (slow->sends && slow->at_once == request_of(slow)->size) return -EINVAL;
    slow->piece = piece_of(slow->bytes_per_s);
    if (!slow->sends) slow->target.receive_bytes = RECEIVE_BYTES;
    slow->clients = calloc(count, sizeof *slow->clients);
    slow->lines = calloc(count, MOHS_HTTP_LINE_MAX);
    if (!slow->clients || !slow->lines) return -ENOMEM;
    for (size_t at = 0; at < count; at++)
        slow->clients[at] = (struct mohs_slow_client){
            .fd = -1, .phase = DIAL, .line = slow->lines + at * MOHS_HTTP_LINE_MAX};
    int result = mohs_worker_run(&slow->worker, slow->cpu, work, slow);
    slow->started = result == 0;
    return result;
}

void mohs_slow_stop(struct mohs_slow *slow) {
    atomic_store(&slow->stop, true);
    mohs_eventfd_set(slow->worker.loop.wake);
}

void mohs_slow_join(struct mohs_slow *slow) {
    if (slow->started) pthread_join(slow->worker.thread, NULL);
    slow->started = false;
}

#define READ_COUNT(name, rule) counts->name = mohs_live_get(&slow->counts.name);

void mohs_slow_live(const struct mohs_slow *slow, struct mohs_slow_counts *counts) {
    MOHS_SLOW_COUNTS(READ_COUNT)
}

void mohs_slow_free(struct mohs_slow *slow) {
    if (slow->started) mohs_slow_stop(slow);
    mohs_slow_join(slow);
    mohs_target_free(&slow->target);
    mohs_worker_free(&slow->worker);
    free(slow->clients);
    free(slow->lines);
    slow->clients = NULL;
    slow->lines = NULL;
}

size_t mohs_slow_bytes(const struct mohs_slow *slow) {
    return slow->target.connections * (sizeof *slow->clients + MOHS_HTTP_LINE_MAX);
}
