/* Which messages an event has brought, however it is cut. */
#include "core/listener.h"

#include "runner.h"

#define MARK 0xabcd0123u

static struct mohs_fan_out fan_out;
static struct mohs_messages messages;
static struct mohs_listener listener;

/* `count` messages, sent at 10, 20, ... to 2 streams; stream 1 listens from 5 on. */
static void begin(uint64_t count) {
    CHECK_EQUAL(0, mohs_messages_init(&messages, count));
    CHECK_EQUAL(0, mohs_fan_out_init(&fan_out, count, 2));
    messages.fan_out = &fan_out;
    messages.mark = MARK;
    messages.size = count;
    for (uint64_t at = 0; at < count; at++) {
        messages.all[at].due_ns = messages.all[at].sent_ns = (at + 1) * 10;
        mohs_fan_out_sent(&fan_out, at, 2);
    }
    mohs_listener_begin(&listener, 1, 5);
}

static void end(void) {
    mohs_fan_out_free(&fan_out);
    mohs_messages_free(&messages);
}

static void read_text(const char *text) {
    mohs_listener_read(&listener, &messages, (struct mohs_span){text, strlen(text)});
}

static const char *text_of(uint64_t number) {
    static char text[MOHS_MESSAGE_BYTES + 1];
    mohs_message_write(text, (uint64_t)MARK << 32 | number);
    return text;
}

TEST(a_message_has_come_when_its_event_is_complete) {
    begin(3);
    read_text("{\"said\":\"");
    read_text(text_of(1));
    read_text("\"}");
    CHECK(!mohs_fan_out_heard(&fan_out, 1, 1));
    mohs_listener_end_line(&listener);
    mohs_listener_event(&listener, &messages, 77);
    CHECK(mohs_fan_out_heard(&fan_out, 1, 1));
    CHECK_EQUAL(77, fan_out.fans[1].parts.half_ns);
    mohs_listener_event(&listener, &messages, 78); // another one, which has none
    CHECK_EQUAL(1, messages.others);
    CHECK_EQUAL(1, fan_out.came);
    end();
}

TEST(an_event_may_bring_several_and_one_of_them_twice) {
    begin(3);
    read_text(text_of(0));
    read_text(text_of(2));
    mohs_listener_end_line(&listener);
    read_text("mohs mo");
    read_text(text_of(0));
    mohs_listener_event(&listener, &messages, 50);
    CHECK(mohs_fan_out_heard(&fan_out, 0, 1) && mohs_fan_out_heard(&fan_out, 2, 1));
    CHECK_EQUAL(2, fan_out.came);
    CHECK_EQUAL(0, messages.repeated + messages.others + messages.disordered);
    read_text(text_of(1));
    mohs_listener_event(&listener, &messages, 60);
    CHECK_EQUAL(1, messages.disordered);
    read_text(text_of(1));
    mohs_listener_event(&listener, &messages, 70);
    CHECK_EQUAL(1, messages.repeated);
    end();
}

TEST(no_event_brings_more_than_it_has_room_for) {
    begin(MOHS_EVENT_MESSAGES + 4);
    for (uint64_t at = 0; at < MOHS_EVENT_MESSAGES + 4; at++) read_text(text_of(at));
    mohs_listener_event(&listener, &messages, 900);
    CHECK_EQUAL(MOHS_EVENT_MESSAGES, fan_out.came);
    end();
}

/* A page that shows the last messages, the newest at its end. */
TEST(messages_that_are_known_take_no_room) {
    uint64_t count = 3 * MOHS_EVENT_MESSAGES;
    begin(count);
    listener.since_ns = 10 * MOHS_EVENT_MESSAGES + 5; // so many were sent before
    for (uint64_t newest = MOHS_EVENT_MESSAGES; newest < count; newest++) {
        for (uint64_t at = 0; at <= newest; at++) read_text(text_of(at));
        mohs_listener_event(&listener, &messages, 10 * newest + 15);
        CHECK(mohs_fan_out_heard(&fan_out, newest, 1));
    }
    CHECK_EQUAL(count - MOHS_EVENT_MESSAGES, fan_out.came);
    CHECK_EQUAL(0, messages.others + messages.disordered);
    uint64_t heard = count - MOHS_EVENT_MESSAGES;
    CHECK_EQUAL(heard * (heard - 1) / 2, messages.repeated);
    end();
}

TEST(a_text_over_two_lines_is_none) {
    begin(1);
    read_text("mohs abcd0123");
    mohs_listener_end_line(&listener);
    read_text("00000000");
    mohs_listener_event(&listener, &messages, 50);
    CHECK_EQUAL(0, fan_out.came);
    CHECK_EQUAL(1, messages.others);
    end();
}

TEST(neither_other_loads_nor_what_was_not_sent_nor_what_was_sent_before_counts) {
    begin(3);
    messages.all[1].sent_ns = 0;
    listener.since_ns = 25; // between the second and the third
    read_text("mohs abcd012400000000");
    mohs_listener_event(&listener, &messages, 50);
    CHECK_EQUAL(1, messages.others);
    read_text(text_of(1));
    mohs_listener_event(&listener, &messages, 51);
    read_text(text_of(9));
    mohs_listener_event(&listener, &messages, 52);
    CHECK_EQUAL(3, messages.others);
    read_text(text_of(0)); // it hears it, but is not waited for
    mohs_listener_event(&listener, &messages, 53);
    CHECK_EQUAL(3, messages.others);
    CHECK_EQUAL(0, fan_out.came);
    read_text(text_of(2));
    mohs_listener_event(&listener, &messages, 3); // a stamp before it was due
    CHECK_EQUAL(1, fan_out.came);
    CHECK_EQUAL(31, fan_out.fans[2].parts.half_ns);
    end();
}

/* A clock that is set makes stamps that are older than the message. */
TEST(no_message_comes_before_it_was_sent) {
    begin(2);
    messages.all[1].sent_ns = 500; // due at 20
    read_text(text_of(1));
    mohs_listener_event(&listener, &messages, 300);
    CHECK_EQUAL(501, fan_out.fans[1].parts.half_ns);
    end();
}

int main(void) {
    RUN(a_message_has_come_when_its_event_is_complete);
    RUN(an_event_may_bring_several_and_one_of_them_twice);
    RUN(no_event_brings_more_than_it_has_room_for);
    RUN(messages_that_are_known_take_no_room);
    RUN(a_text_over_two_lines_is_none);
    RUN(neither_other_loads_nor_what_was_not_sent_nor_what_was_sent_before_counts);
    RUN(no_message_comes_before_it_was_sent);
    return report();
}
