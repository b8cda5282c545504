/*
 * What clients capture from arbitrary bytes and write of them, each compared with a slow or inverse
 * implementation. Nothing may be read beyond the bytes or written beyond the room. The first byte
 * chooses: 0 a pattern, 1 JSON by its pointer, 2 cookies, one per line, 3 HTML entities, 4 escapes;
 * any other byte stands for one of these.
 */
#include "core/cookies.h"
#include "core/escape.h"
#include "core/json.h"
#include "core/pattern.h"
#include "fuzz.h"

static struct room copied, written, again;

/* Five bytes describe the pattern: how many bytes before and after, how many at least, whether the
 * shortest piece counts, and which bytes: all except the last byte, or all from it on. */
static size_t pattern_of(const char *bytes, struct mohs_pattern *pattern) {
    size_t before = (unsigned char)bytes[0] % 4, behind = (unsigned char)bytes[1] % 4;
    unsigned char bound = (unsigned char)bytes[4];
    pattern->before = (struct mohs_span){bytes + 5, before};
    pattern->behind = (struct mohs_span){bytes + 5 + before, behind};
    pattern->least = (unsigned char)bytes[2] % 4;
    pattern->lazy = bytes[3] & 1;
    memset(pattern->set, bytes[3] & 2 ? 0 : 0xff, sizeof pattern->set);
    if (!(bytes[3] & 2)) pattern->set[bound / 64] ^= 1ull << bound % 64;
    for (unsigned byte = bound; bytes[3] & 2 && byte < 256; byte++)
        pattern->set[byte / 64] |= 1ull << byte % 64;
    return 5 + before + behind;
}

/* Whether the `size` bytes at `at` are such a piece. */
static bool is_piece(const struct mohs_pattern *pattern, struct mohs_span text, size_t at,
                     size_t size) {
    if (size < pattern->least || size + pattern->behind.size > text.size - at) return false;
    for (size_t i = at; i < at + size; i++) {
        unsigned char byte = (unsigned char)text.data[i];
        if (!(pattern->set[byte / 64] >> byte % 64 & 1)) return false;
    }
    return memcmp(text.data + at + size, pattern->behind.data, pattern->behind.size) == 0;
}

/* As a regular expression searches: the first place, then the longest or shortest piece there. */
static bool find_slowly(const struct mohs_pattern *pattern, struct mohs_span text,
                        struct mohs_span *found) {
    for (size_t at = pattern->before.size; at <= text.size; at++) {
        if (memcmp(text.data + at - pattern->before.size, pattern->before.data,
                   pattern->before.size) != 0)
            continue;
        size_t most = text.size - at;
        for (size_t tried = 0; tried <= most; tried++) {
            size_t size = pattern->lazy ? tried : most - tried;
            if (!is_piece(pattern, text, at, size)) continue;
            *found = (struct mohs_span){text.data + at, size};
            return true;
        }
    }
    return false;
}

static void pattern(const char *bytes, size_t size) {
    struct mohs_pattern pattern;
    struct mohs_span found = {0}, wanted = {0};
    if (size < 16) return;
    size_t used = pattern_of(bytes, &pattern);
    size_t length = size - used < 64 ? size - used : 64; // the slow search is cubic
    struct mohs_span text = {room_copy(&copied, bytes + used, length), length};
    bool any = mohs_pattern_find(&pattern, text, &found);
    HOLDS(any == find_slowly(&pattern, text, &wanted));
    HOLDS(found.data == wanted.data && found.size == wanted.size);
}

/* The same value whatever the room, as long as it fits. */
static void json(const char *bytes, size_t size) {
    const struct mohs_span path[] = {span_of("a"), span_of("0")};
    struct mohs_span text = {room_copy(&copied, bytes, size), size};
    for (size_t depth = 0; depth <= 2; depth++) {
        char *large = room_open(&written, size + 1);
        long found = mohs_json_find(text, path, depth, large, size + 1);
        HOLDS(found >= -1 && found <= (long)size); // no escape is shorter than its meaning
        if (found < 0) continue;
        size_t exact = (size_t)found;
        char *small = room_open(&again, exact);
        HOLDS(mohs_json_find(text, path, depth, small, exact) == found);
        HOLDS(memcmp(large, small, exact) == 0);
        if (exact) HOLDS(mohs_json_find(text, path, depth, small, exact - 1) == -1);
    }
}

