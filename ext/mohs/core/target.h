/* What is loaded: an address, connections to it, and a mix of requests ready to be sent. */
#ifndef MOHS_TARGET_H
#define MOHS_TARGET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>
#include <sys/types.h>

#include "check.h"

/* How a connection ends after each answer, if it does. */
enum mohs_keep_alive {
    MOHS_KEEP_ALIVE,  /* it does not */
    MOHS_CLOSE_ASKED, /* the request says Connection: close (its bytes do) */
    MOHS_CLOSE_FIN,   /* we close */
    MOHS_CLOSE_RST    /* we close with a reset: no TIME_WAIT, but the server sees an error */
};

struct mohs_address {
    struct sockaddr_storage storage;
    socklen_t size;
};

struct mohs_request {
    char *bytes; /* as it goes over the wire */
    size_t size;
    bool head; /* HEAD: the answer has no body */
    struct mohs_check check;
};

struct mohs_target {
    struct mohs_address address;
    struct mohs_address *sources; /* to bind to, in turn; none: the kernel's choice */
    size_t source_count;
    struct mohs_request *requests;
    uint64_t *weights; /* cumulative */
    size_t request_count;
    uint32_t *workers; /* connection i belongs to workers[i % worker_count] */
    size_t worker_count;
    uint32_t connections;
    uint32_t max_connections;  /* open loop: opened while all are busy; 0: no more */
    uint32_t first_connection; /* index of its first one among all targets' */
    enum mohs_keep_alive keep_alive;
    uint64_t timeout_ns; /* from due to the end of an answer */
    pid_t *watched;      /* processes whose CPU clocks are read at step boundaries */
    size_t watched_count;
};

/* Each of these copies what it is given. They return 0 or -errno. */
int mohs_target_set_address(struct mohs_target *target, const void *address, size_t size);
int mohs_target_add_source(struct mohs_target *target, const void *address, size_t size);
int mohs_target_set_workers(struct mohs_target *target, const uint32_t *workers, size_t count);
int mohs_target_watch(struct mohs_target *target, const pid_t *pids, size_t count);

/* Adds a request with its weight (> 0). check->body is copied too. At most 65536 requests. */
int mohs_target_add_request(struct mohs_target *target, const char *bytes, size_t size,
                            uint32_t weight, bool head, const struct mohs_check *check);

void mohs_target_free(struct mohs_target *target);

/* The next request of the mix by weight; moves *random on. The same start gives the same order. */
static inline uint32_t mohs_target_pick(const struct mohs_target *target, uint64_t *random) {
    if (target->request_count == 1) return 0;
    // splitmix64 (Steele, Lea and Flood 2014): one addition of state, good bits
    uint64_t bits = *random += 0x9e3779b97f4a7c15u;
    bits = (bits ^ bits >> 30) * 0xbf58476d1ce4e5b9u;
    bits = (bits ^ bits >> 27) * 0x94d049bb133111ebu;
    bits ^= bits >> 31;
    uint64_t total = target->weights[target->request_count - 1];
    uint64_t point = (bits >> 32) * total >> 32; // total < 2^32, see add_request
    uint32_t low = 0, high = (uint32_t)target->request_count - 1;
    while (low < high) {
        uint32_t middle = (low + high) / 2;
        if (point < target->weights[middle]) high = middle;
        else low = middle + 1;
    }
    return low;
}

#endif
