/* Which cookies a client stores, and with which requests it sends them. */
#include "core/cookies.h"

#include <stdlib.h>

#include "runner.h"

#define NOW 1700000000 /* November 2023 */

static struct mohs_cookies cookies;
static char written[MOHS_COOKIES_WRITTEN_MAX];

static void set(const char *header) {
    size_t size = strlen(header);
    char *exact = malloc(size ? size : 1);
    if (!exact) abort();
    memcpy(exact, header, size);
    mohs_cookies_set(&cookies, (struct mohs_span){exact, size}, NOW);
    free(exact);
}

static void expect(const char *path, const char *wanted) {
    char *end = mohs_cookies_write(&cookies, (struct mohs_span){path, strlen(path)}, written);
    CHECK_EQUAL(strlen(wanted), end - written);
    CHECK(memcmp(wanted, written, strlen(wanted)) == 0);
}

static void forget(void) {
    memset(&cookies, 0, sizeof cookies);
}

TEST(the_last_value_of_a_name_counts) {
    forget();
    expect("/", "");
    set("_session=abc%3D; path=/; HttpOnly; SameSite=Lax");
    set("lang = de ;Secure");
    expect("/", "Cookie: _session=abc%3D; lang=de\r\n");
    set("_session=def==");
    expect("/x", "Cookie: _session=def==; lang=de\r\n");
    set("=nameless");
    set("valueless");
    set("");
    set("empty=");
    expect("/", "Cookie: _session=def==; lang=de; empty=\r\n");
}

TEST(paths_are_folders) {
    forget();
    set("a=1; Path=/admin");
    set("b=2; Path=admin"); // not absolute: /
    set("c=3; path=/admin/");
    expect("/", "Cookie: b=2\r\n");
    expect("/admin", "Cookie: a=1; b=2\r\n");
    expect("/admin/x", "Cookie: a=1; b=2; c=3\r\n");
    expect("/administrator", "Cookie: b=2\r\n");
    set("a=9; Path=/"); // another cookie
    expect("/admin", "Cookie: a=1; b=2; a=9\r\n");
}

TEST(expired_cookies_are_dropped) {
    static const char *const over[] = {
        "a=; Max-Age=0",
        "a=; max-age=-1; expires=Thu, 01 Jan 2099 00:00:00 GMT",
        "a=; expires=Thu, 01 Jan 1970 00:00:00 GMT",
        "a=; Expires=Thu, 01-Jan-1970 00:00:00 GMT",
        "a=; Expires=Thu, 01-Jan-70 00:00:00 GMT",
    };
    static const char *const kept[] = {
        "a=1; Max-Age=60; expires=Thu, 01 Jan 1970 00:00:00 GMT",
        "a=1; expires=Thu, 01 Jan 2099 00:00:00 GMT",
        "a=1; expires=whenever",
        "a=1; expires=Thu, 01 Foo 1970 00:00:00 GMT",
        "a=1; Max-Age=",
        "a=1; Max-Age=soon",
    };
    for (size_t at = 0; at < sizeof over / sizeof *over; at++) {
        forget();
        set("a=1");
        set("b=2");
        set(over[at]);
        expect("/", "Cookie: b=2\r\n");
    }
    for (size_t at = 0; at < sizeof kept / sizeof *kept; at++) {
        forget();
        set(kept[at]);
        expect("/", "Cookie: a=1\r\n");
    }
}

TEST(number_and_size_of_cookies_are_limited) {
    static char large[MOHS_COOKIE_MAX + 2];
    char text[32];
    forget();
    memset(large, 'x', MOHS_COOKIE_MAX);
    large[1] = '=';
    set(large);
    CHECK_EQUAL(1, cookies.count);
    large[MOHS_COOKIE_MAX] = 'x';
    large[0] = 'y';
    set(large);
    CHECK_EQUAL(1, cookies.count);
    for (int number = 0; number < MOHS_COOKIES; number++) {
        snprintf(text, sizeof text, "n%d=1", number);
        set(text);
    }
    CHECK_EQUAL(MOHS_COOKIES, cookies.count);
    CHECK(memcmp(cookies.list[0].text, "n0=1", 4) == 0); // the large one was the oldest
    set("new=1; Max-Age=0");
    CHECK_EQUAL(MOHS_COOKIES, cookies.count);
    forget();
    for (int number = 0; number < MOHS_COOKIES; number++) {
        memset(large, 'x', MOHS_COOKIE_MAX);
        large[0] = (char)('A' + number);
        large[1] = '=';
        large[MOHS_COOKIE_MAX] = 0;
        set(large);
    }
    char *end = mohs_cookies_write(&cookies, (struct mohs_span){"/", 1}, written);
    CHECK(end <= written + sizeof written);
}

int main(void) {
    RUN(the_last_value_of_a_name_counts);
    RUN(paths_are_folders);
    RUN(expired_cookies_are_dropped);
    RUN(number_and_size_of_cookies_are_limited);
    return report();
}
