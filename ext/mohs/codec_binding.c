/*
 * Mohs::Core::Codec: core/codec.c for Ruby Strings of packed records (core/record.h). It keeps no
 * state: each call has its own scratch space, which is freed even if Ruby raises inside it.
 */
#include "binding.h"

#include <stdlib.h>
#include <string.h>

#include "core/codec.h"

enum { USUAL = 6 }; /* usual bytes of an encoded record; the String grows if it needs more */

/* One call: its input, its output, and its own memory for a frame, encoded and as records. */
struct job {
    VALUE input;
    VALUE output;
    struct mohs_codec *codec;
    uint8_t *frame;
    struct mohs_record *records; /* aligned, which a slice of a String may not be */
};

static VALUE finish(VALUE argument) {
    struct job *job = (struct job *)argument;
    mohs_codec_free(job->codec);
    free(job->frame);
    free(job->records);
    return Qnil;
}

static VALUE run(VALUE (*work)(VALUE), VALUE input) {
    StringValue(input);
    /* No Ruby code runs meanwhile, so the input stays unchanged; a frozen copy would keep its
     * memory until the garbage collector runs. */
    struct job job = {.input = input, .output = Qnil, .codec = mohs_codec_new()};
    job.frame = malloc(mohs_codec_bound(MOHS_CODEC_FRAME));
    job.records = malloc(MOHS_CODEC_FRAME * sizeof *job.records);
    if (!job.codec || !job.frame || !job.records) {
        finish((VALUE)&job);
        rb_memerror();
    }
    VALUE output = rb_ensure(work, (VALUE)&job, finish, (VALUE)&job);
    RB_GC_GUARD(job.input);
    return output;
}

void mohs_refuse_frames(int error, long at) {
    rb_raise(rb_path2class("Mohs::StoreError"),
             "these observations cannot be read: at byte %ld, %s. Restore them from a copy, or "
             "measure again.",
             at, mohs_codec_message(error));
}

static VALUE encode_work(VALUE argument) {
    struct job *job = (struct job *)argument;
    size_t total = (size_t)RSTRING_LEN(job->input) / sizeof(struct mohs_record);
    job->output = rb_str_buf_new((long)total * USUAL);
    for (size_t at = 0, length; at < total; at += MOHS_CODEC_FRAME) {
        size_t count = total - at < MOHS_CODEC_FRAME ? total - at : MOHS_CODEC_FRAME;
        size_t size = sizeof *job->records;
        memcpy(job->records, RSTRING_PTR(job->input) + at * size, count * size);
        int error = mohs_codec_encode(job->codec, job->records, count, job->frame, &length);
        if (error) rb_memerror();
        rb_str_cat(job->output, (const char *)job->frame, (long)length);
    }
    return job->output;
}

/* Codec.encode(packed records) -> frames, as one binary String. */
static VALUE codec_encode(VALUE self, VALUE packed) {
    (void)self;
    StringValue(packed);
    if (RSTRING_LEN(packed) % (long)sizeof(struct mohs_record)) {
        rb_raise(rb_eArgError, "%ld bytes are not a whole number of 32-byte records",
                 RSTRING_LEN(packed));
    }
    return run(encode_work, packed);
}

/* Calls each(job, at, length, count) for the frames in order. */
static void walk(struct job *job,
                 void (*each)(struct job *, const uint8_t *, long, size_t, size_t)) {
    const uint8_t *in = (const uint8_t *)RSTRING_PTR(job->input);
    size_t size = (size_t)RSTRING_LEN(job->input);
    for (size_t at = 0, length, count; at < size; at += length) {
        int error = mohs_codec_peek(in + at, size - at, &length, &count);
        if (error) mohs_refuse_frames(error, (long)at);
        each(job, in + at, (long)at, length, count);
    }
}

static void decode_frame(struct job *job, const uint8_t *in, long at, size_t length, size_t count) {
    int error = mohs_codec_decode(job->codec, in, length, job->records);
    if (error) mohs_refuse_frames(error, at);
    rb_str_cat(job->output, (const char *)job->records, (long)(count * sizeof *job->records));
}

static VALUE decode_work(VALUE argument) {
    struct job *job = (struct job *)argument;
    job->output = rb_str_buf_new(0);
    walk(job, decode_frame);
    return job->output;
}

/* Codec.decode(frames) -> packed records. Raises StoreError on damaged input. */
static VALUE codec_decode(VALUE self, VALUE frames) {
    (void)self;
    return run(decode_work, frames);
}

static void list_frame(struct job *job, const uint8_t *in, long at, size_t length, size_t count) {
    (void)in, (void)at;
    rb_ary_push(job->output, rb_assoc_new(SIZET2NUM(length), SIZET2NUM(count)));
}

static VALUE frames_work(VALUE argument) {
    struct job *job = (struct job *)argument;
    job->output = rb_ary_new();
    walk(job, list_frame);
    return job->output;
}

/* Codec.frames(frames) -> [[bytes, records] of each frame]; reads the headers only. */
static VALUE codec_frames(VALUE self, VALUE frames) {
    (void)self;
    return run(frames_work, frames);
}

void mohs_init_codec(void) {
    VALUE mCodec = rb_define_module_under(mohs_mCore, "Codec");
    rb_define_module_function(mCodec, "encode", codec_encode, 1);
    rb_define_module_function(mCodec, "decode", codec_decode, 1);
    rb_define_module_function(mCodec, "frames", codec_frames, 1);
}
