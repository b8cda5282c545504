# frozen_string_literal: true

# Objects of one KIND. KEEP of them stay in memory from the boot on, and a request collects garbage,
# so that the memory of the server at rest is theirs. Or each request makes MAKE and forgets them.
# Both are rounded up to thousands.
require_relative "objects"

factory = Objects.factory(ENV.fetch("KIND", "nil"))
keep, make = %w[KEEP MAKE].map { |name| Integer(ENV.fetch(name, "0")).fdiv(Objects::ROW).ceil }
KEPT = Array.new(keep) { factory.call }

BODY = "done\n"
HEADERS = { "content-type" => "text/plain", "content-length" => BODY.bytesize.to_s }.freeze

run lambda { |_env|
  make.zero? ? GC.start : make.times { factory.call }
  [200, HEADERS.dup, [BODY]] # new headers for each response: servers and middleware may add to them
}
