/*
 * A small test runner. A test program includes it, writes TEST(name) { ... CHECK(...) }, and ends
 * with a main of RUN(name) lines and `return report()`. It prints what does not hold and counts,
 * and its exit status is 0 when every check held and there was at least one.
 */
#ifndef MOHS_TEST_RUNNER_H
#define MOHS_TEST_RUNNER_H

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static unsigned long checks_made;
static unsigned long checks_failed;
static const char *test_running = "";

#define TEST(name) static void name(void)

#define CHECK(condition)                                                                           \
    do {                                                                                           \
        checks_made++;                                                                             \
        if (!(condition)) {                                                                        \
            checks_failed++;                                                                       \
            fprintf(stderr, "%s:%d: %s: %s does not hold\n", __FILE__, __LINE__, test_running,     \
                    #condition);                                                                   \
        }                                                                                          \
    } while (0)

/* Two whole numbers; says which they were. */
#define CHECK_EQUAL(wanted, got)                                                                   \
    do {                                                                                           \
        long long wanted_value = (long long)(wanted), got_value = (long long)(got);                \
        checks_made++;                                                                             \
        if (wanted_value != got_value) {                                                           \
            checks_failed++;                                                                       \
            fprintf(stderr, "%s:%d: %s: %s is %lld, not %lld\n", __FILE__, __LINE__, test_running, \
                    #got, got_value, wanted_value);                                                \
        }                                                                                          \
    } while (0)

#define RUN(name)                                                                                  \
    do {                                                                                           \
        test_running = #name;                                                                      \
        name();                                                                                    \
    } while (0)

/* To be returned from main. */
static int report(void) {
    printf("%lu checks, %lu failed\n", checks_made, checks_failed);
    return checks_made == 0 || checks_failed > 0;
}

#endif
