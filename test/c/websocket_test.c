/* Frames at every cut, and what breaks the rules. */
#include "core/websocket.h"

#include <stdlib.h>

#include "core/random.h"
#include "runner.h"

#define LIMIT 100000

/* What came of the frames, as text: "t5:hello " a text of five bytes, "b", "9:..", "10:..",
 * "8/1000:.." control frames, "!1002" broken. */
struct story {
    char text[4096];
    size_t size;
    char message[4096];
    size_t used;
};

static void tell(struct story *story, const char *format, unsigned number, const char *bytes,
                 size_t size) {
    char head[32];
    int length = snprintf(head, sizeof head, format, number);
    if (story->size + (size_t)length + size + 2 > sizeof story->text) return;
    memcpy(story->text + story->size, head, (size_t)length);
    story->size += (size_t)length;
    if (size) memcpy(story->text + story->size, bytes, size);
    story->size += size;
    story->text[story->size++] = ' ';
    story->text[story->size] = 0;
}

static void take(struct mohs_websocket *socket, struct story *story, enum mohs_ws_found found,
                 struct mohs_span piece) {
    if (found == MOHS_WS_PIECE) {
        size_t room = sizeof story->message - story->used;
        size_t size = piece.size < room ? piece.size : room;
        memcpy(story->message + story->used, piece.data, size);
        story->used += size;
    }
    if (found == MOHS_WS_MESSAGE) {
        CHECK(story->used == socket->message_bytes || story->used == sizeof story->message);
        const char *format = socket->message == MOHS_WS_TEXT ? "t%u:" : "b%u:";
        size_t shown = story->used < 40 ? story->used : 40;
        tell(story, format, (unsigned)socket->message_bytes, story->message, shown);
        story->used = 0;
    }
    if (found == MOHS_WS_BROKEN) tell(story, "!%u", socket->code, "", 0);
    if (found != MOHS_WS_CONTROL) return;
    if (socket->opcode == MOHS_WS_CLOSE) tell(story, "8/%u", socket->code, "", 0);
    else
        tell(story, socket->opcode == MOHS_WS_PING ? "9%.0u:" : "10%.0u:", 0, socket->control,
             socket->control_size);
}

/* Each piece in memory of its own size. */
static void parse(const char *bytes, size_t size, const size_t *cuts, size_t count,
                  struct story *story) {
    struct mohs_websocket socket;
    enum mohs_ws_found found = MOHS_WS_MORE;
    *story = (struct story){.size = 0};
    mohs_websocket_begin(&socket, LIMIT);
    for (size_t at = 0, from = 0; at <= count && found != MOHS_WS_BROKEN; at++) {
        size_t to = at < count ? cuts[at] : size;
        char *exact = malloc(to - from ? to - from : 1);
        if (!exact) abort();
        memcpy(exact, bytes + from, to - from);
        const char *cursor = exact, *end = exact + (to - from);
        struct mohs_span piece = {NULL, 0};
        do {
            found = mohs_websocket_next(&socket, &cursor, end, &piece);
            if (found == MOHS_WS_PIECE)
                CHECK(piece.size && piece.data >= exact && piece.data + piece.size == cursor);
            take(&socket, story, found, piece);
        } while (found != MOHS_WS_MORE && found != MOHS_WS_BROKEN);
        CHECK(cursor == end || found == MOHS_WS_BROKEN);
        free(exact);
        from = to;
    }
}

static void expect(const char *bytes, size_t size, const char *wanted) {
    struct story got;
    size_t everywhere[512];
    parse(bytes, size, NULL, 0, &got);
    if (strcmp(wanted, got.text)) fprintf(stderr, "wanted %s, got %s\n", wanted, got.text);
    CHECK(strcmp(wanted, got.text) == 0);
    if (size > 512) return;
    for (size_t at = 0; at < size; at++) everywhere[at] = at + 1;
    parse(bytes, size, everywhere, size, &got);
    CHECK(strcmp(wanted, got.text) == 0);
    for (size_t cut = 1; cut < size; cut++) {
        parse(bytes, size, &cut, 1, &got);
        CHECK(strcmp(wanted, got.text) == 0);
    }
}

#define EXPECT(bytes, wanted) expect(bytes, sizeof(bytes) - 1, wanted)

