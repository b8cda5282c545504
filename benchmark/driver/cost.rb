# frozen_string_literal: true

module Mohs
  module DriverBenchmark
    # CPU per request of the driver, which records, parses and checks every answer, beside wrk's.
    class Cost
      # What is done at once, what of it is compared with wrk's over TCP, and the goal.
      CASES = {
        "CPU a request, keep-alive, 32 connections" => [32, :on, 0.95],
        "CPU a request, keep-alive, 100 connections" => [100, :on, 0.95],
        "CPU a request, `Connection: close`, 32 connections" => [32, :asked, 0.95],
      }.freeze

      # Of wrk's over TCP: on a unix socket, and where we close by RST and wrk as it does.
      UNIX = 0.35
      RESET = 0.9

      # Of the closed loop's, at half of its rate.
      OPEN = 1.3

      #: (Bench) -> void
      def initialize(bench)
        @bench = bench
      end

      #: (Table) -> void
      def call(table)
        CASES.each do |name, (connections, keep_alive, goal)|
          against_wrk(table, name, goal, connections, keep_alive) { mohs(connections, keep_alive) }
        end
        against_wrk(table, "CPU a request, closed by RST, 32 connections", RESET, 32, :asked) do
          mohs(32, :rst)
        end
        against_wrk(table, "CPU a request, unix socket to TCP, 32 connections", UNIX, 32, :on) do
          mohs(32, :on, place: @bench.unix)
        end
        open_loop(table)
      end

      private

      def mohs(...) = @bench.mohs(...)

      def against_wrk(table, name, goal, connections, keep_alive, &ours)
        pairs = @bench.pairs(-> { @bench.wrk(connections, keep_alive) }, ours)
        compare(table, "#{name}, of wrk's", goal, pairs)
      end

      def compare(table, name, goal, pairs)
        cpu = ratios(pairs, :us)
        rate = ratios(pairs, :per_s)
        spread = format("(%.2f to %.2f; %s; rate x %.2f)", cpu.first, cpu.last, us(pairs),
                        middle(rate))
        table.at_most(name, goal, middle(cpu), spread)
      end

      def us(pairs)
        pairs.transpose.map { |side| middle(side.map(&:us).sort).round(2) }.reverse.join(" / ")
             .concat(" us")
      end

      # Ours at half the rate that wrk's was: constant arrivals, the same connections.
      def open_loop(table)
        rate = mohs(32, :on).per_s / 2
        arrivals = Load::Arrivals.new(kind: :constant, rate_per_s: rate.round)
        pairs = @bench.pairs(-> { mohs(32, :on) }, -> { mohs(32, :on, arrivals:) })
        compare(table, "CPU a request, open loop at half the rate, of the closed loop's", OPEN,
                pairs)
      end

      def ratios(pairs, figure) = pairs.map { |one, other| other[figure] / one[figure] }.sort

      def middle(sorted) = sorted[sorted.size / 2]
    end
  end
end
