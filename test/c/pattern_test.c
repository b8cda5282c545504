/* Pieces of a text, compared with a slow search that tries every place and length. */
#include "core/pattern.h"

#include "core/random.h"
#include "runner.h"

static struct mohs_span of(const char *text) {
    return (struct mohs_span){text, strlen(text)};
}

/* All bytes but those of `without`; or only those of `only`. */
static struct mohs_pattern pattern(const char *before, const char *only, const char *without,
                                   const char *behind, bool lazy) {
    struct mohs_pattern made = {.before = of(before), .behind = of(behind), .least = 1};
    made.lazy = lazy;
    for (unsigned byte = 0; byte < 256; byte++) {
        bool in = only ? byte && strchr(only, (int)byte) : !(byte && strchr(without, (int)byte));
        made.set[byte / 64] |= (uint64_t)in << (byte % 64);
    }
    return made;
}

static void expect(const struct mohs_pattern *made, const char *text, const char *wanted) {
    struct mohs_span found = {0};
    bool any = mohs_pattern_find(made, of(text), &found);
    CHECK_EQUAL(wanted != NULL, any);
    if (!any || !wanted) return;
    CHECK_EQUAL(strlen(wanted), found.size);
    CHECK(memcmp(wanted, found.data, found.size) == 0);
}

TEST(finds_the_text_between_two_literals) {
    struct mohs_pattern token = pattern("value=\"", NULL, "\"", "\"", false);
    expect(&token, "<input value=\"a+/=\" value=\"b\">", "a+/=");
    expect(&token, "<input value=\"\" value=\"b\">", "b"); // at least one
    expect(&token, "<input value=\"open", NULL);
    expect(&token, "value=", NULL);
    expect(&token, "", NULL);
    struct mohs_pattern id = pattern("/issues/", "0123456789", NULL, "", false);
    expect(&id, "http://h/issues/new /issues/42", "42");
    struct mohs_pattern any = pattern("a", NULL, "\n", "bc", true);
    expect(&any, "a b bc bc", " b ");
    struct mohs_pattern most = pattern("a", NULL, "\n", "bc", false);
    expect(&most, "a b bc bc", " b bc ");
    struct mohs_pattern whole = pattern("", "0123456789", NULL, "", false);
    expect(&whole, "id: 17!", "17");
}

TEST(no_piece_is_longer_than_the_limit) {
    static char text[MOHS_CAPTURE_MAX + 8];
    struct mohs_pattern made = pattern("<", "x", NULL, ">", false);
    struct mohs_span found;
    memset(text, 'x', sizeof text);
    text[0] = '<';
    text[MOHS_CAPTURE_MAX + 1] = '>';
    CHECK(mohs_pattern_find(&made, (struct mohs_span){text, sizeof text}, &found));
    CHECK_EQUAL(MOHS_CAPTURE_MAX, found.size);
    text[MOHS_CAPTURE_MAX + 1] = 'x';
    text[MOHS_CAPTURE_MAX + 2] = '>';
    CHECK(!mohs_pattern_find(&made, (struct mohs_span){text, sizeof text}, &found));
    struct mohs_pattern open = pattern("<", "x", NULL, "", false);
    CHECK(!mohs_pattern_find(&open, (struct mohs_span){text, sizeof text}, &found));
}

static bool in_set(const struct mohs_pattern *made, char c) {
    return made->set[(unsigned char)c / 64] >> ((unsigned char)c % 64) & 1;
}

static bool stands_at(const char *text, size_t size, size_t at, struct mohs_span piece) {
    return at + piece.size <= size && memcmp(text + at, piece.data, piece.size) == 0;
}

/* The first place, and there the longest or shortest piece. */
static bool slowly(const struct mohs_pattern *made, const char *text, size_t size,
                   struct mohs_span *found) {
    for (size_t at = 0; at < size; at++) {
        if (!stands_at(text, size, at, made->before)) continue;
        size_t start = at + made->before.size;
        bool any = false;
        for (size_t length = 0; start + length <= size; length++) {
            if (length && !in_set(made, text[start + length - 1])) break;
            if (length < made->least || !stands_at(text, size, start + length, made->behind))
                continue;
            *found = (struct mohs_span){text + start, length};
            any = true;
            if (made->lazy) break;
        }
        if (any) return true;
    }
    return false;
}

TEST(agrees_with_a_slow_search) {
    static const char *texts[] = {"a", "b", "ab", "ba", "aa", ""};
    uint64_t random = 11;
    for (int round = 0; round < 20000; round++) {
        char text[12];
        size_t size = (size_t)mohs_random_below(&random, sizeof text + 1);
        for (size_t at = 0; at < size; at++) text[at] = "abc"[mohs_random_below(&random, 3)];
        struct mohs_pattern made =
            pattern(texts[mohs_random_below(&random, 5)], round & 1 ? "ab" : "bc", NULL,
                    texts[mohs_random_below(&random, 6)], round & 2);
        made.least = round & 4 ? 1 : 0;
        struct mohs_span one = {0}, other = {0};
        bool slow = slowly(&made, text, size, &one);
        CHECK_EQUAL(slow, mohs_pattern_find(&made, (struct mohs_span){text, size}, &other));
        if (!slow) continue;
        CHECK(one.data == other.data);
        CHECK_EQUAL(one.size, other.size);
    }
}

/* The piece is at the end, as long as it may be; each byte before it is looked at some thousand
 * times. */
TEST(a_search_ends_after_so_many_steps) {
    static char text[1 << 17];
    struct mohs_pattern letters = pattern("", "a", NULL, "!", false);
    struct mohs_span found;
    memset(text, 'a', sizeof text);
    const size_t within = MOHS_CAPTURE_MAX + MOHS_PATTERN_STEPS / MOHS_CAPTURE_MAX / 2;
    text[within] = '!';
    CHECK(mohs_pattern_find(&letters, (struct mohs_span){text, sizeof text}, &found));
    CHECK_EQUAL(MOHS_CAPTURE_MAX, found.size);
    text[within] = 'a';
    text[sizeof text - 1] = '!';
    CHECK(!mohs_pattern_find(&letters, (struct mohs_span){text, sizeof text}, &found));
    memset(text, 'b', sizeof text - 2); // most of a page is of other bytes
    CHECK(mohs_pattern_find(&letters, (struct mohs_span){text, sizeof text}, &found));
    CHECK_EQUAL(1, found.size);
}

int main(void) {
    RUN(a_search_ends_after_so_many_steps);
    RUN(finds_the_text_between_two_literals);
    RUN(no_piece_is_longer_than_the_limit);
    RUN(agrees_with_a_slow_search);
    return report();
}
