# frozen_string_literal: true

# A request sends MESSAGES messages to WORKERS workers through pipes and waits for the replies, one
# request at a time. MODEL says what a worker is; see messages.rb.
require_relative "messages"

workers = Messages.start(ENV)
TURN = Mutex.new

BODY = "done\n"
HEADERS = { "content-type" => "text/plain", "content-length" => BODY.bytesize.to_s }.freeze

run lambda { |_env|
  TURN.synchronize { workers.exchange }
  [200, HEADERS.dup, [BODY]] # new headers for each response: servers and middleware may add to them
}
