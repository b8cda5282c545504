/* The engine over TLS, against a server of known behaviour; without OpenSSL, that there is none. */
#include "core/tls.h"

#include "loading.h"

#ifdef MOHS_TLS

#include <netinet/tcp.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>
#include <stdlib.h>

#define HEAD  "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n"
#define LONG  (3u << 20)
#define CROWD 600

struct visit {
    SSL *ssl;
    int fd;
    unsigned long number; /* of the request on this connection, from 1 */
};

/* Answers a request. Returns whether the connection goes on. */
typedef bool (*deed_of)(struct visit *visit);

struct visitor {
    struct tls_server *server;
    int fd;
};

struct tls_server {
    struct sockaddr_in address;
    int listener;
    deed_of deed;
    bool greets; /* does its deed before the first request, too */
    SSL_CTX *context;
    pthread_t thread;
    pthread_t visits[CROWD];
    struct visitor visitors[CROWD];
    size_t visit_count;
};

static void say(struct visit *visit, const char *text) {
    SSL_write(visit->ssl, text, (int)strlen(text));
}

/* Several records in one packet. */
static void cork(const struct visit *visit, int on) {
    setsockopt(visit->fd, IPPROTO_TCP, TCP_CORK, &on, sizeof on);
}

static bool fine(struct visit *visit) {
    say(visit, HEAD "hello");
    return true;
}

static bool in_two_records(struct visit *visit) {
    cork(visit, 1);
    say(visit, HEAD "he");
    say(visit, "llo");
    cork(visit, 0);
    return true;
}

static bool each_3rd_with_more(struct visit *visit) {
    cork(visit, 1);
    say(visit, HEAD "hello");
    if (visit->number == 3) say(visit, "more");
    cork(visit, 0);
    return true;
}

static bool with_new_keys(struct visit *visit) {
    SSL_key_update(visit->ssl, SSL_KEY_UPDATE_REQUESTED);
    return fine(visit);
}

static bool asks_for_another_handshake(struct visit *visit) {
    if (visit->number == 2) SSL_renegotiate(visit->ssl);
    return fine(visit);
}

static bool says_goodbye(struct visit *visit) {
    say(visit, "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\nhello");
    SSL_shutdown(visit->ssl);
    return false;
}

static bool ends_without_a_word(struct visit *visit) {
    say(visit, "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\nhello");
    return false;
}

static bool cuts_the_body(struct visit *visit) {
    say(visit, HEAD "he");
    SSL_shutdown(visit->ssl);
    return false;
}

static bool vanishes(struct visit *visit) {
    (void)visit;
    return false;
}

static bool hangs_up(struct visit *visit) {
    SSL_shutdown(visit->ssl);
    return false;
}

static bool breaks_a_record(struct visit *visit) {
    static const char garbage[] = "\x17\x03\x03\x00\x20 this is not what it says it is...";
    say(visit, HEAD "he");
    send(visit->fd, garbage, sizeof garbage, MSG_NOSIGNAL);
    return true;
}

static bool speaks_first(struct visit *visit) {
    fine(visit);
    cork(visit, 0);
    return true;
}

static bool parts_first(struct visit *visit) {
    SSL_shutdown(visit->ssl);
    cork(visit, 0);
    return true; // and keeps the socket
}

static bool leaves_after_two(struct visit *visit) {
    fine(visit);
    if (visit->number < 2) return true;
    SSL_shutdown(visit->ssl);
    return false;
}

static bool leaves_soon(struct visit *visit) {
    fine(visit);
    usleep(150000); // after the driver has looked for bytes that follow
    SSL_shutdown(visit->ssl);
    return false;
}

static bool at_length(struct visit *visit) {
    char *body = malloc(LONG);
    memset(body, 'a', LONG);
    say(visit, "HTTP/1.1 200 OK\r\nContent-Length: 3145728\r\n\r\n");
    SSL_write(visit->ssl, body, LONG);
    free(body);
    return true;
}

/* Reads one request. */
static bool asked(struct visit *visit) {
    char byte, last[4] = "";
    while (memcmp(last, "\r\n\r\n", 4) != 0) {
        if (SSL_read(visit->ssl, &byte, 1) != 1) return false;
        memmove(last, last + 1, 3);
        last[3] = byte;
    }
    visit->number++;
    return true;
}

