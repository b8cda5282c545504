/* Event streams, at every cut, and compared with a slow parser that has the whole stream. */
#include "core/sse.h"

#include <stdarg.h>
#include <stdlib.h>

#include "core/random.h"
#include "runner.h"

/* What came of a stream, as text: "type|id|data\n" for each event, and "retry" for each. */
struct story {
    char text[8192];
    size_t size;
};

static void tell(struct story *story, const char *format, ...) {
    va_list values;
    va_start(values, format);
    size_t room = sizeof story->text - story->size;
    int size = vsnprintf(story->text + story->size, room, format, values);
    va_end(values);
    if (size > 0 && (size_t)size < room) story->size += (size_t)size;
}

/* The values of the event under way, and the last id. NUL bytes are told as "0". */
struct values {
    char data[1024], type[1024], id[1024], fresh[1024];
};

static void append(char *text, const char *bytes, size_t size) {
    size_t used = strlen(text);
    if (used + size >= 1024) size = 1023 - used;
    for (size_t at = 0; at < size; at++) text[used + at] = bytes[at] ? bytes[at] : '0';
    text[used + size] = 0;
}

static void tell_event(struct story *story, struct values *values) {
    tell(story, "%s|%s|%s\n", values->type, values->id, values->data);
}

/* ---- as the parser finds it ------------------------------------------------------------------ */

static void take_field(const struct mohs_sse *sse, struct values *values, struct story *story) {
    if (sse->field == MOHS_SSE_ID && sse->valid) memcpy(values->id, values->fresh, 1024);
    if (sse->field == MOHS_SSE_TYPE) memcpy(values->type, values->fresh, 1024);
    if (sse->field == MOHS_SSE_RETRY && sse->valid)
        tell(story, "retry %llu\n", (unsigned long long)sse->retry_ms);
    if (sse->field == MOHS_SSE_DATA) {
        if (sse->data_lines > 1) append(values->data, "\n", 1);
        append(values->data, values->fresh, strlen(values->fresh));
    }
    values->fresh[0] = 0;
}

static void read_piece(struct mohs_sse *sse, const char *bytes, size_t size, struct values *values,
                       struct story *story) {
    struct mohs_span piece;
    const char *cursor = bytes;
    enum mohs_sse_found found;
    while ((found = mohs_sse_next(sse, &cursor, bytes + size, &piece)) != MOHS_SSE_MORE) {
        if (found == MOHS_SSE_PIECE) {
            CHECK(piece.size > 0 && piece.data >= bytes && piece.data + piece.size == cursor);
            append(values->fresh, piece.data, piece.size);
        }
        if (found == MOHS_SSE_FIELD) take_field(sse, values, story);
        if (found != MOHS_SSE_EVENT) continue;
        CHECK_EQUAL(strlen(values->data), sse->data_bytes);
        tell_event(story, values);
        values->data[0] = values->type[0] = 0;
    }
    CHECK(cursor == bytes + size);
}

/* Each piece in memory of its own size. The type of an event without data is forgotten with it,
 * which the parser leaves to its caller: here, to `slow`. */
static void parse(const char *bytes, size_t size, const size_t *cuts, size_t count,
                  struct story *story) {
    struct mohs_sse sse;
    struct values values = {{0}, {0}, {0}, {0}};
    *story = (struct story){.size = 0};
    mohs_sse_begin(&sse);
    for (size_t at = 0, from = 0; at <= count; at++) {
        size_t to = at < count ? cuts[at] : size;
        char *exact = malloc(to - from ? to - from : 1);
        if (!exact) abort();
        memcpy(exact, bytes + from, to - from);
        read_piece(&sse, exact, to - from, &values, story);
        free(exact);
        from = to;
    }
}

/* ---- as the standard says it ----------------------------------------------------------------- */

static void slow_field(const char *name, size_t name_size, const char *value, size_t size,
                       struct values *values, int *lines, struct story *story) {
#define IS(text) (name_size == strlen(text) && memcmp(name, text, name_size) == 0)
    if (IS("data")) {
        if ((*lines)++) append(values->data, "\n", 1);
        append(values->data, value, size);
    } else if (IS("event")) {
        values->type[0] = 0;
        append(values->type, value, size);
    } else if (IS("id") && !memchr(value, 0, size)) {
        values->id[0] = 0;
        append(values->id, value, size);
    } else if (IS("retry") && size) {
        unsigned long long number = 0;
        for (size_t at = 0; at < size; at++) {
            if (value[at] < '0' || value[at] > '9') return;
            number = number * 10 + (unsigned long long)(value[at] - '0');
            if (number > 1000000000000) number = 1000000000000;
        }
        tell(story, "retry %llu\n", number);
    }
}

static void slow(const char *bytes, size_t size, struct story *story) {
    struct values values = {{0}, {0}, {0}, {0}};
    const char *at = bytes, *end = bytes + size;
    int lines = 0;
    *story = (struct story){.size = 0};
    if (size >= 3 && memcmp(bytes, "\xef\xbb\xbf", 3) == 0) at += 3;
    for (;;) {
        const char *stop = at;
        while (stop < end && *stop != '\r' && *stop != '\n') stop++;
        if (stop == end) return; // an incomplete line is discarded
        const char *colon = memchr(at, ':', (size_t)(stop - at));
        if (stop == at) {
            if (lines) tell_event(story, &values);
            values.data[0] = 0;
            if (lines) values.type[0] = 0;
            lines = 0;
        } else if (!colon) {
            slow_field(at, (size_t)(stop - at), "", 0, &values, &lines, story);
        } else if (colon > at) {
            const char *value = colon + 1 + (colon + 1 < stop && colon[1] == ' ');
            slow_field(at, (size_t)(colon - at), value, (size_t)(stop - value), &values, &lines,
                       story);
        }
        at = stop + (stop + 1 < end && stop[0] == '\r' && stop[1] == '\n' ? 2 : 1);
    }
}

