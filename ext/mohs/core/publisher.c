#include "publisher.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>

#include "clock.h"
#include "socket.h"

int mohs_publisher_set(struct mohs_publisher *publisher, struct mohs_span request) {
    if (request.size < MOHS_MESSAGE_BYTES) return -EINVAL;
    mohs_publisher_free(publisher);
    publisher->request = malloc(request.size);
    publisher->line = malloc(MOHS_HTTP_LINE_MAX);
    if (!publisher->request || !publisher->line) return -ENOMEM;
    memcpy(publisher->request, request.data, request.size);
    publisher->size = request.size;
    return 0;
}

void mohs_publisher_free(struct mohs_publisher *publisher) {
    if (publisher->fd >= 0) mohs_socket_close(publisher->fd, false);
    free(publisher->request);
    free(publisher->line);
    *publisher = MOHS_PUBLISHER_NONE;
}

/* ---- the message under way ------------------------------------------------------------------- */

/* The first message that is not settled; NULL if none is due. */
static struct mohs_message *current(const struct mohs_publisher *publisher) {
    struct mohs_messages *messages = publisher->messages;
    return publisher->settled < messages->size ? &messages->all[publisher->settled] : NULL;
}

static void hang_up(struct mohs_publisher *publisher) {
    if (publisher->fd >= 0) mohs_socket_close(publisher->fd, false);
    publisher->fd = -1;
    publisher->state = MOHS_PUBLISHER_CLOSED;
}

/* The message's POST is answered, or has failed. */
static void settle(struct mohs_publisher *publisher, int error, uint64_t done_ns) {
    struct mohs_messages *messages = publisher->messages;
    struct mohs_message *message = current(publisher);
    if (!message) return; // the connection alone failed
    message->error = (uint8_t)error;
    message->status = publisher->http.status;
    message->came_ns = done_ns > message->due_ns ? done_ns : message->due_ns + 1;
    messages->sent += error == MOHS_OK && !message->cut;
    if (error && message->sent_ns) mohs_fan_out_cut(messages->fan_out, publisher->settled);
    publisher->settled++;
    publisher->give_up_ns = MOHS_NO_LIMIT;
    publisher->http.status = 0; // that of the next one may never come
}

/* The same without a response, or without a whole one. */
static void fail(struct mohs_publisher *publisher, int error) {
    hang_up(publisher);
    settle(publisher, error, publisher->loop->now_ns);
}

/* ---- sending --------------------------------------------------------------------------------- */

static void watch(struct mohs_publisher *publisher, int operation, uint32_t events) {
    struct epoll_event event = {.events = events, .data.ptr = publisher};
    if (epoll_ctl(publisher->loop->epoll, operation, publisher->fd, &event) < 0)
        fail(publisher, MOHS_NO_DESCRIPTOR);
}

/* Waits for the connection; a message that is due waits for it, too. */
static void dial(struct mohs_publisher *publisher) {
    struct mohs_loop *loop = publisher->loop;
    const struct mohs_target *target = publisher->target;
    int number = mohs_socket_dial(target, target->connections, &publisher->fd);
    loop->now_ns = mohs_now_ns();
    publisher->used = false;
    publisher->state = MOHS_PUBLISHER_CONNECTING;
    if (number == EAGAIN) {
        publisher->state = MOHS_PUBLISHER_DIALLING;
        publisher->retry_ns = loop->now_ns + MOHS_DIAL_AGAIN_NS;
        mohs_loop_look_at(loop, publisher->retry_ns);
    } else if (number) {
        fail(publisher, mohs_socket_class(number));
    } else {
        mohs_socket_hurry(target, publisher->fd);
        watch(publisher, EPOLL_CTL_ADD, EPOLLIN | EPOLLOUT);
    }
}

/* The server has the whole message, in a call that began at now_ns: what it sends to the streams
 * may come before that call ends. */
static void sent(struct mohs_publisher *publisher, uint64_t now_ns) {
    struct mohs_messages *messages = publisher->messages;
    current(publisher)->sent_ns = now_ns;
    mohs_fan_out_sent(messages->fan_out, publisher->settled, messages->open);
    publisher->state = MOHS_PUBLISHER_WAITING;
    watch(publisher, EPOLL_CTL_MOD, EPOLLIN);
}

