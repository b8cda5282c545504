# frozen_string_literal: true

require "test_helper"

module Mohs
  class ThreadWaitsTest < TestCase
    MS = 1_000_000
    FRESH, IN_FLIGHT, WARM_UP = Load::Recording::FLAGS.values_at(:fresh, :in_flight, :warm_up)
    ABORTED = Core::ERRORS.index("in_flight_at_end")

    # [sent after ms, took ms, flags] of each request.
    def found(rows, error: 0)
      records = rows.map do |sent_ms, took_ms, flags = 0|
        failed = (flags & IN_FLIGHT).positive? ? ABORTED : error
        Core::Records.pack({ due_ns: sent_ms * MS, sent_ns: 0, done_ns: took_ms * MS, flags:,
                             status: 200, error: failed })
      end
      recording = Load::Recording.of(records.join)
      LoadRun::ThreadWaits.new(recording, least_ns: 1000 * MS).call
    end

    # Two threads serve four connections, each for 100 requests of 20 ms, then close it. Two wait
    # meanwhile, from the opening of their connection on.
    def turns(turns = 4)
      (0...turns).flat_map do |turn|
        begun = turn * 2000
        long = turn.zero? ? [[begun, 20, FRESH]] : [[begun - 2000, 2020, FRESH]]
        2.times.flat_map { long + (1..99).map { |at| [begun + (at * 20), 20] } }
      end
    end

    test "connections that wait when they were opened anew wait for a thread" do
      given = found([*turns, *[[6020, 9000, FRESH | IN_FLIGHT]] * 2])

      assert_equal({ connections: 2, longest_ns: 9000 * MS }, given)
    end

    test "a slow page is slow anywhere on a connection" do
      assert_nil found([*turns, *(1..3).map { |at| [at * 1000, 1500] }])
    end

    test "where each request opens a connection, those that are long are slow pages" do
      all = (0...400).map { |at| [at * 20, (at % 3).zero? ? 1500 : 20, FRESH] }

      assert_nil found(all)
    end

    test "a few of many new connections that take long wait for no thread" do
      fresh = (0...40).map { |at| [at * 100, at.zero? ? 1500 : 20, FRESH] }

      assert_nil found([*fresh, *(0...200).map { |at| [at * 20, 20] }])
    end

    test "a server that answers nobody at first has no thread to wait for" do
      begun = [[0, 2000, FRESH]] * 4
      assert_nil found([*begun, *(0...100).map { |at| [2000 + (at * 20), 20] }])
    end

    test "nothing that is long, nothing that waited; warm-up and failures don't count" do
      assert_nil found((0...100).map { |at| [at * 20, 20] })
      assert_nil found(turns.map { |sent, took, flags = 0| [sent, took, flags | WARM_UP] })
      assert_nil found(turns, error: Core::ERRORS.index("wrong_status"))
    end
  end
end
