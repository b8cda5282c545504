/* Values by their pointer, and invalid texts. */
#include "core/json.h"

#include <stdlib.h>

#include "runner.h"

static struct mohs_span of(const char *text) {
    return (struct mohs_span){text, strlen(text)};
}

/* `text` in memory of its own size, so that reading beyond it is noticed. */
static long find(const char *text, size_t size, const struct mohs_span *path, size_t depth,
                 char *out, size_t room) {
    char *copy = malloc(size + 1);
    char *exact = malloc(size ? size : 1);
    if (!copy || !exact) abort();
    memcpy(exact, text, size);
    long found = mohs_json_find((struct mohs_span){exact, size}, path, depth, out, room);
    free(copy);
    free(exact);
    return found;
}

/* `path`: up to three tokens, ended by NULL. */
static void expect(const char *text, const char *const *path, const char *wanted) {
    char out[64];
    struct mohs_span tokens[3];
    size_t depth = 0;
    for (; depth < 3 && path[depth]; depth++) tokens[depth] = of(path[depth]);
    long size = find(text, strlen(text), tokens, depth, out, sizeof out);
    CHECK_EQUAL(wanted ? (long)strlen(wanted) : -1, size);
    if (wanted && size >= 0) CHECK(memcmp(wanted, out, (size_t)size) == 0);
}

#define EXPECT(text, wanted, ...) expect(text, (const char *const[]){__VA_ARGS__, NULL}, wanted)

static const char document[] =
    " {\"issue\" : {\"id\": 42, \"tags\":[\"a\", [1, -2.5e+3], {}], \"\":\"empty\"},\r\n"
    "\"text\":\"a\\\"\\\\\\/\\n\\u00e4\\ud83d\\ude00\", \"yes\": true, \"no\":false, "
    "\"nil\":null, \"twice\": {\"id\": 42, \"a\": 1}, \"twice\": {\"id\": 43}, \"a/b~\": 0 } ";

TEST(values_by_their_pointer) {
    EXPECT(document, "a", "issue", "tags", "0");
    EXPECT(document, "empty", "issue", "");
    EXPECT(document, "a\"\\/\n\xc3\xa4\xf0\x9f\x98\x80", "text");
    EXPECT(document, "true", "yes");
    EXPECT(document, "false", "no");
    EXPECT(document, "null", "nil");
    EXPECT(document, "0", "a/b~");
    EXPECT(document, "42", "issue", "id");
    EXPECT(document, "43", "twice", "id"); // of equal names the last, as Ruby takes it
    EXPECT(document, NULL, "twice", "a");
    EXPECT(document, NULL, "issue");
    EXPECT(document, NULL, "issue", "tags");
    EXPECT(document, NULL, "issue", "tags", "3");
    EXPECT(document, NULL, "issue", "tags", "00");
    EXPECT(document, NULL, "nothing");
    EXPECT(document, NULL, "text", "0");
    EXPECT("[[1, [7, -2.5e+3]]]", "-2.5e+3", "0", "1", "1");
    expect("\"alone\"", (const char *const[]){NULL}, "alone");
}

TEST(of_equal_names_only_the_last_counts) {
    struct mohs_span path = of("a");
    char out[8];
    EXPECT("{\"a\":1,\"a\":{}}", NULL, "a");
    EXPECT("{\"a\":[1],\"a\":2}", NULL, "a", "0");
    EXPECT("{\"a\":[1],\"a\":[]}", NULL, "a", "0");
    EXPECT("{\"a\":[1],\"b\":2}", "1", "a", "0");
    static const char larger[] = "{\"a\":1,\"a\":23}";
    CHECK_EQUAL(-1, find(larger, strlen(larger), &path, 1, out, 1));
    CHECK_EQUAL(2, find(larger, strlen(larger), &path, 1, out, 2));
}

TEST(no_prefix_of_a_document_is_valid) {
    struct mohs_span path = of("yes");
    char out[64];
    size_t end = strlen(document) - 1; // the blank behind it may be missing
    for (size_t size = 0; size < end; size++)
        CHECK_EQUAL(-1, find(document, size, &path, 1, out, sizeof out));
    CHECK_EQUAL(4, find(document, end, &path, 1, out, sizeof out));
    CHECK_EQUAL(4, find(document, end, &path, 1, out, 4));
    CHECK_EQUAL(-1, find(document, end, &path, 1, out, 3));
}

TEST(invalid_json_has_no_values) {
    static const char *const wrong[] = {
        "[1,]",       "[1 2]",         "{\"a\":1,}", "{\"a\" 1}",     "{a:1}",
        "[01]",       "[1.]",          "[.5]",       "[1e]",          "[-]",
        "[+1]",       "[tru]",         "[\"\\x\"]",  "[\"\\u12g4\"]", "[\"\\ud800\"]",
        "[\"a\nb\"]", "[\"\\udc00\"]", "[1]]",       "[1] x",         "['a']",
    };
    struct mohs_span path = of("0");
    char out[8];
    for (size_t at = 0; at < sizeof wrong / sizeof *wrong; at++)
        CHECK_EQUAL(-1, find(wrong[at], strlen(wrong[at]), &path, 1, out, sizeof out));
}

TEST(too_deep_a_document_is_refused) {
    static char deep[2 * 100000];
    struct mohs_span path = of("0");
    char out[8];
    memset(deep, '[', sizeof deep / 2);
    memset(deep + sizeof deep / 2, ']', sizeof deep / 2);
    CHECK_EQUAL(-1, find(deep, sizeof deep, &path, 1, out, sizeof out));
}

int main(void) {
    RUN(values_by_their_pointer);
    RUN(of_equal_names_only_the_last_counts);
    RUN(no_prefix_of_a_document_is_valid);
    RUN(invalid_json_has_no_values);
    RUN(too_deep_a_document_is_refused);
    return report();
}
