#include "escape.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

static bool letter_or_digit(char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* RFC 3986: unreserved characters, and in a path the reserved ones except # */
static bool stays(char c, enum mohs_escape escape) {
    if (letter_or_digit(c) || (c && strchr("-._~", c))) return true;
    return escape == MOHS_ESCAPE_PATH && c && strchr("/?:@!$&'()*+,;=%[]", c);
}

static char *percent(char *out, char c) {
    static const char digits[] = "0123456789ABCDEF";
    *out++ = '%';
    *out++ = digits[(unsigned char)c >> 4];
    *out++ = digits[(unsigned char)c & 15];
    return out;
}

static char *json(char *out, char c) {
    static const char digits[] = "0123456789abcdef";
    if ((unsigned char)c < 0x20) {
        memcpy(out, "\\u00", 4);
        out[4] = digits[(unsigned char)c >> 4];
        out[5] = digits[(unsigned char)c & 15];
        return out + 6;
    }
    if (c == '"' || c == '\\') *out++ = '\\';
    *out++ = c;
    return out;
}

static char *escaped(char *out, char c, enum mohs_escape escape) {
    bool control = (unsigned char)c < 0x20 || c == 0x7f;
    switch (escape) {
    case MOHS_ESCAPE_PATH:
    case MOHS_ESCAPE_FORM:
        if (!stays(c, escape)) return percent(out, c);
        break;
    case MOHS_ESCAPE_JSON:
        return json(out, c);
    case MOHS_ESCAPE_HEADER:
        if (control) c = ' ';
        break;
    case MOHS_ESCAPE_NOTHING:
        break;
    }
    *out = c;
    return out + 1;
}

char *mohs_escape(char *out, struct mohs_span value, enum mohs_escape escape) {
    for (size_t at = 0; at < value.size; at++) out = escaped(out, value.data[at], escape);
    return out;
}

/* The character that &#39; or &#x27; stands for, given the text after the #, if below 128; else
 * 0. */
static char numbered(const char *text, size_t size) {
    bool hexadecimal = size > 1 && (text[0] | 0x20) == 'x';
    unsigned base = hexadecimal ? 16 : 10, code = 0;
    for (size_t at = hexadecimal; at < size; at++) {
        char low = (char)(text[at] | 0x20);
        unsigned digit = 99;
        if (text[at] >= '0' && text[at] <= '9') digit = (unsigned)(text[at] - '0');
        else if (low >= 'a' && low <= 'f') digit = (unsigned)(low - 'a') + 10;
        code = code * base + digit;
        if (digit >= base || code > 127) return 0;
    }
    return (char)code;
}

/* The character that the entity between & and ; stands for, or 0. */
static char entity(const char *text, size_t size) {
    static const struct {
        const char *name;
        char character;
    } names[] = {{"amp", '&'}, {"lt", '<'}, {"gt", '>'}, {"quot", '"'}, {"apos", '\''}};
    if (size > 1 && text[0] == '#') return numbered(text + 1, size - 1);
    for (size_t at = 0; at < sizeof names / sizeof *names; at++)
        if (strlen(names[at].name) == size && memcmp(names[at].name, text, size) == 0)
            return names[at].character;
    return 0;
}

size_t mohs_unescape_html(char *text, size_t size) {
    size_t written = 0;
    for (size_t at = 0; at < size; at++) {
        const char *end = text[at] == '&' ? memchr(text + at, ';', size - at) : NULL;
        char found = end ? entity(text + at + 1, (size_t)(end - text) - at - 1) : 0;
        text[written++] = found ? found : text[at];
        if (found) at = (size_t)(end - text);
    }
    return written;
}
