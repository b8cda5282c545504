#include "cookies.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <time.h>

static struct mohs_span trimmed(struct mohs_span span) {
    while (span.size && (*span.data == ' ' || *span.data == '\t')) span.data++, span.size--;
    while (span.size && (span.data[span.size - 1] == ' ' || span.data[span.size - 1] == '\t'))
        span.size--;
    return span;
}

/* Splits off the text before `separator`; all of it if there is none. */
static struct mohs_span head_of(struct mohs_span *rest, char separator) {
    const char *end = rest->size ? memchr(rest->data, separator, rest->size) : NULL;
    struct mohs_span head = {rest->data, end ? (size_t)(end - rest->data) : rest->size};
    size_t taken = head.size + (end != NULL);
    *rest = (struct mohs_span){rest->data + taken, rest->size - taken};
    return trimmed(head);
}

static bool same_word(struct mohs_span span, const char *word) {
    return span.size == strlen(word) && strncasecmp(span.data, word, span.size) == 0;
}

/* Reads "Thu, 01 Jan 1970 00:00:00 GMT", with blanks or (obsolete) dashes. An invalid date never
 * expires. */
static bool is_past(struct mohs_span date, int64_t now_s) {
    static const char months[] = "JanFebMarAprMayJunJulAugSepOctNovDec";
    char text[64], month[4] = "";
    struct tm parts = {0};
    if (date.size >= sizeof text) return false;
    memcpy(text, date.data, date.size);
    text[date.size] = 0;
    const char *comma = strchr(text, ',');
    if (sscanf(comma ? comma + 1 : text, "%2d%*1[ -]%3[A-Za-z]%*1[ -]%4d %2d:%2d:%2d",
               &parts.tm_mday, month, &parts.tm_year, &parts.tm_hour, &parts.tm_min,
               &parts.tm_sec) != 6)
        return false;
    const char *found = strlen(month) == 3 ? strstr(months, month) : NULL;
    if (!found) return false;
    parts.tm_mon = (int)(found - months) / 3;
    parts.tm_year -= parts.tm_year < 100 ? 0 : 1900;
    return timegm(&parts) <= now_s;
}

/* Max-Age is 0 or below. */
static bool is_over(struct mohs_span seconds) {
    bool negative = seconds.size && seconds.data[0] == '-';
    if (seconds.size == negative) return false;
    for (size_t at = negative; at < seconds.size; at++) {
        if (seconds.data[at] < '0' || seconds.data[at] > '9') return false;
        if (seconds.data[at] != '0' && !negative) return false;
    }
    return true;
}

struct attributes {
    struct mohs_span path;
    bool expired;
};

/* Max-Age takes precedence over Expires; of repeated attributes the last counts. */
static struct attributes attributes_of(struct mohs_span rest, int64_t now_s) {
    struct attributes found = {.path = {"/", 1}};
    bool aged = false;
    while (rest.size) {
        struct mohs_span value = head_of(&rest, ';');
        struct mohs_span name = head_of(&value, '=');
        value = trimmed(value);
        if (same_word(name, "path") && value.size && value.data[0] == '/' &&
            value.size <= MOHS_COOKIE_PATH_MAX)
            found.path = value;
        if (same_word(name, "max-age")) {
            aged = true;
            found.expired = is_over(value);
        }
        if (same_word(name, "expires") && !aged) found.expired = is_past(value, now_s);
    }
    return found;
}

static bool is_same(const struct mohs_cookie *cookie, struct mohs_span name,
                    struct mohs_span path) {
    return cookie->name_size == name.size && memcmp(cookie->text, name.data, name.size) == 0 &&
           cookie->path_size == path.size && memcmp(cookie->path, path.data, path.size) == 0;
}

static void drop(struct mohs_cookies *cookies, uint32_t index) {
    cookies->count--;
    memmove(&cookies->list[index], &cookies->list[index + 1],
            (cookies->count - index) * sizeof *cookies->list);
}

static struct mohs_cookie *find(struct mohs_cookies *cookies, struct mohs_span name,
                                struct mohs_span path) {
    for (uint32_t at = 0; at < cookies->count; at++)
        if (is_same(&cookies->list[at], name, path)) return &cookies->list[at];
    return NULL;
}

static struct mohs_cookie *add(struct mohs_cookies *cookies) {
    if (cookies->count == MOHS_COOKIES) drop(cookies, 0);
    return &cookies->list[cookies->count++];
}

void mohs_cookies_set(struct mohs_cookies *cookies, struct mohs_span header, int64_t now_s) {
    struct mohs_span value = head_of(&header, ';');
    if (value.size == 0 || !memchr(value.data, '=', value.size)) return;
    struct mohs_span name = head_of(&value, '=');
    value = trimmed(value);
    if (name.size == 0 || name.size + 1 + value.size > MOHS_COOKIE_MAX) return;
    struct attributes attributes = attributes_of(header, now_s);
    struct mohs_cookie *cookie = find(cookies, name, attributes.path);
    if (attributes.expired) {
        if (cookie) drop(cookies, (uint32_t)(cookie - cookies->list));
        return;
    }
    if (!cookie) cookie = add(cookies);
    cookie->name_size = (uint32_t)name.size;
    cookie->path_size = (uint32_t)attributes.path.size;
    cookie->size = (uint32_t)(name.size + 1 + value.size);
    memcpy(cookie->text, name.data, name.size);
    cookie->text[name.size] = '=';
    if (value.size) memcpy(cookie->text + name.size + 1, value.data, value.size);
    memcpy(cookie->path, attributes.path.data, attributes.path.size);
}

/* RFC 6265 5.1.4: the same path, or a folder above it. */
static bool covers(const struct mohs_cookie *cookie, struct mohs_span path) {
    size_t size = cookie->path_size;
    if (size == 1) return true;
    if (path.size < size || memcmp(cookie->path, path.data, size) != 0) return false;
    return path.size == size || cookie->path[size - 1] == '/' || path.data[size] == '/';
}

char *mohs_cookies_write(const struct mohs_cookies *cookies, struct mohs_span path, char *out) {
    bool any = false;
    for (uint32_t at = 0; at < cookies->count; at++) {
        const struct mohs_cookie *cookie = &cookies->list[at];
        if (!covers(cookie, path)) continue;
        out = stpcpy(out, any ? "; " : "Cookie: ");
        memcpy(out, cookie->text, cookie->size);
        out += cookie->size;
        any = true;
    }
    return any ? stpcpy(out, "\r\n") : out;
}
