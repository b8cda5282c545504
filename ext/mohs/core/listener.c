#include "listener.h"

void mohs_listener_begin(struct mohs_listener *listener, uint32_t number, uint64_t since_ns) {
    *listener = (struct mohs_listener){.number = number, .since_ns = since_ns};
    mohs_number_begin(&listener->finder);
}

/* Whether a message is one that was sent when the stream was open. */
static bool expected(const struct mohs_listener *listener, const struct mohs_messages *messages,
                     uint32_t number) {
    return messages->all[number].sent_ns >= listener->since_ns;
}

/* Whether an event that brings a message of this load brings nothing new with it: a page that shows
 * the last messages must leave room for the newest. A newcomer gets earlier ones, too. */
static bool known(struct mohs_listener *listener, const struct mohs_messages *messages,
                  uint32_t number) {
    if (number >= messages->size || !messages->all[number].sent_ns) return false;
    bool again = mohs_fan_out_heard(messages->fan_out, number, listener->number);
    if (!again && expected(listener, messages, number)) return false;
    listener->known = true;
    listener->again += again;
    return true;
}

/* A text of ours is complete. A new message that an event repeats counts once, as for a client that
 * shows it. */
static void note(struct mohs_listener *listener, const struct mohs_messages *messages,
                 uint64_t found) {
    uint32_t number = (uint32_t)found;
    if (found >> 32 != messages->mark || known(listener, messages, number)) return;
    if (listener->count == MOHS_EVENT_MESSAGES) return;
    for (uint8_t at = 0; at < listener->count; at++)
        if (listener->brought[at] == number) return;
    listener->brought[listener->count++] = number;
}

void mohs_listener_read(struct mohs_listener *listener, const struct mohs_messages *messages,
                        struct mohs_span piece) {
    struct mohs_number_finder *finder = &listener->finder;
    while (piece.size) {
        size_t used = mohs_number_find(finder, piece);
        piece = (struct mohs_span){piece.data + used, piece.size - used};
        if (finder->found == MOHS_NO_NUMBER) return;
        note(listener, messages, finder->found);
        mohs_number_begin(finder);
    }
}

void mohs_listener_end_line(struct mohs_listener *listener) {
    mohs_number_begin(&listener->finder);
}

/* A message of this load came. A newcomer gets earlier ones, too, but is not waited for. */
static void take(struct mohs_listener *listener, struct mohs_messages *messages, uint32_t number,
                 uint64_t came_ns) {
    uint64_t sent = messages->all[number].sent_ns;
    if (came_ns <= sent) came_ns = sent + 1; // the clock was set
    if (!expected(listener, messages, number)) return;
    if (!mohs_fan_out_came(messages->fan_out, number, listener->number, came_ns)) {
        messages->repeated++;
        return;
    }
    messages->disordered += number < listener->latest;
    if (number >= listener->latest) listener->latest = (uint64_t)number + 1;
}

void mohs_listener_event(struct mohs_listener *listener, struct mohs_messages *messages,
                         uint64_t came_ns) {
    bool ours = listener->known;
    messages->repeated += listener->again;
    for (uint8_t at = 0; at < listener->count; at++) {
        uint32_t number = listener->brought[at];
        if (number >= messages->size || !messages->all[number].sent_ns) continue;
        ours = true;
        take(listener, messages, number, came_ns);
    }
    messages->others += !ours;
    listener->count = 0;
    listener->known = false;
    listener->again = 0;
    mohs_listener_end_line(listener);
}

void mohs_listener_hear(struct mohs_listener *listener, struct mohs_messages *messages,
                        const struct mohs_sse *sse, enum mohs_sse_found found,
                        struct mohs_span piece, uint64_t came_ns) {
    if (found == MOHS_SSE_EVENT) mohs_listener_event(listener, messages, came_ns);
    else if (sse->field != MOHS_SSE_DATA) return;
    else if (found == MOHS_SSE_FIELD) mohs_listener_end_line(listener);
    else mohs_listener_read(listener, messages, piece);
}
