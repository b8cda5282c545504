/* What ActionCable says, whole and cut anywhere, and a conversation that joins its channel. */
#include "core/cable.h"

#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "core/talk.h"
#include "runner.h"

static struct mohs_span span(const char *text) {
    return (struct mohs_span){text, strlen(text)};
}

/* Reads a message in two pieces, cut at `at`. */
static struct mohs_cable_reader read_cut(const char *text, size_t at) {
    struct mohs_cable_reader reader;
    mohs_cable_begin(&reader);
    mohs_cable_read(&reader, (struct mohs_span){text, at});
    mohs_cable_read(&reader, span(text + at));
    return reader;
}

static void check_kind(enum mohs_cable_kind kind, const char *text) {
    for (size_t at = 0; at <= strlen(text); at++) {
        struct mohs_cable_reader reader = read_cut(text, at);
        CHECK_EQUAL(kind, mohs_cable_kind(&reader));
    }
}

TEST(messages_are_told_apart) {
    check_kind(MOHS_CABLE_WELCOME, "{\"type\":\"welcome\"}");
    check_kind(MOHS_CABLE_WELCOME, "{\"sid\":\"a\",\"type\":\"welcome\"}");
    check_kind(MOHS_CABLE_PING, "{\"type\":\"ping\",\"message\":1764380000}");
    check_kind(MOHS_CABLE_JOINED, "{\"identifier\":\"{\\\"channel\\\":\\\"A\\\"}\","
                                  "\"type\":\"confirm_subscription\"}");
    check_kind(MOHS_CABLE_REJECTED, "{\"identifier\":\"{\\\"channel\\\":\\\"A\\\"}\","
                                    "\"type\":\"reject_subscription\"}");
    check_kind(MOHS_CABLE_DISCONNECT,
               "{\"type\":\"disconnect\",\"reason\":\"unauthorized\",\"reconnect\":false}");
}

TEST(what_an_application_sends_is_never_taken_for_more) {
    check_kind(MOHS_CABLE_MESSAGE, "");
    check_kind(MOHS_CABLE_MESSAGE, "mohs 0000000000000000");
    check_kind(MOHS_CABLE_OTHER, "{\"type\":\"pings\"}");
    check_kind(MOHS_CABLE_OTHER, "{\"type\":\"confirm_subscription_and_more\"}");
    check_kind(MOHS_CABLE_OTHER, "{\"type\":\"\",\"message\":\"mohs 0000000000000000\"}");
    check_kind(MOHS_CABLE_MESSAGE, "{\"identifier\":\"{\\\"type\\\":\\\"welcome\\\"}\","
                                   "\"message\":{\"type\":\"disconnect\"}}");
}

/* The quotes of what comes before may belong to the key. */
TEST(a_key_may_begin_within_another) {
    check_kind(MOHS_CABLE_PING, "\"type\"type\":\"ping\"");
    check_kind(MOHS_CABLE_PING, "\"\"type\":\"ping\"");
}

static uint64_t number_in(const char *text, size_t cut) {
    struct mohs_cable_reader reader = read_cut(text, cut);
    return reader.number.found;
}

TEST(a_text_of_ours_is_found_wherever_it_stands) {
    const char *text = "{\"message\":{\"text\":\"mmohs mohs 00000000000001afmohs 0\"}}";
    for (size_t at = 0; at <= strlen(text); at++) CHECK_EQUAL(0x1af, number_in(text, at));
    CHECK_EQUAL(MOHS_NO_NUMBER, number_in("mohs 00000000000001a", 3));
    CHECK_EQUAL(MOHS_NO_NUMBER, number_in("mohs 00000000000001aG", 3));
    CHECK_EQUAL(MOHS_NO_NUMBER, number_in("mohs 000000000000 01af", 3));
}

static void check_error(bool error, const char *text) {
    for (size_t at = 0; at <= strlen(text); at++) CHECK_EQUAL(error, read_cut(text, at).error);
}

