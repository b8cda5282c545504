/*
 * TLS over a connected socket, by OpenSSL; of HTTP only its name is known here. Certificates are
 * not verified, since load over TLS goes to this machine alone. Each handshake is a whole one:
 * sessions are not resumed, as by visitors who come for the first time. Renegotiation is refused;
 * new keys (KeyUpdate) are not.
 *
 * Without OpenSSL (MOHS_TLS is not defined) none of these functions exists, and none is called,
 * since mohs_target_set_tls gives no target a context.
 */
#ifndef MOHS_TLS_H
#define MOHS_TLS_H

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#ifdef MOHS_TLS
#define MOHS_TLS_FUNCTION
#else
#define MOHS_TLS_FUNCTION __attribute__((weak))
#endif

struct mohs_tls_context; /* what the connections to one target share */
struct mohs_tls;         /* one connection's */

/* The errno of a connection that ended without TLS's own end (close_notify), so that something may
 * be missing; and of bytes that are no TLS, or TLS that one side refuses. */
#define MOHS_TLS_CUT    ECONNABORTED
#define MOHS_TLS_BROKEN EPROTO

/* How a handshake goes on. */
enum mohs_tls_turn {
    MOHS_TLS_READY,
    MOHS_TLS_READ,  /* once the socket is readable */
    MOHS_TLS_WRITE, /* once it is writable, or connected */
    MOHS_TLS_FAILED /* errno says why */
};

/* Reads from the socket, as recv does. */
typedef ssize_t (*mohs_tls_source)(void *owner, int fd, char *buffer, size_t size);

/* Makes a context; `name` (of `size` bytes) is the host name that servers are told, if any. Returns
 * 0 or -ENOMEM. */
MOHS_TLS_FUNCTION int mohs_tls_context_make(struct mohs_tls_context **context, const char *name,
                                            size_t size);

MOHS_TLS_FUNCTION void mohs_tls_context_free(struct mohs_tls_context *context);

/* TLS on `fd`, from which `source` reads for `owner`. Returns NULL without memory. */
MOHS_TLS_FUNCTION struct mohs_tls *mohs_tls_begin(const struct mohs_tls_context *context, int fd,
                                                  mohs_tls_source source, void *owner);

/* Carries on with the handshake. */
MOHS_TLS_FUNCTION enum mohs_tls_turn mohs_tls_shake(struct mohs_tls *tls);

/* As send: -1 with EAGAIN while there is no room; EPIPE also after the server's close_notify. The
 * same bytes must follow then. */
MOHS_TLS_FUNCTION ssize_t mohs_tls_send(struct mohs_tls *tls, const char *bytes, size_t size);

/* As recv: 0 after close_notify. Without `socket`, only gives what was read from it before. Gives
 * one record at most. */
MOHS_TLS_FUNCTION ssize_t mohs_tls_receive(struct mohs_tls *tls, char *buffer, size_t size,
                                           bool socket);

/* Whether bytes were read from the socket that were not given yet. No event reports these. */
MOHS_TLS_FUNCTION bool mohs_tls_pending(const struct mohs_tls *tls);

/* Whether a reply to what was received (to a KeyUpdate) waits for room in the socket: receive again
 * when it is writable. */
MOHS_TLS_FUNCTION bool mohs_tls_replies(const struct mohs_tls *tls);

/* Tells the server that nothing more will be sent (close_notify), if the socket has room. */
MOHS_TLS_FUNCTION void mohs_tls_part(struct mohs_tls *tls);

/* Frees it and leaves the socket open. */
MOHS_TLS_FUNCTION void mohs_tls_free(struct mohs_tls *tls);

#endif
