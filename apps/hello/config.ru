# frozen_string_literal: true

# The smallest app there is: what is measured is the server and the interpreter's cost of one
# request.
BODY = "Hello, world\n"

HEADERS = { "content-type" => "text/plain", "content-length" => BODY.bytesize.to_s }.freeze

# New headers for each response: servers and middleware may add to them.
run ->(_env) { [200, HEADERS.dup, [BODY]] }
