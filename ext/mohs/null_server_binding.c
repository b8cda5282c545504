/* Mohs::Core::NullServer: one server of core/null_server.h. */
#include "binding.h"

#include "core/null_server.h"

static void free_server(void *pointer) {
    mohs_null_server_free(pointer);
    ruby_xfree(pointer);
}

static const rb_data_type_t server_type = {
    .wrap_struct_name = "Mohs::Core::NullServer",
    .function = {.dfree = free_server},
    .flags = RUBY_TYPED_FREE_IMMEDIATELY,
};

static struct mohs_null_server *get(VALUE self) {
    struct mohs_null_server *server;
    TypedData_Get_Struct(self, struct mohs_null_server, &server_type, server);
    return server;
}

static VALUE server_alloc(VALUE class) {
    struct mohs_null_server *server;
    VALUE self = TypedData_Make_Struct(class, struct mohs_null_server, &server_type, server);
    *server = (struct mohs_null_server){.listener = -1, .stop = -1, .epoll = -1};
    return self;
}

/* new(bytes of a response's body, packed sockaddr | nil): listens on any port of that address, or
 * of loopback. Raises a SystemCallError. */
static VALUE server_initialize(VALUE self, VALUE body_bytes, VALUE address) {
    const struct sockaddr *place = NULL;
    socklen_t size = 0;
    if (!NIL_P(address)) {
        place = (const struct sockaddr *)StringValuePtr(address);
        size = (socklen_t)RSTRING_LEN(address);
    }
    mohs_null_server_free(get(self));
    int error = mohs_null_server_init(get(self), NUM2SIZET(body_bytes), place, size);
    RB_GC_GUARD(address);
    if (error) rb_syserr_fail(-error, "null server");
    return self;
}

/* start(bytes of a request) -> nil */
static VALUE server_start(VALUE self, VALUE request_bytes) {
    struct mohs_null_server *server = get(self);
    if (server->request_bytes || server->listener < 0)
        rb_raise(rb_eArgError, "a null server is started once");
    int error = mohs_null_server_start(server, NUM2SIZET(request_bytes));
    if (error) rb_syserr_fail(-error, "null server");
    return Qnil;
}

/* port -> Integer */
static VALUE server_port(VALUE self) {
    return UINT2NUM(get(self)->port);
}

/* close -> nil */
static VALUE server_close(VALUE self) {
    mohs_null_server_free(get(self));
    return Qnil;
}

void mohs_init_null_server(void) {
    VALUE class = rb_define_class_under(mohs_mCore, "NullServer", rb_cObject);
    rb_define_alloc_func(class, server_alloc);
    rb_define_method(class, "initialize", server_initialize, 2);
    rb_define_method(class, "start", server_start, 1);
    rb_define_method(class, "port", server_port, 0);
    rb_define_method(class, "close", server_close, 0);
}