TEST(messages_are_whole_however_they_are_cut) {
    EXPECT("", "");
    EXPECT("\x81\5hello", "t5:hello ");
    EXPECT("\x82\2\0\xff\x81\0", "b2:\0"); // told up to the NUL
    EXPECT("\x81\0\x81\1a", "t0: t1:a ");
    EXPECT("\1\3hel\x80\2lo", "t5:hello "); // in two frames
    EXPECT("\1\0\0\3hel\0\0\x80\2lo", "t5:hello ");
    EXPECT("\1\3hel\x89\2hi\x80\2lo", "9:hi t5:hello "); // a ping between them
    EXPECT("\x8a\0\x89\3abc", "10: 9:abc ");
    EXPECT("\x81\5hel", "");
}

TEST(closing) {
    EXPECT("\x88\0", "8/1005 ");
    EXPECT("\x88\2\3\xe8", "8/1000 ");
    EXPECT("\x88\5\x0f\xa0"
           "bye",
           "8/4000 ");
    EXPECT("\x88\2\3\xe9\x81\1a\xff\xff", "8/1001 "); // what follows is not read
    EXPECT("\1\1\xc3\x88\2\3\xe8", "8/1000 ");        // within a message
    EXPECT("\x88\1\3", "!1002 ");
    EXPECT("\x88\2\3\xe7", "!1002 "); // 999
    EXPECT("\x88\2\3\xec", "!1002 "); // 1004
    EXPECT("\x88\2\3\xed", "!1002 "); // 1005 is never sent
    EXPECT("\x88\2\3\xee", "!1002 ");
    EXPECT("\x88\2\3\xf7", "!1002 ");   // 1015
    EXPECT("\x88\2\x0b\xb7", "!1002 "); // 2999
    EXPECT("\x88\2\x13\x88", "!1002 "); // 5000
    EXPECT("\x88\3\3\xe8\xff", "!1007 ");
    EXPECT("\x88\3\3\xe8\xc3", "!1007 ");
}

TEST(what_breaks_the_rules) {
    EXPECT("\xc1\0", "!1002 "); // a reserved bit
    EXPECT("\xa1\0", "!1002 ");
    EXPECT("\x91\0", "!1002 ");
    EXPECT("\x83\0", "!1002 "); // reserved opcodes
    EXPECT("\x87\0", "!1002 ");
    EXPECT("\x8b\0", "!1002 ");
    EXPECT("\x8f\0", "!1002 ");
    EXPECT("\x81\x80", "!1002 ");       // masked
    EXPECT("\x09\0", "!1002 ");         // a fragmented ping
    EXPECT("\x89\x7e\0\x7e", "!1002 "); // a long one
    EXPECT("\x80\0", "!1002 ");         // nothing to continue
    EXPECT("\1\1a\x81\1b", "!1002 ");   // a message within another
    EXPECT("\x81\x7e\0\x7d", "!1002 "); // longer than needed
    EXPECT("\x81\x7f\0\0\0\0\0\0\xff\xff", "!1002 ");
    EXPECT("\x82\x7f\x80\0\0\0\0\0\0\0", "!1002 "); // negative
    EXPECT("\x82\x7f\x7f\xff\xff\xff\xff\xff\xff\xff", "!1009 ");
    EXPECT("\x82\x7f\0\0\0\0\0\1\x86\xa1", "!1009 ");      // 100001
    EXPECT("\2\1a\x80\x7f\0\0\0\0\0\1\x86\xa0", "!1009 "); // together
}

