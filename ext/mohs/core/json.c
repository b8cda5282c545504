#include "json.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

struct reader {
    const char *at;
    const char *end;
    const struct mohs_span *path;
    size_t path_size;
    char *out;
    size_t room;
    long found; /* size of the value; -1 until it is found */
};

/* Where decoded text goes; bytes that do not fit are counted, not written. */
struct writer {
    char *out;
    size_t room;
    size_t size;
};

static bool value(struct reader *reader, size_t depth, bool on_path);

static void put(struct writer *writer, unsigned byte) {
    if (writer->size < writer->room) writer->out[writer->size] = (char)byte;
    writer->size++;
}

static void put_utf8(struct writer *writer, uint32_t code) {
    if (code < 0x80) {
        put(writer, code);
        return;
    }
    if (code < 0x800) {
        put(writer, 0xc0 | code >> 6);
    } else if (code < 0x10000) {
        put(writer, 0xe0 | code >> 12);
        put(writer, 0x80 | (code >> 6 & 0x3f));
    } else {
        put(writer, 0xf0 | code >> 18);
        put(writer, 0x80 | (code >> 12 & 0x3f));
        put(writer, 0x80 | (code >> 6 & 0x3f));
    }
    put(writer, 0x80 | (code & 0x3f));
}

static void skip_blanks(struct reader *reader) {
    while (reader->at < reader->end && memchr(" \t\r\n", *reader->at, 4)) reader->at++;
}

static bool take(struct reader *reader, char c) {
    if (reader->at == reader->end || *reader->at != c) return false;
    reader->at++;
    return true;
}

static bool take_word(struct reader *reader, const char *word) {
    size_t size = strlen(word);
    if ((size_t)(reader->end - reader->at) < size || memcmp(reader->at, word, size) != 0)
        return false;
    reader->at += size;
    return true;
}

/* Reads the four digits of \uXXXX. */
static bool hexadecimal(struct reader *reader, uint32_t *code) {
    *code = 0;
    for (int digit = 0; digit < 4; digit++) {
        char c = reader->at < reader->end ? *reader->at++ : 0;
        char low = (char)(c | 0x20);
        if (c >= '0' && c <= '9') *code = *code * 16 + (uint32_t)(c - '0');
        else if (low >= 'a' && low <= 'f') *code = *code * 16 + (uint32_t)(low - 'a' + 10);
        else return false;
    }
    return true;
}

static bool unicode(struct reader *reader, struct writer *writer) {
    uint32_t code, second;
    if (!hexadecimal(reader, &code)) return false;
    if (code >= 0xdc00 && code < 0xe000) return false; // half a pair
    if (code >= 0xd800 && code < 0xdc00) {
        if (!take_word(reader, "\\u") || !hexadecimal(reader, &second)) return false;
        if (second < 0xdc00 || second >= 0xe000) return false;
        code = 0x10000 + ((code - 0xd800) << 10) + (second - 0xdc00);
    }
    put_utf8(writer, code);
    return true;
}

static bool escape(struct reader *reader, struct writer *writer) {
    static const char names[] = "\"\\/bfnrt";
    static const char meanings[] = "\"\\/\b\f\n\r\t";
    char c = reader->at < reader->end ? *reader->at++ : 0;
    if (c == 'u') return unicode(reader, writer);
    const char *name = c ? strchr(names, c) : NULL;
    if (name) put(writer, (unsigned char)meanings[name - names]);
    return name != NULL;
}

/* Reads a string from its opening quote on. */
static bool text(struct reader *reader, struct writer *writer) {
    if (!take(reader, '"')) return false;
    while (reader->at < reader->end) {
        char c = *reader->at++;
        if (c == '"') return true;
        if ((unsigned char)c < 0x20) return false;
        if (c == '\\' && !escape(reader, writer)) return false;
        if (c != '\\') put(writer, (unsigned char)c);
    }
    return false;
}

static bool digits(struct reader *reader) {
    const char *start = reader->at;
    while (reader->at < reader->end && *reader->at >= '0' && *reader->at <= '9') reader->at++;
    return reader->at > start;
}

