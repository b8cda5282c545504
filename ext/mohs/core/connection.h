/*
 * One connection and the request on it. A request begins, is sent at once or as soon as the socket
 * has room, and ends as one record, successful or not; then the next one begins.
 */
#ifndef MOHS_CONNECTION_H
#define MOHS_CONNECTION_H

#include "check.h"
#include "client.h"
#include "http.h"
#include "job.h"
#include "tls.h"

enum mohs_state {
    MOHS_IDLE,     /* no request; connected or not */
    MOHS_PAUSED,   /* no request before retry_ns: after failures, or while the client thinks */
    MOHS_DIALLING, /* a request waits: a unix socket's backlog is full, dialled again at retry_ns */
    MOHS_CONNECTING, /* a request waits for the connection */
    MOHS_SHAKING,    /* a request waits for the TLS handshake */
    MOHS_SENDING,    /* partly sent */
    MOHS_WAITING     /* sent, waiting for the response */
};

struct mohs_connection {
    struct mohs_job *job;
    const struct mohs_request *request;
    struct mohs_client *client; /* of a scenario; else NULL */
    struct mohs_tls *tls;       /* NULL: none, or not connected */
    const char *bytes;          /* of the request */
    size_t size;
    char *line;   /* the parser's */
    char *sample; /* the check's */
    int fd;       /* -1: not connected */
    int spare;    /* a socket to redial with, already known to epoll; -1: none */
    int left;     /* the previous socket, until its server has closed it; -1: none */
    uint32_t index;
    uint8_t state;     /* enum mohs_state */
    bool used;         /* the connection has carried a response */
    bool open;         /* known to be established */
    bool queued;       /* open loop: its request was due when no connection was free */
    bool ended;        /* the server has closed its side after the bytes read */
    bool unasked;      /* unrequested bytes came before this step's first request */
    bool replying;     /* TLS: epoll reports room for a reply, too */
    uint32_t failures; /* since the last response */
    uint32_t dials;
    size_t handed_over;
    uint64_t due_ns;   /* this and the times below are on the monotonic clock */
    uint64_t begun_ns; /* when it had a connection; timeouts count from here */
    uint64_t sent_ns;
    uint64_t first_ns;
    uint64_t came_ns; /* when the last bytes read arrived, by the kernel's stamp; 0 without one */
    uint64_t retry_ns;
    uint64_t free_ns;                /* since when it has had no request */
    struct mohs_record *record;      /* of its last request in this step */
    struct mohs_record *left_record; /* of the response on `left` */
    struct mohs_tls *left_tls;       /* its TLS */
    uint64_t shaking_ns;             /* when the TLS handshake began */
    struct mohs_connection *next_idle;
    uint64_t live_since_ns; /* when its request began to wait; 0: none. Read by another thread */
    uint64_t quota;         /* requests to begin in this step, or MOHS_NO_LIMIT */
    uint64_t answers;       /* good responses in this step */
    uint64_t random;
    struct mohs_http http;
    struct mohs_checking checking;
};

/* To be called before a step: opens the connection unless it is open and quiet, or gets no
 * request. Waits until deadline_ns or a wake-up at most; if opening fails, the first request tries
 * again and records why. */
void mohs_connection_prepare(struct mohs_connection *connection, uint64_t deadline_ns);

/* Begins a request that was due at due_ns, or an action of a scenario. The connection must be
 * free. */
void mohs_connection_begin(struct mohs_connection *connection, uint64_t due_ns);

/* Gives a connection that has been free since free_ns its next request, if the step still wants
 * one: in a closed loop a request that was due at free_ns, in an open loop the next one due. */
void mohs_connection_next(struct mohs_connection *connection);

/* Handles the events that epoll reports for the socket. */
void mohs_connection_ready(struct mohs_connection *connection, uint32_t events);

/* Handles timeouts and retries. Returns when to look again, or MOHS_NO_LIMIT if there is no
 * need. */
uint64_t mohs_connection_look(struct mohs_connection *connection);

/* Lets the server send what it holds back until its last response is acknowledged. */
void mohs_connection_acknowledge(struct mohs_connection *connection);

/* If the connection has no request, counts the bytes that came since its last response: they make
 * that response wrong after all. */
void mohs_connection_check(struct mohs_connection *connection);

/* Gives up the request in flight, if there is one. */
void mohs_connection_abort(struct mohs_connection *connection);

void mohs_connection_close(struct mohs_connection *connection);

#endif
