/*
 * The server that load testers are compared with: it responds as ordered, and records the truth
 * about each request. One thread; each connection is delayed on its own, so no request waits for
 * another.
 *
 * Prints its port on a line, then obeys lines of its standard input, and ends when that ends:
 *
 *   start DELAY SLOW NTH_SLOW NTH_ERROR TARGET
 *
 * Forgets everything before, closes every connection, and prints "ready". From now on a response
 * leaves DELAY ns after its request, every NTH_SLOW-th after SLOW ns; every NTH_ERROR-th is a 500
 * (0: none). Prints "done" when TARGET requests are answered (0: never).
 *
 *   counts
 *
 * Prints ANSWERED ERRORS OPENED USED FIRST LAST: requests and 500s, connections opened, those of
 * them that carried a request, and the ns of the first request and of the last response.
 *
 *   times
 *
 * Prints how many responses follow, and then two 64-bit words for each: when its request came and
 * when it left, in ns of the monotonic clock.
 */
#include <errno.h>
#include <inttypes.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#define MOST_CONNECTIONS 1024
#define MOST_REQUESTS    2000000 /* how many are recorded; more are only counted */
#define LONGEST_HEAD     2048
#define FIRST_CONNECTION 2 /* index into fds: standard input and the listener come before */
#define SECOND           1000000000ull

struct talk {
    char head[LONGEST_HEAD];
    size_t size; /* bytes received of the next request */
    bool used;
    bool closes; /* after the response */
    bool error;
    bool waits; /* for a response */
    uint64_t came_ns;
    uint64_t due_ns;
};

static struct {
    uint64_t delay_ns, slow_ns, nth_slow, nth_error, target; /* as ordered */
    uint64_t came, answered, errors, opened, used, first_ns, last_ns;
} load;

static struct pollfd fds[MOST_CONNECTIONS];
static struct talk talks[MOST_CONNECTIONS];
static nfds_t count = FIRST_CONNECTION;
static uint64_t times[MOST_REQUESTS][2];

static uint64_t now_ns(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * SECOND + (uint64_t)time.tv_nsec;
}

static void drop(nfds_t at) {
    close(fds[at].fd);
    count--;
    fds[at] = fds[count];
    talks[at] = talks[count];
}

static bool nth(uint64_t number, uint64_t every) {
    return every && number % every == 0;
}

/* An HTTP/1.0 client has to ask for more than one request (ab does); others may ask for only
 * one. */
static bool asks_to_close(const char *head) {
    if (strcasestr(head, "\r\nConnection: close")) return true;
    return strstr(head, " HTTP/1.0\r\n") && !strcasestr(head, "\r\nConnection: keep-alive");
}

static void request_came(struct talk *talk) {
    talk->came_ns = now_ns();
    if (load.came++ == 0) load.first_ns = talk->came_ns;
    if (!talk->used) load.used++;
    talk->used = true;
    talk->closes = asks_to_close(talk->head);
    talk->error = nth(load.came, load.nth_error);
    talk->waits = true;
    talk->due_ns = talk->came_ns + (nth(load.came, load.nth_slow) ? load.slow_ns : load.delay_ns);
}

/* Requests have no body. A request that is too long, or was sent before the previous response,
 * ends the connection: no tester does either. */
static void read_request(nfds_t at) {
    struct talk *talk = &talks[at];
    ssize_t size =
        recv(fds[at].fd, talk->head + talk->size, LONGEST_HEAD - 1 - talk->size, MSG_DONTWAIT);
    if (size < 0 && (errno == EAGAIN || errno == EINTR)) return;
    if (size <= 0 || talk->waits) {
        drop(at);
        return;
    }
    talk->size += (size_t)size;
    talk->head[talk->size] = '\0';
    if (talk->size < 4 || memcmp(talk->head + talk->size - 4, "\r\n\r\n", 4) != 0) return;
    talk->size = 0;
    request_came(talk);
}

