/*
 * The minimum for a client of one thread: the system calls of a request on a keep-alive connection,
 * and nothing else. Nothing is parsed, checked or recorded; one recv is a response. Its cost is not
 * a goal for any tool, but a bound that none can beat on this machine.
 *
 *     floor CPU PORT|PATH CONNECTIONS MILLISECONDS PER_SECOND
 *
 * PER_SECOND 0: a closed loop. Prints the number of responses and the thread's CPU time in ns.
 */
#include <arpa/inet.h>
#include <netinet/tcp.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#define SECOND 1000000000ull
#define EVENTS 64
#define MOST   1024

static union {
    struct sockaddr any;
    struct sockaddr_in ip;
    struct sockaddr_un local;
} address;
static socklen_t address_size;
static const char request[] = "GET / HTTP/1.1\r\nHost: floor\r\n\r\n";
static int epoll;
static int idle[MOST]; /* sockets without a request, the one free for longest at `next` */
static size_t next, idle_count;

static void must(long result, const char *what) {
    if (result >= 0) return;
    perror(what);
    exit(1);
}

static uint64_t clock_ns(clockid_t id) {
    struct timespec now;
    clock_gettime(id, &now);
    return (uint64_t)now.tv_sec * SECOND + (uint64_t)now.tv_nsec;
}

static void set_address(const char *place) {
    if (strchr(place, '/')) {
        address.local.sun_family = AF_UNIX;
        strncpy(address.local.sun_path, place, sizeof address.local.sun_path - 1);
        address_size = sizeof address.local;
        return;
    }
    address.ip.sin_family = AF_INET;
    address.ip.sin_port = htons((uint16_t)atoi(place));
    address.ip.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    address_size = sizeof address.ip;
}

static int dial(void) {
    int yes = 1;
    int fd = socket(address.any.sa_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
    must(fd, "socket");
    if (address.any.sa_family == AF_INET)
        setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    must(connect(fd, &address.any, address_size), "connect");
    struct epoll_event event = {.events = EPOLLIN, .data.fd = fd};
    must(epoll_ctl(epoll, EPOLL_CTL_ADD, fd, &event), "epoll_ctl");
    return fd;
}

static void ask(int fd) {
    must(send(fd, request, sizeof request - 1, MSG_NOSIGNAL), "send");
}

static void answer(int fd) {
    char buffer[65536];
    if (recv(fd, buffer, sizeof buffer, 0) <= 0) must(-1, "recv");
}

/* Waits for events until `until`; forever if it is 0. */
static int wait_for(struct epoll_event *events, uint64_t until) {
    if (!until) return epoll_wait(epoll, events, EVENTS, -1);
    uint64_t now = clock_ns(CLOCK_MONOTONIC);
    uint64_t left = until > now ? until - now : 0;
    struct timespec timeout = {.tv_sec = (time_t)(left / SECOND), .tv_nsec = (long)(left % SECOND)};
    return (int)syscall(SYS_epoll_pwait2, epoll, events, EVENTS, &timeout, NULL, (size_t)0);
}

static uint64_t closed_loop(uint64_t end) {
    struct epoll_event events[EVENTS];
    uint64_t answers = 0;
    for (size_t at = 0; at < idle_count; at++) ask(idle[at]);
    while (clock_ns(CLOCK_MONOTONIC) < end) {
        int count = wait_for(events, 0);
        for (int at = 0; at < count; at++) {
            answer(events[at].data.fd);
            ask(events[at].data.fd);
            answers++;
        }
    }
    return answers;
}

/* A timer costs more than a request: it is set only if no response is outstanding. */
static uint64_t open_loop(uint64_t due, uint64_t end, uint64_t every, size_t connections) {
    struct epoll_event events[EVENTS];
    uint64_t answers = 0;
    while (due < end) {
        for (; idle_count && due <= clock_ns(CLOCK_MONOTONIC); due += every) {
            ask(idle[next]);
            next = (next + 1) % connections;
            idle_count--;
        }
        int count = wait_for(events, idle_count == connections ? due : 0);
        for (int at = 0; at < count; at++) {
            answer(events[at].data.fd);
            idle[(next + idle_count++) % connections] = events[at].data.fd;
            answers++;
        }
    }
    return answers;
}

int main(int count, char **words) {
    if (count != 6) return fprintf(stderr, "see the head of floor.c\n"), 2;
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET((size_t)atoi(words[1]), &set);
    must(sched_setaffinity(0, sizeof set, &set), "sched_setaffinity");
    prctl(PR_SET_TIMERSLACK, 1ul);
    set_address(words[2]);
    size_t connections = (size_t)atoi(words[3]);
    uint64_t wall = (uint64_t)atoi(words[4]) * 1000000;
    uint64_t per_second = (uint64_t)atoi(words[5]);
    epoll = epoll_create1(EPOLL_CLOEXEC);
    must(epoll, "epoll_create1");
    if (connections > MOST) connections = MOST;
    while (idle_count < connections) idle[idle_count++] = dial();
    uint64_t cpu = clock_ns(CLOCK_THREAD_CPUTIME_ID), now = clock_ns(CLOCK_MONOTONIC);
    uint64_t answers = per_second ? open_loop(now, now + wall, SECOND / per_second, connections)
                                  : closed_loop(now + wall);
    printf("%llu %llu\n", (unsigned long long)answers,
           (unsigned long long)(clock_ns(CLOCK_THREAD_CPUTIME_ID) - cpu));
    return 0;
}
