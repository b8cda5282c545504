# frozen_string_literal: true

# A "hello, world" whose connections end as CLOSED_BY says: never, by the server
# (config/closing.rb), or by the client, which is told in each response that no other will come,
# while the server goes on waiting for its next request.
BODY = "Hello, world\n"

HEADERS = { "content-type" => "text/plain", "content-length" => BODY.bytesize.to_s }
          .merge(ENV["CLOSED_BY"] == "client" ? { "connection" => "close" } : {}).freeze

# New headers for each response: servers and middleware may add to them.
run ->(_env) { [200, HEADERS.dup, [BODY]] }
