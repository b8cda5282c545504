/*
 * A server of long-lived connections that acts at chosen times and keeps its own record of them:
 * the truth that a load of streams is compared with. One thread.
 *
 *   stream_truth_server events FIRST_NS EVERY_NS   an event FIRST_NS after the request, and then
 *                                                  EVERY_NS after the one before
 *   stream_truth_server echo NS                    each WebSocket message back NS after it came
 *   stream_truth_server fan-out NS                 the same to all connections, one after another
 *   stream_truth_server publish NS STEP_NS         what is posted, as an event of all streams: on
 *                                                  the k-th NS + k * STEP_NS after it came
 *
 * Prints its port on a line, serves until its standard input ends, and then writes two 64-bit words
 * of the monotonic clock for each event or message: when the event before it left (for the first,
 * when the request came, with the highest bit set), or when the message came; and when it left. For
 * each message that left for one of all connections, the first word is the message's number; there
 * is a second time, right after it was sent, with the highest bit of that word set. What comes has
 * the kernel's stamp; what leaves, the time right before it is sent.
 */
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "core/sha1.c" // the handshake is not what is compared
#include "core/websocket.c"

#define MOST_CONNECTIONS 10240
#define MOST_RECORDS     4000000
#define MOST_WAITING     64 /* messages of a connection, to be echoed */
#define FRAME            64
#define PREFIX           5 /* bytes of a message before its number in hexadecimal digits */
#define TEXT             21
#define SECOND           1000000000ull
#define FIRST            (1ull << 63)

struct echo {
    uint64_t came_ns;
    size_t size;
    char frame[FRAME];
};

struct talk {
    bool open;
    size_t size;
    char bytes[2048];
    uint64_t last_ns;  /* when the last event left, or the request came */
    uint64_t due_ns;   /* of the next event, or the first echo that waits */
    unsigned from, to; /* of the echoes that wait, in a ring */
    struct echo *echoes;
};

static struct {
    bool echoes, to_all, publishes;
    uint64_t first_ns, every_ns;
    nfds_t count; /* of fds: standard input, the listener, connections */
    struct pollfd fds[MOST_CONNECTIONS];
    struct talk talks[MOST_CONNECTIONS];
} server;

static uint64_t truth[MOST_RECORDS][2];
static size_t truths;

static uint64_t clock_ns(clockid_t clock) {
    struct timespec time;
    clock_gettime(clock, &time);
    return (uint64_t)time.tv_sec * SECOND + (uint64_t)time.tv_nsec;
}

static uint64_t now_ns(void) {
    return clock_ns(CLOCK_MONOTONIC);
}

static void note(uint64_t from_ns, uint64_t left_ns) {
    if (truths == MOST_RECORDS) return;
    truth[truths][0] = from_ns;
    truth[truths++][1] = left_ns;
}

static void drop(nfds_t at) {
    close(server.fds[at].fd);
    free(server.talks[at].echoes);
    server.count--;
    server.fds[at] = server.fds[server.count];
    server.talks[at] = server.talks[server.count];
}

static ssize_t receive(int fd, char *bytes, size_t most, uint64_t *came_ns) {
    char control[256] __attribute__((aligned(sizeof(size_t))));
    struct iovec piece = {.iov_base = bytes, .iov_len = most};
    struct msghdr message = {.msg_iov = &piece,
                             .msg_iovlen = 1,
                             .msg_control = control,
                             .msg_controllen = sizeof control};
    ssize_t size = recvmsg(fd, &message, MSG_DONTWAIT);
    struct cmsghdr *told = size < 0 ? NULL : CMSG_FIRSTHDR(&message);
    *came_ns = now_ns();
    if (told && told->cmsg_level == SOL_SOCKET && told->cmsg_type == SCM_TIMESTAMPNS) {
        struct timespec stamp;
        memcpy(&stamp, CMSG_DATA(told), sizeof stamp);
        *came_ns -=
            clock_ns(CLOCK_REALTIME) - ((uint64_t)stamp.tv_sec * SECOND + (uint64_t)stamp.tv_nsec);
    }
    return size;
}

static void say(int fd, const char *bytes, size_t size) {
    if (send(fd, bytes, size, MSG_NOSIGNAL) != (ssize_t)size) perror("send");
}

