#include "rows.h"

#include <string.h>

#define DIGITS 20 /* of the largest uint64_t */

static size_t longest(const struct mohs_span *spans, size_t count) {
    size_t most = 0;
    for (size_t at = 0; at < count; at++)
        if (spans[at].size > most) most = spans[at].size;
    return most;
}

size_t mohs_row_bound(const struct mohs_row_form *form) {
    size_t bound = longest(form->errors, MOHS_ERROR_COUNT) + longest(form->flags, MOHS_FLAG_SETS);
    size_t value = form->unknown.size > DIGITS ? form->unknown.size : DIGITS;
    for (size_t at = 0; at < MOHS_COLUMN_COUNT; at++) bound += form->before[at].size + value;
    return bound + form->end.size;
}

static char *put(char *out, struct mohs_span text) {
    if (text.size) memcpy(out, text.data, text.size);
    return out + text.size;
}

static char *put_number(char *out, uint64_t number) {
    char digits[DIGITS];
    size_t first = DIGITS;
    do {
        digits[--first] = (char)('0' + number % 10);
        number /= 10;
    } while (number);
    memcpy(out, digits + first, DIGITS - first);
    return out + DIGITS - first;
}

/* Without a connection nothing was sent. */
static bool was_sent(uint8_t error) {
    switch (error) {
    case MOHS_REFUSED:
    case MOHS_UNREACHABLE:
    case MOHS_CONNECT_TIMEOUT:
    case MOHS_NO_LOCAL_PORT:
    case MOHS_NO_DESCRIPTOR:
        return false;
    default:
        return true;
    }
}

char *mohs_row_write(const struct mohs_row_form *form, const struct mohs_record *record,
                     char *out) {
    uint8_t error = record->error < MOHS_ERROR_COUNT ? record->error : MOHS_OTHER;
    const struct {
        bool known;
        uint64_t value;
    } numbers[MOHS_COLUMN_COUNT] = {
        [MOHS_COLUMN_DUE] = {true, record->due_ns},
        [MOHS_COLUMN_SENT] = {was_sent(error), mohs_record_sent_ns(record)},
        [MOHS_COLUMN_FIRST] = {record->first_ns != 0, mohs_record_first_ns(record)},
        [MOHS_COLUMN_DONE] = {true, record->done_ns},
        [MOHS_COLUMN_STATUS] = {record->status != 0, record->status},
        [MOHS_COLUMN_BYTES] = {true, record->bytes},
        [MOHS_COLUMN_CONNECTION] = {true, record->connection},
        [MOHS_COLUMN_REQUEST] = {true, record->request},
    };
    for (size_t column = 0; column < MOHS_COLUMN_COUNT; column++) {
        out = put(out, form->before[column]);
        if (column == MOHS_COLUMN_ERROR) out = put(out, form->errors[error]);
        else if (column == MOHS_COLUMN_FLAGS) out = put(out, form->flags[record->flags]);
        else if (numbers[column].known) out = put_number(out, numbers[column].value);
        else out = put(out, form->unknown);
    }
    return put(out, form->end);
}
