/*
 * A server that does nothing but respond: a thread that reads requests of one known size on a port
 * and sends the same bytes for each. No real server can be expected to respond faster to the same
 * driver.
 */
#ifndef MOHS_NULL_SERVER_H
#define MOHS_NULL_SERVER_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>
#include <sys/time.h>

/* A connection. */
struct mohs_null_place {
    size_t seen; /* bytes of the current request read so far */
    bool open;
};

struct mohs_null_server {
    size_t request_bytes;
    char *answer;
    size_t answer_bytes;
    uint16_t port;
    int listener;
    int stop; /* eventfd */
    int epoll;
    struct timeval answer_limit; /* a reader that takes longer for an answer is dropped */
    pthread_t thread;
    struct mohs_null_place *places; /* by descriptor */
    size_t place_count;
};

/* Listens on any free port of that address (IPv4 or IPv6; NULL: loopback), without a thread yet.
 * Returns 0 or -errno; needs free in either case. */
int mohs_null_server_init(struct mohs_null_server *server, size_t body_bytes,
                          const struct sockaddr *address, socklen_t address_bytes);

/* Starts to answer requests of that size. Returns 0 or -errno. */
int mohs_null_server_start(struct mohs_null_server *server, size_t request_bytes);

/* Ends the thread, if any, and closes every connection. */
void mohs_null_server_free(struct mohs_null_server *server);

#endif
