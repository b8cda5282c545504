# frozen_string_literal: true

require "test_helper"

module Mohs
  # A server that lets some requests wait and then gives up on them, as Rack::Timeout does: with an
  # error page, or without a word. What waited counts in every percentile, in a closed and an open
  # loop, on connections that last and on new ones.
  class FailedLateTest < TestCase
    include LoadHelper

    MS = 1_000_000
    WAIT_MS = 200
    SORRY = "HTTP/1.1 503 Service Unavailable\r\nContent-Length: 5\r\n\r\nsorry"
    SHARES = [0.5, 0.97, 0.98, 0.99, 1.0].freeze
    # Their ends: the answer, and the classes that they may have.
    ENDS = { "a 503" => [SORRY, %w[wrong_status]],
             "a closed connection" => [nil, %w[closed_before_answer]] }.freeze
    LOOPS = { "a closed loop" => [nil, :service],
              "an open loop" => [Load::Arrivals.new(kind: :constant, rate_per_s: 200),
                                 :response] }.freeze

    # Gives up on each 33rd request.
    def serve(sorry)
      numbers = Queue.new
      200.times { |number| numbers << (number + 1) }
      lambda do |socket|
        while socket.gets("\r\n\r\n")
          late = (numbers.pop % 33).zero?
          sleep(WAIT_MS / 1000.0) if late
          return if late && !sorry

          socket.write(late ? sorry : FakeServer::FINE)
        end
      end
    end

    # [result, recording] of a hundred requests.
    def run_load(sorry, arrivals, keep_alive)
      open_raw(serve(sorry)) do |port|
        check = Load::Check.new(mode: :exact, body: FakeServer::BODY)
        target = Load::Target.new(host: "127.0.0.1", port:, connections: 4, keep_alive:,
                                  requests: [Load::Request.new(check:)])
        with_driver([target]) do |driver|
          return [driver.run([Load::Step.new(count: 100, arrivals:)]).first, driver.recording(0)]
        end
      end
    end

    ENDS.to_a.product(LOOPS.to_a, %i[on fin]).each do |(name, found), (loop_name, load), keep_alive|
      test "#{name} after a wait, in #{loop_name}, keep-alive #{keep_alive}" do
        (sorry, classes), (arrivals, kind) = found, load
        result, recording = run_load(sorry, arrivals, keep_alive)
        assert_equal [97, 3], [result.good, recording.unanswered(kind)]
        assert_empty result.errors.keys - classes
        times = recording.ranked(kind, SHARES)
        assert_equal [false, false, true, true, true], times.map(&:more)
        assert_equal times.map(&:ns), times.map(&:ns).sort
        assert_operator times.last.ns, :>=, WAIT_MS * MS
      end
    end
  end
end