/* The head of the response. */
static void answer(nfds_t at, uint64_t came_ns) {
    struct talk *talk = &server.talks[at];
    char head[256], key[MOHS_WS_KEY_MAX] = {0}, accept[MOHS_WS_ACCEPT_MAX];
    const char *place = strstr(talk->bytes, "Sec-WebSocket-Key: ");
    talk->open = true;
    talk->size = 0;
    talk->last_ns = came_ns;
    talk->due_ns = server.echoes || server.publishes ? 0 : came_ns + server.first_ns;
    if (!server.echoes) {
        static const char events[] = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n";
        say(server.fds[at].fd, events, sizeof events - 1);
        return;
    }
    if (place) memcpy(key, place + 19, 24);
    mohs_websocket_accept(key, accept);
    int size = snprintf(head, sizeof head,
                        "HTTP/1.1 101 OK\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                        "Sec-WebSocket-Accept: %s\r\n\r\n",
                        accept);
    say(server.fds[at].fd, head, (size_t)size);
}

/* Takes a POST; its text waits. Returns whether all of it has come. */
static bool take_post(nfds_t at, uint64_t came_ns) {
    static const char response[] = "HTTP/1.1 204 No Content\r\n\r\n";
    struct talk *talk = &server.talks[at];
    const char *body = strstr(talk->bytes, "\r\n\r\n");
    if (!body || strlen(body) < 4 + TEXT) return false;
    struct echo *echo = &talk->echoes[talk->to++ % MOST_WAITING];
    echo->came_ns = came_ns;
    echo->size = TEXT;
    memcpy(echo->frame, body + 4, TEXT);
    talk->size = 0;
    talk->due_ns = talk->echoes[talk->from % MOST_WAITING].came_ns + server.first_ns;
    say(server.fds[at].fd, response, sizeof response - 1);
    return true;
}

/* Takes a frame off what came; the echo waits. Returns false for a frame that ends it. */
static bool take_frame(nfds_t at, uint64_t came_ns) {
    struct talk *talk = &server.talks[at];
    size_t length = (size_t)talk->bytes[1] & 0x7f;
    struct echo *echo = &talk->echoes[talk->to % MOST_WAITING];
    if ((talk->bytes[0] & 15) != 1 || length + 2 > FRAME) return false;
    echo->frame[0] = talk->bytes[0];
    echo->frame[1] = (char)length;
    for (size_t byte = 0; byte < length; byte++)
        echo->frame[2 + byte] = talk->bytes[6 + byte] ^ talk->bytes[2 + byte % 4];
    echo->came_ns = came_ns;
    echo->size = length + 2;
    talk->to++;
    talk->size -= length + 6;
    memmove(talk->bytes, talk->bytes + length + 6, talk->size);
    return talk->to - talk->from < MOST_WAITING;
}

/* Returns false if the connection is over. */
static bool read_from(nfds_t at) {
    struct talk *talk = &server.talks[at];
    uint64_t came_ns;
    ssize_t size = receive(server.fds[at].fd, talk->bytes + talk->size,
                           sizeof talk->bytes - 1 - talk->size, &came_ns);
    if (size < 0 && errno == EAGAIN) return true;
    if (size <= 0) return false;
    talk->size += (size_t)size;
    talk->bytes[talk->size] = 0;
    if (server.publishes && strncmp(talk->bytes, "POST ", 5) == 0) {
        take_post(at, came_ns);
        return true;
    }
    if (!talk->open) {
        if (strstr(talk->bytes, "\r\n\r\n")) answer(at, came_ns);
        return true;
    }
    while (talk->size >= 2 && talk->size >= ((size_t)talk->bytes[1] & 0x7f) + 6)
        if (!take_frame(at, came_ns)) return false;
    if (talk->from != talk->to)
        talk->due_ns = talk->echoes[talk->from % MOST_WAITING].came_ns + server.first_ns;
    return true;
}

static void say_to_all(const struct echo *echo) {
    char digits[17] = {0};
    memcpy(digits, echo->frame + 2 + PREFIX, sizeof digits - 1);
    uint64_t number = strtoull(digits, NULL, 16) & UINT32_MAX; // what is above marks the load
    for (nfds_t at = 2; at < server.count; at++) {
        if (!server.talks[at].open) continue;
        note(number, now_ns());
        say(server.fds[at].fd, echo->frame, echo->size);
        note(number | FIRST, now_ns());
    }
}

