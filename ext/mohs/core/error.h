/*
 * The error class of a request. Numbers and names are stored and published: new ones may be added,
 * but none may change. Together with MOHS_OK the classes count every request sent.
 */
#ifndef MOHS_ERROR_H
#define MOHS_ERROR_H

#include <stdbool.h>

#define MOHS_ERRORS(X)                                                                             \
    X(0, OK, "ok")                                                                                 \
    X(1, REFUSED, "refused")                       /* ECONNREFUSED, or no such unix socket */      \
    X(2, UNREACHABLE, "unreachable")               /* no route, host down */                       \
    X(3, CONNECT_TIMEOUT, "connect_timeout")       /* no connection within the timeout */          \
    X(4, NO_LOCAL_PORT, "no_local_port")           /* EADDRNOTAVAIL: local ports used up */        \
    X(5, NO_DESCRIPTOR, "no_descriptor")           /* EMFILE, ENFILE, ENOBUFS */                   \
    X(6, CLOSED_FRESH, "closed_before_answer")     /* FIN, no byte read */                         \
    X(7, RESET_FRESH, "reset_before_answer")       /* RST, no byte read */                         \
    X(8, CLOSED_REUSED, "closed_between_requests") /* FIN right after sending: keep-alive race */  \
    X(9, RESET_REUSED, "reset_between_requests")   /* RST right after sending: keep-alive race */  \
    X(10, CLOSED_HEADER, "closed_in_header")                                                       \
    X(11, CLOSED_BODY, "closed_in_body") /* truncated body */                                      \
    X(12, TIMEOUT_FIRST, "timeout_first_byte")                                                     \
    X(13, TIMEOUT, "timeout") /* response begun, not ended in time */                              \
    X(14, BAD_STATUS_LINE, "bad_status_line")                                                      \
    X(15, BAD_HEADER, "bad_header") /* syntax, or over the size limit */                           \
    X(16, BAD_LENGTH, "bad_length") /* Content-Length invalid or ambiguous */                      \
    X(17, BAD_CHUNK, "bad_chunk")                                                                  \
    X(18, EXTRA_BYTES, "extra_bytes") /* bytes after the end of the response */                    \
    X(19, WRONG_STATUS, "wrong_status")                                                            \
    X(20, WRONG_LENGTH, "wrong_length")                                                            \
    X(21, WRONG_BODY, "wrong_body")                                                                \
    X(22, ABORTED, "in_flight_at_end")  /* unanswered when the load ended */                       \
    X(23, OTHER, "other")               /* an errno without a class of its own */                  \
    X(24, NO_CAPTURE, "no_capture")     /* correct, but lacks a scenario's capture */              \
    X(25, MISSING_TEXT, "missing_text") /* the body lacks the text that it has to contain */       \
    X(26, WRONG_TYPE, "wrong_type")     /* unexpected Content-Type */                              \
    X(27, BAD_UPGRADE, "bad_upgrade")   /* 101, but not to the WebSocket that was asked for */     \
    X(28, REJECTED, "rejected")         /* by a channel of ActionCable, or before it is joined */  \
    X(29, DROPPED, "dropped")           /* by the server, while the load held it */                \
    X(30, TLS_ERROR, "tls_error")       /* the handshake failed, or what came is not TLS */

enum mohs_error {
#define MOHS_ERROR_ENUM(number, name, text) MOHS_##name = number,
    MOHS_ERRORS(MOHS_ERROR_ENUM) MOHS_ERROR_COUNT
#undef MOHS_ERROR_ENUM
};

/* The class's published name ("wrong_body"); "unknown" for a number out of range. Never NULL. */
const char *mohs_error_name(int error);

/* Whether a response was received completely, correct or wrong. */
bool mohs_answered(int error);

/* Whether the request was waited for until it was given up. */
bool mohs_unanswered(int error);

/* Whether a complete response is not the expected one, as mohs_checking_end finds. */
bool mohs_wrong(int error);

#endif
