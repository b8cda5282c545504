/*
 * A server that does nothing but answer: a thread that reads requests of one known size on a
 * loopback port and sends the same bytes for each. What the driver reaches against it, no server
 * can be asked for.
 */
#ifndef MOHS_EMPTY_H
#define MOHS_EMPTY_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A connection. */
struct mohs_empty_place {
    size_t seen; /* bytes of the request under way */
    bool open;
};

struct mohs_empty {
    size_t request_bytes;
    char *answer;
    size_t answer_bytes;
    uint16_t port;
    int listener;
    int stop; /* eventfd */
    int epoll;
    pthread_t thread;
    struct mohs_empty_place *places; /* by descriptor */
    size_t place_count;
};

/* Listens, with no thread yet. Returns 0 or -errno; needs free either way. */
int mohs_empty_init(struct mohs_empty *server, size_t body_bytes);

/* Answers requests of that size, from now on. Returns 0 or -errno. */
int mohs_empty_start(struct mohs_empty *server, size_t request_bytes);

/* Ends the thread, if there is one, and closes every connection. */
void mohs_empty_free(struct mohs_empty *server);

#endif
