#include "check.h"

#include <assert.h>
#include <string.h>

#include "error.h"

int mohs_check_allow(struct mohs_check *check, unsigned status) {
    if (status < 100 || status > 599) return -1;
    check->statuses[status / 64] |= 1ull << (status % 64);
    return 0;
}

static bool allowed(const struct mohs_check *check, unsigned status) {
    return check->statuses[status / 64] >> (status % 64) & 1;
}

void mohs_checking_begin(struct mohs_checking *checking, const struct mohs_check *check,
                         char *sample) {
    assert(check && sample);
    *checking = (struct mohs_checking){.check = check, .sample = sample};
}

static void keep(struct mohs_checking *checking, struct mohs_span piece) {
    size_t room = MOHS_SAMPLE_MAX - checking->kept;
    size_t size = piece.size < room ? piece.size : room;
    memcpy(checking->sample + checking->kept, piece.data, size);
    checking->kept += (uint32_t)size;
}

/* Fills the sample from the expected body: everything read so far is equal to it. */
static void keep_expected(struct mohs_checking *checking) {
    checking->kept = 0;
    keep(checking, (struct mohs_span){checking->check->body, (size_t)checking->offset});
}

static bool matches(const struct mohs_checking *checking, struct mohs_span piece) {
    const struct mohs_check *check = checking->check;
    return checking->offset + piece.size <= check->length &&
           memcmp(piece.data, check->body + checking->offset, piece.size) == 0;
}

/* Whether the check expects a certain body length. */
static bool has_length(const struct mohs_check *check) {
    return check->mode == MOHS_CHECK_LENGTH || check->mode == MOHS_CHECK_EXACT;
}

/* Whether the response may turn out to be wrong, so that the start of its body has to be kept. */
static bool doubtful(const struct mohs_checking *checking, const struct mohs_http *http) {
    const struct mohs_check *check = checking->check;
    if (check->mode == MOHS_CHECK_EXACT) return checking->differs;
    if (has_length(check) || !allowed(check, http->status)) return true;
    return !http->right_type || check->text.bytes.size;
}

void mohs_checking_body(struct mohs_checking *checking, const struct mohs_http *http,
                        struct mohs_span piece) {
    const struct mohs_check *check = checking->check;
    if (check->mode == MOHS_CHECK_EXACT && !checking->differs) {
        if (!matches(checking, piece)) {
            keep_expected(checking);
            checking->differs = true;
        }
    }
    if (doubtful(checking, http)) keep(checking, piece);
    if (check->text.bytes.size && !checking->search.found)
        mohs_search_next(&checking->search, &check->text, piece);
    checking->offset += piece.size;
}

static int verdict(const struct mohs_checking *checking, const struct mohs_http *http) {
    const struct mohs_check *check = checking->check;
    if (!allowed(check, http->status)) return MOHS_WRONG_STATUS;
    if (!http->right_type) return MOHS_WRONG_TYPE;
    if (http->head_request) return MOHS_OK;
    if (has_length(check) && checking->offset != check->length) return MOHS_WRONG_LENGTH;
    if (check->mode == MOHS_CHECK_FILLED && checking->offset == 0) return MOHS_WRONG_LENGTH;
    if (check->mode == MOHS_CHECK_EXACT && checking->differs) return MOHS_WRONG_BODY;
    return check->text.bytes.size && !checking->search.found ? MOHS_MISSING_TEXT : MOHS_OK;
}

int mohs_checking_end(struct mohs_checking *checking, const struct mohs_http *http) {
    int error = verdict(checking, http);
    bool unkept = checking->check->mode == MOHS_CHECK_EXACT && !checking->differs;
    if (error && unkept) keep_expected(checking);
    return error;
}
