/*
 * Mohs::Core::Fold: core/fold.h for Ruby. Load::Fold deals with units and shares; here are ranks,
 * and arrays of uint64_t as packed Strings. Folding and ranking take seconds over 10^8 requests,
 * so they release the GVL: meanwhile the String can't be changed, and no other thread can use the
 * fold.
 */
#include "binding.h"
#include "records.h"

#include <ruby/thread.h>
#include <string.h>

#include "core/codec.h"
#include "core/fold.h"
#include "core/ranking.h"

struct holder {
    struct mohs_fold *fold; /* NULL until it is set up */
    bool busy;
    size_t counted; /* bytes that the garbage collector knows about */
};

/* Tells the garbage collector about the memory that Ruby does not see. Otherwise it would let
 * folds of half a gigabyte wait, since the object is small. */
static void count_bytes(struct holder *holder) {
    size_t bytes = holder->fold ? mohs_fold_bytes(holder->fold) : 0;
    rb_gc_adjust_memory_usage((ssize_t)bytes - (ssize_t)holder->counted);
    holder->counted = bytes;
}

static void holder_free(void *data) {
    struct holder *holder = data;
    mohs_fold_free(holder->fold);
    holder->fold = NULL;
    count_bytes(holder);
    xfree(holder);
}

static size_t holder_size(const void *data) {
    const struct holder *holder = data;
    return sizeof *holder + (holder->fold ? mohs_fold_bytes(holder->fold) : 0);
}

static const rb_data_type_t fold_type = {
    .wrap_struct_name = "Mohs::Core::Fold",
    .function = {.dfree = holder_free, .dsize = holder_size},
    .flags = RUBY_TYPED_FREE_IMMEDIATELY | RUBY_TYPED_WB_PROTECTED,
};

static VALUE fold_alloc(VALUE class) {
    struct holder *holder;
    return TypedData_Make_Struct(class, struct holder, &fold_type, holder);
}

/* The fold, set up and used by nobody else; raises otherwise. */
static struct holder *at_rest(VALUE self) {
    struct holder *holder = rb_check_typeddata(self, &fold_type);
    if (!holder->fold) rb_raise(rb_eRuntimeError, "the fold was not set up");
    if (holder->busy) rb_raise(rb_eThreadError, "the fold is at work in another thread");
    return holder;
}

/* A copy of packed numbers. Raises ArgumentError unless they ascend and are at most `most`. */
static uint64_t *ascending(VALUE packed, size_t most, size_t *count, VALUE *buffer) {
    Check_Type(packed, T_STRING);
    size_t bytes = (size_t)RSTRING_LEN(packed);
    *count = bytes / sizeof(uint64_t);
    if (bytes % sizeof(uint64_t) || *count > most)
        rb_raise(rb_eArgError, "%zu bytes are not at most %zu packed numbers", bytes, most);
    uint64_t *numbers = rb_alloc_tmp_buffer2(buffer, (long)*count + 1, sizeof *numbers);
    if (bytes) memcpy(numbers, RSTRING_PTR(packed), bytes);
    for (size_t at = 1; at < *count; at++)
        if (numbers[at] < numbers[at - 1]) rb_raise(rb_eArgError, "number %zu descends", at);
    return numbers;
}

/* Fold.new(kind, packed edges in ns, packed starts of rows in ns): see core/fold.h for their
 * rules */
static VALUE fold_initialize(VALUE self, VALUE kind, VALUE edges, VALUE rows) {
    static const char *const kinds[] = {"service", "response"};
    struct holder *holder = rb_check_typeddata(self, &fold_type);
    VALUE edge_buffer = 0, row_buffer = 0, name = rb_sym2str((Check_Type(kind, T_SYMBOL), kind));
    struct mohs_fold_spec spec = {.kind = MOHS_SERVICE};
    if (holder->fold) rb_raise(rb_eRuntimeError, "the fold was set up before");
    if (strcmp(StringValueCStr(name), kinds[1]) == 0) spec.kind = MOHS_RESPONSE;
    else if (strcmp(StringValueCStr(name), kinds[0]) != 0)
        rb_raise(rb_eArgError, "%+" PRIsVALUE " is neither :service nor :response", kind);
    spec.edges_ns = ascending(edges, MOHS_FOLD_COLUMNS + 1, &spec.edges, &edge_buffer);
    spec.rows_ns = ascending(rows, MOHS_FOLD_ROWS, &spec.rows, &row_buffer);
    if (spec.edges >= 2 && spec.rows == 0) rb_raise(rb_eArgError, "columns need a row or more");
    holder->fold = mohs_fold_new(&spec);
    rb_free_tmp_buffer(&edge_buffer);
    rb_free_tmp_buffer(&row_buffer);
    if (!holder->fold) rb_memerror();
    count_bytes(holder);
    return self;
}

/* One call without the GVL, of add or of ranks. */
struct call {
    struct holder *holder;
    VALUE locked; /* String that can't be changed meanwhile; nil: none, or it is frozen */
    void *(*work)(void *);
    const uint8_t *in;
    size_t size;
    size_t at;
    const uint64_t *ranks;
    struct mohs_ranked *found;
    int error;
};

static VALUE leave(VALUE argument) {
    struct call *call = (struct call *)argument;
    rb_thread_call_without_gvl(call->work, call, NULL, NULL);
    return Qnil;
}

