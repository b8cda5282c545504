/* The mix of requests, drawn by weight and reproducible from its seed; and sockets that fail. */
#include "core/target.h"

#include <errno.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/un.h>
#include <unistd.h>

#include "core/clock.h"
#include "core/error.h"
#include "core/socket.h"
#include "runner.h"

static int add(struct mohs_target *target, uint32_t weight) {
    struct mohs_check check = {.mode = MOHS_CHECK_EXACT, .body = "ok", .length = 2};
    return mohs_target_add_request(target, "GET", 3, weight, false, &check);
}

TEST(a_mix_follows_its_weights_and_its_seed) {
    struct mohs_target target = {0};
    unsigned counts[3] = {0};
    uint64_t one = 42, other = 42;
    CHECK_EQUAL(0, add(&target, 1));
    CHECK_EQUAL(0, add(&target, 2));
    CHECK_EQUAL(0, add(&target, 7));
    for (int at = 0; at < 100000; at++) {
        uint32_t index = mohs_target_pick(&target, &one);
        CHECK_EQUAL(index, mohs_target_pick(&target, &other));
        counts[index]++;
    }
    CHECK(counts[0] > 9500 && counts[0] < 10500);
    CHECK(counts[1] > 19300 && counts[1] < 20700);
    CHECK(counts[2] > 69200 && counts[2] < 70800);
    mohs_target_free(&target);
}

TEST(invalid_values_are_refused) {
    struct mohs_target target = {0};
    char address[sizeof(struct sockaddr_storage) + 1] = {0};
    CHECK_EQUAL(-EINVAL, add(&target, 0));
    CHECK_EQUAL(0, add(&target, UINT32_MAX));
    CHECK_EQUAL(-EINVAL, add(&target, 1));
    CHECK_EQUAL(-EINVAL, mohs_target_set_address(&target, address, 1));
    CHECK_EQUAL(-EINVAL, mohs_target_set_address(&target, address, sizeof address));
    CHECK_EQUAL(-EINVAL, mohs_target_add_source(&target, address, 0));
    CHECK_EQUAL(0, target.source_count);
    mohs_target_free(&target);
}

TEST(no_such_unix_socket_is_a_refusal) {
    struct mohs_target target = {0};
    struct sockaddr_un address = {.sun_family = AF_UNIX, .sun_path = "/nowhere/at/all.sock"};
    int fd = 0;
    CHECK_EQUAL(0, mohs_target_set_address(&target, &address, sizeof address));
    CHECK_EQUAL(ENOENT, mohs_socket_dial(&target, 0, &fd));
    CHECK_EQUAL(-1, fd);
    CHECK_EQUAL(MOHS_REFUSED, mohs_socket_class(ENOENT));
}

/* A listener on a free port of 127.0.0.1; its address is the target's. */
static int listener(struct mohs_target *target) {
    struct sockaddr_in address = {.sin_family = AF_INET};
    socklen_t size = sizeof address;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    CHECK_EQUAL(0, bind(fd, (struct sockaddr *)&address, size));
    CHECK_EQUAL(0, listen(fd, 8));
    getsockname(fd, (struct sockaddr *)&address, &size);
    CHECK_EQUAL(0, mohs_target_set_address(target, &address, size));
    return fd;
}

TEST(a_source_address_is_bound_and_turns_are_taken) {
    struct mohs_target target = {0};
    int server = listener(&target);
    for (unsigned last = 1; last <= 2; last++) {
        struct sockaddr_in source = {.sin_family = AF_INET};
        source.sin_addr.s_addr = htonl(INADDR_LOOPBACK + last); // 127.0.0.2, 127.0.0.3
        CHECK_EQUAL(0, mohs_target_add_source(&target, &source, sizeof source));
    }
    for (uint32_t turn = 0; turn < 4; turn++) {
        int fd = -1;
        struct sockaddr_in own;
        socklen_t size = sizeof own;
        CHECK_EQUAL(0, mohs_socket_dial(&target, turn, &fd));
        CHECK_EQUAL(0, mohs_socket_wait(fd, POLLOUT, -1, mohs_now_ns() + 5 * MOHS_SECOND));
        CHECK_EQUAL(MOHS_IDLE_QUIET, mohs_socket_idle(fd));
        CHECK_EQUAL(0, getsockname(fd, (struct sockaddr *)&own, &size));
        CHECK_EQUAL(INADDR_LOOPBACK + 1 + turn % 2, ntohl(own.sin_addr.s_addr));
        mohs_socket_close(fd, turn % 2);
    }
    close(server);
    mohs_target_free(&target);
}

