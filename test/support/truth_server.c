/*
 * A server with chosen delays, which keeps its own record of them: the truth that a load driver is
 * compared with. One thread; each connection is delayed on its own, so no request waits for
 * another.
 *
 *   truth_server delay NS                   each response NS after its request
 *   truth_server mixture NS SLOW_NS NTH     every NTH request takes SLOW_NS
 *   truth_server stall EVERY_NS STALL_NS    at once, but not in the last STALL_NS of each EVERY_NS
 *                                           from the first request on
 *   truth_server slow_body NS PIECES        the body in PIECES, each NS after the one before
 *
 * Prints its port on a line, serves until its standard input ends, and then writes for each
 * request when its last byte had come and when the response's last byte left, both by the kernel's
 * stamps: two 64-bit words of the monotonic clock. So the truth includes the server's own delays.
 */
#include <errno.h>
#include <inttypes.h>
#include <linux/net_tstamp.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include <linux/errqueue.h> // needs time.h before it

#define MOST_CONNECTIONS 10240
#define MOST_REQUESTS    2000000
#define SECOND           1000000000ull

struct talk {
    unsigned seen;   /* bytes of the blank line's four */
    unsigned pieces; /* yet to be sent; 0: no request */
    uint64_t arrived_ns;
    uint64_t due_ns;   /* of the next piece */
    uint32_t sent;     /* bytes, of all responses */
    uint64_t *left_ns; /* when the last response left, until its stamp is known; or NULL */
};

static struct {
    const char *mode;
    uint64_t first;
    uint64_t second;
    uint64_t third;
    uint64_t began_ns; /* the first request came */
    uint64_t requests;
    nfds_t count; /* of fds: standard input, the listener, connections */
    struct pollfd fds[MOST_CONNECTIONS];
    struct talk talks[MOST_CONNECTIONS];
} server;

static uint64_t truth[MOST_REQUESTS][2];
static size_t truths;

static uint64_t timespec_ns(const struct timespec *time) {
    return (uint64_t)time->tv_sec * SECOND + (uint64_t)time->tv_nsec;
}

static uint64_t clock_ns(clockid_t clock) {
    struct timespec time;
    clock_gettime(clock, &time);
    return timespec_ns(&time);
}

static uint64_t now_ns(void) {
    return clock_ns(CLOCK_MONOTONIC);
}

static uint64_t answer_ns(uint64_t arrived_ns) {
    if (strcmp(server.mode, "mixture") == 0)
        return arrived_ns + (server.requests % server.third == 0 ? server.second : server.first);
    if (strcmp(server.mode, "stall") != 0) return arrived_ns + server.first;
    uint64_t phase = (arrived_ns - server.began_ns) % server.first;
    bool stalled = phase >= server.first - server.second;
    return stalled ? arrived_ns - phase + server.first : arrived_ns;
}

static void request_came(struct talk *talk, uint64_t arrived_ns) {
    talk->arrived_ns = arrived_ns;
    talk->left_ns = NULL;
    if (server.requests++ == 0) server.began_ns = talk->arrived_ns;
    talk->pieces = strcmp(server.mode, "slow_body") == 0 ? (unsigned)server.second : 1;
    talk->due_ns = answer_ns(talk->arrived_ns);
}

static void drop(nfds_t at) {
    close(server.fds[at].fd);
    server.count--;
    server.fds[at] = server.fds[server.count];
    server.talks[at] = server.talks[server.count];
}

/* recvmsg, and the stamp that comes with the message: for data, when it had come; for the error
 * queue, when something sent left, with the number of its last byte (`last`: NULL if that is not
 * read). If the kernel does not stamp, the time of reading. */
static ssize_t receive(int fd, char *bytes, size_t most, int flags, uint64_t *stamped_ns,
                       uint32_t *last) {
    char control[256] __attribute__((aligned(sizeof(size_t))));
    struct iovec piece = {.iov_base = bytes, .iov_len = most};
    struct msghdr message = {.msg_iov = &piece,
                             .msg_iovlen = 1,
                             .msg_control = control,
                             .msg_controllen = sizeof control};
    struct timespec stamp; // the first of the three of a struct scm_timestamping: the software's
    struct sock_extended_err origin;
    ssize_t size = recvmsg(fd, &message, flags);
    struct cmsghdr *told = size < 0 ? NULL : CMSG_FIRSTHDR(&message);
    *stamped_ns = now_ns();
    for (; told; told = CMSG_NXTHDR(&message, told)) {
        if (told->cmsg_level == SOL_SOCKET && told->cmsg_type == SCM_TIMESTAMPING) {
            memcpy(&stamp, CMSG_DATA(told), sizeof stamp);
            *stamped_ns -= clock_ns(CLOCK_REALTIME) - timespec_ns(&stamp);
        } else if (told->cmsg_level == SOL_IP && told->cmsg_type == IP_RECVERR && last) {
            memcpy(&origin, CMSG_DATA(told), sizeof origin);
            *last = origin.ee_data;
        }
    }
    return size;
}

static void read_request(nfds_t at) {
    char bytes[4096];
    uint64_t arrived_ns;
    struct talk *talk = &server.talks[at];
    ssize_t size = receive(server.fds[at].fd, bytes, sizeof bytes, MSG_DONTWAIT, &arrived_ns, NULL);
    if (size < 0 && errno == EAGAIN) return; // a stamp came, and no more
    if (size <= 0) {
        drop(at);
        return;
    }
    for (ssize_t place = 0; place < size; place++) {
        bool next = bytes[place] == "\r\n\r\n"[talk->seen];
        talk->seen = next ? talk->seen + 1 : bytes[place] == '\r';
        if (talk->seen < 4) continue;
        talk->seen = 0;
        request_came(talk, arrived_ns);
    }
}