static bool number(struct reader *reader) {
    take(reader, '-');
    if (!take(reader, '0') && !digits(reader)) return false;
    if (take(reader, '.') && !digits(reader)) return false;
    if (take(reader, 'e') || take(reader, 'E')) {
        if (!take(reader, '+')) take(reader, '-');
        return digits(reader);
    }
    return true;
}

static void keep(struct reader *reader, struct writer written) {
    if (written.size <= reader->room) reader->found = (long)written.size;
}

static bool scalar(struct reader *reader, bool wanted) {
    const char *start = reader->at;
    struct writer writer = {.out = reader->out, .room = wanted ? reader->room : 0};
    if (start < reader->end && *start == '"') {
        if (!text(reader, &writer)) return false;
    } else {
        bool word =
            take_word(reader, "true") || take_word(reader, "false") || take_word(reader, "null");
        if (!word && !number(reader)) return false;
        for (const char *at = start; at < reader->at; at++) put(&writer, (unsigned char)*at);
    }
    if (wanted) keep(reader, writer);
    return true;
}

/* Whether the token is this index of an array: digits without leading zeros. */
static bool is_index(struct mohs_span token, size_t index) {
    char digits_of[24];
    size_t size = 0;
    do {
        digits_of[sizeof digits_of - ++size] = (char)('0' + index % 10);
        index /= 10;
    } while (index);
    return token.size == size && memcmp(token.data, digits_of + sizeof digits_of - size, size) == 0;
}

static bool array(struct reader *reader, size_t depth, bool on_path) {
    size_t index = 0;
    skip_blanks(reader);
    if (take(reader, ']')) return true;
    do {
        bool here = on_path && depth < reader->path_size && is_index(reader->path[depth], index);
        if (!value(reader, depth + 1, here)) return false;
        index++;
    } while (take(reader, ','));
    return take(reader, ']');
}

/* Compares a name with the token. A name longer than any token is not stored. */
static bool name(struct reader *reader, struct mohs_span token, bool *same) {
    char buffer[256];
    struct writer writer = {.out = buffer, .room = sizeof buffer};
    skip_blanks(reader);
    if (!text(reader, &writer)) return false;
    *same = writer.size == token.size && writer.size <= sizeof buffer &&
            (token.size == 0 || memcmp(buffer, token.data, token.size) == 0);
    skip_blanks(reader);
    return take(reader, ':');
}

static bool object(struct reader *reader, size_t depth, bool on_path) {
    bool looked_for = on_path && depth < reader->path_size;
    struct mohs_span token = looked_for ? reader->path[depth] : (struct mohs_span){"", 0};
    skip_blanks(reader);
    if (take(reader, '}')) return true;
    do {
        bool same;
        if (!name(reader, token, &same) || !value(reader, depth + 1, looked_for && same))
            return false;
    } while (take(reader, ','));
    return take(reader, '}');
}

/* Reads a value and the blanks around it. `on_path`: the pointer leads to it or into it; a value
 * found under an earlier, equal name no longer counts. */
static bool value(struct reader *reader, size_t depth, bool on_path) {
    bool right;
    if (depth > MOHS_JSON_DEPTH) return false;
    if (on_path) reader->found = -1;
    skip_blanks(reader);
    if (take(reader, '[')) right = array(reader, depth, on_path);
    else if (take(reader, '{')) right = object(reader, depth, on_path);
    else right = scalar(reader, on_path && depth == reader->path_size);
    skip_blanks(reader);
    return right;
}

long mohs_json_find(struct mohs_span span, const struct mohs_span *path, size_t depth, char *out,
                    size_t room) {
    struct reader reader = {.at = span.data,
                            .end = span.data + span.size,
                            .path = path,
                            .path_size = depth,
                            .out = out,
                            .room = room,
                            .found = -1};
    bool whole = value(&reader, 0, true) && reader.at == reader.end;
    return whole ? reader.found : -1;
}
