/* Sockets to a target: dialling without blocking, and error classes for errno. */
#ifndef MOHS_SOCKET_H
#define MOHS_SOCKET_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "target.h"

/*
 * Starts a connection; `turn` chooses among the target's source addresses. Returns 0 with *fd set
 * (connected, or about to be), EAGAIN when a unix socket's backlog is full, else an errno.
 */
int mohs_socket_dial(const struct mohs_target *target, uint32_t turn, int *fd);

/* The same with a socket that mohs_socket_part has freed, which keeps its options and stays known
 * to epoll. On failure closes the socket and sets *fd to -1. */
int mohs_socket_redial(const struct mohs_target *target, int *fd);

/*
 * Ends a connection whose server has closed its side, with a FIN as close does, so that its socket
 * can be dialled again. Making and closing a socket for each request, and registering it with
 * epoll, takes a tenth to a fifth of the cost of a request on its own connection. Returns false if
 * the socket has to be closed instead: unix sockets can't be freed, and a socket bound to a source
 * address would keep it.
 */
bool mohs_socket_part(const struct mohs_target *target, int fd);

/* Lets everything leave at once, even while earlier data is not acknowledged. */
void mohs_socket_hurry(const struct mohs_target *target, int fd);

/* Acknowledges what came now instead of with the next request: a server with Nagle's algorithm
 * holds back what follows until then. */
void mohs_socket_acknowledge(const struct mohs_target *target, int fd);

/* The kernel's estimate of the round trip; 0 on a unix socket. */
uint64_t mohs_socket_round_trip_ns(const struct mohs_target *target, int fd);

/* Waits for these `events` (of poll; a dialled socket is connected once it has POLLOUT) until
 * `deadline_ns`, or until `wake` (-1: none) is readable. Returns 0, or why not. */
int mohs_socket_wait(int fd, short events, int wake, uint64_t deadline_ns);

/* The state of an idle connection, found without reading from it. */
enum mohs_idle {
    MOHS_IDLE_QUIET, /* nothing: it can be used */
    MOHS_IDLE_ENDED, /* the other side closed it */
    MOHS_IDLE_BYTES  /* bytes that no request asked for */
};

enum mohs_idle mohs_socket_idle(int fd);

/* The wall clock, which the stamps are taken from, relative to the monotonic clock. */
struct mohs_wall {
    int64_t ahead_ns;
    uint64_t moved_ns; /* when a change of ahead_ns was last noticed, on the monotonic clock */
};

/* Compares the clocks. To be called once before the first stamp is read. */
void mohs_wall_read(struct mohs_wall *wall);

/* Smaller changes are the time between reading one clock and reading the other. */
#define MOHS_WALL_STEP_NS (50 * MOHS_MICROSECOND)

/*
 * recv. *now_ns: the reading of the clock after it; *came_ns: when the last byte read had arrived,
 * by the kernel's stamp, which is earlier by as much as this thread was late; 0 without a stamp,
 * as on unix sockets.
 */
ssize_t mohs_socket_receive(const struct mohs_target *target, int fd, char *buffer, size_t size,
                            struct mohs_wall *wall, uint64_t *now_ns, uint64_t *came_ns);

/* Whether what came at came_ns, by its stamp, came before a request that was sent at sent_ns.
 * Always false without a stamp, or if a clock was set since the request was sent. */
bool mohs_socket_came_before(const struct mohs_wall *wall, uint64_t came_ns, uint64_t sent_ns);

/* Converts a stamp of the wall clock to the monotonic clock, by both clocks as they are now.
 * Returns 0 without a stamp, or if the clock was set back since. If it was set forward, the result
 * is long before the request, by which it is recognised. Setting the clock only affects stamps
 * that were made before and are read after it. */
uint64_t mohs_socket_stamped_ns(uint64_t stamp_ns, uint64_t wall_ns, uint64_t now_ns);

/* A socket that only keeps the kernel stamping: the kernel stamps while at least one socket asks
 * for it, and each switch disturbs every core. Returns -1 with errno on failure. */
int mohs_socket_stamped(void);

/* Closes it, with a reset instead of a FIN if asked. */
void mohs_socket_close(int fd, bool reset);

/* How long to wait before dialling again while a unix socket's backlog is full (EAGAIN). */
#define MOHS_DIAL_AGAIN_NS MOHS_MILLISECOND

/* The error class of a failed connect. */
int mohs_socket_class(int number);

/* The class of a connection that ended without a response, by FIN or `reset`. Reused: the server
 * may have been closing it when the request was sent. */
int mohs_socket_end_class(bool reused, bool reset);

#endif
