/*
 * The fields of a step's result, declared once. These lists make struct mohs_tally and
 * mohs_tally_add, struct mohs_thread_stats and mohs_thread_stats_add, struct mohs_step_result, the
 * Hash that Mohs::Core::Engine#result returns, and Core::STEP_FIELDS, which are the members of
 * Load::StepResult. To add a field, add a line here and document it in step_result.rb. fields.h
 * explains the lists.
 */
#ifndef MOHS_STEP_FIELDS_H
#define MOHS_STEP_FIELDS_H

#include "fields.h"

/* What a lane counts in every step. */
#define MOHS_STEP_COUNTS(FIELD)                                                                    \
    FIELD(sent, SUM) /* requests begun, each of which ends as one record */                        \
    FIELD(completed, SUM)                                                                          \
    FIELD(good, SUM)                                                                               \
    FIELD(bytes, SUM)                                                                              \
    FIELD(latency_sum_ns, SUM) /* due to done, good ones only */                                   \
    FIELD(max_ns, MAX)         /* of the same */                                                   \
    FIELD(driver_cpu_ns, SUM)

/* What a lane counts about its connections: the Hash `connections`. */
#define MOHS_CONNECTION_COUNTS(FIELD)                                                              \
    FIELD(opened, SUM)                                                                             \
    FIELD(lost, SUM)                                                                               \
    FIELD(served, SUM)       /* connections with a good response */                                \
    FIELD(requests_min, MIN) /* good responses on the connection with the fewest */                \
    FIELD(requests_max, MAX)

/* Counts of an open loop; nil in a closed one. */
#define MOHS_OPEN_LOOP_COUNTS(FIELD)                                                               \
    FIELD(queued, SUM)      /* requests that waited for a connection, unsent ones too */           \
    FIELD(late, SUM)        /* begun after the step's time */                                      \
    FIELD(unsent, SUM)      /* that fell due but were never begun */                               \
    FIELD(waiting_max, SUM) /* most that waited at once; the lanes' moments differ */

/* Counts of a scenario; nil without one. */
#define MOHS_SCENARIO_COUNTS(FIELD)                                                                \
    FIELD(actions, SUM)  /* begun */                                                               \
    FIELD(finished, SUM) /* actions of which every step succeeded */

/* What the engine finds when the step is over. */
#define MOHS_STEP_TIMES(FIELD)                                                                     \
    FIELD(started_ns, ONCE) /* since the epoch */                                                  \
    FIELD(wall_ns, ONCE)    /* to the last response; without one, or if requests failed later, to  \
                            the step's end; in an open loop at least its duration */               \
    FIELD(loaded_ns, ONCE)  /* to when a connection first had nothing more to send, or to the end  \
                               of wall_ns: how long all connections were loaded */                 \
    FIELD(span_ns, ONCE)    /* how long the good responses take at the rate of that time: good /   \
                               span_ns is the step's rate */                                       \
    FIELD(in_use_ns, ONCE)  /* the part of loaded_ns in which a connection waited for a good       \
                               response, added up over the connections */                          \
    FIELD(service_sum_ns, ONCE) /* service times, good ones, added up; of the first on a           \
                                connection since due */                                            \
    FIELD(turn_ns, ONCE) /* median of due to sent, where a connection was free; 0 without any */

/* What a thread counts about itself: the Hash `thread_stats`, with MOHS_THREAD_VALUES. */
#define MOHS_THREAD_COUNTS(FIELD)                                                                  \
    FIELD(windows, SUM)    /* windows of MOHS_WINDOW_NS or more, without the last one */           \
    FIELD(busy, SUM)       /* windows above MOHS_BUSY_PERCENT */                                   \
    FIELD(full, SUM)       /* windows above MOHS_FULL_PERCENT */                                   \
    FIELD(wakeups, SUM)    /* returns from epoll_wait with events */                               \
    FIELD(events, SUM)     /* in all wake-ups */                                                   \
    FIELD(events_max, MAX) /* in one wake-up */                                                    \
    FIELD(age_sum_ns, SUM) /* from reading the first event of a wake-up to reading each one */     \
    FIELD(age_max_ns, MAX)                                                                         \
    FIELD(gap_max_ns, MAX) /* from when it should have run to when it did */                       \
    FIELD(gaps_ns, SUM)    /* what they exceed MOHS_GAP_NS by: the parts spent asleep, */          \
    FIELD(held_ns, SUM)    /* and awake, in which the thread computed or was stopped */            \
    FIELD(stalls, SUM)     /* such times above MOHS_STALL_NS, */                                   \
    FIELD(stalled_ns, SUM) /* and their sum */                                                     \
    FIELD(preempted, SUM)  /* involuntary context switches */

/* VALUE(name): fields that the binding converts in a function of their own, name_value. */
#define MOHS_THREAD_VALUES(VALUE)                                                                  \
    VALUE(waited_ns)                                                                               \
    VALUE(pace_ns)                                                                                 \
    VALUE(memory_ns)

#define MOHS_STEP_VALUES(VALUE)                                                                    \
    VALUE(errors)                                                                                  \
    VALUE(cpu_ns)                                                                                  \
    VALUE(loaded_cpu_ns)                                                                           \
    VALUE(processes_cpu_ns)                                                                        \
    VALUE(connections)                                                                             \
    VALUE(gone)                                                                                    \
    VALUE(outage)                                                                                  \
    VALUE(p50_ns)                                                                                  \
    VALUE(thread_stats)                                                                            \
    VALUE(lag_ns)                                                                                  \
    VALUE(queue_ns)

#endif
