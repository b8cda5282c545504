#include "pattern.h"

#include <string.h>

static bool within(const struct mohs_pattern *pattern, char c) {
    unsigned char byte = (unsigned char)c;
    return pattern->set[byte / 64] >> (byte % 64) & 1;
}

static bool begins_with(struct mohs_span text, struct mohs_span start) {
    return text.size >= start.size &&
           (start.size == 0 || memcmp(text.data, start.data, start.size) == 0);
}

static struct mohs_span from(struct mohs_span text, size_t place) {
    return (struct mohs_span){text.data + place, text.size - place};
}

/* How many bytes at the start of `text` may belong to the piece. */
static size_t run_of(const struct mohs_pattern *pattern, struct mohs_span text) {
    size_t run = 0;
    while (run < text.size && run < MOHS_CAPTURE_MAX && within(pattern, text.data[run])) run++;
    return run;
}

/* The length of the piece at the start of `text`, or SIZE_MAX if there is none. A piece that
 * exceeds the limit is not cut short. */
static size_t piece_at(const struct mohs_pattern *pattern, struct mohs_span text, size_t *steps) {
    size_t run = run_of(pattern, text);
    *steps += run;
    bool more = run < text.size && within(pattern, text.data[run]);
    if (run < pattern->least || (more && !pattern->lazy)) return SIZE_MAX;
    for (size_t at = 0; at + pattern->least <= run; at++) {
        size_t size = pattern->lazy ? pattern->least + at : run - at;
        if (begins_with(from(text, size), pattern->behind)) return size;
    }
    return SIZE_MAX;
}

bool mohs_pattern_find(const struct mohs_pattern *pattern, struct mohs_span text,
                       struct mohs_span *found) {
    size_t place = 0, steps = 0;
    while (place <= text.size && steps < MOHS_PATTERN_STEPS) {
        struct mohs_span rest = from(text, place);
        const char *start = rest.data;
        if (pattern->before.size)
            start = memmem(rest.data, rest.size, pattern->before.data, pattern->before.size);
        if (!start) return false;
        place = (size_t)(start - text.data);
        rest = from(text, place + pattern->before.size);
        size_t size = piece_at(pattern, rest, &steps);
        if (size != SIZE_MAX) {
            *found = (struct mohs_span){rest.data, size};
            return true;
        }
        place++;
    }
    return false;
}
