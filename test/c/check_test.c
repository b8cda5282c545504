/* Right and wrong answers, in pieces of every size, and the sample kept of wrong ones. */
#include "core/check.h"

#include <stdlib.h>

#include "core/error.h"
#include "runner.h"

static char sample[MOHS_SAMPLE_MAX];

/* The verdict on `body` with `status`, read in pieces of `step` bytes. */
static int verdict(const struct mohs_check *check, struct mohs_checking *checking, unsigned status,
                   const char *body, size_t size, size_t step) {
    const struct mohs_http http = {.status = (uint16_t)status, .right_type = true};
    mohs_checking_begin(checking, check, sample);
    for (size_t at = 0; at < size; at += step) {
        size_t piece = size - at < step ? size - at : step;
        mohs_checking_body(checking, &http, (struct mohs_span){body + at, piece});
    }
    return mohs_checking_end(checking, &http);
}

static struct mohs_check check_of(enum mohs_check_mode mode, const char *body) {
    struct mohs_check check = {.mode = mode, .body = body, .length = strlen(body)};
    CHECK_EQUAL(0, mohs_check_allow(&check, 200));
    CHECK_EQUAL(0, mohs_check_allow(&check, 599));
    CHECK_EQUAL(-1, mohs_check_allow(&check, 99));
    CHECK_EQUAL(-1, mohs_check_allow(&check, 600));
    return check;
}

static void expect(enum mohs_check_mode mode, unsigned status, const char *body, int error) {
    struct mohs_check check = check_of(mode, "hello world");
    struct mohs_checking checking;
    for (size_t step = 1; step <= strlen(body) + 1; step++) {
        CHECK_EQUAL(error, verdict(&check, &checking, status, body, strlen(body), step));
        if (!error) continue;
        CHECK_EQUAL(strlen(body), checking.kept);
        CHECK(memcmp(sample, body, strlen(body)) == 0);
    }
}

TEST(status_length_and_bytes) {
    expect(MOHS_CHECK_STATUS, 200, "anything", MOHS_OK);
    expect(MOHS_CHECK_STATUS, 599, "", MOHS_OK);
    expect(MOHS_CHECK_STATUS, 500, "what went wrong", MOHS_WRONG_STATUS);
    expect(MOHS_CHECK_FILLED, 200, "anything", MOHS_OK);
    expect(MOHS_CHECK_FILLED, 200, "", MOHS_WRONG_LENGTH);
    expect(MOHS_CHECK_FILLED, 500, "", MOHS_WRONG_STATUS);
    expect(MOHS_CHECK_LENGTH, 200, "HELLO WORLD", MOHS_OK);
    expect(MOHS_CHECK_LENGTH, 200, "hello", MOHS_WRONG_LENGTH);
    expect(MOHS_CHECK_EXACT, 200, "hello world", MOHS_OK);
    expect(MOHS_CHECK_EXACT, 200, "hello worlD", MOHS_WRONG_BODY);
    expect(MOHS_CHECK_EXACT, 200, "Hello world", MOHS_WRONG_BODY);
    expect(MOHS_CHECK_EXACT, 200, "hello worl", MOHS_WRONG_LENGTH);
    expect(MOHS_CHECK_EXACT, 200, "hello world!", MOHS_WRONG_LENGTH);
    expect(MOHS_CHECK_EXACT, 404, "not found", MOHS_WRONG_STATUS);
    expect(MOHS_CHECK_EXACT, 404, "hello world", MOHS_WRONG_STATUS);
}

TEST(for_a_head_request_only_the_status_counts) {
    struct mohs_check check = check_of(MOHS_CHECK_EXACT, "hello");
    struct mohs_checking checking;
    mohs_checking_begin(&checking, &check, sample);
    struct mohs_http http = {.status = 200, .right_type = true, .head_request = true};
    CHECK_EQUAL(MOHS_OK, mohs_checking_end(&checking, &http));
    http.right_type = false;
    CHECK_EQUAL(MOHS_WRONG_TYPE, mohs_checking_end(&checking, &http));
    http.status = 404;
    CHECK_EQUAL(MOHS_WRONG_STATUS, mohs_checking_end(&checking, &http));
}

