/*
 * Detaches a process that was forked from a process with many threads, so that it holds nothing of
 * its parent's and nothing reaches it. Async-signal-safe: no malloc, no stdio, no locks.
 */
#ifndef MOHS_DETACH_H
#define MOHS_DETACH_H

/*
 * To be called in the child right after fork, with all signals blocked: sets its name, starts a
 * session, closes all descriptors but those of `keep` (sorted here), and opens /dev/null as the
 * standard three.
 */
void mohs_detach(const char *name, int *keep, int count);

#endif