/* From here on, what the server says leaves together with the end of its handshake. */
static void hold_back_the_end(const SSL *ssl, int where, int result) {
    const struct visit visit = {.fd = SSL_get_fd(ssl)};
    (void)result;
    if (where & SSL_CB_LOOP && SSL_get_state(ssl) == TLS_ST_SR_FINISHED) cork(&visit, 1);
}

static void *serve(void *argument) {
    const struct visitor *visitor = argument;
    const struct tls_server *server = visitor->server;
    struct visit visit = {.fd = visitor->fd};
    visit.ssl = SSL_new(server->context);
    SSL_set_fd(visit.ssl, visit.fd);
    if (server->greets) SSL_set_info_callback(visit.ssl, hold_back_the_end);
    if (SSL_accept(visit.ssl) == 1 && (!server->greets || server->deed(&visit)))
        while (asked(&visit) && server->deed(&visit)) continue;
    SSL_free(visit.ssl);
    close(visit.fd);
    return NULL;
}

static void *accept_all(void *argument) {
    struct tls_server *server = argument;
    int fd;
    while ((fd = accept(server->listener, NULL, NULL)) >= 0 && server->visit_count < CROWD) {
        size_t at = server->visit_count++;
        server->visitors[at].server = server;
        server->visitors[at].fd = fd;
        pthread_create(&server->visits[at], NULL, serve, &server->visitors[at]);
    }
    return NULL;
}

static void identify(SSL_CTX *context) {
    EVP_PKEY *key = EVP_EC_gen("P-256");
    X509 *own = X509_new();
    X509_gmtime_adj(X509_getm_notBefore(own), 0);
    X509_gmtime_adj(X509_getm_notAfter(own), 3600);
    X509_set_pubkey(own, key);
    X509_sign(own, key, EVP_sha256());
    CHECK_EQUAL(1, SSL_CTX_use_certificate(context, own));
    CHECK_EQUAL(1, SSL_CTX_use_PrivateKey(context, key));
    X509_free(own);
    EVP_PKEY_free(key);
}

static void open_server(struct tls_server *server, deed_of deed, int version) {
    *server = (struct tls_server){.deed = deed, .listener = server_listen(&server->address)};
    signal(SIGPIPE, SIG_IGN); // the server's: OpenSSL writes to sockets without MSG_NOSIGNAL
    server->context = SSL_CTX_new(TLS_server_method());
    SSL_CTX_set_max_proto_version(server->context, version);
    identify(server->context);
    socklen_t size = sizeof server->address;
    getsockname(server->listener, (struct sockaddr *)&server->address, &size);
    pthread_create(&server->thread, NULL, accept_all, server);
}

static void close_server(struct tls_server *server) {
    shutdown(server->listener, SHUT_RDWR);
    pthread_join(server->thread, NULL);
    for (size_t at = 0; at < server->visit_count; at++) pthread_join(server->visits[at], NULL);
    close(server->listener);
    SSL_CTX_free(server->context);
}

static void over_tls(struct mohs_engine *engine, const struct sockaddr_in *address, size_t workers,
                     uint32_t connections, enum mohs_keep_alive keep_alive) {
    set_up(engine, address, workers, connections, keep_alive);
    CHECK_EQUAL(0, mohs_target_set_tls(engine->targets, "localhost", 9));
}

static uint64_t timed(const struct mohs_handshakes *handshakes) {
    uint64_t sum = 0;
    for (size_t step = 0; step < MOHS_TIME_STEPS; step++) sum += handshakes->times[step];
    return sum;
}

/* Loads a server with so many requests; they must sum up. */
static struct mohs_step_result visited(deed_of deed, int version, size_t workers,
                                       enum mohs_keep_alive keep_alive, uint64_t count,
                                       struct mohs_handshakes *handshakes) {
    struct tls_server server;
    struct mohs_engine engine;
    open_server(&server, deed, version);
    over_tls(&engine, &server.address, workers, 4, keep_alive);
    struct mohs_step_result result = counted(&engine, count);
    check_sums(&engine, &result.total, count);
    CHECK(mohs_engine_handshakes(&engine, 0, handshakes));
    CHECK_EQUAL(handshakes->done, timed(handshakes));
    mohs_engine_free(&engine);
    close_server(&server);
    return result;
}