TEST(an_error_is_found_wherever_it_stands) {
    check_error(true, "{\"message\":{\"error\":\"no mohs 0000000000000000\"}}");
    check_error(true, "{\"message\":{\"text\":\"mohs 0000000000000000\",\"error\": true}}");
    check_error(true, "{\"message\":{\"errors\":[\"no mohs 0000000000000000\"]}}");
    check_error(true, "{\"message\":{\"errors\": { \"text\":[\"taken\"]}}}");
    check_error(true, "{\"error\":null,\"errors\":[1]}");
    check_error(true, "{\"error\":-32600}");
}

TEST(what_names_no_error_is_none) {
    check_error(false, "{\"error\":null,\"errors\":[],\"text\":\"mohs 0000000000000000\"}");
    check_error(false, "{\"error\":false,\"errors\":{ },\"text\":\"\"}");
    check_error(false, "{\"error\":\"\",\"errors\":0}");
    check_error(false, "{\"text\":\"\\\"error\\\":1\",\"terror\":1,\"errorss\":1}");
}

/* ---- a conversation -------------------------------------------------------------------------- */

struct scene {
    int pair[2];
    struct mohs_cable cable;
    struct mohs_messages messages;
    struct mohs_talk talk;
    char out[256];
};

static void set(struct scene *scene) {
    *scene = (struct scene){
        .cable = {span("{\"command\":\"subscribe\"}"), span("{\"data\":\""), span("\"}")}};
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, scene->pair)) abort();
    CHECK_EQUAL(0, mohs_messages_init(&scene->messages, 10));
    scene->messages.cable = &scene->cable;
    CHECK(mohs_talk_frame_max(&scene->messages) <= sizeof scene->out);
    mohs_talk_begin(&scene->talk, &scene->messages, 0, scene->out);
}

static void clear(struct scene *scene) {
    mohs_messages_free(&scene->messages);
    close(scene->pair[0]);
    close(scene->pair[1]);
}

/* The server sends a text. */
static enum mohs_talk_found hear(struct scene *scene, const char *text) {
    char frame[128] = {(char)0x81, (char)strlen(text)};
    memcpy(frame + 2, text, strlen(text));
    return mohs_talk_read(&scene->talk, &scene->messages, frame, strlen(text) + 2, 5);
}

/* What the client has sent: the text of one frame. */
static void check_sent(struct scene *scene, const char *text) {
    char bytes[256];
    CHECK(!mohs_talk_send(&scene->talk, &scene->messages, scene->pair[0]));
    ssize_t size = recv(scene->pair[1], bytes, sizeof bytes, 0);
    if (!text) {
        CHECK_EQUAL(-1, size);
        return;
    }
    CHECK_EQUAL(strlen(text) + 6, size);
    for (size_t at = 0; at < strlen(text); at++)
        CHECK_EQUAL(text[at], bytes[6 + at] ^ bytes[2 + at % 4]);
}

TEST(a_channel_is_joined_once_the_server_says_welcome) {
    struct scene scene;
    set(&scene);
    check_sent(&scene, NULL);
    CHECK_EQUAL(MOHS_TALK_GOES_ON, hear(&scene, "{\"type\":\"welcome\"}"));
    check_sent(&scene, "{\"command\":\"subscribe\"}");
    CHECK(!scene.talk.joined);
    CHECK_EQUAL(MOHS_TALK_GOES_ON, hear(&scene, "{\"type\":\"ping\",\"message\":1}"));
    CHECK(!scene.talk.joined);
    CHECK_EQUAL(MOHS_TALK_GOES_ON, hear(&scene, "{\"type\":\"confirm_subscription\"}"));
    CHECK(scene.talk.joined);
    scene.talk.since_ns = 0; // as whoever counts the open ones notes it
    check_sent(&scene, NULL);
    mohs_talk_add(&scene.talk, &scene.messages, 1);
    check_sent(&scene, "{\"data\":\"mohs 0000000000000000\"}");
    CHECK_EQUAL(MOHS_TALK_GOES_ON,
                hear(&scene, "{\"identifier\":\"\",\"message\":\"mohs 0000000000000000\"}"));
    CHECK_EQUAL(MOHS_TALK_GOES_ON, hear(&scene, "{\"identifier\":\"\",\"message\":\"news\"}"));
    CHECK_EQUAL(1, scene.messages.received);
    CHECK_EQUAL(1, scene.messages.others); // neither the pings nor the confirmation
    CHECK_EQUAL(5, scene.messages.all[0].came_ns);
    clear(&scene);
}

