/*
 * What a process of ours that is forked from many threads does first, so that it holds nothing of
 * ours and nothing reaches it. Async-signal-safe: no malloc, no stdio, no locks.
 */
#ifndef MOHS_DETACH_H
#define MOHS_DETACH_H

/*
 * In the child, right after fork, with all signals blocked: its own name and session, of the open
 * descriptors only those of `keep` (sorted here), and /dev/null for the standard three.
 */
void mohs_detach(const char *name, int *keep, int count);

#endif
