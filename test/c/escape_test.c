/* Values that must not break the text that they are put into. */
#include "core/escape.h"

#include "runner.h"

static void expect(enum mohs_escape escape, const char *value, size_t size, const char *wanted) {
    char out[256];
    char *end = mohs_escape(out, (struct mohs_span){value, size}, escape);
    CHECK_EQUAL(strlen(wanted), end - out);
    CHECK(memcmp(wanted, out, strlen(wanted)) == 0);
}

#define EXPECT(escape, value, wanted) expect(escape, value, sizeof value - 1, wanted)

TEST(each_place_has_its_escapes) {
    EXPECT(MOHS_ESCAPE_FORM, "a+/=&b c~\xc3\xa4\0", "a%2B%2F%3D%26b%20c~%C3%A4%00");
    EXPECT(MOHS_ESCAPE_PATH, "/a b/?c=d&e#f\r\n", "/a%20b/?c=d&e%23f%0D%0A");
    EXPECT(MOHS_ESCAPE_JSON, "say \"a\\b\"\n\x1f\xc3\xa4",
           "say \\\"a\\\\b\\\"\\u000a\\u001f\xc3\xa4");
    EXPECT(MOHS_ESCAPE_HEADER, "a\r\nX-Evil: b\x7f", "a  X-Evil: b ");
    EXPECT(MOHS_ESCAPE_NOTHING, "a\r\n%", "a\r\n%");
}

TEST(no_value_grows_beyond_the_declared_limit) {
    for (int escape = MOHS_ESCAPE_NOTHING; escape <= MOHS_ESCAPE_HEADER; escape++) {
        for (unsigned byte = 0; byte < 256; byte++) {
            char value = (char)byte, out[8];
            struct mohs_span span = {&value, 1};
            CHECK(mohs_escape(out, span, (enum mohs_escape)escape) - out <= MOHS_ESCAPE_GROWTH);
        }
    }
}

static void unescape(const char *text, const char *wanted) {
    char copy[64];
    strcpy(copy, text);
    CHECK_EQUAL(strlen(wanted), mohs_unescape_html(copy, strlen(text)));
    CHECK(memcmp(wanted, copy, strlen(wanted)) == 0);
}

TEST(entities_become_characters) {
    unescape("a&amp;b&lt;&gt;&quot;&apos;&#39;&#x2B;&#X3d;", "a&b<>\"''+=");
    unescape("&amp;amp;", "&amp;");
    unescape("&nbsp;&#228;&#;&#x;&;&amp", "&nbsp;&#228;&#;&#x;&;&amp");
    unescape("&#99999999999999999999;&#1a;", "&#99999999999999999999;&#1a;");
    unescape("", "");
}

int main(void) {
    RUN(each_place_has_its_escapes);
    RUN(no_value_grows_beyond_the_declared_limit);
    RUN(entities_become_characters);
    return report();
}
