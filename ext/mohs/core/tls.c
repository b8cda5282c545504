#include "tls.h"

#ifdef MOHS_TLS

#include <openssl/bio.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#define READ_BYTES 65536 /* at a time: several records of 16 kB, as without TLS */

struct mohs_tls_context {
    SSL_CTX *ssl;
    BIO_METHOD *method;
    char *name; /* "": none */
};

struct mohs_tls {
    SSL *ssl;
    int fd;
    mohs_tls_source source;
    void *owner;
    int number;   /* errno of the socket's last failure; 0: none */
    bool ended;   /* the socket has ended */
    bool closed;  /* its bytes may not be read now */
    bool broken;  /* nothing more may be sent */
    bool replies; /* OpenSSL has something to send before it can read on */
};

/* ---- the socket, for OpenSSL ----------------------------------------------------------------- */

static bool again(void) {
    return errno == EAGAIN || errno == EINTR;
}

static int read_socket(BIO *bio, char *bytes, size_t size, size_t *count) {
    struct mohs_tls *tls = BIO_get_data(bio);
    BIO_clear_retry_flags(bio);
    if (tls->closed) {
        BIO_set_retry_read(bio);
        return 0;
    }
    ssize_t got = tls->source(tls->owner, tls->fd, bytes, size);
    *count = got > 0 ? (size_t)got : 0;
    if (got > 0) return 1;
    if (got < 0 && again()) {
        BIO_set_retry_read(bio);
        return 0;
    }
    tls->ended = got == 0;
    tls->number = got < 0 ? errno : 0;
    return 0;
}

static int write_socket(BIO *bio, const char *bytes, size_t size, size_t *count) {
    struct mohs_tls *tls = BIO_get_data(bio);
    BIO_clear_retry_flags(bio);
    ssize_t sent = send(tls->fd, bytes, size, MSG_NOSIGNAL);
    *count = sent > 0 ? (size_t)sent : 0;
    if (sent > 0) return 1;
    if (again()) BIO_set_retry_write(bio);
    else tls->number = errno;
    return 0;
}

static long control_socket(BIO *bio, int command, long number, void *pointer) {
    const struct mohs_tls *tls = BIO_get_data(bio);
    (void)number, (void)pointer;
    if (command == BIO_CTRL_EOF) return tls->ended;
    return command == BIO_CTRL_FLUSH; // nothing is held back
}

static BIO_METHOD *make_method(void) {
    BIO_METHOD *method = BIO_meth_new(BIO_get_new_index() | BIO_TYPE_SOURCE_SINK, "mohs socket");
    if (!method) return NULL;
    BIO_meth_set_read_ex(method, read_socket);
    BIO_meth_set_write_ex(method, write_socket);
    BIO_meth_set_ctrl(method, control_socket);
    return method;
}

/* ---- what connections share ------------------------------------------------------------------ */

static void set_up(SSL_CTX *ssl) {
    static const unsigned char http[] = "\x08http/1.1";
    SSL_CTX_set_verify(ssl, SSL_VERIFY_NONE, NULL);
    SSL_CTX_set_alpn_protos(ssl, http, sizeof http - 1);
    SSL_CTX_set_options(ssl, SSL_OP_NO_RENEGOTIATION);
    SSL_CTX_set_session_cache_mode(ssl, SSL_SESS_CACHE_OFF);
    // partial: what was sent is known; moving: a request's bytes may have another place later
    SSL_CTX_set_mode(ssl, SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER |
                              SSL_MODE_RELEASE_BUFFERS);
    SSL_CTX_set_read_ahead(ssl, 1); // else each record takes two reads
    SSL_CTX_set_default_read_buffer_len(ssl, READ_BYTES);
}

int mohs_tls_context_make(struct mohs_tls_context **made, const char *name, size_t size) {
    struct mohs_tls_context *context = calloc(1, sizeof *context);
    *made = NULL;
    if (!context) return -ENOMEM;
    context->name = strndup(name, size);
    context->method = make_method();
    context->ssl = SSL_CTX_new(TLS_client_method());
    bool whole = context->name && context->method && context->ssl;
    ERR_clear_error();
    if (!whole) {
        mohs_tls_context_free(context);
        return -ENOMEM;
    }
    set_up(context->ssl);
    *made = context;
    return 0;
}

