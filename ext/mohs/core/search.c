#include "search.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* How many bytes of the text are matched after one more byte, if `matched` were before it. */
static uint32_t advance(const struct mohs_text *text, uint32_t matched, char byte) {
    while (matched && text->bytes.data[matched] != byte) matched = text->borders[matched - 1];
    return matched + (text->bytes.data[matched] == byte);
}

int mohs_text_init(struct mohs_text *text, struct mohs_span bytes) {
    assert(bytes.size && bytes.size < UINT32_MAX);
    char *copy = malloc(bytes.size);
    *text = (struct mohs_text){.borders = calloc(bytes.size, sizeof *text->borders)};
    if (!copy || !text->borders) {
        free(copy);
        mohs_text_free(text);
        return -ENOMEM;
    }
    memcpy(copy, bytes.data, bytes.size);
    text->bytes = (struct mohs_span){copy, bytes.size};
    for (size_t at = 1; at < bytes.size; at++)
        text->borders[at] = advance(text, text->borders[at - 1], copy[at]);
    return 0;
}

void mohs_text_free(struct mohs_text *text) {
    free((char *)(uintptr_t)text->bytes.data);
    free(text->borders);
    *text = (struct mohs_text){0};
}

void mohs_search_next(struct mohs_search *search, const struct mohs_text *text,
                      struct mohs_span piece) {
    const char *next = piece.data, *end = piece.data + piece.size;
    size_t size = text->bytes.size;
    assert(!search->found && size);
    while (search->matched && next < end) {
        search->matched = advance(text, search->matched, *next++);
        search->found = search->matched == size;
        if (search->found) return;
    }
    if (next == end) return;
    search->found = memmem(next, (size_t)(end - next), text->bytes.data, size) != NULL;
    if (search->found) return;
    if ((size_t)(end - next) >= size) next = end - (size - 1); // a longer end would be the text
    while (next < end) search->matched = advance(text, search->matched, *next++);
}
