/* Sockets to a target: dialled without blocking, and their errno turned into error classes. */
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

/* The same with a socket that has parted, which keeps its options and stays known to epoll. Closes
 * it, and sets -1, where it fails. */
int mohs_socket_redial(const struct mohs_target *target, int *fd);

/*
 * Ends, with a FIN as close does, a connection whose server has ended its side: its socket can then
 * be dialled again. To make and close one for each request, and tell epoll of it, is a tenth to a
 * fifth of what a request on a connection of its own costs. False where it has to be closed: unix
 * sockets have no such thing, and one that is bound to a source address would keep it.
 */
bool mohs_socket_part(const struct mohs_target *target, int fd);

/* What is sent leaves at once, though what was sent before is not acknowledged yet. */
void mohs_socket_hurry(const struct mohs_target *target, int fd);

/* Waits for a dialled socket up to `deadline_ns`, or until `wake` (-1: none) can be read. Returns 0
 * when it is connected. */
int mohs_socket_wait(int fd, int wake, uint64_t deadline_ns);

/* True when an idle connection can still be used: not closed, and nothing unasked for came. */
bool mohs_socket_quiet(int fd);

/*
 * recv. *now_ns: the reading of the clock after it; *came_ns: when the last of what was read had
 * come, by the kernel's stamp: before, by as much as this thread was late. 0 without a stamp, which
 * unix sockets don't have.
 */
ssize_t mohs_socket_receive(const struct mohs_target *target, int fd, char *buffer, size_t size,
                            uint64_t *now_ns, uint64_t *came_ns);

/* When that was which the kernel stamped by the wall clock, as both clocks are now: 0 without a
 * stamp, and where the clock was set back since. Set forward, it was long ago: before the request,
 * which tells. Setting it can change nothing but what is between a stamp and its reading. */
uint64_t mohs_socket_stamped_ns(uint64_t stamp_ns, uint64_t wall_ns, uint64_t now_ns);

/* A socket for nothing but this: the kernel stamps what arrives while there is one that asks for
 * it, and each switch disturbs every core. Returns -1 with errno. */
int mohs_socket_stamped(void);

/* Closes, with a reset instead of a FIN on demand. */
void mohs_socket_close(int fd, bool reset);

/* The class of a failed connect. */
int mohs_socket_class(int number);

#endif