/* Stores one cookie per line, then writes them for the last line as a path. */
static void cookies(const char *bytes, size_t size) {
    static struct mohs_cookies jar;
    struct mohs_span line = {0};
    const char *end = bytes + size;
    size_t most = 16;
    jar.count = 0;
    for (const char *at = bytes; at <= end; at = line.data ? at + line.size + 1 : end + 1) {
        const char *newline = memchr(at, '\n', (size_t)(end - at));
        size_t length = (size_t)((newline ? newline : end) - at);
        line = (struct mohs_span){room_copy(&copied, at, length), length};
        mohs_cookies_set(&jar, line, 1700000000);
    }
    HOLDS(jar.count <= MOHS_COOKIES);
    for (size_t at = 0; at < jar.count; at++) most += jar.list[at].size + 2;
    char *out = room_open(&written, most);
    char *stop = mohs_cookies_write(&jar, line, out);
    HOLDS(stop <= out + most);
    const char *newline = memchr(out, '\n', (size_t)(stop - out));
    HOLDS(stop == out || newline == stop - 1); // no cookie begins another header
}

static char *entities_of(const char *bytes, size_t size, char *out) {
    for (size_t at = 0; at < size; at++) {
        if (bytes[at] == '&') out = stpcpy(out, "&amp;");
        else if (bytes[at] == '<') out = stpcpy(out, "&lt;");
        else if (bytes[at] == '"') out = stpcpy(out, "&quot;");
        else if (bytes[at] == '\'') out = stpcpy(out, "&#x27;");
        else *out++ = bytes[at];
    }
    return out;
}

static void entities(const char *bytes, size_t size) {
    char *text = room_copy(&copied, bytes, size);
    size_t left = mohs_unescape_html(text, size);
    HOLDS(left <= size && (memchr(bytes, '&', size) || left == size));
    char *escaped = room_open(&written, 6 * size + 1);
    size_t length = (size_t)(entities_of(bytes, size, escaped) - escaped);
    char *exact = room_copy(&again, escaped, length);
    HOLDS(mohs_unescape_html(exact, length) == size && memcmp(exact, bytes, size) == 0);
}

/* Decodes percent escapes and copies everything else. */
static size_t from_percent(const char *text, const char *end, char *out) {
    char *start = out;
    for (; text < end; text++) {
        char pair[3] = "";
        if (*text == '%') {
            memcpy(pair, text + 1, 2);
            text += 2;
        }
        *out++ = pair[0] ? (char)strtoul(pair, NULL, 16) : *text;
    }
    return (size_t)(out - start);
}

static void escapes(const char *bytes, size_t size) {
    struct mohs_span value = {room_copy(&copied, bytes, size), size};
    char *out = room_open(&written, MOHS_ESCAPE_GROWTH * size + 2);
    char *back = room_open(&again, MOHS_ESCAPE_GROWTH * size);
    const char *end = mohs_escape(out, value, MOHS_ESCAPE_FORM);
    HOLDS(from_percent(out, end, back) == size && memcmp(back, bytes, size) == 0);
    for (const char *at = out; at < end; at++) HOLDS(*at > ' ' && !strchr("&=+#/?", *at));
    end = mohs_escape(out, value, MOHS_ESCAPE_PATH);
    for (const char *at = out; at < end; at++) HOLDS(*at > ' ' && *at < 0x7f && *at != '#');
    end = mohs_escape(out, value, MOHS_ESCAPE_HEADER);
    HOLDS((size_t)(end - out) == size);
    for (const char *at = out; at < end; at++) HOLDS((unsigned char)*at >= ' ' && *at != 0x7f);
    out[0] = '"';
    char *quote = mohs_escape(out + 1, value, MOHS_ESCAPE_JSON);
    *quote = '"';
    struct mohs_span text = {out, (size_t)(quote + 1 - out)};
    HOLDS(mohs_json_find(text, NULL, 0, back, size) == (long)size);
    HOLDS(memcmp(back, bytes, size) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static void (*const all[])(const char *, size_t) = {pattern, json, cookies, entities, escapes};
    if (size < 2) return 0;
    all[(data[0] + 2) % 5]((const char *)data + 1, size - 1); // of '0' the first
    return 0;
}
