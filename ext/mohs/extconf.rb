# frozen_string_literal: true

# Builds mohs/core.so from the binding here and the Ruby-free core/ below. Switches:
# MOHS_SANITIZE=address,undefined and MOHS_PEDANTIC=1 (warnings are errors; CI sets it).
require "mkmf"

abort "mohs needs Linux: epoll, /proc, subreapers" unless RbConfig::CONFIG["host_os"].include?("linux")

core = File.join(__dir__, "core")
$VPATH << "$(srcdir)/core"
$srcs = [__dir__, core].flat_map { |folder| Dir.children(folder).grep(/\.c\z/).sort }
$INCFLAGS << " -I$(srcdir)"
$CFLAGS << " -std=gnu11 -O2 -fvisibility=hidden -pthread -D_GNU_SOURCE"
append_cflags(%w[-Wall -Wshadow])
append_cflags("-Werror") if ENV["MOHS_PEDANTIC"]

if (sanitizers = ENV.fetch("MOHS_SANITIZE", nil))
  $CFLAGS << " -fsanitize=#{sanitizers} -fno-omit-frame-pointer -g"
  $LDFLAGS << " -fsanitize=#{sanitizers}"
end

zlib = have_header("zlib.h") && have_library("z", "deflate")
have_library("m", "log")
abort "mohs needs zlib's header (Debian: zlib1g-dev)" unless zlib

# Without OpenSSL (Debian: libssl-dev) mohs is built all the same, and loads http:// only.
tls = have_header("openssl/ssl.h") && have_library("crypto", "BIO_meth_set_read_ex") &&
      have_library("ssl", "SSL_read_ex")
$defs << "-DMOHS_TLS" if tls

create_makefile("mohs/core")