/* Neither what a server says of its own nor what an application says of an error. */
TEST(an_error_that_quotes_a_message_is_not_its_echo) {
    struct scene scene;
    set(&scene);
    scene.talk.joined = true;
    scene.talk.since_ns = 0;
    mohs_talk_add(&scene.talk, &scene.messages, 1);
    check_sent(&scene, "{\"data\":\"mohs 0000000000000000\"}");
    CHECK_EQUAL(MOHS_TALK_GOES_ON,
                hear(&scene, "{\"type\":\"error\",\"message\":\"No mohs 0000000000000000\"}"));
    CHECK_EQUAL(MOHS_TALK_GOES_ON,
                hear(&scene, "{\"message\":{\"error\":\"No mohs 0000000000000000\"}}"));
    CHECK_EQUAL(0, scene.messages.received);
    CHECK_EQUAL(2, scene.messages.others);
    CHECK_EQUAL(MOHS_TALK_GOES_ON,
                hear(&scene, "{\"message\":{\"error\":null,\"text\":\"mohs 0000000000000000\"}}"));
    CHECK_EQUAL(1, scene.messages.received);
    clear(&scene);
}

TEST(a_message_before_the_confirmation_is_none_that_should_have_come) {
    struct scene scene;
    struct mohs_fan_out fan_out;
    set(&scene);
    CHECK_EQUAL(0, mohs_fan_out_init(&fan_out, 10, 2));
    scene.messages.fan_out = &fan_out;
    scene.messages.size = 1; // of another connection
    scene.messages.all[0] = (struct mohs_message){.due_ns = 1, .sent_ns = 2, .talk = 1};
    mohs_fan_out_sent(&fan_out, 0, 1);
    CHECK_EQUAL(MOHS_TALK_GOES_ON, hear(&scene, "{\"type\":\"welcome\"}"));
    CHECK_EQUAL(MOHS_TALK_GOES_ON, hear(&scene, "{\"message\":\"mohs 0000000000000000\"}"));
    CHECK_EQUAL(MOHS_TALK_GOES_ON, hear(&scene, "{\"type\":\"confirm_subscription\"}"));
    CHECK_EQUAL(0, fan_out.came);
    CHECK_EQUAL(0, scene.messages.others + scene.messages.repeated);
    mohs_fan_out_free(&fan_out);
    clear(&scene);
}

TEST(a_channel_that_is_not_joined_ends_the_conversation) {
    static const char *const no[] = {"{\"type\":\"reject_subscription\"}",
                                     "{\"type\":\"disconnect\",\"reason\":\"unauthorized\"}"};
    for (size_t at = 0; at < 2; at++) {
        struct scene scene;
        set(&scene);
        CHECK_EQUAL(MOHS_TALK_GOES_ON, hear(&scene, "{\"type\":\"welcome\"}"));
        CHECK_EQUAL(MOHS_TALK_REJECTED, hear(&scene, no[at]));
        clear(&scene);
    }
}

int main(void) {
    RUN(messages_are_told_apart);
    RUN(what_an_application_sends_is_never_taken_for_more);
    RUN(a_key_may_begin_within_another);
    RUN(a_text_of_ours_is_found_wherever_it_stands);
    RUN(an_error_is_found_wherever_it_stands);
    RUN(what_names_no_error_is_none);
    RUN(a_channel_is_joined_once_the_server_says_welcome);
    RUN(an_error_that_quotes_a_message_is_not_its_echo);
    RUN(a_message_before_the_confirmation_is_none_that_should_have_come);
    RUN(a_channel_that_is_not_joined_ends_the_conversation);
    return report();
}
