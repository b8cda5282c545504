#include "cable.h"

#include <string.h>

static const char prefix[] = "mohs ";
static const char type_key[] = "\"type\":\"";
static const char message_key[] = "\"message\":";
static const char error_key[] = "\"error\":";
static const char errors_key[] = "\"errors\":";

/* What comes next: perhaps one of these keys, its value, or what is in that value. */
enum error_phase { ERROR_KEY, ERROR_VALUE, ERROR_CONTENT };

#define PREFIX_BYTES (sizeof prefix - 1)

/* ---- a text of ours -------------------------------------------------------------------------- */

void mohs_message_write(char *text, uint64_t number) {
    memcpy(text, prefix, PREFIX_BYTES);
    for (unsigned at = 0; at < 16; at++)
        text[PREFIX_BYTES + at] = "0123456789abcdef"[number >> (60 - 4 * at) & 15];
}

void mohs_number_begin(struct mohs_number_finder *finder) {
    *finder = (struct mohs_number_finder){.found = MOHS_NO_NUMBER};
}

/* The value of a hexadecimal digit as we write it; 16 if it is none. */
static unsigned digit_of(char c) {
    if (c >= '0' && c <= '9') return (unsigned)(c - '0');
    return c >= 'a' && c <= 'f' ? (unsigned)(c - 'a') + 10 : 16;
}

/* What does not go on with a text may begin the next one. */
static void restart(struct mohs_number_finder *finder, char c) {
    finder->used = c == prefix[0];
    finder->digits = 0;
}

static void find_in(struct mohs_number_finder *finder, char c) {
    if (finder->used < PREFIX_BYTES) {
        if (c == prefix[finder->used]) finder->used++;
        else restart(finder, c);
        return;
    }
    unsigned digit = digit_of(c);
    if (digit == 16) {
        restart(finder, c);
        return;
    }
    finder->digits = finder->digits << 4 | digit;
    if (++finder->used == MOHS_MESSAGE_BYTES) finder->found = finder->digits;
}

size_t mohs_number_find(struct mohs_number_finder *finder, struct mohs_span piece) {
    size_t at = 0;
    while (at < piece.size && finder->found == MOHS_NO_NUMBER) find_in(finder, piece.data[at++]);
    return at;
}

/* ---- the kind of a message ------------------------------------------------------------------- */

void mohs_cable_begin(struct mohs_cable_reader *reader) {
    *reader = (struct mohs_cable_reader){.decided = false};
    mohs_number_begin(&reader->number);
}

/* Goes on to match a key, of which `used` bytes did. Its quotes may begin it anew. Returns whether
 * all of it has come. */
static bool match(const char *key, uint8_t *used, char c) {
    size_t size = strlen(key);
    if (c == key[*used]) ++*used;
    else if (*used > 1 && key[*used - 1] == '"' && c == key[1]) *used = 2;
    else *used = c == key[0];
    return *used == size;
}

static void read_word(struct mohs_cable_reader *reader, char c) {
    if (c == '"') reader->in_word = false;
    else if (reader->word_used < sizeof reader->word) reader->word[reader->word_used++] = c;
}

/* Whether this is the first character of a value that is an error whatever follows. Notes what
 * would close one of which that is not known yet. */
static bool begin_value(struct mohs_cable_reader *reader, char c) {
    reader->closes = c == '"' ? '"' : c == '[' ? ']' : c == '{' ? '}' : 0;
    reader->error_phase = reader->closes ? ERROR_CONTENT : ERROR_KEY;
    return !reader->closes && c != 'n' && c != 'f' && c != '0';
}

static void find_error(struct mohs_cable_reader *reader, char c) {
    bool one = match(error_key, &reader->error_used, c);
    bool many = match(errors_key, &reader->errors_used, c);
    if (one || many) reader->error_used = reader->errors_used = 0;
    if (reader->error_phase == ERROR_KEY) {
        if (one || many) reader->error_phase = ERROR_VALUE;
    } else if (c == ' ' && reader->closes != '"') {
        return;
    } else if (reader->error_phase == ERROR_VALUE) {
        reader->error = begin_value(reader, c);
    } else {
        reader->error = c != reader->closes;
        reader->error_phase = ERROR_KEY;
        reader->closes = 0;
    }
}

void mohs_cable_read(struct mohs_cable_reader *reader, struct mohs_span piece) {
    mohs_number_find(&reader->number, piece);
    for (size_t at = 0; at < piece.size; at++) {
        char c = piece.data[at];
        if (!reader->error) find_error(reader, c);
        if (reader->in_word) read_word(reader, c);
        if (reader->decided) continue;
        reader->in_word = reader->typed = match(type_key, &reader->type_used, c);
        reader->decided = reader->in_word || match(message_key, &reader->message_used, c);
    }
}

enum mohs_cable_kind mohs_cable_kind(const struct mohs_cable_reader *reader) {
#define KIND(name, text)                                                                           \
    if (reader->word_used == sizeof text - 1 && memcmp(reader->word, text, sizeof text - 1) == 0)  \
        return MOHS_CABLE_##name;
    MOHS_CABLE_KINDS(KIND)
#undef KIND
    return reader->typed ? MOHS_CABLE_OTHER : MOHS_CABLE_MESSAGE;
}
