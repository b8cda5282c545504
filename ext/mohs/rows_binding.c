/*
 * Core.rows: packed records (core/record.h) as lines of text, in a form given by Ruby.
 */
#include "binding.h"

#include <string.h>

#include "core/rows.h"

static struct mohs_span span_of(VALUE text) {
    Check_Type(text, T_STRING);
    return (struct mohs_span){RSTRING_PTR(text), (size_t)RSTRING_LEN(text)};
}

static void take(VALUE texts, struct mohs_span *spans, long count) {
    Check_Type(texts, T_ARRAY);
    if (RARRAY_LEN(texts) != count)
        rb_raise(rb_eArgError, "%ld texts are needed, not %ld", count, RARRAY_LEN(texts));
    for (long at = 0; at < count; at++) spans[at] = span_of(rb_ary_entry(texts, at));
}

/* Core.rows(packed, [before each column], [of each error], [of each set of flags], unknown, end)
 * -> String. Allocates room for all rows at once, so pass a few thousand records at a time. */
static VALUE rows(VALUE self, VALUE packed, VALUE before, VALUE errors, VALUE flags, VALUE unknown,
                  VALUE end) {
    (void)self;
    struct mohs_row_form form = {.unknown = span_of(unknown), .end = span_of(end)};
    take(before, form.before, MOHS_COLUMN_COUNT);
    take(errors, form.errors, MOHS_ERROR_COUNT);
    take(flags, form.flags, MOHS_FLAG_SETS);
    Check_Type(packed, T_STRING);
    size_t count = (size_t)RSTRING_LEN(packed) / sizeof(struct mohs_record);
    VALUE text = rb_str_buf_new((long)(count * mohs_row_bound(&form)));
    char *out = RSTRING_PTR(text);
    for (size_t at = 0; at < count; at++) {
        struct mohs_record record; // a short String's bytes may be unaligned
        memcpy(&record, RSTRING_PTR(packed) + at * sizeof record, sizeof record);
        out = mohs_row_write(&form, &record, out);
    }
    rb_str_set_len(text, out - RSTRING_PTR(text));
    RB_GC_GUARD(packed);
    RB_GC_GUARD(before);
    RB_GC_GUARD(errors);
    RB_GC_GUARD(flags);
    RB_GC_GUARD(unknown);
    RB_GC_GUARD(end);
    return text;
}

void mohs_init_rows(void) {
    MOHS_DEFINE_NAMES("ROW_COLUMNS", MOHS_COLUMNS);
    rb_define_module_function(mohs_mCore, "rows", rows, 6);
}