/* Returns whether the connection is still there. */
static bool answer(nfds_t at) {
    char bytes[160];
    struct talk *talk = &talks[at];
    int size = snprintf(bytes, sizeof bytes,
                        "HTTP/1.1 %s\r\nContent-Type: text/plain\r\nContent-Length: 5\r\n"
                        "Connection: %s\r\n\r\ntruth",
                        talk->error ? "500 Internal Server Error" : "200 OK",
                        talk->closes ? "close" : "keep-alive");
    bool sent = send(fds[at].fd, bytes, (size_t)size, MSG_NOSIGNAL) == size;
    talk->waits = false;
    if (sent) {
        load.last_ns = now_ns();
        if (load.answered < MOST_REQUESTS) {
            times[load.answered][0] = talk->came_ns;
            times[load.answered][1] = load.last_ns;
        }
        load.answered++;
        if (talk->error) load.errors++;
        if (load.answered == load.target) puts("done");
    }
    if (sent && !talk->closes) return true;
    drop(at);
    return false;
}

/* Sends what is due. Returns for how many ns nothing will be due; UINT64_MAX: until a request
 * comes. */
static uint64_t answer_due(void) {
    uint64_t next = UINT64_MAX;
    for (nfds_t at = count; at-- > FIRST_CONNECTION;) {
        if (!talks[at].waits) continue;
        if (talks[at].due_ns > talks[at].came_ns && talks[at].due_ns > now_ns()) {
            if (talks[at].due_ns < next) next = talks[at].due_ns;
        } else answer(at);
    }
    uint64_t now = now_ns();
    if (next == UINT64_MAX) return next;
    return next > now ? next - now : 0;
}

static void accept_all(void) {
    int one = 1;
    while (count < MOST_CONNECTIONS) {
        int fd = accept4(fds[1].fd, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
        if (fd < 0) return;
        setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
        load.opened++;
        memset(&talks[count], 0, sizeof talks[count]);
        fds[count++] = (struct pollfd){.fd = fd, .events = POLLIN};
    }
}

static void say_times(void) {
    uint64_t kept = load.answered < MOST_REQUESTS ? load.answered : MOST_REQUESTS;
    printf("%" PRIu64 "\n", kept);
    fwrite(times, sizeof *times, kept, stdout);
}

static void start(const char *order) {
    accept_all(); // connections left behind by a tester that was killed
    while (count > FIRST_CONNECTION) drop(count - 1);
    memset(&load, 0, sizeof load);
    sscanf(order, "start %" SCNu64 "%" SCNu64 "%" SCNu64 "%" SCNu64 "%" SCNu64, &load.delay_ns,
           &load.slow_ns, &load.nth_slow, &load.nth_error, &load.target);
    puts("ready");
}

/* Returns false if the master is gone. An order is a line, and comes in one piece. */
static bool obey(void) {
    char order[256];
    ssize_t size = read(STDIN_FILENO, order, sizeof order - 1);
    if (size <= 0) return false;
    order[size] = '\0';
    if (strncmp(order, "start ", 6) == 0) start(order);
    else if (strcmp(order, "counts\n") == 0)
        printf("%" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 "\n",
               load.answered, load.errors, load.opened, load.used, load.first_ns, load.last_ns);
    else if (strcmp(order, "times\n") == 0) say_times();
    else return false;
    return true;
}

static void serve(void) {
    for (;;) {
        uint64_t left = answer_due();
        struct timespec timeout = {(time_t)(left / SECOND), (long)(left % SECOND)};
        fflush(stdout);
        if (ppoll(fds, count, left == UINT64_MAX ? NULL : &timeout, NULL) < 0) continue;
        if (fds[0].revents && !obey()) return;
        for (nfds_t at = count; at-- > FIRST_CONNECTION;)
            if (fds[at].revents) read_request(at);
        if (fds[1].revents) accept_all();
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

int main(void) {
    struct sockaddr_in address;
    prctl(PR_SET_TIMERSLACK, 1ul);
    fds[0] = (struct pollfd){.fd = STDIN_FILENO, .events = POLLIN};
    fds[1] = (struct pollfd){.fd = listen_somewhere(&address), .events = POLLIN};
    if (fds[1].fd < 0) return 1;
    printf("%u\n", ntohs(address.sin_port));
    serve();
    return 0;
}
