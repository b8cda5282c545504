/*
 * The parser of event streams. How a stream is cut must not change what is found, and the pieces of
 * a stream must be those of its bytes.
 */
#include "core/sse.h"

#include "fuzz.h"

struct found {
    uint64_t events;
    uint64_t fields;
    uint64_t piece_bytes;
    uint64_t data_bytes;
    uint64_t retry_ms;
    uLong digest;
};

static void note(struct found *found, const struct mohs_sse *sse, enum mohs_sse_found what) {
    uint64_t facts[] = {what,          sse->data_bytes, sse->data_lines,
                        sse->retry_ms, sse->field,      sse->valid};
    if (what == MOHS_SSE_EVENT) facts[4] = facts[5] = 0; // of the last field before it
    found->digest = crc32(found->digest, (const Bytef *)facts, sizeof facts);
    found->events += what == MOHS_SSE_EVENT;
    found->fields += what == MOHS_SSE_FIELD;
    if (what != MOHS_SSE_EVENT) return;
    HOLDS(sse->data_lines > 0 && sse->data_bytes >= sse->data_lines - 1);
    found->data_bytes += sse->data_bytes - (sse->data_lines - 1);
}

static struct found parse(const char *bytes, size_t size, const struct cuts *cuts) {
    static struct room room;
    struct found found = {0};
    struct mohs_sse sse;
    struct mohs_span piece;
    mohs_sse_begin(&sse);
    for (size_t from = 0; from < size;) {
        size_t end = cuts ? cut_behind(*cuts, from, size) : size;
        const char *start = room_copy(&room, bytes + from, end - from);
        const char *cursor = start, *stop = start + (end - from);
        enum mohs_sse_found what;
        while ((what = mohs_sse_next(&sse, &cursor, stop, &piece)) != MOHS_SSE_MORE) {
            if (what != MOHS_SSE_PIECE) {
                note(&found, &sse, what);
                continue;
            }
            HOLDS(piece.data >= start && piece.size > 0 && piece.data + piece.size == cursor);
            found.digest = crc32(found.digest, (const Bytef *)piece.data, (uInt)piece.size);
            found.piece_bytes += piece.size;
        }
        HOLDS(cursor == stop);
        from = end;
    }
    found.retry_ms = sse.retry_ms;
    return found;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size == 0) return 0;
    const char *bytes = (const char *)data;
    struct cuts cuts = cuts_of(bytes, size);
    struct found whole = parse(bytes, size, NULL), cut = parse(bytes, size, &cuts);
    HOLDS(memcmp(&whole, &cut, sizeof whole) == 0);
    HOLDS(whole.data_bytes <= whole.piece_bytes && whole.piece_bytes <= size);
    HOLDS(whole.events <= whole.fields);
    return 0;
}
