/*
 * Mohs::Core::Records: records in memory, an engine's or those of a packed String, and exact
 * figures over them. They are read in place; methods that return packed Strings copy.
 */
#include "binding.h"
#include "records.h"

#include <string.h>

#include "core/select.h"

struct records {
    VALUE owner;
    size_t count;
    struct mohs_run *runs;
};

static void records_mark(void *data) {
    rb_gc_mark(
        ((struct records *)data)->owner); // pinned: a short String's bytes are inside the object
}

static void records_free(void *data) {
    struct records *records = data;
    xfree(records->runs);
    xfree(records);
}

static size_t records_size(const void *data) {
    const struct records *records = data;
    return sizeof *records + records->count * sizeof *records->runs;
}

static const rb_data_type_t records_type = {
    .wrap_struct_name = "Mohs::Core::Records",
    .function = {.dmark = records_mark, .dfree = records_free, .dsize = records_size},
    .flags = RUBY_TYPED_FREE_IMMEDIATELY,
};

static VALUE records_class;

VALUE mohs_records_new(VALUE owner, const struct mohs_run *runs, size_t count) {
    struct records *records;
    VALUE self = TypedData_Make_Struct(records_class, struct records, &records_type, records);
    records->owner = owner;
    records->runs = ALLOC_N(struct mohs_run, count ? count : 1);
    records->count = count;
    if (count) memcpy(records->runs, runs, count * sizeof *runs);
    return self;
}

static const struct records *get(VALUE self) {
    return rb_check_typeddata(self, &records_type);
}

const struct mohs_run *mohs_records_runs(VALUE self, size_t *count) {
    const struct records *records = get(self);
    *count = records->count;
    return records->runs;
}

static VALUE kinds, fields;

static enum mohs_kind kind_of(VALUE name) {
    return (enum mohs_kind)mohs_number_of(kinds, name);
}

/* Records.of(packed) -> Records */
static VALUE records_of(VALUE class, VALUE packed) {
    (void)class;
    Check_Type(packed, T_STRING);
    size_t bytes = (size_t)RSTRING_LEN(packed);
    if (bytes % sizeof(struct mohs_record))
        rb_raise(rb_eArgError, "%zu bytes are not a whole number of records", bytes);
    bool aligned = (uintptr_t)RSTRING_PTR(packed) % _Alignof(struct mohs_record) == 0;
    VALUE owner =
        aligned ? rb_str_new_frozen(packed) : rb_str_new(RSTRING_PTR(packed), (long)bytes);
    const void *start = RSTRING_PTR(owner);
    struct mohs_run run = {start, bytes / sizeof(struct mohs_record)};
    return mohs_records_new(owner, &run, 1);
}

/* size -> Integer */
static VALUE records_count(VALUE self) {
    const struct records *records = get(self);
    size_t size = 0;
    for (size_t at = 0; at < records->count; at++) size += records->runs[at].count;
    return SIZET2NUM(size);
}

/* slice(from, count) -> packed String, shorter at the end */
static VALUE records_slice(VALUE self, VALUE from, VALUE count) {
    const struct records *records = get(self);
    size_t skip = NUM2SIZET(from);
    size_t left = NUM2SIZET(count);
    VALUE packed = rb_str_buf_new(0);
    for (size_t at = 0; at < records->count && left; at++) {
        const struct mohs_run *run = &records->runs[at];
        size_t start = skip < run->count ? skip : run->count;
        size_t size = run->count - start < left ? run->count - start : left;
        rb_str_cat(packed, (const char *)(run->records + start),
                   (long)(size * sizeof *run->records));
        skip -= start;
        left -= size;
    }
    RB_GC_GUARD(self);
    return packed;
}

/* of_request(number) -> packed String of the records with that request number */
static VALUE records_of_request(VALUE self, VALUE number) {
    const struct records *records = get(self);
    unsigned wanted = NUM2UINT(number);
    VALUE packed = rb_str_buf_new(0);
    for (size_t at = 0; at < records->count; at++) {
        const struct mohs_run *run = &records->runs[at];
        for (size_t index = 0; index < run->count; index++)
            if (run->records[index].request == wanted)
                rb_str_cat(packed, (const char *)&run->records[index], sizeof *run->records);
    }
    RB_GC_GUARD(self);
    return packed;
}

