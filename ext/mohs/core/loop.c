#include "loop.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "clock.h"

int mohs_loop_init(struct mohs_loop *loop) {
    *loop = MOHS_LOOP_NONE;
    loop->epoll = epoll_create1(EPOLL_CLOEXEC);
    if (loop->epoll < 0) return -errno;
    loop->wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    if (loop->wake < 0) return -errno;
    loop->buffer = malloc(MOHS_BUFFER_BYTES);
    if (!loop->buffer) return -ENOMEM;
    struct epoll_event event = {.events = EPOLLIN, .data.ptr = NULL};
    return epoll_ctl(loop->epoll, EPOLL_CTL_ADD, loop->wake, &event) ? -errno : 0;
}

void mohs_loop_free(struct mohs_loop *loop) {
    if (loop->epoll >= 0) close(loop->epoll);
    if (loop->wake >= 0) close(loop->wake);
    free(loop->buffer);
    *loop = MOHS_LOOP_NONE;
}

void mohs_eventfd_set(int fd) {
    uint64_t one = 1;
    ssize_t written = write(fd, &one, sizeof one);
    (void)written; // full: it was set before
}

void mohs_eventfd_clear(int fd) {
    uint64_t count;
    ssize_t size = read(fd, &count, sizeof count);
    (void)size;
}

void mohs_eventfd_wait(int fd, int ms) {
    struct pollfd event = {.fd = fd, .events = POLLIN};
    if (poll(&event, 1, ms) > 0) mohs_eventfd_clear(fd);
}

bool mohs_loop_rest(const struct mohs_loop *loop, uint64_t until_ns) {
    struct pollfd wake = {.fd = loop->wake, .events = POLLIN};
    uint64_t now = mohs_now_ns();
    if (until_ns <= now) return true;
    struct timespec timeout = mohs_timespec_of(until_ns - now);
    return ppoll(&wake, 1, &timeout, NULL) == 0;
}