/* The same, of which none may fail. */
static void all_well(deed_of deed, int version, size_t workers, enum mohs_keep_alive keep_alive,
                     uint64_t count, uint64_t handshakes) {
    struct mohs_handshakes made;
    struct mohs_step_result result = visited(deed, version, workers, keep_alive, count, &made);
    CHECK_EQUAL(count, result.total.good);
    CHECK_EQUAL(handshakes, result.total.opened);
    CHECK_EQUAL(handshakes, made.done);
    CHECK_EQUAL(0, made.failed);
    CHECK_EQUAL(0, result.total.lost);
}

/* And of which all fail so. */
static void all_so(deed_of deed, int error) {
    struct mohs_handshakes made;
    struct mohs_step_result result = visited(deed, TLS1_3_VERSION, 1, MOHS_KEEP_ALIVE, 40, &made);
    CHECK_EQUAL(40, result.total.errors[error]);
    CHECK_EQUAL(0, made.failed);
}

TEST(kept_connections_shake_hands_once) {
    all_well(fine, TLS1_3_VERSION, 1, MOHS_KEEP_ALIVE, 200, 4);
    all_well(fine, TLS1_3_VERSION, 2, MOHS_KEEP_ALIVE, 200, 4);
    all_well(fine, TLS1_2_VERSION, 1, MOHS_KEEP_ALIVE, 200, 4);
}

TEST(connections_that_are_closed_shake_hands_each_time) {
    all_well(says_goodbye, TLS1_3_VERSION, 1, MOHS_CLOSE_ASKED, 100, 100);
    all_well(fine, TLS1_3_VERSION, 2, MOHS_CLOSE_FIN, 100, 100);
    all_well(fine, TLS1_3_VERSION, 1, MOHS_CLOSE_RST, 100, 100);
    all_well(fine, TLS1_2_VERSION, 1, MOHS_CLOSE_FIN, 100, 100);
}

TEST(records_that_came_with_others_need_no_event) {
    all_well(in_two_records, TLS1_3_VERSION, 1, MOHS_KEEP_ALIVE, 200, 4);
}

TEST(a_body_longer_than_is_read_at_once_is_read_whole) {
    struct tls_server server;
    struct mohs_engine engine;
    open_server(&server, at_length, TLS1_3_VERSION);
    over_tls(&engine, &server.address, 1, 2, MOHS_KEEP_ALIVE);
    engine.targets->requests->check.mode = MOHS_CHECK_LENGTH;
    engine.targets->requests->check.length = LONG;
    struct mohs_step_result result = counted(&engine, 10);
    CHECK_EQUAL(10, result.total.good);
    CHECK_EQUAL(10ull * LONG, result.total.bytes);
    mohs_engine_free(&engine);
    close_server(&server);
}

TEST(new_keys_change_nothing_and_another_handshake_is_refused) {
    all_well(with_new_keys, TLS1_3_VERSION, 1, MOHS_KEEP_ALIVE, 200, 4);
    struct mohs_handshakes made;
    struct mohs_step_result result =
        visited(asks_for_another_handshake, TLS1_2_VERSION, 1, MOHS_KEEP_ALIVE, 40, &made);
    const uint64_t *errors = result.total.errors;
    // 10 on each connection: 2, 1 lost, three times; 1. The server takes the refusal for the end
    CHECK_EQUAL(28, result.total.good);
    CHECK_EQUAL(12, errors[MOHS_TLS_ERROR] + errors[MOHS_CLOSED_REUSED] +
                        errors[MOHS_RESET_REUSED] + errors[MOHS_CLOSED_FRESH]);
}

TEST(bytes_behind_a_response_are_found) {
    struct mohs_handshakes made;
    struct mohs_step_result result =
        visited(each_3rd_with_more, TLS1_3_VERSION, 1, MOHS_KEEP_ALIVE, 60, &made);
    CHECK_EQUAL(20, result.total.errors[MOHS_EXTRA_BYTES]);
    CHECK_EQUAL(40, result.total.good);
}