/* Reads a stamp of what was sent, if one has come: the kernel may hold a response for a while, and
 * stamps again what it sends a second time. */
static bool read_stamp(nfds_t at) {
    char bytes[256];
    uint64_t stamped_ns;
    uint32_t last = 0;
    struct talk *talk = &server.talks[at];
    if (receive(server.fds[at].fd, bytes, sizeof bytes, MSG_ERRQUEUE | MSG_DONTWAIT, &stamped_ns,
                &last) < 0)
        return false;
    if (talk->left_ns && last == talk->sent - 1) {
        *talk->left_ns = stamped_ns;
        talk->left_ns = NULL;
    }
    return true;
}

static void answered(struct talk *talk) {
    if (truths == MOST_REQUESTS) return;
    truth[truths][0] = talk->arrived_ns;
    truth[truths][1] = now_ns();
    talk->left_ns = &truth[truths++][1];
}

/* The head goes with the first piece; a piece of body is "truth". */
static void send_piece(nfds_t at) {
    char bytes[256];
    struct talk *talk = &server.talks[at];
    unsigned whole = strcmp(server.mode, "slow_body") == 0 ? (unsigned)server.second : 1;
    int size = snprintf(bytes, sizeof bytes, "HTTP/1.1 200 OK\r\nContent-Length: %u\r\n\r\ntruth",
                        whole * 5);
    const char *start = talk->pieces == whole ? bytes : bytes + size - 5;
    ssize_t sent = send(server.fds[at].fd, start, (size_t)(bytes + size - start), MSG_NOSIGNAL);
    if (sent < 0) {
        talk->pieces = 0; // nobody is there any more
        return;
    }
    talk->sent += (uint32_t)sent;
    if (--talk->pieces) talk->due_ns += server.first;
    else answered(talk);
    while (read_stamp(at) && talk->left_ns) continue;
}

/* Sends what is due. Returns for how many ns nothing will be due; UINT64_MAX: until something
 * comes. */
static uint64_t send_due(void) {
    uint64_t next = UINT64_MAX;
    for (nfds_t at = 2; at < server.count; at++) {
        struct talk *talk = &server.talks[at];
        while (talk->pieces && talk->due_ns <= now_ns()) send_piece(at);
        if (talk->pieces && talk->due_ns < next) next = talk->due_ns;
    }
    uint64_t now = now_ns();
    if (next == UINT64_MAX) return next;
    return next > now ? next - now : 0;
}

static void accept_all(void) {
    int one = 1;
    unsigned stamps = SOF_TIMESTAMPING_RX_SOFTWARE | SOF_TIMESTAMPING_TX_SOFTWARE |
                      SOF_TIMESTAMPING_SOFTWARE | SOF_TIMESTAMPING_OPT_TSONLY |
                      SOF_TIMESTAMPING_OPT_ID;
    while (server.count < MOST_CONNECTIONS) {
        int fd = accept(server.fds[1].fd, NULL, NULL);
        if (fd < 0) return;
        setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
        setsockopt(fd, SOL_SOCKET, SO_TIMESTAMPING, &stamps, sizeof stamps);
        server.talks[server.count] = (struct talk){0};
        server.fds[server.count++] = (struct pollfd){.fd = fd, .events = POLLIN};
    }
}

static void hear(nfds_t at) {
    while (server.fds[at].revents & POLLERR && read_stamp(at)) continue;
    read_request(at);
}

static void serve(void) {
    for (;;) {
        uint64_t left = send_due();
        struct timespec timeout = {(time_t)(left / SECOND), (long)(left % SECOND)};
        ppoll(server.fds, server.count, left == UINT64_MAX ? NULL : &timeout, NULL);
        if (server.fds[0].revents) return;
        for (nfds_t at = server.count; at-- > 2;)
            if (server.fds[at].revents) hear(at);
        if (server.fds[1].revents) accept_all();
    }
}

static int listen_somewhere(struct sockaddr_in *address) {
    socklen_t size = sizeof *address;
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    *address = (struct sockaddr_in){.sin_family = AF_INET};
    address->sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (bind(fd, (struct sockaddr *)address, size) || listen(fd, SOMAXCONN)) return -1;
    getsockname(fd, (struct sockaddr *)address, &size);
    return fd;
}

static void allow_descriptors(void) {
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit)) return;
    limit.rlim_cur = limit.rlim_max;
    setrlimit(RLIMIT_NOFILE, &limit);
}

int main(int count, char **arguments) {
    struct sockaddr_in address;
    uint64_t *values[] = {&server.first, &server.second, &server.third};
    if (count < 3 || count > 5) return 2;
    server.mode = arguments[1];
    for (int at = 2; at < count; at++) *values[at - 2] = strtoull(arguments[at], NULL, 10);
    prctl(PR_SET_TIMERSLACK, 1ul);
    allow_descriptors();
    server.fds[0] = (struct pollfd){.fd = 0, .events = POLLIN};
    server.fds[1] = (struct pollfd){.fd = listen_somewhere(&address), .events = POLLIN};
    server.count = 2;
    if (server.fds[1].fd < 0) return 1;
    printf("%u\n", ntohs(address.sin_port));
    fflush(stdout);
    serve();
    fwrite(truth, sizeof *truth, truths, stdout);
    return 0;
}
