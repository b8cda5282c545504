# frozen_string_literal: true

require "test_helper"

module Mohs
  # Which loads a search makes, and how it judges them, without any server.
  class ConnectionFinderTest < TestCase
    include SampleStreams

    class Clock
      attr_accessor :mono_ns
      attr_reader :deadlines_s

      def initialize
        @mono_ns = 0
        @deadlines_s = []
      end

      # Notes it, and is over.
      def deadline(seconds)
        @deadlines_s << ((mono_ns / 1e9) + seconds)
        0
      end
    end

    # A load in which `slow` of the connections have their first event after 1 s, the others after
    # 1 ms, and the rest is as `changes` say.
    def loaded(connections, slow: 0, opened: connections, **changes)
      sample_streams(
        asked: connections, opened:, failed: connections - opened, dropped: 0, events: connections,
        speaking: opened, errors: {}, ends: {}, first_failed: nil,
        openings: stream_times(*[1] * opened, *[["refused", 1]] * (connections - opened)),
        firsts: stream_times(*[1] * (opened - slow), *[1000] * slow), **changes
      )
    end

    # A search within `seconds`, in which each load takes as long as it was declared, and as it may
    # wait for messages if `mute`; the block gives what came of it.
    def search(seconds: 600, limit: "first event p99 < 200ms", most: 1000, clock: Clock.new,
               mute: false, **declared)
      declarations = []
      load = lambda do |one, drain_s:|
        declarations << one
        clock.mono_ns += ((one.duration_s + (mute ? drain_s : 0)) * 1e9).round
        yield one.connections, drain_s
      end
      connection_limit = LoadRun::ConnectionLimit.parse(limit)
      declared = streams_declared(connections: 100, duration_s: seconds, open_per_s: nil,
                                  connection_limit:, **declared)
      [LoadRun::ConnectionFinder.new(declared, most:, load:, clock:).call, declarations]
    end

    test "a number keeps the limit if its quantile is below it" do
      result, declared = search { |count| loaded(count, slow: count > 400 ? count / 50 : 0) }

      assert_equal ["found", true], [result.outcome, result.precise]
      assert_includes 381..400, result.kept
      assert_includes 401..420, result.missed
      assert_equal [1.0, 1.0, 2.0], [declared.first.connections / 100.0,
                                     declared.first.open_per_s / 100, declared.first.duration_s]
      assert_equal %w[kept missed], result.loads.map(&:outcome).uniq.sort
    end

    test "connections that are not opened, or dropped, count against it" do
      limit = "first event p50 < 200ms"
      [{ opened: ->(count) { count > 400 ? count - (count / 50) : count } },
       { dropped: ->(count) { count > 400 ? count / 50 : 0 } }].each do |changes|
        result, = search(limit:) do |count|
          loaded(count, **changes.transform_values { |change| change.call(count) })
        end
        assert_includes 381..400, result.kept, changes.keys.inspect
      end
    end

    test "a failed connection ranks as slower than all others" do
      result, = search { |count| loaded(count, opened: count - (count / 100)) }
      assert_equal "at_least", result.outcome
      figure = result.loads.first.figure
      assert_equal 1_000_000, figure.ns # 99 of 100 have it; a second failure would exceed it

      result, = search { |count| loaded(count, opened: [count - 2, 0].max) }
      assert result.loads.first.figure.more
      assert_equal "missed", result.loads.first.outcome
    end

    test "messages are ranked among messages, whatever the number of connections that failed" do
      arrivals = [Load::Arrivals.new(kind: :poisson, rate_per_s: 100, seed: 1)]
      times = stream_times(*[1] * 200)
      fan_out = Load::Streams::FanOut.new(due: 200, came: 200, halves: times, mosts: times,
                                          alls: times)
      few = proc { |count| loaded(count, echoes: times, fan_out:, opened: count - (count / 100)) }
      ["echo p99 < 50ms", "fan-out p99 < 50ms"].each do |limit|
        result, = search(limit:, websocket: true, arrivals:, &few)
        assert_equal ["at_least", 1000], [result.outcome, result.kept], limit
        assert_equal 1_000_000, result.loads.last.figure.exact_ns, limit
      end

      result, = search(limit: "echo p99 < 50ms", websocket: true, arrivals:) do |count|
        loaded(count, echoes: times, opened: [count - 1 - (count / 100), 0].max)
      end
      one = result.loads.first
      assert_equal ["missed", 1_000_000], [one.outcome, one.figure.exact_ns]
    end

    test "what this machine can open, and the time, end it" do
      all, = search(most: 300) { |count| loaded(count) }
      assert_equal ["at_least", 300, 300, true],
                   [all.outcome, all.kept, all.most, all.precise]
      short, declared = search(seconds: 10, most: 10_000) { |count| loaded(count) }
      assert_equal ["at_least", nil, false, 5], [short.outcome, short.most, short.precise,
                                                 declared.size]
    end

    test "a driver without its core says nothing, and several such loads end it" do
      busy = { driver_cpu_ns: 4_990_000_000 }
      result, = search { |count| loaded(count, slow: count, **busy) }

      assert_equal ["spoiled", nil, nil, 3],
                   [result.outcome, result.kept, result.missed, result.loads.size]
      assert_equal "driver_share.full", result.loads.last.reason.code
    end

    test "a server that opens no connection any more has gone" do
      result, declared = search { |count| loaded(count, opened: count > 400 ? 0 : count) }
      assert_equal ["gone", 400, 800, 2], [result.outcome, result.kept, result.missed,
                                           declared.count { |one| one.connections == 800 }]
    end

    # Loads whose POSTs came to `sent`, the others refused with this status.
    def search_posted(status: 404, **options)
      arrivals = [Load::Arrivals.new(kind: :poisson, rate_per_s: 100, seed: 1)]
      refused = Load::FailedResponse.new(error: "wrong_status", status:, bytes: "no")
      search(limit: "opening p99 < 50ms", publish: "/publish", arrivals:, **options) do |count|
        taken = yield count
        missing = ["wrong_status", 1]
        loaded(count, echoes: stream_times(*[1] * taken, *[missing] * (10 - taken)),
                      messages: { sent: taken, unsent: 10 - taken },
                      first_refused: (refused if taken < 10))
      end.first
    end

    test "a search whose POSTs are all refused ends and has the first answer" do
      result = search_posted { 0 }

      assert_equal ["unpublished", 2, 404], [result.outcome, result.loads.size,
                                             result.first_refused.status]
      assert_equal({ "wrong_status" => 10 }, result.loads.last.unposted)
    end

    test "a server too busy with streams to take POSTs is not one that refuses them" do
      [408, 429, 503, 504].each do |status|
        result = search_posted(status:, most: 1000) { |count| count > 20 ? 0 : 10 }
        assert_operator result.loads.size, :>, 2, status.to_s
        refute_equal "unpublished", result.outcome, status.to_s
      end
    end

    test "POSTs that are refused now and then don't end it, but are counted" do
      result = search_posted(most: 200) { |count| count == 100 ? 10 : 0 }

      assert_equal "at_least", result.outcome
      assert_equal [{}, { "wrong_status" => 10 }], result.loads.map(&:unposted).uniq
      assert_equal 404, result.first_refused.status
      assert_nil(search { |count| loaded(count) }.first.loads.first.unposted)
    end

    test "a server that answers no POST at all is no search without messages" do
      waiting = stream_times(*[["in_flight_at_end", 900]] * 9)
      arrivals = [Load::Arrivals.new(kind: :poisson, rate_per_s: 100, seed: 1)]
      result, = search(limit: "opening p99 < 50ms", publish: "/publish", arrivals:) do |count|
        loaded(count, echoes: waiting, messages: { sent: 0, unsent: 9 }, first_refused: nil)
      end

      assert_equal "at_least", result.outcome
      assert_equal({ "in_flight_at_end" => 9 }, result.loads.first.unposted)
    end

    test "messages fall due for as long as the quantile needs" do
      arrivals = [Load::Arrivals.new(kind: :poisson, rate_per_s: 100, seed: 1)]
      echoes = stream_times(*[1] * 200)
      result, declared = search(limit: "echo p99 < 50ms", websocket: true, arrivals:) do |count|
        loaded(count, echoes:, messages: { sent: 200, received: 200 })
      end

      assert_in_delta 3.0, declared.first.duration_s # 200 messages after all are open
      assert_equal "at_least", result.outcome
    end

    test "waiting for messages and for closing is part of the time" do
      arrivals = [Load::Arrivals.new(kind: :poisson, rate_per_s: 100, seed: 1)]
      mute = proc { |count| loaded(count, echoes: stream_times(*[["in_flight_at_end", 900]] * 9)) }
      { "50ms" => 10, "8s" => 30 }.each do |time, seconds|
        clock = Clock.new
        result, = search(limit: "echo p99 < #{time}", websocket: true, arrivals:, seconds:, clock:,
                         mute: true, &mute)
        assert_operator result.loads.size, :>=, 1
        assert_operator result.seconds, :<=, seconds, time
        assert_operator clock.deadlines_s.max, :<=, seconds, time
      end
    end

    test "messages have the limit, at least, to come back" do
      arrivals = [Load::Arrivals.new(kind: :poisson, rate_per_s: 100, seed: 1)]
      { "2s" => [5, 2], "8s" => [8, 8] }.each do |time, (longest, least)|
        drains = []
        search(limit: "echo p99 < #{time}", websocket: true, arrivals:, seconds: 40,
               mute: true) do |count, drain_s|
          drains << drain_s
          loaded(count, echoes: stream_times(*[1] * 9))
        end

        assert_equal longest, drains.first, time
        assert_operator drains.min, :>=, least, time
      end
    end

    test "a signal ends it with what was known" do
      clock = Clock.new
      declared = streams_declared(connections: 100, duration_s: 60, open_per_s: nil,
                                  connection_limit: connection_limit)
      load = lambda do |one, **|
        raise Interrupt if one.connections > 100

        loaded(one.connections)
      end
      finder = LoadRun::ConnectionFinder.new(declared, most: 1000, load:, clock:)

      assert_equal ["at_least", 100, false], finder.call.to_h.values_at(:outcome, :kept, :precise)
      assert_predicate finder, :interrupted?
    end
  end
end