static struct mohs_wall wall;

/* Receives on one end of a connection 30 ms after the other end has sent. */
static void late_reading(const struct mohs_target *target, int fd, int peer, uint64_t *late_ns) {
    char byte;
    uint64_t now_ns, came_ns;
    struct timespec rest = {.tv_nsec = 30 * (long)MOHS_MILLISECOND};
    CHECK_EQUAL(1, send(peer, "x", 1, 0));
    nanosleep(&rest, NULL);
    CHECK_EQUAL(1, mohs_socket_receive(target, fd, &byte, 1, &wall, &now_ns, &came_ns));
    *late_ns = came_ns ? now_ns - came_ns : 0;
}

TEST(a_socket_reports_arrival_times_however_late_it_is_read) {
    struct mohs_target target = {0};
    int server = listener(&target), fd = -1;
    char byte;
    uint64_t late_ns = 0, now_ns, came_ns;
    CHECK_EQUAL(0, mohs_socket_dial(&target, 0, &fd));
    CHECK_EQUAL(0, mohs_socket_wait(fd, POLLOUT, -1, mohs_now_ns() + 5 * MOHS_SECOND));
    int peer = accept4(server, NULL, NULL, SOCK_CLOEXEC);
    for (int tries = 0; late_ns == 0 && tries < 100; tries++) // the kernel begins when it can
        late_reading(&target, fd, peer, &late_ns);
    CHECK(late_ns >= 30 * MOHS_MILLISECOND);
    CHECK(late_ns < 10 * MOHS_SECOND);
    CHECK_EQUAL(-1, mohs_socket_receive(&target, fd, &byte, 1, &wall, &now_ns, &came_ns));
    CHECK(errno == EAGAIN && came_ns == 0);
    close(peer);
    CHECK_EQUAL(0, mohs_socket_receive(&target, fd, &byte, 1, &wall, &now_ns, &came_ns));
    CHECK_EQUAL(0, came_ns);
    mohs_socket_close(fd, false);
    close(server);
}

TEST(a_socket_closed_by_its_server_is_dialled_again) {
    struct mohs_target target = {0};
    int server = listener(&target), fd = -1;
    char byte;
    CHECK_EQUAL(0, mohs_socket_dial(&target, 0, &fd));
    int same = fd;
    for (int turn = 0; turn < 3; turn++) {
        CHECK_EQUAL(0, mohs_socket_wait(fd, POLLOUT, -1, mohs_now_ns() + 5 * MOHS_SECOND));
        int peer = accept4(server, NULL, NULL, SOCK_CLOEXEC);
        uint64_t late_ns = 0;
        for (int tries = 0; late_ns == 0 && tries < 100; tries++)
            late_reading(&target, fd, peer, &late_ns);
        CHECK(late_ns >= 30 * MOHS_MILLISECOND); // stamps go on
        CHECK_EQUAL(0, shutdown(peer, SHUT_WR));
        CHECK_EQUAL(0, recv(fd, &byte, 1, 0)); // its FIN has come
        CHECK(mohs_socket_part(&target, fd));
        CHECK_EQUAL(0, recv(peer, &byte, 1, 0)); // ours: no reset
        close(peer);
        CHECK_EQUAL(0, mohs_socket_redial(&target, &fd));
        CHECK_EQUAL(same, fd);
    }
    close(server);
    mohs_socket_close(fd, false);
}

TEST(a_socket_that_finds_no_server_is_closed) {
    struct mohs_target target = {0};
    int server = listener(&target), fd = -1;
    CHECK_EQUAL(0, mohs_socket_dial(&target, 0, &fd));
    CHECK_EQUAL(0, mohs_socket_wait(fd, POLLOUT, -1, mohs_now_ns() + 5 * MOHS_SECOND));
    int peer = accept4(server, NULL, NULL, SOCK_CLOEXEC);
    close(server);
    close(peer);
    CHECK(mohs_socket_part(&target, fd));
    int number = mohs_socket_redial(&target, &fd);
    if (number == 0) number = mohs_socket_wait(fd, POLLOUT, -1, mohs_now_ns() + 5 * MOHS_SECOND);
    else CHECK_EQUAL(-1, fd);
    CHECK_EQUAL(ECONNREFUSED, number);
    if (fd >= 0) mohs_socket_close(fd, false);
}