/* due_between(from_ns, to_ns) -> packed String of the records due in [from_ns, to_ns) */
static VALUE records_due_between(VALUE self, VALUE from, VALUE to) {
    const struct records *records = get(self);
    uint64_t from_ns = NUM2ULL(from), to_ns = NUM2ULL(to);
    VALUE packed = rb_str_buf_new(0);
    for (size_t at = 0; at < records->count; at++) {
        const struct mohs_record *record = records->runs[at].records;
        for (const struct mohs_record *end = record + records->runs[at].count; record < end;
             record++)
            if (record->due_ns >= from_ns && record->due_ns < to_ns)
                rb_str_cat(packed, (const char *)record, sizeof *record);
    }
    RB_GC_GUARD(self);
    return packed;
}

/* Copies records into a packed String. */
static VALUE packed_copies(const struct mohs_record **records, size_t count) {
    VALUE packed = rb_str_buf_new((long)(count * sizeof **records));
    for (size_t at = 0; at < count; at++)
        rb_str_cat(packed, (const char *)records[at], sizeof **records);
    return packed;
}

/* each_batch(size) { |packed String| } -> nil: all records in the order in which they ended,
 * `size` at a time, fewer only at the end */
static VALUE records_each_batch(VALUE self, VALUE size) {
    const struct records *records = get(self);
    size_t most = NUM2SIZET(size), total = NUM2SIZET(records_count(self));
    if (!most) rb_raise(rb_eArgError, "a batch has one request or more");
    VALUE holder = 0;
    const struct mohs_record **ordered =
        rb_alloc_tmp_buffer2(&holder, (long)total + 1, sizeof(const struct mohs_record *));
    mohs_runs_ordered(records->runs, records->count, ordered);
    for (size_t from = 0; from < total; from += most)
        rb_yield(packed_copies(ordered + from, total - from < most ? total - from : most));
    rb_free_tmp_buffer(&holder);
    RB_GC_GUARD(self);
    return Qnil;
}

static VALUE count_with(VALUE self, VALUE kind, unsigned with) {
    const struct records *records = get(self);
    return ULL2NUM(mohs_count(records->runs, records->count, kind_of(kind), with));
}

/* good(kind) -> Integer: good requests outside warm-up that have a time of this kind */
static VALUE records_good(VALUE self, VALUE kind) {
    return count_with(self, kind, MOHS_ONLY_GOOD);
}

/* due(kind) -> Integer: these, and requests without a correct response */
static VALUE records_due(VALUE self, VALUE kind) {
    return count_with(self, kind, MOHS_WITH_FAILED);
}

/* select(kind, rank) -> ns */
static VALUE records_select(VALUE self, VALUE kind, VALUE rank) {
    const struct records *records = get(self);
    return ULL2NUM(
        mohs_select(records->runs, records->count, kind_of(kind), NUM2ULL(rank), MOHS_ONLY_GOOD));
}

/* lag(rank) -> ns, among the requests that due(:lag) counts: all that were sent */
static VALUE records_lag(VALUE self, VALUE rank) {
    const struct records *records = get(self);
    return ULL2NUM(
        mohs_select(records->runs, records->count, MOHS_LAG, NUM2ULL(rank), MOHS_WITH_FAILED));
}

/* rank(kind, rank) -> [ns, endless], among the requests that #due counts: mohs_rank */
static VALUE records_rank(VALUE self, VALUE kind, VALUE rank) {
    const struct records *records = get(self);
    struct mohs_ranked found =
        mohs_rank(records->runs, records->count, kind_of(kind), NUM2ULL(rank), MOHS_WITH_FAILED);
    return rb_assoc_new(ULL2NUM(found.ns), found.endless ? Qtrue : Qfalse);
}

/* records + others -> Records: both */
static VALUE records_plus(VALUE self, VALUE others) {
    const struct records *mine = get(self), *theirs = get(others);
    VALUE holder = 0;
    size_t count = mine->count + theirs->count;
    struct mohs_run *runs = rb_alloc_tmp_buffer2(&holder, (long)count + 1, sizeof *runs);
    if (mine->count) memcpy(runs, mine->runs, mine->count * sizeof *runs);
    if (theirs->count) memcpy(runs + mine->count, theirs->runs, theirs->count * sizeof *runs);
    VALUE both = mohs_records_new(rb_assoc_new(self, others), runs, count);
    rb_free_tmp_buffer(&holder);
    return both;
}

/* count_between(kind, low_ns, high_ns) -> Integer; of lags also those of requests that failed */
static VALUE records_between(VALUE self, VALUE name, VALUE low, VALUE high) {
    const struct records *records = get(self);
    enum mohs_kind kind = kind_of(name);
    unsigned with = kind == MOHS_LAG ? MOHS_WITH_FAILED : MOHS_ONLY_GOOD;
    return ULL2NUM(
        mohs_count_between(records->runs, records->count, kind, NUM2ULL(low), NUM2ULL(high), with));
}

