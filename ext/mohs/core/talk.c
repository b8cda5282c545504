#include "talk.h"

#include <assert.h>
#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>

#include "clock.h"

int mohs_messages_init(struct mohs_messages *messages, uint64_t capacity) {
    *messages = (struct mohs_messages){.capacity = capacity};
    if (capacity >= MOHS_NO_MESSAGE) return -E2BIG;
    void *memory = mmap(NULL, capacity * sizeof *messages->all, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) return -errno;
    messages->all = memory;
    return 0;
}

void mohs_messages_free(struct mohs_messages *messages) {
    if (messages->all) munmap(messages->all, messages->capacity * sizeof *messages->all);
    *messages = (struct mohs_messages){.all = NULL};
}

size_t mohs_talk_frame_max(const struct mohs_messages *messages) {
    const struct mohs_cable *cable = messages->cable;
    size_t most = MOHS_WS_CONTROL_MAX;
    if (cable) {
        size_t message = cable->before.size + MOHS_MESSAGE_BYTES + cable->after.size;
        if (message > most) most = message;
        if (cable->join.size > most) most = cable->join.size;
    }
    return most + MOHS_WS_HEAD_MAX;
}

void mohs_talk_begin(struct mohs_talk *talk, const struct mohs_messages *messages, uint32_t number,
                     char *out) {
    *talk = (struct mohs_talk){.since_ns = MOHS_NO_LIMIT,
                               .number = number,
                               .first = MOHS_NO_MESSAGE,
                               .sending = MOHS_NO_MESSAGE,
                               .mask = number * 0x9e3779b9u + 1,
                               .joined = !messages->cable,
                               .out = out};
    mohs_websocket_begin(&talk->in, MOHS_ANSWER_MAX);
    mohs_cable_begin(&talk->cable);
}

void mohs_message_cut(struct mohs_messages *messages, uint64_t number) {
    struct mohs_message *message = &messages->all[number];
    message->cut = true;
    messages->sent -= message->sent_ns != 0;
}

/* ---- sending --------------------------------------------------------------------------------- */

void mohs_talk_add(struct mohs_talk *talk, struct mohs_messages *messages, uint64_t due_ns) {
    assert(messages->size < messages->capacity);
    uint32_t number = (uint32_t)messages->size++;
    talk->added++;
    messages->all[number] =
        (struct mohs_message){.due_ns = due_ns, .talk = talk->number, .next = MOHS_NO_MESSAGE};
    if (talk->first == MOHS_NO_MESSAGE) talk->first = number;
    else messages->all[talk->last].next = number;
    talk->last = number;
}

/* The mask has to change from frame to frame (RFC 6455 5.3). What it hides from is not between mohs
 * and the server, so it need not be unpredictable. */
static void begin_frame(struct mohs_talk *talk, enum mohs_ws_opcode opcode,
                        struct mohs_span payload) {
    talk->mask = talk->mask * 1664525u + 1013904223u;
    talk->out_size = (uint32_t)mohs_websocket_frame(talk->out, opcode, payload, talk->mask);
    talk->out_used = 0;
}

static char *append(char *to, struct mohs_span text) {
    if (text.size) memcpy(to, text.data, text.size);
    return to + text.size;
}

/* The payload is put together where the frame may overwrite it, which is shorter in front of it. */
static void begin_message(struct mohs_talk *talk, const struct mohs_messages *messages) {
    static const struct mohs_cable bare = {{NULL, 0}, {NULL, 0}, {NULL, 0}};
    const struct mohs_cable *cable = messages->cable ? messages->cable : &bare;
    char *payload = talk->out + MOHS_WS_HEAD_MAX, *end = append(payload, cable->before);
    mohs_message_write(end, (uint64_t)messages->mark << 32 | talk->sending);
    end = append(end + MOHS_MESSAGE_BYTES, cable->after);
    begin_frame(talk, MOHS_WS_TEXT, (struct mohs_span){payload, (size_t)(end - payload)});
}

/* Begins the next frame: a pong before any message. Returns false if nothing waits. */
static bool begin_next(struct mohs_talk *talk, const struct mohs_messages *messages) {
    if (talk->pong) {
        talk->pong = false;
        begin_frame(talk, MOHS_WS_PONG, (struct mohs_span){talk->pong_text, talk->pong_size});
        return true;
    }
    if (talk->join) {
        talk->join = false;
        begin_frame(talk, MOHS_WS_TEXT, messages->cable->join);
        return true;
    }
    if (talk->first == MOHS_NO_MESSAGE) return false;
    talk->sending = talk->first;
    talk->first = messages->all[talk->sending].next;
    begin_message(talk, messages);
    return true;
}

/* The frame was handed over, in a call that began at `now_ns`: an echo may come before it ends. */
static void sent(struct mohs_talk *talk, struct mohs_messages *messages, uint64_t now_ns) {
    talk->out_size = talk->out_used = 0;
    if (talk->sending == MOHS_NO_MESSAGE) return;
    messages->all[talk->sending].sent_ns = now_ns;
    if (messages->fan_out) mohs_fan_out_sent(messages->fan_out, talk->sending, messages->open);
    messages->sent++;
    talk->sending = MOHS_NO_MESSAGE;
}