TEST(an_end_without_goodbye_is_a_cut) {
    all_well(says_goodbye, TLS1_3_VERSION, 1, MOHS_KEEP_ALIVE, 40, 40);
    all_so(ends_without_a_word, MOHS_CLOSED_BODY);
    all_so(cuts_the_body, MOHS_CLOSED_BODY);
    all_so(hangs_up, MOHS_CLOSED_FRESH);
    all_so(vanishes, MOHS_CLOSED_FRESH);
}

TEST(a_broken_record_is_no_tls) {
    all_so(breaks_a_record, MOHS_TLS_ERROR);
}

/* No event reports what was read with the handshake. */
static void greeted(deed_of deed, int error) {
    struct tls_server server;
    struct mohs_engine engine;
    open_server(&server, deed, TLS1_2_VERSION);
    server.greets = true;
    over_tls(&engine, &server.address, 1, 4, MOHS_KEEP_ALIVE);
    uint64_t began_ns = mohs_now_ns();
    struct mohs_step_result result = counted(&engine, 16);
    CHECK_EQUAL(16, result.total.errors[error]);
    CHECK(mohs_now_ns() - began_ns < 5 * MOHS_SECOND);
    mohs_engine_free(&engine);
    close_server(&server);
}

TEST(what_comes_with_the_end_of_a_handshake_is_found) {
    greeted(speaks_first, MOHS_EXTRA_BYTES);
    greeted(parts_first, MOHS_CLOSED_FRESH);
}

TEST(a_connection_that_the_server_ended_is_opened_again) {
    struct mohs_handshakes made;
    struct mohs_step_result result =
        visited(leaves_after_two, TLS1_3_VERSION, 1, MOHS_KEEP_ALIVE, 60, &made);
    const uint64_t *errors = result.total.errors;
    // 15 on each connection: 2, 1 lost, five times
    CHECK_EQUAL(40, result.total.good);
    CHECK_EQUAL(20, errors[MOHS_CLOSED_REUSED] + errors[MOHS_RESET_REUSED]);
}

TEST(steps_go_on_with_the_connections_that_there_are) {
    struct tls_server server;
    struct mohs_engine engine;
    struct mohs_step_result result;
    struct mohs_step steps[] = {{.count = 4, .targets = 1},
                                {.count = 4, .targets = 1},
                                {.duration_ns = 50 * MOHS_MILLISECOND, .targets = 1}};
    open_server(&server, fine, TLS1_3_VERSION);
    over_tls(&engine, &server.address, 1, 4, MOHS_KEEP_ALIVE);
    carry_out(&engine, steps, 3);
    for (size_t step = 0; step < 3; step++) {
        mohs_engine_result(&engine, step, 0, &result);
        CHECK_EQUAL(step ? 0 : 4, result.total.opened);
        CHECK_EQUAL(result.total.sent, result.total.good);
    }
    CHECK_EQUAL(4, server.visit_count);
    mohs_engine_free(&engine);
    close_server(&server);
}

TEST(a_connection_that_ended_while_idle_is_opened_again) {
    struct tls_server server;
    struct mohs_engine engine;
    open_server(&server, leaves_soon, TLS1_3_VERSION);
    over_tls(&engine, &server.address, 1, 4, MOHS_KEEP_ALIVE);
    for (int run = 0; run < 2; run++) {
        struct mohs_step_result result = counted(&engine, 4);
        CHECK_EQUAL(4, result.total.good);
        CHECK_EQUAL(4, result.total.opened);
        usleep(400000);
    }
    mohs_engine_free(&engine);
    close_server(&server);
}

TEST(a_server_without_tls_is_told_from_one_that_fails) {
    struct server server;
    struct mohs_engine engine;
    struct mohs_handshakes made;
    server_start(&server, always);
    over_tls(&engine, &server.address, 1, 2, MOHS_CLOSE_FIN);
    engine.targets->timeout_ns = 100 * MOHS_MILLISECOND; // it waits for the end of a request
    struct mohs_step_result result = counted(&engine, 6);
    mohs_engine_handshakes(&engine, 0, &made);
    CHECK_EQUAL(6, result.total.errors[MOHS_CONNECT_TIMEOUT] + result.total.errors[MOHS_TLS_ERROR]);
    CHECK_EQUAL(6, made.failed);
    CHECK_EQUAL(0, made.done);
    mohs_engine_free(&engine);
    server_stop(&server);
}