TEST(text_is_utf_8) {
    EXPECT("\x81\2\xc3\xa9", "t2:\xc3\xa9 ");
    EXPECT("\x81\3\xe2\x82\xac", "t3:\xe2\x82\xac ");
    EXPECT("\x81\4\xf0\x9f\x98\x80", "t4:\xf0\x9f\x98\x80 ");
    EXPECT("\x81\4\xf4\x8f\xbf\xbf", "t4:\xf4\x8f\xbf\xbf ");
    EXPECT("\x81\3\xed\x9f\xbf", "t3:\xed\x9f\xbf ");
    EXPECT("\1\1\xc3\x80\1\xa9", "t2:\xc3\xa9 "); // a character in two frames
    EXPECT("\x82\1\xff", "b1:\xff ");             // not in binary
    EXPECT("\x81\1\xff", "!1007 ");
    EXPECT("\x81\1\x80", "!1007 ");
    EXPECT("\x81\2\xc0\x80", "!1007 "); // longer than needed
    EXPECT("\x81\3\xe0\x9f\xbf", "!1007 ");
    EXPECT("\x81\4\xf0\x8f\xbf\xbf", "!1007 ");
    EXPECT("\x81\3\xed\xa0\x80", "!1007 "); // a surrogate
    EXPECT("\x81\4\xf4\x90\x80\x80", "!1007 ");
    EXPECT("\x81\4\xf5\x80\x80\x80", "!1007 ");
    EXPECT("\x81\2\xc3 ", "!1007 ");
    EXPECT("\x81\1\xc3", "!1007 "); // incomplete
    EXPECT("\x81\1\xc3\x81\1a", "!1007 ");
}

TEST(long_messages_have_long_lengths) {
    static char bytes[LIMIT + 10];
    memset(bytes, 'x', sizeof bytes);
    memcpy(bytes, "\x81\x7e\0\x7e", 4);
    expect(bytes, 4 + 126, "t126:xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx ");
    memcpy(bytes, "\x81\x7e\xff\xff", 4);
    expect(bytes, 4 + 65535, "t65535:xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx ");
    memcpy(bytes, "\x81\x7f\0\0\0\0\0\1\0\0", 10);
    expect(bytes, 10 + 65536, "t65536:xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx ");
    memcpy(bytes, "\x81\x7f\0\0\0\0\0\1\x86\xa0", 10);
    expect(bytes, 10 + LIMIT, "t100000:xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx ");
}

/* RFC 6455 1.3 and 5.7. */
TEST(the_examples_of_the_rfc) {
    char accept[MOHS_WS_ACCEPT_MAX], key[MOHS_WS_KEY_MAX], frame[MOHS_WS_HEAD_MAX + 5];
    mohs_websocket_accept("dGhlIHNhbXBsZSBub25jZQ==", accept);
    CHECK(strcmp("s3pPLMBiTxaQ9kYGzzhZRbK+xOo=", accept) == 0);
    uint64_t nonce[2];
    memcpy(nonce, "the sample nonce", 16);
    mohs_websocket_key(nonce[0], nonce[1], key);
    CHECK(strcmp("dGhlIHNhbXBsZSBub25jZQ==", key) == 0);
    uint32_t mask;
    memcpy(&mask, "\x37\xfa\x21\x3d", 4);
    size_t size = mohs_websocket_frame(frame, MOHS_WS_TEXT, (struct mohs_span){"Hello", 5}, mask);
    CHECK_EQUAL(11, size);
    CHECK(memcmp("\x81\x85\x37\xfa\x21\x3d\x7f\x9f\x4d\x51\x58", frame, 11) == 0);
}

TEST(frames_have_the_shortest_length_that_holds) {
    static char payload[70000], frame[70000 + MOHS_WS_HEAD_MAX];
    const struct {
        size_t size;
        const char *head;
        size_t head_size;
    } cases[] = {
        {0, "\x82\x80", 2},
        {125, "\x82\xfd", 2},
        {126, "\x82\xfe\0\x7e", 4},
        {65535, "\x82\xfe\xff\xff", 4},
        {65536, "\x82\xff\0\0\0\0\0\1\0\0", 10},
    };
    for (size_t at = 0; at < sizeof cases / sizeof *cases; at++) {
        struct mohs_span span = {payload, cases[at].size};
        size_t size = mohs_websocket_frame(frame, MOHS_WS_BINARY, span, 0x01010101);
        CHECK_EQUAL(cases[at].head_size + 4 + cases[at].size, size);
        CHECK(memcmp(cases[at].head, frame, cases[at].head_size) == 0);
        for (size_t byte = cases[at].head_size; byte < size; byte++) CHECK(frame[byte] == 1);
    }
}

int main(void) {
    RUN(messages_are_whole_however_they_are_cut);
    RUN(closing);
    RUN(what_breaks_the_rules);
    RUN(text_is_utf_8);
    RUN(long_messages_have_long_lengths);
    RUN(the_examples_of_the_rfc);
    RUN(frames_have_the_shortest_length_that_holds);
    return report();
}
