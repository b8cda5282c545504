/*
 * For benchmark/probe.rb: what it costs to take the global VM lock, and how often it is taken.
 * Compiled for the Ruby under test, as ext/mohs/inside/gvl_wait.c is.
 */

#include <ruby/ruby.h>
#include <ruby/thread.h>
#include <stdint.h>
#include <time.h>

static uint64_t taken;
static rb_internal_thread_event_hook_t *hook;

static void on_taken(rb_event_flag_t flag, const rb_internal_thread_event_data_t *event,
                     void *unused) {
    (void)flag, (void)event, (void)unused;
    __atomic_fetch_add(&taken, 1, __ATOMIC_RELAXED);
}

static void *nothing(void *unused) {
    return unused;
}

static uint64_t cpu_ns(void) {
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

/* CPU time for giving up the lock and taking it again so many times. */
static VALUE cycles_ns(VALUE self, VALUE count) {
    (void)self;
    long left = NUM2LONG(count);
    uint64_t began_ns = cpu_ns();
    while (left-- > 0) rb_thread_call_without_gvl(nothing, NULL, NULL, NULL);
    return ULL2NUM(cpu_ns() - began_ns);
}

static VALUE start(VALUE self) {
    hook = rb_internal_thread_add_event_hook(on_taken, RUBY_INTERNAL_THREAD_EVENT_RESUMED, NULL);
    return self;
}

/* Returns how often the lock was taken. */
static VALUE stop(VALUE self) {
    (void)self;
    rb_internal_thread_remove_event_hook(hook);
    return ULL2NUM(__atomic_load_n(&taken, __ATOMIC_RELAXED));
}

void Init_lock(void);

void Init_lock(void) {
    VALUE module = rb_define_module("MohsLock");
    rb_define_singleton_method(module, "cycles_ns", cycles_ns, 1);
    rb_define_singleton_method(module, "start", start, 0);
    rb_define_singleton_method(module, "stop", stop, 0);
}