TEST(setting_the_wall_clock_makes_no_stamp_in_the_future) {
    const uint64_t day = 20000 * 86400 * MOHS_SECOND, now = 5000 * MOHS_SECOND;
    CHECK_EQUAL(now - 7, mohs_socket_stamped_ns(day, day + 7, now));
    CHECK_EQUAL(now, mohs_socket_stamped_ns(day, day, now));
    CHECK_EQUAL(0, mohs_socket_stamped_ns(0, day, now));
    CHECK_EQUAL(0, mohs_socket_stamped_ns(day, day - 1, now));
    CHECK_EQUAL(now - 3600 * MOHS_SECOND,
                mohs_socket_stamped_ns(day, day + 3600 * MOHS_SECOND, now));
    CHECK_EQUAL(0, mohs_socket_stamped_ns(day, day + 6000 * MOHS_SECOND, now));
}

TEST(what_came_before_a_request_was_sent_is_known_unless_a_clock_was_set) {
    struct mohs_wall clocks = {0};
    mohs_wall_read(&clocks);
    uint64_t noticed = clocks.moved_ns;
    CHECK(noticed > 0 && noticed <= mohs_now_ns());
    CHECK(clocks.ahead_ns > 0);
    uint64_t sent = noticed + MOHS_SECOND;
    CHECK(mohs_socket_came_before(&clocks, sent - MOHS_MILLISECOND, sent));
    CHECK(!mohs_socket_came_before(&clocks, 0, sent));
    CHECK(!mohs_socket_came_before(&clocks, sent, sent));
    CHECK(!mohs_socket_came_before(&clocks, sent - MOHS_WALL_STEP_NS, sent));
    CHECK(!mohs_socket_came_before(&clocks, sent + 1, sent));
    CHECK(!mohs_socket_came_before(&clocks, noticed - MOHS_MILLISECOND, noticed));
    clocks.ahead_ns -= (int64_t)MOHS_SECOND; // as if it had been set forward since
    mohs_wall_read(&clocks);
    CHECK(clocks.moved_ns > noticed);
}

TEST(a_unix_socket_has_no_arrival_times) {
    int pair[2];
    uint64_t late_ns;
    struct mohs_target target = {.address.storage.ss_family = AF_UNIX};
    CHECK_EQUAL(0, socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair));
    late_reading(&target, pair[0], pair[1], &late_ns);
    CHECK_EQUAL(0, late_ns);
    CHECK(!mohs_socket_part(&target, pair[0])); // nor can it be dialled again
    close(pair[0]);
    close(pair[1]);
}

TEST(a_closed_port_refuses) {
    struct mohs_target target = {0};
    int fd = -1;
    close(listener(&target));
    int number = mohs_socket_dial(&target, 0, &fd);
    if (number == 0) number = mohs_socket_wait(fd, POLLOUT, -1, mohs_now_ns() + 5 * MOHS_SECOND);
    CHECK_EQUAL(ECONNREFUSED, number);
    if (fd >= 0) mohs_socket_close(fd, false);
}

TEST(a_process_has_a_cpu_clock_until_it_is_gone) {
    int64_t before = mohs_process_cpu_ns(getpid());
    volatile unsigned sum = 0;
    for (unsigned at = 0; at < 1000000; at++) sum += at;
    CHECK(before > 0);
    CHECK(mohs_process_cpu_ns(getpid()) > before);
    CHECK_EQUAL(-1, mohs_process_cpu_ns(1 << 22)); // one more than the kernel ever gives
}

int main(void) {
    RUN(a_mix_follows_its_weights_and_its_seed);
    RUN(invalid_values_are_refused);
    RUN(no_such_unix_socket_is_a_refusal);
    RUN(a_source_address_is_bound_and_turns_are_taken);
    RUN(a_socket_reports_arrival_times_however_late_it_is_read);
    RUN(a_socket_closed_by_its_server_is_dialled_again);
    RUN(a_socket_that_finds_no_server_is_closed);
    RUN(setting_the_wall_clock_makes_no_stamp_in_the_future);
    RUN(what_came_before_a_request_was_sent_is_known_unless_a_clock_was_set);
    RUN(a_unix_socket_has_no_arrival_times);
    RUN(a_closed_port_refuses);
    RUN(a_process_has_a_cpu_clock_until_it_is_gone);
    return report();
}
