# frozen_string_literal: true

require "test_helper"

module Mohs
  # A text, and a type, that every answer has to have: checked on each while load runs, in a closed
  # and an open loop, on connections that last and on new ones, whatever else is known of the body.
  class ExpectTest < TestCase
    include CLIHelper
    include LoadHelper

    NATIVE = ->(**options) { Drivers.fetch("native").new(**options) }
    BODY = "Welcome, guest"
    SORRY = "Sorry, we are overloaded"
    CHECKS = {
      "any body" => {},
      "a length" => { mode: :length, length: BODY.bytesize },
    }.freeze
    LOOPS = {
      "a closed loop" => {},
      "an open loop" => { arrivals: Load::Arrivals.new(kind: :constant, rate_per_s: 2000) },
    }.freeze

    CHECKS.each_key do |known|
      LOOPS.each_key do |name|
        %i[on asked fin].each do |keep_alive|
          test "a missing text is counted with #{known} in #{name}, keep-alive #{keep_alive}" do
            script = ->(number) { answer(number > 80 ? SORRY[0, BODY.bytesize] : BODY) }
            result = run_load(script, { text: "Welcome", **CHECKS[known] }, keep_alive, LOOPS[name])
            assert_equal({ "missing_text" => 20 }, result.errors)
            assert_equal 80, result.good
          end
        end
      end
    end

    test "another type is counted" do
      script = ->(number) { answer(BODY, type: number > 80 ? "text/plain" : "text/html; a=b") }
      result = run_load(script, { type: "text/html" }, :on, {})
      assert_equal({ "wrong_type" => 20 }, result.errors)
    end

    test "the learned answer's text and type are part of its check" do
      request = App::Request.new(method: "GET", path: "/", expect: "Welcome")
      learned = App::Answer.new(request:, status: 200, type: "text/html", length: 14, body: BODY,
                                kind: :status, expect: "Welcome")
      assert_equal({ mode: :filled, statuses: [200], length: nil, body: nil, type: "text/html",
                     text: "Welcome" }, Load::Request.of(learned).check.to_h)
    end

    test "an empty body counts as wrong where it varied, but never was empty" do
      number = 0
      serve = lambda do |socket|
        loop { reply(socket, answer((number += 1) > 13 ? "" : BODY * number)) }
      end
      open_raw(serve) do |port|
        output = mohs("load", "http://127.0.0.1:#{port}", "-n", "50", "-c", "1", "--quiet",
                      driver: NATIVE)
        assert_equal 1, output.status, output.err
        assert_match(/errors (4\d): wrong_length \1/, output.out)
        assert_match(/first wrong .*status 200 .*empty body/, output.out)
      end
    end

    test "mohs load looks for the text of --expect in every response" do
      number = 0
      serve = lambda do |socket|
        loop do
          shown = (number += 1) > 13 ? SORRY : BODY + ("!" * (number % 3))
          reply(socket, answer(shown, type: "text/html"))
        end
      end
      open_raw(serve) do |port|
        output = mohs("load", "http://127.0.0.1:#{port}", "-n", "50", "-c", "1", "--quiet",
                      "--expect", "Welcome", driver: NATIVE)
        assert_equal 1, output.status, output.err
        assert_match(/answered 200, .*not compared, .*"Welcome"/, output.out.split.join(" "))
        assert_match(/50 sent, \d answered/, output.out)
        assert_match(/errors (4\d): missing_text \1/, output.out)
        assert_match(/first wrong .*status 200 .*"Sorry/, output.out)
      end
    end

    private

    def answer(body, type: nil)
      head = "Content-Type: #{type}\r\n" if type
      "HTTP/1.1 200 OK\r\n#{head}Content-Length: #{body.bytesize}\r\n\r\n#{body}"
    end

    def run_load(script, check, keep_alive, step)
      requests = [Load::Request.new(check: Load::Check.new(**check))]
      FakeServer.open(script) do |server|
        with_driver([target_on(server, requests:, keep_alive:)]) do |driver|
          return driver.run([Load::Step.new(count: 100, **step)]).first
        end
      end
    end
  end
end
