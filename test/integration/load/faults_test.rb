# frozen_string_literal: true

require "test_helper"

module Mohs
  # Each 50th answer is broken in one way; classes and counts are those that were injected.
  class FaultsTest < TestCase
    include LoadHelper

    # Deed of FakeServer => [classes that it may have, connections lost by each].
    FAULTS = {
      not_found: [%w[wrong_status], 0],
      wrong_body: [%w[wrong_body], 0],
      shorter: [%w[wrong_length], 0],
      garbage: [%w[bad_status_line], 1],
      no_colon: [%w[bad_header], 1],
      bad_length: [%w[bad_length], 1],
      two_lengths: [%w[bad_length], 1],
      bad_chunk: [%w[bad_chunk], 1],
      extra: [%w[extra_bytes], 1],
      half_header: [%w[closed_in_header], 1],
      truncated: [%w[closed_in_body], 1],
      reset_in_body: [%w[closed_in_body], 1],
      # the broken request may be the first on its connection
      close: [%w[closed_between_requests closed_before_answer], 1],
      reset: [%w[reset_between_requests reset_before_answer], 1],
    }.freeze

    FAULTS.each do |deed, (classes, lost)|
      test "each 50th #{deed}" do
        result = load_count(each_50th(deed))
        assert_empty result.errors.keys - classes
        assert_equal 4, result.errors.values.sum
        assert_equal 4 * lost, result.connections[:lost]
        assert_equal 4, result.connections[:served]
        assert_operator result.connections[:requests_min], :>=, 45, "a connection was lost for good"
      end
    end

    %i[chunked until_close http10 interim says_close].each do |deed|
      test "each third #{deed} is fine" do
        result = load_count(->(number) { (number % 3).zero? ? deed : :fine })
        assert_equal 200, result.good
        assert_equal 0, result.connections[:lost]
      end
    end

    test "answers in pieces of one byte are fine" do
      %i[fine chunked interim].each do |deed|
        assert_equal 20, load_count(->(_) { deed }, count: 20, server: { pieces: 1 }).good
      end
    end

    test "an answer that never comes, or never ends, times out" do
      result = load_count(->(number) { number == 30 ? :hang : :fine }, count: 60, timeout_s: 0.3)
      assert_equal({ "timeout_first_byte" => 1 }, result.errors)
      script = ->(number) { number == 30 ? :one_byte_short : :fine }
      result = load_count(script, count: 60, timeout_s: 0.3)
      assert_equal({ "timeout" => 1 }, result.errors)
    end

    test "the median is of all requests, also when it is counted again" do
      FakeServer.open(->(number) { number > 90 ? :not_found : :fine }) do |server|
        with_driver([target_on(server)]) do |driver|
          result = driver.run([Load::Step.new(count: 200)]).first
          again = Load::Tally.new(driver.recording(0), connections: 4, open_loop: false).to_h
          assert_equal [90, nil, nil], [result.good, result.p50_ns, again[:p50_ns]]
        end
      end
    end

    test "no server is refused, told, and not hammered" do
      port = FakeServer.open { |server| break server.port }
      target = Load::Target.new(host: "127.0.0.1", port:, connections: 2)
      with_driver([target], gone_s: 0.1) do |driver|
        result = driver.run([Load::Step.new(duration_ns: 60_000_000_000)]).first
        assert result.gone
        assert_equal ["refused"], result.errors.keys
        assert_equal 0, result.good
        assert_nil result.p50_ns
        assert_operator result.sent, :<, 200
      end
    end

    test "a server that accepts and closes at once is not hammered either" do
      FakeServer.open(->(_) { :close }) do |server|
        with_driver([target_on(server)], gone_s: 0.1) do |driver|
          result = driver.run([Load::Step.new(duration_ns: 60_000_000_000)]).first
          assert result.gone
          assert_equal ["closed_before_answer"], result.errors.keys
          assert_operator result.sent, :<, 400
        end
      end
    end

    test "the first wrong answer is kept" do
      FakeServer.open(each_50th(:wrong_body)) do |server|
        with_driver([target_on(server)]) do |driver|
          driver.run([Load::Step.new(count: 49)])
          assert_nil driver.first_failed(0)
          driver.run([Load::Step.new(count: 51)])
          assert_equal ["wrong_body", 200, "hello_world"], driver.first_failed(0).to_a
        end
      end
    end

    private

    def each_50th(deed) = ->(number) { (number % 50).zero? ? deed : :fine }
  end
end