/* Sends what the socket takes of the POST. A server that refuses the rest may have said why. */
static void hand_over(struct mohs_publisher *publisher) {
    uint64_t now = mohs_now_ns();
    ssize_t size = send(publisher->fd, publisher->request + publisher->handed_over,
                        publisher->size - publisher->handed_over, MSG_NOSIGNAL);
    int number = size < 0 ? errno : 0;
    publisher->loop->now_ns = mohs_now_ns();
    if (size > 0) publisher->handed_over += (size_t)size;
    if (number && number != EAGAIN && number != EINTR) {
        bool ended = number == EPIPE || number == ECONNRESET;
        publisher->refused = true;
        if (publisher->handed_over) watch(publisher, EPOLL_CTL_MOD, EPOLLIN);
        else if (publisher->used && ended)
            fail(publisher, mohs_socket_end_class(true, number == ECONNRESET));
        else fail(publisher, mohs_socket_class(number));
    } else if (publisher->handed_over == publisher->size) {
        sent(publisher, now);
    } else {
        watch(publisher, EPOLL_CTL_MOD, EPOLLIN | EPOLLOUT);
    }
}

static void begin_post(struct mohs_publisher *publisher) {
    uint64_t number = (uint64_t)publisher->messages->mark << 32 | publisher->settled;
    mohs_message_write(publisher->request + publisher->size - MOHS_MESSAGE_BYTES, number);
    mohs_http_begin(&publisher->http, publisher->line, false);
    publisher->handed_over = 0;
    publisher->refused = false;
    publisher->state = MOHS_PUBLISHER_SENDING;
    hand_over(publisher);
}

static bool posts(const struct mohs_publisher *publisher) {
    return publisher->state == MOHS_PUBLISHER_SENDING || publisher->state == MOHS_PUBLISHER_WAITING;
}

/* Goes on with messages that are due, as far as the connection allows. */
static void go_on(struct mohs_publisher *publisher) {
    while (!publisher->stopped && current(publisher) && !posts(publisher)) {
        bool heard = publisher->messages->open > 0;
        if (!heard && publisher->held) {
            publisher->give_up_ns = MOHS_NO_LIMIT; // its time begins when it can be sent
            return;
        }
        if (publisher->give_up_ns == MOHS_NO_LIMIT)
            publisher->give_up_ns = publisher->loop->now_ns + publisher->target->timeout_ns;
        if (!heard) settle(publisher, MOHS_ABORTED, publisher->loop->now_ns);
        else if (publisher->state == MOHS_PUBLISHER_CLOSED) dial(publisher);
        else if (publisher->state == MOHS_PUBLISHER_IDLE) begin_post(publisher);
        else return;
    }
}

void mohs_publisher_begin(struct mohs_publisher *publisher, struct mohs_target *target,
                          struct mohs_loop *loop, struct mohs_messages *messages) {
    publisher->target = target;
    publisher->loop = loop;
    publisher->messages = messages;
    dial(publisher);
}

void mohs_publisher_add(struct mohs_publisher *publisher, uint64_t due_ns) {
    struct mohs_messages *messages = publisher->messages;
    assert(messages->size < messages->capacity);
    messages->all[messages->size++] = (struct mohs_message){
        .due_ns = due_ns, .talk = publisher->target->connections, .next = MOHS_NO_MESSAGE};
    go_on(publisher);
}

void mohs_publisher_hold(struct mohs_publisher *publisher, bool held) {
    bool ends = publisher->held && !held;
    publisher->held = held;
    if (ends) go_on(publisher);
}

/* ---- responses ------------------------------------------------------------------------------- */

static void keep_failed(struct mohs_publisher *publisher, int error, struct mohs_span bytes) {
    mohs_failed_response_keep(&publisher->failed_response, publisher->loop->now_ns,
                              publisher->http.status, error, bytes);
}

/* Its last byte came at came_ns. `bytes`: what was read last; `extra`: more than the response. */
static void answered(struct mohs_publisher *publisher, struct mohs_span bytes, bool extra,
                     uint64_t came_ns) {
    int error = publisher->http.status / 100 == 2 ? MOHS_OK : MOHS_WRONG_STATUS;
    bool early = publisher->handed_over < publisher->size; // it answers what it has not read
    if (extra || (early && !error)) error = MOHS_EXTRA_BYTES;
    if (error) keep_failed(publisher, error, bytes);
    if (publisher->http.reusable && !early && !extra && publisher->fd >= 0) {
        publisher->state = MOHS_PUBLISHER_IDLE;
        publisher->used = true;
    } else {
        hang_up(publisher);
    }
    settle(publisher, error, came_ns);
}

/* Parses what was read. Returns false if that ended the response. */
static bool consume(struct mohs_publisher *publisher, struct mohs_span bytes, uint64_t came_ns) {
    const char *cursor = bytes.data, *end = bytes.data + bytes.size;
    struct mohs_span body = {NULL, 0}, piece;
    enum mohs_http_event event;
    while ((event = mohs_http_next(&publisher->http, &cursor, end, &piece)) == MOHS_HTTP_BODY)
        if (!body.size) body = piece;
    if (body.size && publisher->http.status / 100 != 2)
        keep_failed(publisher, MOHS_WRONG_STATUS, body); // the end may come later, and alone
    if (event == MOHS_HTTP_MORE) return true;
    if (event == MOHS_HTTP_DONE) {
        answered(publisher, body, cursor < end, came_ns);
        return false;
    }
    keep_failed(publisher, publisher->http.error, bytes);
    fail(publisher, publisher->http.error);
    return false;
}