static void *greet_plainly(void *argument) {
    int fd;
    while ((fd = accept(*(int *)argument, NULL, NULL)) >= 0) {
        char hello[4096];
        if (recv(fd, hello, sizeof hello, 0) > 0)
            send(fd, "HTTP/1.1 400 Bad Request\r\n\r\n", 28, MSG_NOSIGNAL);
        close(fd);
    }
    return NULL;
}

TEST(a_plain_answer_to_the_handshake_is_no_tls) {
    struct sockaddr_in address;
    struct mohs_engine engine;
    struct mohs_handshakes made;
    pthread_t thread;
    int listener = server_listen(&address);
    pthread_create(&thread, NULL, greet_plainly, &listener);
    over_tls(&engine, &address, 1, 2, MOHS_KEEP_ALIVE);
    struct mohs_step_result result = counted(&engine, 6);
    mohs_engine_handshakes(&engine, 0, &made);
    CHECK_EQUAL(6, result.total.errors[MOHS_TLS_ERROR]);
    CHECK_EQUAL(6 + 2, made.failed); // two of them before any request
    mohs_engine_free(&engine);
    shutdown(listener, SHUT_RDWR);
    pthread_join(thread, NULL);
    close(listener);
}

TEST(handshakes_that_the_server_leaves_unanswered_have_failed) {
    struct sockaddr_in address;
    struct mohs_engine engine;
    struct mohs_handshakes made;
    struct mohs_step_result result;
    struct mohs_step step = {.duration_ns = 30 * MOHS_MILLISECOND, .targets = 1};
    int listener = server_listen(&address); // the kernel accepts
    over_tls(&engine, &address, 1, 2, MOHS_KEEP_ALIVE);
    engine.drain_ns = 20 * MOHS_MILLISECOND;
    carry_out(&engine, &step, 1);
    mohs_engine_result(&engine, 0, 0, &result);
    mohs_engine_handshakes(&engine, 0, &made);
    CHECK_EQUAL(2, result.total.errors[MOHS_ABORTED]);
    CHECK_EQUAL(0, made.done);
    CHECK_EQUAL(2 + 1, made.failed); // one of them before any request
    mohs_engine_free(&engine);
    close(listener);
}

TEST(nobody_there_is_no_matter_of_tls) {
    struct sockaddr_in address;
    struct mohs_engine engine;
    struct mohs_handshakes made;
    close(server_listen(&address));
    over_tls(&engine, &address, 1, 2, MOHS_CLOSE_FIN);
    struct mohs_step_result result = counted(&engine, 6);
    mohs_engine_handshakes(&engine, 0, &made);
    CHECK_EQUAL(6, result.total.errors[MOHS_REFUSED]);
    CHECK_EQUAL(0, made.failed);
    mohs_engine_free(&engine);
}

int main(void) {
    RUN(kept_connections_shake_hands_once);
    RUN(connections_that_are_closed_shake_hands_each_time);
    RUN(records_that_came_with_others_need_no_event);
    RUN(a_body_longer_than_is_read_at_once_is_read_whole);
    RUN(new_keys_change_nothing_and_another_handshake_is_refused);
    RUN(bytes_behind_a_response_are_found);
    RUN(an_end_without_goodbye_is_a_cut);
    RUN(a_broken_record_is_no_tls);
    RUN(a_connection_that_the_server_ended_is_opened_again);
    RUN(steps_go_on_with_the_connections_that_there_are);
    RUN(a_connection_that_ended_while_idle_is_opened_again);
    RUN(what_comes_with_the_end_of_a_handshake_is_found);
    RUN(a_server_without_tls_is_told_from_one_that_fails);
    RUN(a_plain_answer_to_the_handshake_is_no_tls);
    RUN(handshakes_that_the_server_leaves_unanswered_have_failed);
    RUN(nobody_there_is_no_matter_of_tls);
    return report();
}

#else

TEST(there_is_none) {
    struct mohs_engine engine;
    struct sockaddr_in address = {.sin_family = AF_INET};
    set_up(&engine, &address, 1, 1, MOHS_KEEP_ALIVE);
    CHECK_EQUAL(-ENOTSUP, mohs_target_set_tls(engine.targets, "", 0));
    CHECK(!engine.targets->tls);
    mohs_engine_free(&engine);
}

int main(void) {
    RUN(there_is_none);
    return report();
}

#endif