static VALUE come_back(VALUE argument) {
    struct call *call = (struct call *)argument;
    call->holder->busy = false;
    if (!NIL_P(call->locked)) rb_str_unlocktmp(call->locked);
    return Qnil;
}

/* An interrupt waits until the work is done: a part of the store takes a tenth of a second. */
static void without_gvl(struct call *call) {
    if (!NIL_P(call->locked)) rb_str_locktmp(call->locked);
    call->holder->busy = true;
    rb_ensure(leave, (VALUE)call, come_back, (VALUE)call);
}

static void *add_work(void *data) {
    struct call *call = data;
    call->error = mohs_fold_add(call->holder->fold, call->in, call->size, &call->at);
    return NULL;
}

/* add(frames) -> self. Raises StoreError on damaged input; the frames before it have been
 * added. */
static VALUE fold_add(VALUE self, VALUE frames) {
    struct call call = {.holder = at_rest(self), .locked = Qnil, .work = add_work};
    Check_Type(frames, T_STRING);
    call.in = (const uint8_t *)RSTRING_PTR(frames);
    call.size = (size_t)RSTRING_LEN(frames);
    if (!OBJ_FROZEN(frames)) call.locked = frames;
    without_gvl(&call);
    RB_GC_GUARD(frames);
    count_bytes(call.holder);
    if (call.error == MOHS_CODEC_MEMORY) rb_memerror();
    if (call.error) mohs_refuse_frames(call.error, (long)call.at);
    return self;
}

/* add_records(Records) -> self: as they are in memory, not encoded */
static VALUE fold_add_records(VALUE self, VALUE records) {
    struct holder *holder = at_rest(self);
    size_t count;
    const struct mohs_run *runs = mohs_records_runs(records, &count);
    for (size_t at = 0; at < count; at++)
        if (mohs_fold_records(holder->fold, runs[at].records, runs[at].count)) rb_memerror();
    RB_GC_GUARD(records);
    count_bytes(holder);
    return self;
}

static void *rank_work(void *data) {
    struct call *call = data;
    call->error = mohs_fold_ranks(call->holder->fold, call->ranks, call->size, call->found);
    return NULL;
}

/* ranks([rank]) -> [[ns, endless] of each], as Records#rank returns among good and failed
 * requests */
static VALUE fold_ranks(VALUE self, VALUE wanted) {
    struct call call = {.holder = at_rest(self), .locked = Qnil, .work = rank_work};
    uint64_t ranks[MOHS_RANKING_RANKS];
    struct mohs_ranked found[MOHS_RANKING_RANKS];
    Check_Type(wanted, T_ARRAY);
    if (RARRAY_LEN(wanted) > MOHS_RANKING_RANKS)
        rb_raise(rb_eArgError, "%ld ranks: at most %d at once", RARRAY_LEN(wanted),
                 MOHS_RANKING_RANKS);
    call.size = (size_t)RARRAY_LEN(wanted);
    for (size_t at = 0; at < call.size; at++) ranks[at] = NUM2ULL(rb_ary_entry(wanted, (long)at));
    call.ranks = ranks;
    call.found = found;
    without_gvl(&call);
    if (call.error) rb_memerror();
    VALUE list = rb_ary_new_capa((long)call.size);
    for (size_t at = 0; at < call.size; at++)
        rb_ary_push(list, rb_assoc_new(ULL2NUM(found[at].ns), found[at].endless ? Qtrue : Qfalse));
    return list;
}

#define SET_FOLDED(name, rule) rb_hash_aset(values, MOHS_KEY(name), ULL2NUM(result->name));

/* totals -> Hash with the fields of MOHS_FOLD_FIELDS */
static VALUE fold_totals(VALUE self) {
    const struct mohs_folded *result = mohs_fold_result(at_rest(self)->fold);
    VALUE values = rb_hash_new();
    MOHS_FOLD_FIELDS(SET_FOLDED)
    return values;
}

static VALUE packed(const uint64_t *numbers, size_t count) {
    return rb_str_new((const char *)numbers, (long)(count * sizeof *numbers));
}

/* cells -> packed counts of good requests, column by column */
static VALUE fold_cells(VALUE self) {
    const struct mohs_folded *result = mohs_fold_result(at_rest(self)->fold);
    return packed(result->cells, result->columns * result->rows);
}

/* failed_at -> packed count of failed requests of each column */
static VALUE fold_failed_at(VALUE self) {
    const struct mohs_folded *result = mohs_fold_result(at_rest(self)->fold);
    return packed(result->failed_at, result->columns);
}

/* errors -> packed count of each class, by its number */
static VALUE fold_errors(VALUE self) {
    return packed(mohs_fold_result(at_rest(self)->fold)->errors, MOHS_ERROR_COUNT);
}

void mohs_init_fold(void) {
    VALUE class = rb_define_class_under(mohs_mCore, "Fold", rb_cObject);
    rb_define_alloc_func(class, fold_alloc);
    rb_define_const(class, "MOST_RANKS", INT2FIX(MOHS_RANKING_RANKS));
    rb_define_method(class, "initialize", fold_initialize, 3);
    rb_define_method(class, "add", fold_add, 1);
    rb_define_method(class, "add_records", fold_add_records, 1);
    rb_define_method(class, "ranks", fold_ranks, 1);
    rb_define_method(class, "totals", fold_totals, 0);
    rb_define_method(class, "cells", fold_cells, 0);
    rb_define_method(class, "failed_at", fold_failed_at, 0);
    rb_define_method(class, "errors", fold_errors, 0);
}
