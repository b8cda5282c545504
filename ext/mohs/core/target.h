/* What is loaded: an address, connections to it, and a mix of rendered requests. */
#ifndef MOHS_TARGET_H
#define MOHS_TARGET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>
#include <sys/types.h>

#include "check.h"
#include "fields.h"
#include "random.h"
#include "scenario.h"

/* Whether and how a connection ends after each response. */
#define MOHS_KEEP_ALIVES(NAME)                                                                     \
    NAME(KEEP_ALIVE, on)     /* it stays open */                                                   \
    NAME(CLOSE_ASKED, asked) /* the request has Connection: close (in its bytes) */                \
    NAME(CLOSE_FIN, fin)     /* the driver closes */                                               \
    NAME(CLOSE_RST, rst)     /* the driver resets: no TIME_WAIT, but the server sees an error */

enum mohs_keep_alive { MOHS_KEEP_ALIVES(MOHS_DECLARE_NAME) };

struct mohs_address {
    struct sockaddr_storage storage;
    socklen_t size;
};

struct mohs_request {
    char *bytes; /* as sent */
    size_t size;
    bool head; /* HEAD: the response has no body */
    struct mohs_check check;
};

struct mohs_client;
struct mohs_tls_context;

struct mohs_target {
    struct mohs_address address;
    struct mohs_address *sources; /* to bind to, in turn; none: the kernel chooses */
    size_t source_count;
    struct mohs_scenario *scenario; /* the requests are its steps; NULL: a mix */
    char *clients;                  /* mapped: one for each connection */
    size_t clients_bytes;           /* all of them together */
    struct mohs_request *requests;
    uint64_t *weights; /* cumulative */
    size_t request_count;
    uint32_t *workers; /* connection i belongs to workers[i % worker_count] */
    size_t worker_count;
    uint32_t connections;
    uint32_t max_connections;  /* open loop: limit while all are busy; 0: no more */
    uint32_t first_connection; /* index of its first one over all targets */
    enum mohs_keep_alive keep_alive;
    struct mohs_tls_context *tls; /* of its connections; NULL: they are plain */
    uint64_t timeout_ns;          /* from due to the end of a response */
    int receive_bytes; /* of each socket's receive buffer; 0: as many as the kernel likes */
    pid_t *watched;    /* processes whose CPU clocks are read */
    size_t watched_count;
};

/* Each of these copies its arguments. They return 0 or -errno. */
int mohs_target_set_address(struct mohs_target *target, const void *address, size_t size);
int mohs_target_add_source(struct mohs_target *target, const void *address, size_t size);
int mohs_target_set_workers(struct mohs_target *target, const uint32_t *workers, size_t count);
int mohs_target_watch(struct mohs_target *target, const pid_t *pids, size_t count);

/* Makes its connections ones over TLS; `name`: as for mohs_tls_context_make. Returns -ENOTSUP if
 * mohs was built without OpenSSL. */
int mohs_target_set_tls(struct mohs_target *target, const char *name, size_t size);

/* Adds a request with its weight (> 0). What `check` points to is copied too. At most 65536
 * requests. */
int mohs_target_add_request(struct mohs_target *target, const char *bytes, size_t size,
                            uint32_t weight, bool head, const struct mohs_check *check);

/* An empty scenario to fill, which the target owns; NULL without memory. Its steps' requests are
 * added like others, without bytes. */
struct mohs_scenario *mohs_target_take_scenario(struct mohs_target *target);

/* Maps memory for the clients of a scenario, if any, once requests, connections and scenario are
 * complete. Returns 0 or -errno. */
int mohs_target_map_clients(struct mohs_target *target);

/* Makes the client of connection `number` of this target; NULL without a scenario. */
struct mohs_client *mohs_target_client(const struct mohs_target *target, uint32_t number,
                                       uint64_t seed);

void mohs_target_free(struct mohs_target *target);

/* The next request of the mix, drawn by weight; advances *random. The same initial state gives the
 * same order. */
static inline uint32_t mohs_target_pick(const struct mohs_target *target, uint64_t *random) {
    if (target->request_count == 1) return 0;
    return mohs_random_pick(random, target->weights, target->request_count);
}

#endif
