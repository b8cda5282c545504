#include "sse.h"

#include <string.h>

enum phase {
    MARK,   /* perhaps within a byte order mark, at the start of the stream */
    START,  /* at the start of a line */
    NAME,   /* within the name of a field */
    SPACE,  /* behind the colon, of which one space is no part of the value */
    VALUE,  /* within the value */
    COMMENT /* within a comment, or a line that has to be ignored */
};

static const char mark[] = "\xef\xbb\xbf";

static const char *const names[] = {"data", "event", "id", "retry"};

#define NAME_COUNT (sizeof names / sizeof *names)
#define ALL_NAMES  ((1u << NAME_COUNT) - 1)

#define LONGEST_RETRY UINT64_C(1000000000000) /* ms: longer ones count as it */

void mohs_sse_begin(struct mohs_sse *sse) {
    *sse = (struct mohs_sse){.phase = MARK};
}

static bool is_end(char c) {
    return c == '\n' || c == '\r';
}

/* A stream's first three bytes may be a byte order mark. If they only begin like one, they are
 * part of a name that no field has. */
static void skip_mark(struct mohs_sse *sse, const char **cursor) {
    if (**cursor == mark[sse->used]) {
        ++*cursor;
        if (++sse->used == sizeof mark - 1) sse->phase = START;
        return;
    }
    sse->phase = sse->used ? COMMENT : START;
}

static void start_line(struct mohs_sse *sse) {
    sse->names = ALL_NAMES;
    sse->used = 0;
    sse->phase = NAME;
    sse->valid = true;
    sse->any = false;
    sse->number = 0;
}

/* Keeps of the names those that have `c` next. */
static void narrow(struct mohs_sse *sse, char c) {
    for (size_t at = 0; at < NAME_COUNT; at++) {
        bool fits = sse->used < strlen(names[at]) && names[at][sse->used] == c;
        if (!fits) sse->names &= (uint8_t) ~(1u << at);
    }
    sse->used++;
}

/* The field whose whole name was read. */
static enum mohs_sse_field field_of(const struct mohs_sse *sse) {
    for (size_t at = 0; at < NAME_COUNT; at++)
        if (sse->names >> at & 1 && strlen(names[at]) == sse->used) return (enum mohs_sse_field)at;
    return MOHS_SSE_IGNORED;
}

/* The name is complete, and a colon or the end of the line follows. Returns false if it is the name
 * of no field. */
static bool start_value(struct mohs_sse *sse) {
    sse->field = (uint8_t)field_of(sse);
    if (sse->field != MOHS_SSE_DATA) return sse->field != MOHS_SSE_IGNORED;
    if (sse->data_lines++) sse->data_bytes++; // the LF that joins lines
    return true;
}

static void read_name(struct mohs_sse *sse, const char **cursor, const char *end) {
    for (; *cursor < end && !is_end(**cursor); ++*cursor) {
        if (**cursor == ':') {
            ++*cursor;
            bool known = sse->used && start_value(sse); // a comment has no name
            sse->phase = known ? SPACE : COMMENT;
            return;
        }
        narrow(sse, **cursor);
        if (sse->names) continue;
        sse->phase = COMMENT;
        return;
    }
}

/* Where the line ends, or the caller's bytes. */
static const char *line_end(const char *start, const char *end) {
    size_t size = (size_t)(end - start);
    const char *newline = memchr(start, '\n', size);
    if (newline) size = (size_t)(newline - start);
    const char *carriage = memchr(start, '\r', size);
    return carriage ? carriage : start + size;
}

static void read_digits(struct mohs_sse *sse, struct mohs_span piece) {
    for (size_t at = 0; at < piece.size; at++) {
        char c = piece.data[at];
        if (c < '0' || c > '9') sse->valid = false;
        else if (sse->number < LONGEST_RETRY) sse->number = sse->number * 10 + (uint64_t)(c - '0');
    }
}

static struct mohs_span take_value(struct mohs_sse *sse, const char **cursor, const char *end) {
    const char *stop = line_end(*cursor, end);
    struct mohs_span piece = {*cursor, (size_t)(stop - *cursor)};
    *cursor = stop;
    sse->any = sse->any || piece.size;
    if (sse->field == MOHS_SSE_DATA) sse->data_bytes += piece.size;
    if (sse->field == MOHS_SSE_RETRY) read_digits(sse, piece);
    if (sse->field == MOHS_SSE_ID && piece.size && memchr(piece.data, 0, piece.size))
        sse->valid = false;
    return piece;
}

/* A line ended. Returns whether it was a field. */
static bool end_field(struct mohs_sse *sse) {
    bool field = sse->phase == SPACE || sse->phase == VALUE;
    if (sse->phase == NAME) field = start_value(sse); // without a colon
    sse->phase = START;
    if (!field || sse->field != MOHS_SSE_RETRY) return field;
    sse->valid = sse->valid && sse->any;
    if (sse->valid) sse->retry_ms = sse->number < LONGEST_RETRY ? sse->number : LONGEST_RETRY;
    return true;
}

/* At the end of a line, whose CR or LF it takes. */
static enum mohs_sse_found end_line(struct mohs_sse *sse, const char **cursor) {
    sse->after_cr = *(*cursor)++ == '\r';
    if (sse->phase == START) { // a blank line
        sse->delivered = true;
        return sse->data_lines ? MOHS_SSE_EVENT : MOHS_SSE_MORE;
    }
    return end_field(sse) ? MOHS_SSE_FIELD : MOHS_SSE_MORE;
}

/* Prepares for the next byte. Returns false if there is none. */
static bool ready(struct mohs_sse *sse, const char **cursor, const char *end) {
    if (sse->delivered) sse->data_bytes = sse->data_lines = 0;
    sse->delivered = false;
    if (*cursor == end) return false;
    if (sse->after_cr && **cursor == '\n') ++*cursor;
    sse->after_cr = false;
    return *cursor < end;
}

enum mohs_sse_found mohs_sse_next(struct mohs_sse *sse, const char **cursor, const char *end,
                                  struct mohs_span *piece) {
    while (ready(sse, cursor, end)) {
        if (sse->phase == MARK) {
            skip_mark(sse, cursor);
            continue;
        }
        if (is_end(**cursor)) {
            enum mohs_sse_found found = end_line(sse, cursor);
            if (found != MOHS_SSE_MORE) return found;
            continue;
        }
        if (sse->phase == START) start_line(sse);
        if (sse->phase == NAME) read_name(sse, cursor, end);
        else if (sse->phase == COMMENT) *cursor = line_end(*cursor, end);
        else if (sse->phase == SPACE) {
            *cursor += **cursor == ' ';
            sse->phase = VALUE;
        } else {
            *piece = take_value(sse, cursor, end);
            return MOHS_SSE_PIECE;
        }
    }
    return MOHS_SSE_MORE;
}