/* What was posted, to one stream after the other, each at its time. */
static void publish(const struct echo *echo) {
    char digits[17] = {0}, event[64];
    uint64_t due = echo->came_ns + server.first_ns;
    memcpy(digits, echo->frame + PREFIX, sizeof digits - 1);
    uint64_t number = strtoull(digits, NULL, 16) & UINT32_MAX;
    int size = snprintf(event, sizeof event, "data: %.*s\n\n", TEXT, echo->frame);
    for (nfds_t at = 2; at < server.count; at++) {
        if (!server.talks[at].open) continue;
        while (now_ns() < due) continue;
        due += server.every_ns;
        note(number, now_ns());
        say(server.fds[at].fd, event, (size_t)size);
        note(number | FIRST, now_ns());
    }
}

/* Sends what is due. */
static void act(nfds_t at, uint64_t now) {
    static const char event[] = "data: truth\n\n";
    struct talk *talk = &server.talks[at];
    while (talk->due_ns && talk->due_ns <= now) {
        uint64_t left = now_ns();
        if (!server.echoes && !server.publishes) {
            bool first = talk->due_ns == talk->last_ns + server.first_ns && !talk->to;
            say(server.fds[at].fd, event, sizeof event - 1);
            note(talk->last_ns | (first ? FIRST : 0), left);
            talk->to = 1;
            talk->last_ns = left;
            talk->due_ns = left + server.every_ns;
            continue;
        }
        struct echo *echo = &talk->echoes[talk->from++ % MOST_WAITING];
        if (server.publishes) {
            publish(echo);
        } else if (server.to_all) {
            say_to_all(echo);
        } else {
            say(server.fds[at].fd, echo->frame, echo->size);
            note(echo->came_ns, left);
        }
        talk->due_ns = talk->from == talk->to
                           ? 0
                           : talk->echoes[talk->from % MOST_WAITING].came_ns + server.first_ns;
    }
}

/* Returns false if there is none. */
static bool take_connection(void) {
    int fd = accept4(server.fds[1].fd, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK), on = 1;
    if (fd < 0 || server.count == MOST_CONNECTIONS) {
        if (fd >= 0) close(fd);
        return false;
    }
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    setsockopt(fd, SOL_SOCKET, SO_TIMESTAMPNS, &on, sizeof on);
    server.talks[server.count] = (struct talk){
        .echoes =
            server.echoes || server.publishes ? calloc(MOST_WAITING, sizeof(struct echo)) : NULL};
    server.fds[server.count++] = (struct pollfd){.fd = fd, .events = POLLIN};
    return true;
}

/* Until something is due; a sleep ends late, so the last of it is polled. */
static void wait_for_events(void) {
    uint64_t now = now_ns(), due = now + SECOND;
    for (nfds_t at = 2; at < server.count; at++)
        if (server.talks[at].due_ns && server.talks[at].due_ns < due) due = server.talks[at].due_ns;
    uint64_t left = due > now + 100000 ? due - now - 100000 : 0;
    struct timespec timeout = {.tv_sec = (time_t)(left / SECOND), .tv_nsec = (long)(left % SECOND)};
    ppoll(server.fds, server.count, &timeout, NULL);
}

static void serve(void) {
    for (;;) {
        wait_for_events();
        if (server.fds[0].revents) return;
        uint64_t now = now_ns();
        for (nfds_t at = server.count; at-- > 2;) {
            if (server.fds[at].revents && !read_from(at)) {
                drop(at);
                continue;
            }
            act(at, now);
        }
        while (server.fds[1].revents && take_connection()) continue;
    }
}

int main(int count, char **words) {
    struct sockaddr_in address = {.sin_family = AF_INET};
    struct rlimit files = {MOST_CONNECTIONS + 16, MOST_CONNECTIONS + 16};
    socklen_t size = sizeof address;
    if (count < 3) return 2;
    setrlimit(RLIMIT_NOFILE, &files);
    prctl(PR_SET_TIMERSLACK, 1ul);
    server.to_all = strcmp(words[1], "fan-out") == 0;
    server.publishes = strcmp(words[1], "publish") == 0;
    server.echoes = server.to_all || strcmp(words[1], "echo") == 0;
    server.first_ns = strtoull(words[2], NULL, 10);
    server.every_ns = count > 3 ? strtoull(words[3], NULL, 10) : 0;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (bind(listener, (struct sockaddr *)&address, size) || listen(listener, 4096)) return 1;
    getsockname(listener, (struct sockaddr *)&address, &size);
    server.fds[server.count++] = (struct pollfd){.fd = 0, .events = POLLIN};
    server.fds[server.count++] = (struct pollfd){.fd = listener, .events = POLLIN};
    printf("%d\n", ntohs(address.sin_port));
    fflush(stdout);
    serve();
    fwrite(truth, sizeof *truth, truths, stdout);
    return 0;
}
