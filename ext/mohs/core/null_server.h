/*
 * A server that does nothing but answer: a thread that reads requests of one known size on a
 * loopback port and sends the same bytes for each. What the driver reaches against it, no server
 * can be asked for.
 */
#ifndef MOHS_NULL_SERVER_H
#define MOHS_NULL_SERVER_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A connection. */
struct mohs_null_place {
    size_t seen; /* bytes of the request under way */
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
    pthread_t thread;
    struct mohs_null_place *places; /* by descriptor */
    size_t place_count;
};

/* Listens, with no thread yet. Returns 0 or -errno; needs free either way. */
int mohs_null_server_init(struct mohs_null_server *server, size_t body_bytes);

/* Answers requests of that size, from now on. Returns 0 or -errno. */
int mohs_null_server_start(struct mohs_null_server *server, size_t request_bytes);

/* Ends the thread, if there is one, and closes every connection. */
void mohs_null_server_free(struct mohs_null_server *server);

#endif