void mohs_tls_context_free(struct mohs_tls_context *context) {
    SSL_CTX_free(context->ssl);
    BIO_meth_free(context->method);
    free(context->name);
    free(context);
}

/* ---- a connection ---------------------------------------------------------------------------- */

struct mohs_tls *mohs_tls_begin(const struct mohs_tls_context *context, int fd,
                                mohs_tls_source source, void *owner) {
    struct mohs_tls *tls = calloc(1, sizeof *tls);
    if (!tls) return NULL;
    *tls = (struct mohs_tls){.fd = fd, .source = source, .owner = owner};
    tls->ssl = SSL_new(context->ssl);
    BIO *bio = BIO_new(context->method);
    bool whole = tls->ssl && bio;
    if (whole && *context->name) whole = SSL_set_tlsext_host_name(tls->ssl, context->name);
    if (!whole) {
        BIO_free(bio);
        mohs_tls_free(tls);
        ERR_clear_error();
        return NULL;
    }
    BIO_set_data(bio, tls);
    BIO_set_init(bio, 1);
    SSL_set_bio(tls->ssl, bio, bio); // which owns it now
    SSL_set_connect_state(tls->ssl);
    return tls;
}

/* What an operation that gave nothing returns. OpenSSL's list of errors is always left empty, since
 * the reason of the next failure would be taken from it. */
static ssize_t reason(struct mohs_tls *tls) {
    int error = SSL_get_error(tls->ssl, 0);
    int number = tls->number;
    ERR_clear_error();
    tls->number = 0;
    tls->replies = error == SSL_ERROR_WANT_WRITE;
    if (error == SSL_ERROR_ZERO_RETURN) return 0;
    if (error == SSL_ERROR_WANT_READ || error == SSL_ERROR_WANT_WRITE) {
        errno = EAGAIN;
        return -1;
    }
    tls->broken = true;
    errno = number ? number : tls->ended ? MOHS_TLS_CUT : MOHS_TLS_BROKEN;
    return -1;
}

enum mohs_tls_turn mohs_tls_shake(struct mohs_tls *tls) {
    tls->closed = false;
    if (SSL_do_handshake(tls->ssl) == 1) return MOHS_TLS_READY;
    if (reason(tls) == 0) {
        tls->broken = true;
        errno = MOHS_TLS_CUT;
    }
    if (tls->broken) return MOHS_TLS_FAILED;
    return tls->replies ? MOHS_TLS_WRITE : MOHS_TLS_READ;
}

ssize_t mohs_tls_send(struct mohs_tls *tls, const char *bytes, size_t size) {
    size_t sent = 0, part = 0;
    if (SSL_get_shutdown(tls->ssl) & SSL_RECEIVED_SHUTDOWN) {
        errno = EPIPE;
        return -1;
    }
    tls->closed = true; // OpenSSL need not read in order to write
    while (sent < size && SSL_write_ex(tls->ssl, bytes + sent, size - sent, &part)) sent += part;
    if (sent == size) return (ssize_t)sent;
    ssize_t result = reason(tls);
    if (sent) return (ssize_t)sent; // what stopped it stops the next call
    if (result == 0) errno = EPIPE;
    return -1;
}

ssize_t mohs_tls_receive(struct mohs_tls *tls, char *buffer, size_t size, bool socket) {
    size_t count = 0;
    tls->closed = !socket;
    if (SSL_read_ex(tls->ssl, buffer, size, &count)) {
        tls->replies = false;
        return (ssize_t)count;
    }
    return reason(tls);
}

bool mohs_tls_pending(const struct mohs_tls *tls) {
    return SSL_has_pending(tls->ssl);
}

bool mohs_tls_replies(const struct mohs_tls *tls) {
    return tls->replies;
}

void mohs_tls_part(struct mohs_tls *tls) {
    if (tls->broken || !SSL_is_init_finished(tls->ssl)) return;
    tls->closed = true;
    SSL_shutdown(tls->ssl);
    ERR_clear_error();
}

void mohs_tls_free(struct mohs_tls *tls) {
    SSL_free(tls->ssl);
    free(tls);
}

#endif
