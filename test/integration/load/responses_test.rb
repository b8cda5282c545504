# frozen_string_literal: true

require "test_helper"

module Mohs
  # Every answer of test/fixtures/responses through the engine, from a real server of its own, each
  # followed by two good ones: its class, status and size are those of the list, and whether the
  # connection is used again; and whatever it was, load goes on.
  class ResponsesTest < TestCase
    include LoadHelper

    FATES = { keep: :keep, fin: :close, rst: :reset }.freeze
    FRESH = 1 # MOHS_RECORD_FRESH of ext/mohs/core/record.h
    AT_ONCE = 50

    test "each answer is what it should be, and load goes on" do
      Responses.all.each_slice(AT_ONCE) { |some| verify(some) }
    end

    # Not those followed by bytes too many (what comes later belongs to no answer, or the next) nor
    # by a reset (it takes away what the kernel has not sent yet).
    test "each answer is the same when it comes byte by byte" do
      some = Responses.all.reject do |response|
        response.bytes.bytesize > 400 || response.ending == :rst ||
          response.error.match?(/extra_bytes|timeout/)
      end
      some.each_slice(AT_ONCE) { |slice| verify(slice, pieces: 1) }
    end

    private

    def verify(responses, **options)
      servers = responses.map { |response| FakeServer.new(script(response), **options) }
      targets = servers.zip(responses).map { |pair| target(*pair) }
      with_driver(targets, gone_s: 30) do |driver|
        results = driver.run([Load::Step.new(targets: [*targets.each_index], count: 3)])
        results.each { |result| assert_equal 3, result.good + result.errors.values.sum }
        responses.each_with_index do |response, index|
          compare(response, driver.recording(index).each.to_a)
        end
      end
    ensure
      servers&.each(&:stop)
    end

    def script(response)
      good = good(response.wants)
      good = good[/.*?\r\n\r\n/m] if response.head
      ->(number) { number == 1 ? [response.bytes, FATES.fetch(response.ending)] : good }
    end

    def good(wants)
      body = wants.fetch(:text, FakeServer::BODY)
      type = "Content-Type: #{wants[:type]}\r\n" if wants.key?(:type)
      "HTTP/1.1 200 OK\r\n#{type}Content-Length: #{body.bytesize}\r\n\r\n#{body}"
    end

    # Any status is right: what counts here is what was read.
    def target(server, response)
      check = Load::Check.new(mode: :status, statuses: (100..599).to_a, **response.wants)
      request = Load::Request.new(method: response.head ? "HEAD" : "GET", check:)
      timeout_s = response.error.start_with?("timeout") ? 1 : 10
      target_on(server, connections: 1, requests: [request], timeout_s:)
    end

    def compare(response, entries)
      first, second, third = entries
      assert_equal [response.error, response.status, response.size],
                   [first.error, first.status, first.bytes], response.name
      assert_equal ["ok", 200], [third.error, third.status], "after #{response.name}"
      fresh = second.flags.anybits?(FRESH)
      assert_equal response.reused, !fresh, "after #{response.name}"
      gone = response.reused && response.ending != :keep
      between = %w[closed_between_requests reset_between_requests closed_before_answer
                   reset_before_answer]
      assert_includes gone ? between : ["ok"], second.error, "after #{response.name}"
    end
  end
end
