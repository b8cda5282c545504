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
 * to epoll. If it fails, closes it and sets *fd to -1. */
int mohs_socket_redial(const struct mohs_target *target, int *fd);

/*
 * Ends a connection whose server has closed its side, with a FIN as close does, so that its socket
 * can be dialled again. Making and closing a socket for each request, and registering it with
 * epoll, is a tenth to a fifth of the cost of a request on a connection of its own. Returns false
 * if it has to be closed instead: unix sockets can't be freed, and a socket bound to a source
 * address would keep it.
 */
bool mohs_socket_part(const struct mohs_target *target, int fd);

/* Lets everything leave at once, even while earlier data is not acknowledged. */
void mohs_socket_hurry(const struct mohs_target *target, int fd);

/* Waits for a dialled socket until `deadline_ns`, or until `wake` (-1: none) is readable. Returns 0
 * if it is connected. */
int mohs_socket_wait(int fd, int wake, uint64_t deadline_ns);

/* True if an idle connection can still be used: not closed, and without unsolicited bytes. */
bool mohs_socket_quiet(int fd);

/*
 * recv. *now_ns: the reading of the clock after it; *came_ns: when the last byte read had arrived,
 * by the kernel's stamp: earlier by as much as this thread was late. 0 without a stamp, as on unix
 * sockets.
 */
ssize_t mohs_socket_receive(const struct mohs_target *target, int fd, char *buffer, size_t size,
                            uint64_t *now_ns, uint64_t *came_ns);

/* Converts a stamp of the wall clock to the monotonic clock, by both clocks as they are now. 0
 * without a stamp, or if the clock was set back since. If it was set forward the result is long
 * ago: before the request, by which it is recognised. Setting the clock changes only what lies
 * between a stamp and its reading. */
uint64_t mohs_socket_stamped_ns(uint64_t stamp_ns, uint64_t wall_ns, uint64_t now_ns);

/* A socket that only keeps the kernel stamping: it stamps while at least one socket asks for it,
 * and each switch disturbs every core. Returns -1 with errno. */
int mohs_socket_stamped(void);

/* Closes it, with a reset instead of a FIN if asked. */
void mohs_socket_close(int fd, bool reset);

/* The class of a failed connect. */
int mohs_socket_class(int number);

#endif
