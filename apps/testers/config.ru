# frozen_string_literal: true

# A request lets the load tester TESTER send REQUESTS requests over CONNECTIONS connections to a
# server that keeps the truth about them, one load at a time. `ruby report.rb` prints what testers
# say beside the truth.
require_relative "testers"

bench = Testers.start(ENV)
TURN = Mutex.new

BODY = "done\n"
HEADERS = { "content-type" => "text/plain", "content-length" => BODY.bytesize.to_s }.freeze

run lambda { |_env|
  TURN.synchronize { bench.call }
  [200, HEADERS.dup, [BODY]] # new headers for each response: servers and middleware may add to them
}
