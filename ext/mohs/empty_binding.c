/* Mohs::Core::EmptyServer: one server of core/empty.h. */
#include "binding.h"

#include "core/empty.h"

static void free_server(void *pointer) {
    mohs_empty_free(pointer);
    ruby_xfree(pointer);
}

static const rb_data_type_t server_type = {
    .wrap_struct_name = "Mohs::Core::EmptyServer",
    .function = {.dfree = free_server},
    .flags = RUBY_TYPED_FREE_IMMEDIATELY,
};

static struct mohs_empty *get(VALUE self) {
    struct mohs_empty *server;
    TypedData_Get_Struct(self, struct mohs_empty, &server_type, server);
    return server;
}

static VALUE server_alloc(VALUE class) {
    struct mohs_empty *server;
    VALUE self = TypedData_Make_Struct(class, struct mohs_empty, &server_type, server);
    *server = (struct mohs_empty){.listener = -1, .stop = -1, .epoll = -1};
    return self;
}

/* new(bytes of an answer's body): listens. Raises a SystemCallError. */
static VALUE server_initialize(VALUE self, VALUE body_bytes) {
    mohs_empty_free(get(self));
    int error = mohs_empty_init(get(self), NUM2SIZET(body_bytes));
    if (error) rb_syserr_fail(-error, "a server of our own");
    return self;
}

/* start(bytes of a request) -> nil */
static VALUE server_start(VALUE self, VALUE request_bytes) {
    struct mohs_empty *server = get(self);
    if (server->request_bytes || server->listener < 0) rb_raise(rb_eArgError, "start it once");
    int error = mohs_empty_start(server, NUM2SIZET(request_bytes));
    if (error) rb_syserr_fail(-error, "a server of our own");
    return Qnil;
}

/* port -> Integer */
static VALUE server_port(VALUE self) {
    return UINT2NUM(get(self)->port);
}

/* close -> nil */
static VALUE server_close(VALUE self) {
    mohs_empty_free(get(self));
    return Qnil;
}

void mohs_init_empty(void) {
    VALUE class = rb_define_class_under(mohs_mCore, "EmptyServer", rb_cObject);
    rb_define_alloc_func(class, server_alloc);
    rb_define_method(class, "initialize", server_initialize, 1);
    rb_define_method(class, "start", server_start, 1);
    rb_define_method(class, "port", server_port, 0);
    rb_define_method(class, "close", server_close, 0);
}
