/*
 * Detaches a process that was forked from a multi-threaded process: it keeps none of its parent's
 * descriptors and leaves its parent's session. Async-signal-safe: no malloc, no stdio, no locks.
 */
#ifndef MOHS_DETACH_H
#define MOHS_DETACH_H

/*
 * To be called in the child right after fork, with all signals blocked. Sets its name, starts a
 * session, closes all descriptors except those in `keep` (sorted here), and opens /dev/null as the
 * standard three.
 */
void mohs_detach(const char *name, int *keep, int count);

#endif