bool mohs_talk_send(struct mohs_talk *talk, struct mohs_messages *messages, int fd) {
    while (talk->out_size || begin_next(talk, messages)) {
        uint64_t now = mohs_now_ns();
        ssize_t size = send(fd, talk->out + talk->out_used,
                            (size_t)(talk->out_size - talk->out_used), MSG_NOSIGNAL);
        if (size < 0) return errno == EAGAIN || errno == EINTR; // else reading tells the end
        talk->out_used += (uint32_t)size;
        if (talk->out_used < talk->out_size) return true;
        sent(talk, messages, now);
    }
    return false;
}

void mohs_talk_end(struct mohs_talk *talk, int fd, unsigned code) {
    char payload[2] = {(char)(code >> 8), (char)code};
    if (talk->out_size) return;
    bool bare = code == MOHS_WS_NO_CODE;
    begin_frame(talk, MOHS_WS_CLOSE, (struct mohs_span){payload, bare ? 0 : sizeof payload});
    ssize_t size = send(fd, talk->out, talk->out_size, MSG_NOSIGNAL | MSG_DONTWAIT);
    (void)size;
}

/* ---- reading --------------------------------------------------------------------------------- */

/* The number in a message of this load; MOHS_NO_NUMBER if it has none, or is an error that quotes
 * one. Without a channel it has nothing else. */
static uint64_t number_of(const struct mohs_talk *talk, const struct mohs_messages *messages) {
    uint64_t found = talk->cable.number.found;
    bool alone =
        messages->cable ? !talk->cable.error : talk->in.message_bytes == MOHS_MESSAGE_BYTES;
    bool ours = alone && talk->in.message == MOHS_WS_TEXT && found >> 32 == messages->mark;
    return ours ? found & UINT32_MAX : MOHS_NO_NUMBER;
}

/* A message of ours is back. */
static void take_echo(struct mohs_talk *talk, struct mohs_messages *messages, uint64_t number,
                      uint64_t came_ns) {
    struct mohs_message *message = &messages->all[number];
    if (message->came_ns) {
        messages->repeated++;
        return;
    }
    message->came_ns = came_ns > message->due_ns ? came_ns : message->due_ns + 1;
    messages->received++;
    talk->received++;
    messages->disordered += number < talk->latest;
    if (number >= talk->latest) talk->latest = number + 1;
}

/* A message came that is none of ActionCable's own. */
static void take_text(struct mohs_talk *talk, struct mohs_messages *messages, uint64_t came_ns) {
    uint64_t number = number_of(talk, messages);
    bool known = number < messages->size && messages->all[number].sent_ns;
    bool due = known && messages->all[number].sent_ns >= talk->since_ns;
    bool ours = due && messages->all[number].talk == talk->number;
    bool heard = known && messages->fan_out; // by a newcomer, too
    bool new =
        heard && (!due || mohs_fan_out_came(messages->fan_out, number, talk->number, came_ns));
    if (ours) take_echo(talk, messages, number, came_ns);
    else if (!heard) messages->others++;
    else messages->repeated += !new;
}

/* A whole message came. Returns whether the server goes on with the conversation. */
static bool take_message(struct mohs_talk *talk, struct mohs_messages *messages, uint64_t came_ns) {
    enum mohs_cable_kind kind =
        messages->cable ? mohs_cable_kind(&talk->cable) : MOHS_CABLE_MESSAGE;
    if (kind == MOHS_CABLE_MESSAGE) take_text(talk, messages, came_ns);
    messages->others += kind == MOHS_CABLE_OTHER;
    mohs_cable_begin(&talk->cable);
    if (kind == MOHS_CABLE_WELCOME) talk->join = !talk->joined;
    if (kind == MOHS_CABLE_JOINED) talk->joined = true;
    return talk->joined || (kind != MOHS_CABLE_REJECTED && kind != MOHS_CABLE_DISCONNECT);
}

static void take_control(struct mohs_talk *talk) {
    if (talk->in.opcode != MOHS_WS_PING) return;
    talk->pong = true; // of several pings the last one counts (RFC 6455 5.5.3)
    talk->pong_size = talk->in.control_size;
    memcpy(talk->pong_text, talk->in.control, talk->pong_size);
}

enum mohs_talk_found mohs_talk_read(struct mohs_talk *talk, struct mohs_messages *messages,
                                    const char *bytes, size_t size, uint64_t came_ns) {
    const char *cursor = bytes;
    struct mohs_span piece = {NULL, 0};
    enum mohs_ws_found found;
    while ((found = mohs_websocket_next(&talk->in, &cursor, bytes + size, &piece)) !=
           MOHS_WS_MORE) {
        if (found == MOHS_WS_BROKEN) return MOHS_TALK_BROKEN;
        if (found == MOHS_WS_PIECE) mohs_cable_read(&talk->cable, piece);
        else if (found != MOHS_WS_MESSAGE) take_control(talk);
        else if (!take_message(talk, messages, came_ns)) return MOHS_TALK_REJECTED;
        if (mohs_websocket_closed(&talk->in)) return MOHS_TALK_CLOSED;
    }
    return MOHS_TALK_GOES_ON;
}
