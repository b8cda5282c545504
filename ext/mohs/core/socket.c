#include "socket.h"

#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

#include "clock.h"
#include "error.h"

static const int on = 1;

/* Whether it is a unix socket: no ports, no segments, no stamps. */
static bool is_local(const struct mohs_target *target) {
    return target->address.storage.ss_family == AF_UNIX;
}

/* Without the option, bind() would take a port for all servers at once (100 of 100, measured);
 * with it, connect() picks a port for this server alone. */
static int bind_source(int fd, const struct mohs_address *source) {
    setsockopt(fd, IPPROTO_IP, IP_BIND_ADDRESS_NO_PORT, &on, sizeof on);
    return bind(fd, (const struct sockaddr *)&source->storage, source->size);
}

/* If nobody listens on a port of the local range, the kernel may choose that very port for this
 * socket. The socket would then be connected to itself, read its own requests as responses, and
 * keep the port from the server that is about to start (RFC 9293 3.5 allows both ends to open at
 * once). */
static bool is_own_peer(int fd, const struct mohs_address *peer) {
    struct sockaddr_storage own;
    socklen_t size = sizeof own;
    if (getsockname(fd, (struct sockaddr *)&own, &size) != 0) return false;
    return size == peer->size && memcmp(&own, &peer->storage, size) == 0;
}

/* Closes the socket and returns the errno. After a refusal, as when it was connected to itself, no
 * TIME_WAIT stays on its port. */
static int give_up(int *fd, int number) {
    mohs_socket_close(*fd, number == ECONNREFUSED);
    *fd = -1;
    return number;
}

int mohs_socket_redial(const struct mohs_target *target, int *fd) {
    const struct mohs_address *peer = &target->address;
    if (connect(*fd, (const struct sockaddr *)&peer->storage, peer->size) && errno != EINPROGRESS)
        return give_up(fd, errno);
    bool own = !is_local(target) && is_own_peer(*fd, peer);
    return own ? give_up(fd, ECONNREFUSED) : 0;
}

