# frozen_string_literal: true

require_relative "../../agreement/pages"

# One request in 50 computes for SLOW ms, the others for 1 ms: of 100 requests two are slow, so by
# arithmetic their 99th percentile is SLOW ms, and what the server adds. Every process counts its
# own requests.
SLOW_S = Integer(ENV.fetch("SLOW", "20")) / 1000.0
TURN = Mutex.new
served = 0

run(lambda do |_|
  slow = TURN.synchronize { ((served += 1) % 50).zero? }
  Pages.compute(slow ? SLOW_S : 0.001)
  [200, Pages::FOUND.dup, ["ok"]]
end)
