/* A text is found wherever the body is cut, as strstr finds it in the whole. */
#include "core/search.h"

#include <string.h>

#include "runner.h"

static bool found_in(const struct mohs_text *text, const char *body, size_t step) {
    struct mohs_search search = {0};
    size_t size = strlen(body);
    for (size_t at = 0; at < size && !search.found; at += step) {
        size_t piece = size - at < step ? size - at : step;
        mohs_search_next(&search, text, (struct mohs_span){body + at, piece});
    }
    return search.found;
}

static bool found_cut(const struct mohs_text *text, const char *body, size_t first, size_t second) {
    struct mohs_search search = {0};
    const size_t cuts[] = {0, first, second, strlen(body)};
    for (size_t at = 0; at < 3 && !search.found; at++)
        mohs_search_next(&search, text,
                         (struct mohs_span){body + cuts[at], cuts[at + 1] - cuts[at]});
    return search.found;
}

/* In pieces of every size, and in three pieces at every two places. */
static void look(const char *wanted, const char *body) {
    struct mohs_text text;
    bool within = strstr(body, wanted) != NULL;
    CHECK_EQUAL(0, mohs_text_init(&text, (struct mohs_span){wanted, strlen(wanted)}));
    for (size_t step = 1; step <= strlen(body) + 1; step++)
        CHECK_EQUAL(within, found_in(&text, body, step));
    for (size_t first = 0; first <= strlen(body); first++)
        for (size_t second = first; second <= strlen(body); second++)
            CHECK_EQUAL(within, found_cut(&text, body, first, second));
    mohs_text_free(&text);
}

TEST(a_text_is_found_however_the_body_is_cut) {
    look("Welcome", "<h1>Welcome</h1>");
    look("Welcome", "Welcome");
    look("Welcome", "Welcom");
    look("Welcome", "elcome");
    look("Welcome", "");
    look("x", "aax");
    look("aab", "aaaab");
    look("abab", "abaabab");
    look("abcabd", "abcabcabd");
    look("aaa", "aabaabaa");
    look("abacabad", "abacabacabad");
}

/* All bodies of nine letters a and b, and some texts of them. */
TEST(every_small_case) {
    const char *texts[] = {"a", "ab", "aa", "aba", "abb", "aabaa", "babab", "abba"};
    char body[] = "aaaaaaaaa";
    for (unsigned bits = 0; bits < 1u << 9; bits++) {
        for (size_t at = 0; at < 9; at++) body[at] = bits >> at & 1 ? 'b' : 'a';
        for (size_t text = 0; text < sizeof texts / sizeof *texts; text++) look(texts[text], body);
    }
}

TEST(zero_bytes_are_bytes) {
    struct mohs_text text;
    struct mohs_search search = {0};
    CHECK_EQUAL(0, mohs_text_init(&text, (struct mohs_span){"a\0b", 3}));
    mohs_search_next(&search, &text, (struct mohs_span){"xa\0", 3});
    CHECK(!search.found);
    mohs_search_next(&search, &text, (struct mohs_span){"by", 2});
    CHECK(search.found);
    mohs_text_free(&text);
}

int main(void) {
    RUN(a_text_is_found_however_the_body_is_cut);
    RUN(every_small_case);
    RUN(zero_bytes_are_bytes);
    return report();
}
