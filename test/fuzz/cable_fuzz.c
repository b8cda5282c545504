/*
 * What ActionCable sends, and conversations that join its channels. First byte modulo 3: the rest
 * is a message (0), what a server sent (1), or messages, one on each line, that a server sends in
 * frames (2). How it is cut must not change what is found.
 */
#include "core/talk.h"

#include "fuzz.h"
#include "messages.h"

#define MESSAGES 4 /* of ours, sent before: two on this connection, two on another */

/* ---- a message ------------------------------------------------------------------------------- */

static struct mohs_cable_reader read_message(const char *bytes, size_t size,
                                             const struct cuts *cuts) {
    static struct room room;
    struct mohs_cable_reader reader;
    mohs_cable_begin(&reader);
    for (size_t from = 0; from < size;) {
        size_t end = cuts ? cut_behind(*cuts, from, size) : size;
        const char *piece = room_copy(&room, bytes + from, end - from);
        mohs_cable_read(&reader, (struct mohs_span){piece, end - from});
        from = end;
    }
    return reader;
}

/* Where this text ends for the first time; SIZE_MAX if it is not there. */
static size_t end_of(struct mohs_span in, const char *text) {
    const char *place = memmem(in.data, in.size, text, strlen(text));
    return place ? (size_t)(place - in.data) + strlen(text) : SIZE_MAX;
}

/* The kind of a message, from the whole of it. */
static enum mohs_cable_kind kind_of(struct mohs_span text) {
    size_t type = end_of(text, "\"type\":\""), message = end_of(text, "\"message\":");
    if (type > message || type == SIZE_MAX) return MOHS_CABLE_MESSAGE;
    struct mohs_span word = {text.data + type, text.size - type};
    const char *quote = memchr(word.data, '"', word.size);
    if (quote) word.size = (size_t)(quote - word.data);
#define KIND(name, text)                                                                           \
    if (same_span(word, span_of(text))) return MOHS_CABLE_##name;
    MOHS_CABLE_KINDS(KIND)
#undef KIND
    return MOHS_CABLE_OTHER;
}

/* Whether what follows this key for some time it is there is an error. */
static bool has_error(struct mohs_span in, const char *key) {
    for (size_t end; (end = end_of(in, key)) != SIZE_MAX;) {
        in = (struct mohs_span){in.data + end, in.size - end};
        const char *at = in.data, *stop = in.data + in.size;
        while (at < stop && *at == ' ') at++;
        if (at == stop) return false;
        static const char opening[] = "\"[{", closing[] = "\"]}";
        const char *opens = *at ? strchr(opening, *at) : NULL;
        if (!opens && !memchr("nf0", *at, 3)) return true;
        if (!opens) continue;
        char closes = closing[opens - opening];
        at++;
        while (closes != '"' && at < stop && *at == ' ') at++;
        if (at < stop && *at != closes) return true;
    }
    return false;
}

/* The first number of ours, from the whole message; MOHS_NO_NUMBER's own digits are none. */
static uint64_t number_of(struct mohs_span text) {
    for (size_t at = 0; at + MOHS_MESSAGE_BYTES <= text.size; at++) {
        char digits[17] = {0}, again[MOHS_MESSAGE_BYTES];
        if (memcmp(text.data + at, "mohs ", 5) != 0) continue;
        memcpy(digits, text.data + at + 5, 16);
        uint64_t number = strtoull(digits, NULL, 16);
        mohs_message_write(again, number);
        bool ours = memcmp(again, text.data + at, sizeof again) == 0;
        if (ours && number != MOHS_NO_NUMBER) return number;
    }
    return MOHS_NO_NUMBER;
}

static void try_message(struct mohs_span text) {
    struct cuts cuts = cuts_of(text.data, text.size);
    struct mohs_cable_reader whole = read_message(text.data, text.size, NULL),
                             cut = read_message(text.data, text.size, &cuts);
    HOLDS(memcmp(&whole, &cut, sizeof whole) == 0);
    HOLDS(mohs_cable_kind(&whole) == kind_of(text));
    HOLDS(whole.number.found == number_of(text));
    HOLDS(whole.error == (has_error(text, "\"error\":") || has_error(text, "\"errors\":")));
}