/* ---- */

static void same(const struct story *wanted, const struct story *got) {
    CHECK_EQUAL(wanted->size, got->size);
    CHECK(strcmp(wanted->text, got->text) == 0);
}

/* Whole, byte by byte and cut at every place. */
static void at_every_cut(const char *bytes, size_t size, const struct story *wanted) {
    struct story got;
    size_t everywhere[1024];
    parse(bytes, size, NULL, 0, &got);
    same(wanted, &got);
    for (size_t at = 0; at < size; at++) everywhere[at] = at + 1;
    parse(bytes, size, everywhere, size, &got);
    same(wanted, &got);
    for (size_t cut = 1; cut < size; cut++) {
        parse(bytes, size, &cut, 1, &got);
        same(wanted, &got);
    }
}

TEST(events_are_what_the_standard_says) {
    const struct {
        const char *stream, *story;
    } cases[] = {
        {"", ""},
        {"data: a\n\n", "||a\n"},
        {"data:a\n\n", "||a\n"},
        {"data:  a \n\n", "|| a \n"}, // one space is no part of the value
        {"data\n\n", "||\n"},
        {"data:\n\n", "||\n"},
        {"data\ndata\n\n", "||\n\n"},
        {"data: a\ndata: b\n\ndata: c\n\n", "||a\nb\n||c\n"},
        {"data: a\r\ndata: b\r\n\r\n", "||a\nb\n"},
        {"data: a\rdata: b\r\r", "||a\nb\n"},
        {"data: a\r\n\rdata: b\n\r\n", "||a\n||b\n"},
        {"data: a\r\n\n", "||a\n"},
        {"data: a\n", ""}, // no blank line
        {"data: a", ""},
        {"\n\n\r\n", ""},
        {": a comment\n\n", ""},
        {":\ndata: a\n:\n\n", "||a\n"},
        {"event: e\nid: 7\ndata: a\n\ndata: b\n\n", "e|7|a\n|7|b\n"},
        {"id: 7\n\ndata: a\n\n", "|7|a\n"}, // an event without data, whose id counts
        {"id: 7\ndata: a\n\nid\ndata: b\n\n", "|7|a\n||b\n"},
        {"retry: 250\nretry: \nretry: 2s\nretry: -1\n\n", "retry 250\n"},
        {"retry: 99999999999999999999999\n\n", "retry 1000000000000\n"},
        {"Data: a\n data: b\ndat: c\ndatas: d\n\n", ""},
        {"data : a\n\n", ""},
        {"unknown: a\ndata: a:b\n\n", "||a:b\n"},
        {"\xef\xbb\xbf"
         "data: a\n\n",
         "||a\n"},
        {"\xef\xbb\xbf\xef\xbb\xbf"
         "data: a\n\n",
         ""}, // only one mark is skipped
        {"\xef\xbb"
         "data: a\n\ndata: b\n\n",
         "||b\n"},
        {"\xef\ndata: b\n\n", "||b\n"},
        {"data: a\n\n\xef\xbb\xbf"
         "data: b\n\n",
         "||a\n"},
    };
    for (size_t at = 0; at < sizeof cases / sizeof *cases; at++) {
        struct story wanted = {.size = 0}, other;
        tell(&wanted, "%s", cases[at].story);
        at_every_cut(cases[at].stream, strlen(cases[at].stream), &wanted);
        slow(cases[at].stream, strlen(cases[at].stream), &other);
        same(&wanted, &other);
    }
}

TEST(an_id_with_a_nul_is_ignored) {
    static const char stream[] = "id: 1\ndata: a\n\nid: \0002\ndata: b\0c\n\n";
    struct story wanted = {.size = 0};
    tell(&wanted, "|1|a\n|1|b0c\n");
    at_every_cut(stream, sizeof stream - 1, &wanted);
}

TEST(random_streams_are_read_as_a_slow_parser_reads_them) {
    static const char *const pieces[] = {"data", "event",     "id",    "retry",        ":", ": ",
                                         "\n",   "\r",        "\r\n",  "\n",           "a", "12",
                                         "\0",   "data: x\n", "id: 5", "\xef\xbb\xbf", " ", "\n\n"};
    uint64_t random = 48;
    for (size_t round = 0; round < 3000; round++) {
        char stream[256];
        size_t size = 0, count = mohs_random_below(&random, 24);
        for (size_t at = 0; at < count; at++) {
            const char *piece = pieces[mohs_random_below(&random, sizeof pieces / sizeof *pieces)];
            size_t length = *piece ? strlen(piece) : 1;
            memcpy(stream + size, piece, length);
            size += length;
        }
        struct story wanted, got;
        size_t cuts[2] = {mohs_random_below(&random, size + 1), 0};
        cuts[1] = cuts[0] + mohs_random_below(&random, size - cuts[0] + 1);
        slow(stream, size, &wanted);
        parse(stream, size, NULL, 0, &got);
        same(&wanted, &got);
        parse(stream, size, cuts, 2, &got);
        same(&wanted, &got);
    }
}

int main(void) {
    RUN(events_are_what_the_standard_says);
    RUN(an_id_with_a_nul_is_ignored);
    RUN(random_streams_are_read_as_a_slow_parser_reads_them);
    return report();
}
