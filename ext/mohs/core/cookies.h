/*
 * One client's cookies for one server (RFC 6265). Path, Max-Age and Expires are respected, Domain
 * is ignored. Secure cookies are sent too, as by a proxy that terminates TLS. Expires is compared
 * with one moment before the load, so a cookie that expires during the load stays.
 */
#ifndef MOHS_COOKIES_H
#define MOHS_COOKIES_H

#include <stdint.h>

#include "http.h"

#define MOHS_COOKIES         32   /* one more evicts the oldest */
#define MOHS_COOKIE_MAX      4096 /* bytes of name=value; larger ones are ignored, as browsers do */
#define MOHS_COOKIE_PATH_MAX 128  /* a longer Path is treated as / */

struct mohs_cookie {
    uint32_t name_size;
    uint32_t size; /* of name=value */
    uint32_t path_size;
    char path[MOHS_COOKIE_PATH_MAX];
    char text[MOHS_COOKIE_MAX];
};

struct mohs_cookies {
    uint32_t count;
    struct mohs_cookie list[MOHS_COOKIES]; /* oldest first */
};

/* The most bytes that mohs_cookies_write writes. */
#define MOHS_COOKIES_WRITTEN_MAX (MOHS_COOKIES * (MOHS_COOKIE_MAX + 2) + 16)

/* Stores the value of a Set-Cookie header. now_s: the moment to compare Expires with, in seconds
 * since 1970. */
void mohs_cookies_set(struct mohs_cookies *cookies, struct mohs_span header, int64_t now_s);

/* Writes the Cookie header with its CRLF for a request to `path` (without its query), or nothing.
 * Returns where the text ends. */
char *mohs_cookies_write(const struct mohs_cookies *cookies, struct mohs_span path, char *out);

#endif
