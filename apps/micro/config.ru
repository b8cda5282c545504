# frozen_string_literal: true

# GET /emulator runs the kernel of that name once. Five are work for the processor alone, 20 ms and
# more without a JIT, beside which the server's share of a request is small. Three are responses as
# they are served, of which the server's share is large.
require_relative "micro"

kernels = Hash.new { |known, path| known[path] = Micro.kernel(path.sub("/", "")) }

run lambda { |env|
  kernel = kernels[env["PATH_INFO"]]
  next [404, { "content-type" => "text/plain", "content-length" => "0" }, []] unless kernel

  body = kernel.call
  [200, { "content-type" => kernel.type, "content-length" => body.bytesize.to_s }, [body]]
}