/* good_after(ns) -> Integer */
static VALUE records_good_after(VALUE self, VALUE ns) {
    const struct records *records = get(self);
    return ULL2NUM(mohs_count_after(records->runs, records->count, NUM2ULL(ns)));
}

/* sent_between(packed edges in ns) -> packed counts, one fewer than edges */
static VALUE records_sent_between(VALUE self, VALUE packed) {
    const struct records *records = get(self);
    Check_Type(packed, T_STRING);
    size_t count = (size_t)RSTRING_LEN(packed) / sizeof(uint64_t);
    if (count < 2) rb_raise(rb_eArgError, "two edges or more are needed, not %zu", count);
    VALUE holder = 0, counts = rb_str_new(NULL, (long)((count - 1) * sizeof(uint64_t)));
    uint64_t *edges = rb_alloc_tmp_buffer2(&holder, (long)count, sizeof *edges);
    memcpy(edges, RSTRING_PTR(packed), count * sizeof *edges);
    memset(RSTRING_PTR(counts), 0, (size_t)RSTRING_LEN(counts));
    mohs_count_sent(records->runs, records->count, edges, count, (uint64_t *)RSTRING_PTR(counts));
    rb_free_tmp_buffer(&holder);
    RB_GC_GUARD(self);
    return counts;
}

/* errors -> [count of each class, by its number] */
static VALUE records_errors(VALUE self) {
    const struct records *records = get(self);
    uint64_t counts[MOHS_ERROR_COUNT] = {0};
    mohs_count_errors(records->runs, records->count, counts);
    VALUE list = rb_ary_new_capa(MOHS_ERROR_COUNT);
    for (int error = 0; error < MOHS_ERROR_COUNT; error++)
        rb_ary_push(list, ULL2NUM(counts[error]));
    return list;
}

#define SET_TOTAL(name, rule) rb_hash_aset(values, MOHS_KEY(name), ULL2NUM(totals.name));

/* totals -> Hash with the fields of struct mohs_totals */
static VALUE records_totals(VALUE self) {
    const struct records *records = get(self);
    struct mohs_totals totals;
    VALUE values = rb_hash_new();
    if (mohs_total(records->runs, records->count, &totals)) rb_memerror();
    RB_GC_GUARD(self);
    MOHS_TOTAL_FIELDS(SET_TOTAL)
    return values;
}

/* starved(least_ns) -> { connections:, longest_ns: }: see core/select.h */
static VALUE records_starved(VALUE self, VALUE least_ns) {
    const struct records *records = get(self);
    struct mohs_starved found;
    VALUE values = rb_hash_new();
    if (mohs_find_starved(records->runs, records->count, NUM2ULL(least_ns), &found)) rb_memerror();
    RB_GC_GUARD(self);
    rb_hash_aset(values, MOHS_KEY(connections), ULL2NUM(found.connections));
    rb_hash_aset(values, MOHS_KEY(longest_ns), ULL2NUM(found.longest_ns));
    return values;
}

/* ---- records by the names of their fields ---------------------------------------------------- */

#define FIELD_TEXT(name, detail) #name,

enum field {
#define FIELD_NUMBER(name, detail) FIELD_##name,
    MOHS_RECORD_FIELDS(FIELD_NUMBER, FIELD_NUMBER)
#undef FIELD_NUMBER
};

/* Times in ns, as record.h reads them. */
static VALUE field_value(const struct mohs_record *record, int field) {
    if (field == FIELD_sent_ns) return ULL2NUM(mohs_record_sent_ns(record));
    if (field == FIELD_first_ns) return ULL2NUM(mohs_record_first_ns(record));
    switch ((enum field)field) {
#define FIELD_CASE(name, detail)                                                                   \
    case FIELD_##name:                                                                             \
        return ULL2NUM((unsigned long long)record->name);
        MOHS_RECORD_FIELDS(FIELD_CASE, FIELD_CASE)
#undef FIELD_CASE
    }
    return Qnil;
}

