#include "cable.h"

#include <string.h>

static const char prefix[] = "mohs ";
static const char type_key[] = "\"type\":\"";
static const char message_key[] = "\"message\":";

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

void mohs_number_find(struct mohs_number_finder *finder, struct mohs_span piece) {
    for (size_t at = 0; at < piece.size && finder->found == MOHS_NO_NUMBER; at++)
        find_in(finder, piece.data[at]);
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

void mohs_cable_read(struct mohs_cable_reader *reader, struct mohs_span piece) {
    mohs_number_find(&reader->number, piece);
    for (size_t at = 0; at < piece.size; at++) {
        char c = piece.data[at];
        if (reader->in_word) read_word(reader, c);
        if (reader->decided) continue;
        reader->in_word = match(type_key, &reader->type_used, c);
        reader->decided = reader->in_word || match(message_key, &reader->message_used, c);
    }
}

enum mohs_cable_kind mohs_cable_kind(const struct mohs_cable_reader *reader) {
#define KIND(name, text)                                                                           \
    if (reader->word_used == sizeof text - 1 && memcmp(reader->word, text, sizeof text - 1) == 0)  \
        return MOHS_CABLE_##name;
    MOHS_CABLE_KINDS(KIND)
#undef KIND
    return MOHS_CABLE_MESSAGE;
}
