/*
 * Event streams that bring messages of ours. How a stream is cut must not change which came, and
 * they must be those whose texts are in a line of the data of an event.
 */
#include "core/listener.h"
#include "core/sse.h"

#include "fuzz.h"
#include "messages.h"

#define MESSAGES 80 /* more than one event may bring; their mark is 0. No padding behind them */
#define LATER    3  /* the first of them that were sent when the stream was open */
#define UNSENT   5  /* the only one that was not sent */

struct outcome {
    uint64_t came, repeated, others, disordered;
    bool heard[MESSAGES];
};

static struct mohs_messages *begin_messages(void) {
    static struct mohs_messages messages;
    static struct mohs_fan_out fan_out;
    empty(&messages, &fan_out, MESSAGES, 1);
    for (uint32_t at = 0; at < MESSAGES; at++) {
        uint64_t sent = at == UNSENT ? 0 : at < LATER ? 2 : 4;
        messages.all[at] = (struct mohs_message){.due_ns = 1, .sent_ns = sent};
        if (sent) mohs_fan_out_sent(&fan_out, at, 1);
    }
    return &messages;
}

static struct outcome outcome_of(const struct mohs_messages *messages) {
    struct outcome outcome = {.came = messages->fan_out->came,
                              .repeated = messages->repeated,
                              .others = messages->others,
                              .disordered = messages->disordered};
    for (uint32_t at = 0; at < MESSAGES; at++)
        outcome.heard[at] = mohs_fan_out_heard(messages->fan_out, at, 0);
    return outcome;
}

/* As core/stream.c reads a body. */
static struct outcome listen_to(const char *bytes, size_t size, const struct cuts *cuts) {
    static struct room room;
    struct mohs_messages *messages = begin_messages();
    struct mohs_listener listener;
    struct mohs_sse sse;
    struct mohs_span piece;
    mohs_sse_begin(&sse);
    mohs_listener_begin(&listener, 0, 3);
    for (size_t from = 0; from < size;) {
        size_t end = cuts ? cut_behind(*cuts, from, size) : size;
        const char *cursor = room_copy(&room, bytes + from, end - from);
        const char *stop = cursor + (end - from);
        enum mohs_sse_found found;
        while ((found = mohs_sse_next(&sse, &cursor, stop, &piece)) != MOHS_SSE_MORE)
            mohs_listener_hear(&listener, messages, &sse, found, piece, 5);
        from = end;
    }
    return outcome_of(messages);
}

/* ---- the same, from whole lines -------------------------------------------------------------- */

struct event {
    uint32_t numbers[MOHS_EVENT_MESSAGES];
    size_t count;
    uint64_t again; /* texts of messages that had come before */
    bool known;     /* there are such, or texts from before the stream was open */
    size_t lines;
};

/* The texts in a line of data, one behind the other. */
static void read_line(struct event *event, const struct outcome *outcome, struct mohs_span line) {
    event->lines++;
    for (size_t at = 0; at + MOHS_MESSAGE_BYTES <= line.size; at++) {
        char digits[17] = {0}, text[MOHS_MESSAGE_BYTES];
        if (memcmp(line.data + at, "mohs ", 5) != 0) continue;
        memcpy(digits, line.data + at + 5, 16);
        uint64_t number = strtoull(digits, NULL, 16);
        mohs_message_write(text, number);
        if (memcmp(text, line.data + at, sizeof text) != 0) continue;
        at += MOHS_MESSAGE_BYTES - 1;
        bool again = number < MESSAGES && outcome->heard[number], earlier = number < LATER;
        event->again += again;
        event->known |= again || earlier;
        if (again || earlier) continue;
        bool known = number >> 32 != 0 || event->count == MOHS_EVENT_MESSAGES;
        for (size_t of = 0; of < event->count; of++) known |= event->numbers[of] == number;
        if (!known) event->numbers[event->count++] = (uint32_t)number;
    }
}

static void end_event(struct event *event, struct outcome *outcome, uint32_t *latest) {
    bool ours = event->known;
    outcome->repeated += event->again;
    for (size_t at = 0; at < event->count; at++) {
        uint32_t number = event->numbers[at];
        if (number >= MESSAGES || number == UNSENT) continue;
        ours = true;
        outcome->heard[number] = true;
        outcome->came++;
        outcome->disordered += number < *latest;
        if (number >= *latest) *latest = number + 1;
    }
    if (event->lines) outcome->others += !ours;
    *event = (struct event){.count = 0};
}

static struct mohs_span value_of(struct mohs_span line) {
    static const char name[] = "data";
    const size_t size = sizeof name - 1;
    if (line.size < size || memcmp(line.data, name, size) != 0) return (struct mohs_span){NULL, 0};
    if (line.size == size) return (struct mohs_span){line.data + size, 0};
    if (line.data[size] != ':') return (struct mohs_span){NULL, 0};
    bool blank = line.size > size + 1 && line.data[size + 1] == ' ';
    size_t head = size + 1 + blank;
    return (struct mohs_span){line.data + head, line.size - head};
}

static struct outcome expect(const char *bytes, size_t size) {
    struct outcome outcome = {.came = 0};
    struct event event = {.count = 0};
    uint32_t latest = 0;
    size_t from = size >= 3 && memcmp(bytes, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
    while (from < size) {
        size_t end = from;
        while (end < size && bytes[end] != '\n' && bytes[end] != '\r') end++;
        if (end == size) break; // this line is not complete
        struct mohs_span line = {bytes + from, end - from}, value = value_of(line);
        if (line.size == 0) end_event(&event, &outcome, &latest);
        else if (value.data) read_line(&event, &outcome, value);
        from = end + 1;
        if (bytes[end] == '\r' && from < size && bytes[from] == '\n') from++;
    }
    return outcome;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size == 0) return 0;
    const char *bytes = (const char *)data;
    struct cuts cuts = cuts_of(bytes, size);
    struct outcome whole = listen_to(bytes, size, NULL), cut = listen_to(bytes, size, &cuts);
    struct outcome expected = expect(bytes, size);
    HOLDS(memcmp(&whole, &cut, sizeof whole) == 0);
    HOLDS(memcmp(&whole, &expected, sizeof whole) == 0);
    return 0;
}
