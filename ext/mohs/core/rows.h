/*
 * Records as lines of text, one value after another. The form holds the text between values and
 * the words for errors and flags, so that CSV and JSON differ only in data.
 */
#ifndef MOHS_ROWS_H
#define MOHS_ROWS_H

#include <stddef.h>

#include "error.h"
#include "fields.h"
#include "http.h"
#include "record.h"

/* The columns, in this order. Times are in ns as in record.h, never coarse. */
#define MOHS_COLUMNS(NAME)                                                                         \
    NAME(COLUMN_DUE, due_ns)                                                                       \
    NAME(COLUMN_SENT, sent_ns)                                                                     \
    NAME(COLUMN_FIRST, first_ns)                                                                   \
    NAME(COLUMN_DONE, done_ns)                                                                     \
    NAME(COLUMN_STATUS, status)                                                                    \
    NAME(COLUMN_ERROR, error)                                                                      \
    NAME(COLUMN_BYTES, bytes)                                                                      \
    NAME(COLUMN_CONNECTION, connection)                                                            \
    NAME(COLUMN_REQUEST, request)                                                                  \
    NAME(COLUMN_FLAGS, flags)

enum mohs_column { MOHS_COLUMNS(MOHS_DECLARE_NAME) MOHS_COLUMN_COUNT };

#define MOHS_FLAG_SETS 256 /* values of mohs_record.flags */

/* The texts belong to the caller and must stay in place while rows are written. */
struct mohs_row_form {
    struct mohs_span before[MOHS_COLUMN_COUNT]; /* each column; the first also starts the line */
    struct mohs_span unknown;                   /* for an unknown value */
    struct mohs_span errors[MOHS_ERROR_COUNT];  /* by class, MOHS_OK included */
    struct mohs_span flags[MOHS_FLAG_SETS];
    struct mohs_span end; /* of a line */
};

/* The most bytes that a row of this form takes. */
size_t mohs_row_bound(const struct mohs_row_form *form);

/* Writes one row to `out`, which has room for mohs_row_bound bytes, and returns its end. An
 * unknown error class (of a later version) becomes "other". */
char *mohs_row_write(const struct mohs_row_form *form, const struct mohs_record *record, char *out);

#endif