/* ---- a conversation -------------------------------------------------------------------------- */

struct outcome {
    enum mohs_talk_found found;
    bool joined, join, pong;
    uint64_t received, disordered, repeated, others, heard;
};

/* Messages that were sent a moment ago, and that nobody has. */
static struct mohs_messages *begin_messages(void) {
    static const struct mohs_cable cable = {{"join", 4}, {"{", 1}, {"}", 1}};
    static struct mohs_messages messages;
    static struct mohs_fan_out fan_out;
    empty(&messages, &fan_out, MESSAGES, 2);
    messages.cable = &cable;
    for (uint32_t at = 0; at < MESSAGES; at++) {
        messages.all[at] = (struct mohs_message){.due_ns = 1, .sent_ns = 2, .talk = at % 2};
        mohs_fan_out_sent(&fan_out, at, 2);
    }
    return &messages;
}

static struct outcome talk_through(const char *bytes, size_t size, const struct cuts *cuts) {
    static struct room room;
    static char out[MOHS_WS_CONTROL_MAX + MOHS_WS_HEAD_MAX];
    struct mohs_messages *messages = begin_messages();
    struct outcome outcome = {.found = MOHS_TALK_GOES_ON};
    struct mohs_talk talk;
    HOLDS(mohs_talk_frame_max(messages) == sizeof out);
    mohs_talk_begin(&talk, messages, 0, out);
    for (size_t from = 0; from < size && outcome.found == MOHS_TALK_GOES_ON;) {
        size_t end = cuts ? cut_behind(*cuts, from, size) : size;
        const char *piece = room_copy(&room, bytes + from, end - from);
        outcome.found = mohs_talk_read(&talk, messages, piece, end - from, 3);
        from = end;
    }
    outcome.joined = talk.joined;
    outcome.join = talk.join;
    outcome.pong = talk.pong;
    outcome.received = messages->received;
    outcome.disordered = messages->disordered;
    outcome.repeated = messages->repeated;
    outcome.others = messages->others;
    outcome.heard = messages->fan_out->came;
    HOLDS(talk.received == messages->received && messages->received <= MESSAGES / 2);
    HOLDS(messages->received <= outcome.heard && outcome.heard <= MESSAGES);
    HOLDS(messages->disordered < MESSAGES / 2);
    return outcome;
}

static void try_frames(const char *bytes, size_t size) {
    struct cuts cuts = cuts_of(bytes, size);
    struct outcome whole = talk_through(bytes, size, NULL), cut = talk_through(bytes, size, &cuts);
    HOLDS(whole.found == cut.found && whole.joined == cut.joined);
    HOLDS(whole.join == cut.join && whole.pong == cut.pong);
    HOLDS(whole.received == cut.received && whole.disordered == cut.disordered);
    HOLDS(whole.repeated == cut.repeated && whole.others == cut.others);
    HOLDS(whole.heard == cut.heard);
}

/* Each line as the text of a frame of a server: not masked. */
static void try_lines(struct mohs_span text) {
    static struct room room;
    size_t used = 0;
    char *frames = room_open(&room, 4 * text.size + 4); // 4 for the head of each line, and its end
    for (size_t from = 0; from <= text.size;) {
        const char *start = text.data + from, *newline = memchr(start, '\n', text.size - from);
        size_t size = newline ? (size_t)(newline - start) : text.size - from;
        frames[used++] = (char)(0x80 | MOHS_WS_TEXT);
        frames[used++] = (char)(size < 126 ? size : 126);
        if (size >= 126) {
            frames[used++] = (char)(size >> 8);
            frames[used++] = (char)size;
        }
        memcpy(frames + used, start, size);
        used += size;
        from += size + 1;
    }
    try_frames(frames, used);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size < 2) return 0;
    struct mohs_span text = {(const char *)data + 1, size - 1};
    if (data[0] % 3 == 0) try_message(text);
    else if (data[0] % 3 == 1) try_frames(text.data, text.size);
    else try_lines(text);
    return 0;
}
