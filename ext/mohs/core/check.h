/*
 * Decides whether a response is the expected one while it is being read; no body is buffered. The
 * start of a wrong body is kept so that a report can show it.
 */
#ifndef MOHS_CHECK_H
#define MOHS_CHECK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "fields.h"
#include "http.h"
#include "search.h"

#define MOHS_SAMPLE_MAX 4096 /* bytes kept of a wrong body */

#define MOHS_CHECK_MODES(NAME)                                                                     \
    NAME(CHECK_STATUS, status) /* the status only */                                               \
    NAME(CHECK_FILLED, filled) /* and that the body is not empty */                                \
    NAME(CHECK_LENGTH, length) /* and the body's length */                                         \
    NAME(CHECK_EXACT, exact)   /* and every byte of it */

enum mohs_check_mode { MOHS_CHECK_MODES(MOHS_DECLARE_NAME) };

#define MOHS_STATUS_WORDS 10 /* 64 statuses each: 0 to 639 */

struct mohs_check {
    enum mohs_check_mode mode;
    uint64_t statuses[MOHS_STATUS_WORDS]; /* a bit for each expected status */
    uint64_t length;
    const char *body;      /* length bytes, if mode is EXACT */
    struct mohs_span type; /* expected Content-Type, without parameters; empty: any */
    struct mohs_text text; /* text that the body must contain, if any */
};

/* The state of checking one response. */
struct mohs_checking {
    const struct mohs_check *check;
    char *sample; /* MOHS_SAMPLE_MAX bytes, the caller's */
    uint64_t offset;
    struct mohs_search search;
    uint32_t kept;
    bool differs;
};

/* Adds an expected status. Returns 0, or -1 for an impossible one. */
int mohs_check_allow(struct mohs_check *check, unsigned status);

void mohs_checking_begin(struct mohs_checking *checking, const struct mohs_check *check,
                         char *sample);

/* Takes the next piece of the response body. */
void mohs_checking_body(struct mohs_checking *checking, const struct mohs_http *http,
                        struct mohs_span piece);

/* To be called after the last piece. Returns MOHS_OK, or the first of MOHS_WRONG_STATUS,
 * MOHS_WRONG_TYPE, MOHS_WRONG_LENGTH, MOHS_WRONG_BODY and MOHS_MISSING_TEXT that applies. The
 * response to a HEAD request has no body to check. */
int mohs_checking_end(struct mohs_checking *checking, const struct mohs_http *http);

#endif
