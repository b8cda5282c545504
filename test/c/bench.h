/* One open connection of an engine, driven by hand. */
#ifndef MOHS_TEST_BENCH_H
#define MOHS_TEST_BENCH_H

#include "core/connection.h"
#include "loading.h"

struct bench {
    struct mohs_engine engine;
    struct mohs_connection *connection;
    struct mohs_job *job;
    struct mohs_tally tally;
    int listener;
    int peer;
};

/* Connects the engine, which has been set up, to the listener, in a step without end. */
static inline void connect_bench(struct bench *bench) {
    bench->connection = bench->engine.connections;
    bench->job = bench->connection->job;
    bench->tally = (struct mohs_tally){0};
    bench->job->tally = &bench->tally;
    mohs_connection_prepare(bench->connection, mohs_now_ns() + 5 * MOHS_SECOND);
    bench->peer = accept(bench->listener, NULL, NULL);
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
