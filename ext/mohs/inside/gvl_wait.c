/*
 * How long the threads of a CRuby have waited for the global VM lock, by the hooks that it has had
 * since 3.2. Probes::Extension compiles it for each Ruby; inside/attest.rb loads it into the
 * measured server. It counts from `start`, at the server's boot, until the server ends, whether or
 * not mohs asks; `stop` is for benchmark/probe.rb.
 */

#include <ruby/ruby.h>
#include <ruby/thread.h>
#include <ruby/version.h>
#include <stdint.h>
#include <time.h>

static uint64_t waited_ns;
static uint64_t started_ns;
static rb_internal_thread_event_hook_t *hook;

/*
 * When a thread began to wait; 0 if it is not waiting. Since 3.3 another thread may report a
 * thread as ready: the one that wakes it up or starts it.
 */
#if RUBY_API_VERSION_CODE >= 30300
static rb_internal_thread_specific_key_t key;

static uint64_t ready_ns(const rb_internal_thread_event_data_t *event) {
    return (uint64_t)(uintptr_t)rb_internal_thread_specific_get(event->thread, key);
}

static void set_ready_ns(const rb_internal_thread_event_data_t *event, uint64_t ns) {
    rb_internal_thread_specific_set(event->thread, key, (void *)(uintptr_t)ns);
}

static void prepare(void) {
    key = rb_internal_thread_specific_key_create();
}
#else
static __thread uint64_t own_ready_ns;

static uint64_t ready_ns(const rb_internal_thread_event_data_t *event) {
    (void)event;
    return own_ready_ns;
}

static void set_ready_ns(const rb_internal_thread_event_data_t *event, uint64_t ns) {
    (void)event;
    own_ready_ns = ns;
}

static void prepare(void) {
}
#endif

static uint64_t now_ns(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

/*
 * Called without the lock (ready), then with it (resumed). A thread that was waiting when counting
 * stopped has an old time.
 */
static void on_event(rb_event_flag_t flag, const rb_internal_thread_event_data_t *event,
                     void *unused) {
    (void)unused;
    uint64_t since_ns = ready_ns(event);
    if (since_ns < started_ns) since_ns = 0;
    if (flag == RUBY_INTERNAL_THREAD_EVENT_READY) {
        if (since_ns == 0) set_ready_ns(event, now_ns());
    } else if (since_ns != 0) {
        /* Each Ractor has its own lock. */
        __atomic_fetch_add(&waited_ns, now_ns() - since_ns, __ATOMIC_RELAXED);
        set_ready_ns(event, 0);
    }
}

static VALUE start(VALUE self) {
    if (hook == NULL) {
        started_ns = now_ns();
        hook = rb_internal_thread_add_event_hook(
            on_event, RUBY_INTERNAL_THREAD_EVENT_READY | RUBY_INTERNAL_THREAD_EVENT_RESUMED, NULL);
    }
    return self;
}

static VALUE stop(VALUE self) {
    if (hook != NULL) rb_internal_thread_remove_event_hook(hook);
    hook = NULL;
    return self;
}

static VALUE total_ns(VALUE self) {
    (void)self;
    return ULL2NUM(__atomic_load_n(&waited_ns, __ATOMIC_RELAXED));
}

void Init_gvl_wait(void);

void Init_gvl_wait(void) {
    VALUE module = rb_define_module("MohsGvlWait");
    prepare();
    rb_define_singleton_method(module, "start", start, 0);
    rb_define_singleton_method(module, "stop", stop, 0);
    rb_define_singleton_method(module, "total_ns", total_ns, 0);
}
