#include "listener.h"

void mohs_listener_begin(struct mohs_listener *listener, uint32_t number, uint64_t since_ns) {
    *listener = (struct mohs_listener){.number = number, .since_ns = since_ns};
    mohs_number_begin(&listener->finder);
}

/* A text of ours is complete. What an event repeats counts once, as for a client that shows it. */
static void note(struct mohs_listener *listener, const struct mohs_messages *messages,
                 uint64_t found) {
    uint32_t number = (uint32_t)found;
    if (found >> 32 != messages->mark || listener->count == MOHS_EVENT_MESSAGES) return;
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

/* Whether a message is one that was sent when the stream was open. */
static bool expected(const struct mohs_listener *listener, const struct mohs_messages *messages,
                     uint32_t number) {
    return messages->all[number].sent_ns >= listener->since_ns;
}

/* A message of this load came. A newcomer gets earlier ones, too, but is not waited for. */
static void take(struct mohs_listener *listener, struct mohs_messages *messages, uint32_t number,
                 uint64_t came_ns) {
    uint64_t due = messages->all[number].due_ns;
    if (came_ns <= due) came_ns = due + 1; // stamps may go back a little
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
    bool ours = false;
    for (uint8_t at = 0; at < listener->count; at++) {
        uint32_t number = listener->brought[at];
        if (number >= messages->size || !messages->all[number].sent_ns) continue;
        ours = true;
        take(listener, messages, number, came_ns);
    }
    messages->others += !ours;
    listener->count = 0;
    mohs_listener_end_line(listener);
}