int mohs_socket_dial(const struct mohs_target *target, uint32_t turn, int *fd) {
    int family = target->address.storage.ss_family;
    *fd = socket(family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (*fd < 0) return errno;
    if (!is_local(target)) setsockopt(*fd, SOL_SOCKET, SO_TIMESTAMPNS, &on, sizeof on);
    if (target->receive_bytes) // before the connection: its window is scaled by the buffer
        setsockopt(*fd, SOL_SOCKET, SO_RCVBUF, &target->receive_bytes,
                   sizeof target->receive_bytes);
    if (target->source_count && bind_source(*fd, &target->sources[turn % target->source_count]))
        return give_up(fd, errno);
    return mohs_socket_redial(target, fd);
}

bool mohs_socket_part(const struct mohs_target *target, int fd) {
    const struct sockaddr nobody = {.sa_family = AF_UNSPEC};
    if (is_local(target) || target->source_count) return false;
    return shutdown(fd, SHUT_WR) == 0 && connect(fd, &nobody, sizeof nobody) == 0;
}

void mohs_socket_hurry(const struct mohs_target *target, int fd) {
    if (is_local(target)) return;
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
}

void mohs_socket_acknowledge(const struct mohs_target *target, int fd) {
    if (!is_local(target)) setsockopt(fd, IPPROTO_TCP, TCP_QUICKACK, &on, sizeof on);
}

uint64_t mohs_socket_round_trip_ns(const struct mohs_target *target, int fd) {
    struct tcp_info info = {0};
    socklen_t size = sizeof info;
    if (!is_local(target)) getsockopt(fd, IPPROTO_TCP, TCP_INFO, &info, &size);
    return info.tcpi_rtt * (uint64_t)MOHS_MICROSECOND;
}

int mohs_socket_wait(int fd, short events, int wake, uint64_t deadline_ns) {
    struct pollfd ready[] = {{.fd = fd, .events = events}, {.fd = wake, .events = POLLIN}};
    uint64_t now = mohs_now_ns();
    uint64_t left = deadline_ns > now ? deadline_ns - now : 0;
    if (poll(ready, 2, (int)(left / MOHS_MILLISECOND) + 1) <= 0) return ETIMEDOUT;
    if (!ready[0].revents) return ECANCELED;
    int number = 0;
    socklen_t size = sizeof number;
    if (getsockopt(fd, SOL_SOCKET, SO_ERROR, &number, &size) != 0) return errno;
    return number;
}

enum mohs_idle mohs_socket_idle(int fd) {
    char byte;
    ssize_t size = recv(fd, &byte, 1, MSG_PEEK | MSG_DONTWAIT);
    if (size > 0) return MOHS_IDLE_BYTES;
    return size < 0 && (errno == EAGAIN || errno == EWOULDBLOCK) ? MOHS_IDLE_QUIET
                                                                 : MOHS_IDLE_ENDED;
}

int mohs_socket_stamped(void) {
    int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (fd >= 0) setsockopt(fd, SOL_SOCKET, SO_TIMESTAMPNS, &on, sizeof on);
    return fd;
}

/* The message's stamp; 0 if it has none. */
static uint64_t stamp_ns(struct msghdr *message) {
    struct timespec stamp;
    const struct cmsghdr *control = CMSG_FIRSTHDR(message);
    if (!control || control->cmsg_level != SOL_SOCKET || control->cmsg_type != SCM_TIMESTAMPNS)
        return 0;
    memcpy(&stamp, CMSG_DATA(control), sizeof stamp);
    return mohs_timespec_ns(&stamp);
}

uint64_t mohs_socket_stamped_ns(uint64_t stamp_ns, uint64_t wall_ns, uint64_t now_ns) {
    if (stamp_ns == 0 || wall_ns < stamp_ns) return 0;
    uint64_t age_ns = wall_ns - stamp_ns;
    return age_ns < now_ns ? now_ns - age_ns : 0;
}

/* Reads the wall clock, right after the monotonic one, and notices if it was set. */
static uint64_t read_wall(struct mohs_wall *wall, uint64_t now_ns) {
    uint64_t wall_ns = mohs_clock_ns(CLOCK_REALTIME);
    int64_t ahead = (int64_t)(wall_ns - now_ns);
    int64_t change = ahead > wall->ahead_ns ? ahead - wall->ahead_ns : wall->ahead_ns - ahead;
    if (change > (int64_t)MOHS_WALL_STEP_NS) wall->moved_ns = now_ns;
    wall->ahead_ns = ahead;
    return wall_ns;
}

void mohs_wall_read(struct mohs_wall *wall) {
    read_wall(wall, mohs_now_ns());
}

bool mohs_socket_came_before(const struct mohs_wall *wall, uint64_t came_ns, uint64_t sent_ns) {
    if (came_ns == 0 || wall->moved_ns >= sent_ns) return false;
    return came_ns + MOHS_WALL_STEP_NS < sent_ns;
}

ssize_t mohs_socket_receive(const struct mohs_target *target, int fd, char *buffer, size_t size,
                            struct mohs_wall *wall, uint64_t *now_ns, uint64_t *came_ns) {
    bool stamped = !is_local(target); // else recv is enough, which costs less
    union {
        struct cmsghdr aligned;
        char bytes[CMSG_SPACE(sizeof(struct timespec))];
    } control;
    struct iovec piece = {.iov_base = buffer, .iov_len = size};
    struct msghdr message = {.msg_iov = &piece,
                             .msg_iovlen = 1,
                             .msg_control = &control,
                             .msg_controllen = sizeof control};
    ssize_t got = stamped ? recvmsg(fd, &message, 0) : recv(fd, buffer, size, 0);
    *now_ns = mohs_now_ns();
    *came_ns = 0;
    if (got > 0 && stamped) {
        uint64_t wall_ns = read_wall(wall, *now_ns);
        *came_ns = mohs_socket_stamped_ns(stamp_ns(&message), wall_ns, *now_ns);
    }
    return got;
}

void mohs_socket_close(int fd, bool reset) {
    struct linger now = {.l_onoff = 1, .l_linger = 0};
    if (reset) setsockopt(fd, SOL_SOCKET, SO_LINGER, &now, sizeof now);
    close(fd);
}

int mohs_socket_class(int number) {
    switch (number) {
    case ECONNREFUSED:
    case ENOENT: // no such unix socket
        return MOHS_REFUSED;
    case ENETUNREACH:
    case EHOSTUNREACH:
    case ENETDOWN:
    case EHOSTDOWN:
        return MOHS_UNREACHABLE;
    case ETIMEDOUT:
        return MOHS_CONNECT_TIMEOUT;
    case EADDRNOTAVAIL:
    case EADDRINUSE:
        return MOHS_NO_LOCAL_PORT;
    case EMFILE:
    case ENFILE:
    case ENOBUFS:
    case ENOMEM:
        return MOHS_NO_DESCRIPTOR;
    case ECONNRESET:
    case EPIPE:
        return MOHS_RESET_FRESH;
    default:
        return MOHS_OTHER;
    }
}

int mohs_socket_end_class(bool reused, bool reset) {
    if (reset) return reused ? MOHS_RESET_REUSED : MOHS_RESET_FRESH;
    return reused ? MOHS_CLOSED_REUSED : MOHS_CLOSED_FRESH;
}
