/* One open connection of an engine, driven by hand. */
#ifndef MOHS_TEST_BENCH_H
#define MOHS_TEST_BENCH_H

#include "core/connection.h"
#include "loading.h"

#include <netinet/tcp.h>

struct bench {
    struct mohs_engine engine;
    struct mohs_connection *connection;
    struct mohs_job *job;
    struct mohs_tally tally;
    int listener;
    int peer;
};

/* The server's end of a connection, which has to come within ten seconds. What it sends leaves at
 * once: with Nagle's algorithm a second answer waits for the acknowledgement that may come with the
 * next request only. */
static inline int accept_peer(int listener) {
    struct timeval limit = {.tv_sec = 10};
    setsockopt(listener, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
    int on = 1, peer = accept(listener, NULL, NULL);
    CHECK_EQUAL(0, setsockopt(peer, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on));
    return peer;
}

/* Connects the engine, which has been set up, to the listener, in a step without end. */
static inline void connect_bench(struct bench *bench) {
    bench->connection = bench->engine.connections;
    bench->job = bench->connection->job;
    bench->tally = (struct mohs_tally){0};
    bench->job->tally = &bench->tally;
    bench->connection->quota = bench->job->quota = MOHS_NO_LIMIT;
    mohs_connection_prepare(bench->connection, mohs_now_ns() + 5 * MOHS_SECOND);
    bench->peer = accept_peer(bench->listener);
    CHECK(bench->connection->open);
    mohs_wall_read(&bench->job->loop->wall);
}

static inline void close_bench(struct bench *bench) {
    if (bench->peer >= 0) close(bench->peer);
    close(bench->listener);
    bench->job->tally = NULL;
    mohs_engine_free(&bench->engine);
}

#endif