/* The server closed (number 0) or reset the connection. */
static void ended(struct mohs_publisher *publisher, int number) {
    const struct mohs_http *http = &publisher->http;
    bool busy = posts(publisher);
    if (publisher->state == MOHS_PUBLISHER_CONNECTING) {
        fail(publisher, number ? mohs_socket_class(number) : MOHS_CLOSED_FRESH);
    } else if (!busy) {
        hang_up(publisher); // it may close an idle connection
    } else if (!http->begun) {
        fail(publisher, mohs_socket_end_class(publisher->used, publisher->refused || number));
    } else {
        int error = number ? MOHS_CLOSED_BODY : mohs_http_closed(http);
        hang_up(publisher);
        if (error) fail(publisher, error);
        else answered(publisher, (struct mohs_span){NULL, 0}, false, publisher->loop->now_ns);
    }
}

static void readable(struct mohs_publisher *publisher) {
    struct mohs_loop *loop = publisher->loop;
    ssize_t size;
    int reads = 0;
    do {
        uint64_t stamped;
        size = mohs_socket_receive(publisher->target, publisher->fd, loop->buffer,
                                   MOHS_BUFFER_BYTES, &loop->wall, &loop->now_ns, &stamped);
        int number = errno;
        const struct mohs_message *message = current(publisher);
        bool stands = message && stamped > message->sent_ns; // else the clock was set
        uint64_t came = stands ? stamped : loop->now_ns;
        mohs_loop_ran(loop, came);
        if (size < 0 && (number == EAGAIN || number == EINTR)) return;
        if (size <= 0) {
            ended(publisher, size < 0 ? number : 0);
            return;
        }
        if (publisher->state == MOHS_PUBLISHER_IDLE) {
            hang_up(publisher); // bytes that nobody asked for would be taken for the next response
            return;
        }
        bool unasked = message && !publisher->http.begun &&
                       mohs_socket_came_before(&loop->wall, stamped, message->sent_ns);
        if (unasked) {
            fail(publisher, MOHS_EXTRA_BYTES);
            return;
        }
        if (!consume(publisher, (struct mohs_span){loop->buffer, (size_t)size}, came)) return;
    } while (size == MOHS_BUFFER_BYTES && ++reads < MOHS_READS);
}

void mohs_publisher_ready(struct mohs_publisher *publisher, uint32_t events) {
    if (publisher->fd < 0) return; // closed in this round
    bool sends = publisher->state == MOHS_PUBLISHER_SENDING && !publisher->refused;
    bool fails = events & (EPOLLERR | EPOLLHUP);
    if (publisher->state == MOHS_PUBLISHER_CONNECTING && events & EPOLLOUT && !fails) {
        publisher->loop->now_ns = mohs_now_ns();
        publisher->state = MOHS_PUBLISHER_IDLE;
        watch(publisher, EPOLL_CTL_MOD, EPOLLIN);
    } else if (sends && events & EPOLLOUT) {
        hand_over(publisher);
    } else if (events & ~(uint32_t)EPOLLOUT) {
        readable(publisher);
    }
    go_on(publisher);
}

/* ---- time ------------------------------------------------------------------------------------ */

void mohs_publisher_look(struct mohs_publisher *publisher) {
    struct mohs_loop *loop = publisher->loop;
    bool dialling = publisher->state == MOHS_PUBLISHER_DIALLING;
    if (loop->now_ns >= publisher->give_up_ns) {
        bool connected = publisher->fd >= 0 && publisher->state != MOHS_PUBLISHER_CONNECTING;
        fail(publisher, !connected              ? MOHS_CONNECT_TIMEOUT
                        : publisher->http.begun ? MOHS_TIMEOUT
                                                : MOHS_TIMEOUT_FIRST);
    } else if (dialling && loop->now_ns >= publisher->retry_ns) {
        dial(publisher);
    } else if (dialling) {
        mohs_loop_look_at(loop, publisher->retry_ns);
    }
    go_on(publisher);
}

void mohs_publisher_cut(struct mohs_publisher *publisher, uint64_t number) {
    struct mohs_messages *messages = publisher->messages;
    messages->all[number].cut = true;
    messages->sent -= number < publisher->settled;
}

void mohs_publisher_end(struct mohs_publisher *publisher) {
    publisher->stopped = true;
    if (!publisher->messages) return;
    hang_up(publisher);
    while (current(publisher)) settle(publisher, MOHS_ABORTED, publisher->loop->now_ns);
}