/* values(from, count, [field]) -> [[value of each field] of each record] */
static VALUE records_values(VALUE self, VALUE from, VALUE count, VALUE wanted) {
    VALUE holder = 0, rows = rb_ary_new(), packed = records_slice(self, from, count);
    Check_Type(wanted, T_ARRAY);
    long width = RARRAY_LEN(wanted);
    int *numbers = rb_alloc_tmp_buffer2(&holder, width + 1, sizeof *numbers);
    for (long at = 0; at < width; at++)
        numbers[at] = mohs_number_of(fields, rb_ary_entry(wanted, at));
    for (long at = 0; at < RSTRING_LEN(packed); at += (long)sizeof(struct mohs_record)) {
        struct mohs_record record;
        VALUE row = rb_ary_new_capa(width);
        memcpy(&record, RSTRING_PTR(packed) + at, sizeof record);
        for (long field = 0; field < width; field++)
            rb_ary_push(row, field_value(&record, numbers[field]));
        rb_ary_push(rows, row);
    }
    rb_free_tmp_buffer(&holder);
    RB_GC_GUARD(packed);
    return rows;
}

static uint64_t number_in(VALUE values, VALUE name) {
    return NUM2ULL(rb_hash_lookup2(values, name, INT2FIX(0)));
}

/* Records.pack({ field: value }) -> packed record: fields that are left out are 0. Times that need
 * it are stored coarse. */
static VALUE records_pack(VALUE class, VALUE values) {
    (void)class;
    Check_Type(values, T_HASH);
    VALUE given = rb_funcall(values, rb_intern("keys"), 0);
    for (long at = 0; at < RARRAY_LEN(given); at++) mohs_number_of(fields, rb_ary_entry(given, at));
    uint64_t sent = number_in(values, MOHS_KEY(sent_ns)),
             first = number_in(values, MOHS_KEY(first_ns));
    bool coarse = sent > UINT32_MAX || first > UINT32_MAX;
    struct mohs_record record = {0};
#define SET_PLAIN(name, type) record.name = (type)number_in(values, MOHS_KEY(name));
#define SET_BITS(name, width)                                                                      \
    record.name = number_in(values, MOHS_KEY(name)) & ((UINT64_C(1) << width) - 1);
    MOHS_RECORD_FIELDS(SET_PLAIN, SET_BITS)
#undef SET_PLAIN
#undef SET_BITS
    record.sent_ns = (uint32_t)(coarse ? sent / MOHS_COARSE_NS : sent);
    record.first_ns = (uint32_t)(coarse ? first / MOHS_COARSE_NS : first);
    if (coarse) record.flags |= MOHS_RECORD_COARSE;
    return rb_str_new((const char *)&record, sizeof record);
}

static void define_layout(void) {
#define FLAG_TEXT(constant, name, bit) #name,
    fields = mohs_define_names(
        "RECORD_FIELDS", (const char *const[]){MOHS_RECORD_FIELDS(FIELD_TEXT, FIELD_TEXT) NULL});
    struct mohs_record longest;
    memset(&longest, 0xff, sizeof longest);
    rb_define_const(mohs_mCore, "LONGEST_DUE_NS", ULL2NUM((unsigned long long)longest.due_ns));
    mohs_define_names("RECORD_FLAGS", (const char *const[]){MOHS_RECORD_FLAGS(FLAG_TEXT) NULL});
}

void mohs_init_records(void) {
    records_class = rb_define_class_under(mohs_mCore, "Records", rb_cObject);
    rb_undef_alloc_func(records_class);
    rb_define_singleton_method(records_class, "of", records_of, 1);
    rb_define_singleton_method(records_class, "pack", records_pack, 1);
    rb_define_method(records_class, "values", records_values, 3);
    rb_define_method(records_class, "size", records_count, 0);
    rb_define_method(records_class, "slice", records_slice, 2);
    rb_define_method(records_class, "of_request", records_of_request, 1);
    rb_define_method(records_class, "due_between", records_due_between, 2);
    rb_define_method(records_class, "each_batch", records_each_batch, 1);
    rb_define_method(records_class, "good", records_good, 1);
    rb_define_method(records_class, "due", records_due, 1);
    rb_define_method(records_class, "select", records_select, 2);
    rb_define_method(records_class, "lag", records_lag, 1);
    rb_define_method(records_class, "rank", records_rank, 2);
    rb_define_method(records_class, "+", records_plus, 1);
    rb_define_method(records_class, "count_between", records_between, 3);
    rb_define_method(records_class, "errors", records_errors, 0);
    rb_define_method(records_class, "totals", records_totals, 0);
    rb_define_method(records_class, "starved", records_starved, 1);
    rb_define_method(records_class, "good_after", records_good_after, 1);
    rb_define_method(records_class, "sent_between", records_sent_between, 1);
    kinds = MOHS_DEFINE_NAMES("TIME_KINDS", MOHS_KINDS);
    define_layout();
}
