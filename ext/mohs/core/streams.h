/*
 * A load of long-lived connections: each asks once and then listens to an event stream, or
 * becomes a WebSocket over which messages are echoed (stream.h). One thread opens them at a given
 * rate and keeps them until the time is over, so that what is measured is how soon a server accepts
 * and answers many of them, how regularly their events come or how soon messages come back, and
 * which connections it drops. No connection is opened again.
 *
 * Messages fall due as the requests of an open loop do (arrivals.h), from when the last connection
 * had to be opened on, on the open connections in turn.
 *
 * An idle stream takes less than 2 kB: it has no buffer of its own, except for a line of HTTP that
 * was cut.
 *
 * Life cycle: init; fill `target` (target.h: an address, one request, connections) and the
 * settings; start; wait until it is over, or stop it; join; read the results; free.
 */
#ifndef MOHS_STREAMS_H
#define MOHS_STREAMS_H

#include "stream.h"

/* Prepares settings to be filled in. Needs mohs_streams_free either way. Returns 0 or -errno. */
int mohs_streams_init(struct mohs_streams *streams);

/* Each WebSocket joins a channel of ActionCable; the texts are copied. Before the start. Returns 0
 * or -ENOMEM. */
int mohs_streams_set_cable(struct mohs_streams *streams, const struct mohs_cable *cable);

/* Starts the thread, once. Returns 0 or -errno. */
int mohs_streams_start(struct mohs_streams *streams);

/* Waits up to `ms` for the end. Returns true when it is over. */
bool mohs_streams_wait(struct mohs_streams *streams, int ms);

/* Makes a waiter return. Safe in a signal handler. */
void mohs_streams_poke(struct mohs_streams *streams);

/* Ends the load. Does not wait. */
void mohs_streams_stop(struct mohs_streams *streams);

/* Waits for the thread. Results are complete afterwards. */
void mohs_streams_join(struct mohs_streams *streams);

/* Reads the counts while load runs; for WebSockets `events` is the number of echoes. */
void mohs_streams_live(const struct mohs_streams *streams, struct mohs_stream_counts *counts);

/* Records lost for lack of memory. If not 0, no figure is valid. */
uint64_t mohs_streams_lost_records(const struct mohs_streams *streams);

void mohs_streams_free(struct mohs_streams *streams);

/* Bytes held, for Ruby's memory accounting. */
size_t mohs_streams_bytes(const struct mohs_streams *streams);

#endif