/* The verdict on a body that has to contain "lo wo" and to have this type. */
static void expect_text(enum mohs_check_mode mode, unsigned status, bool right_type,
                        const char *body, int error) {
    struct mohs_check check = check_of(mode, "hello world");
    struct mohs_checking checking;
    const struct mohs_http http = {.status = (uint16_t)status, .right_type = right_type};
    CHECK_EQUAL(0, mohs_text_init(&check.text, (struct mohs_span){"lo wo", 5}));
    for (size_t step = 1; step <= strlen(body) + 1; step++) {
        mohs_checking_begin(&checking, &check, sample);
        for (size_t at = 0; at < strlen(body); at += step) {
            size_t piece = strlen(body) - at < step ? strlen(body) - at : step;
            mohs_checking_body(&checking, &http, (struct mohs_span){body + at, piece});
        }
        CHECK_EQUAL(error, mohs_checking_end(&checking, &http));
        if (!error) continue;
        CHECK_EQUAL(strlen(body), checking.kept);
        CHECK(memcmp(sample, body, strlen(body)) == 0);
    }
    mohs_text_free(&check.text);
}

TEST(a_text_that_is_missing_is_found_missing_in_every_mode) {
    expect_text(MOHS_CHECK_STATUS, 200, true, "any hello world", MOHS_OK);
    expect_text(MOHS_CHECK_STATUS, 200, true, "sorry, overloaded", MOHS_MISSING_TEXT);
    expect_text(MOHS_CHECK_STATUS, 200, true, "", MOHS_MISSING_TEXT);
    expect_text(MOHS_CHECK_LENGTH, 200, true, "hello world", MOHS_OK);
    expect_text(MOHS_CHECK_LENGTH, 200, true, "hello_world", MOHS_MISSING_TEXT);
    expect_text(MOHS_CHECK_LENGTH, 200, true, "hello", MOHS_WRONG_LENGTH);
    expect_text(MOHS_CHECK_EXACT, 200, true, "hello world", MOHS_OK);
    expect_text(MOHS_CHECK_EXACT, 200, true, "hello_world", MOHS_WRONG_BODY);
    expect_text(MOHS_CHECK_STATUS, 500, true, "hello world", MOHS_WRONG_STATUS);
}

TEST(another_type_is_wrong_whatever_the_body_is) {
    expect_text(MOHS_CHECK_STATUS, 200, false, "hello world", MOHS_WRONG_TYPE);
    expect_text(MOHS_CHECK_LENGTH, 200, false, "hello", MOHS_WRONG_TYPE);
    expect_text(MOHS_CHECK_EXACT, 200, false, "hello world", MOHS_WRONG_TYPE);
    expect_text(MOHS_CHECK_EXACT, 500, false, "hello world", MOHS_WRONG_STATUS);
}

TEST(the_sample_is_limited_to_its_room) {
    struct mohs_check check = check_of(MOHS_CHECK_EXACT, "");
    struct mohs_checking checking;
    size_t size = 3 * MOHS_SAMPLE_MAX + 7;
    char *right = malloc(size);
    char *wrong = malloc(size);
    memset(right, 'a', size);
    memset(wrong, 'a', size);
    wrong[size - 1] = 'b';
    check.body = right;
    check.length = size;
    CHECK_EQUAL(MOHS_WRONG_BODY, verdict(&check, &checking, 200, wrong, size, 1000));
    CHECK_EQUAL(MOHS_SAMPLE_MAX, checking.kept);
    CHECK_EQUAL(MOHS_OK, verdict(&check, &checking, 200, right, size, 4096));
    free(right);
    free(wrong);
}

int main(void) {
    RUN(status_length_and_bytes);
    RUN(a_text_that_is_missing_is_found_missing_in_every_mode);
    RUN(another_type_is_wrong_whatever_the_body_is);
    RUN(for_a_head_request_only_the_status_counts);
    RUN(the_sample_is_limited_to_its_room);
    return report();
}
