# frozen_string_literal: true

module Mohs
  module DriverBenchmark
    # The cost of switching between slices: the same time in one piece and in slices of 40 ms, in
    # many short pairs that a busy machine disturbs alike. Reports the rate, which neighbours
    # affect; the share of the time that connections were in use (Little's law), which they hardly
    # affect; and how much of the time lay between slices.
    class Switching
      # Several steps taken together.
      Stretch = Struct.new(:wall, :span, :per_s, :in_use, keyword_init: true)

      CONNECTIONS = 4
      PAIRS = 8 # a round: 0.4 s each
      WHOLE = [Load::Step.new(duration_ns: 200_000_000)].freeze
      SLICED = Array.new(5) { Load::Step.new(duration_ns: 40_000_000) }.freeze

      # Share of the time (method, section 3a).
      GOAL = 0.05

      #: (Bench) -> void
      def initialize(bench)
        @bench = bench
      end

      #: (Table) -> void
      def call(table)
        @bench.driver(CONNECTIONS, :on) do |driver|
          pairs = Array.new(@bench.rounds * PAIRS) { |round| pair(driver, round) }
          between = middle(pairs.map { |_, sliced| 1 - (sliced.wall / sliced.span) })
          in_use = ratios(pairs, :in_use)
          table.row("connections in use in slices of 40 ms, of one slice as long",
                    ">= x #{1 - GOAL}", figures(pairs, in_use, between), middle(in_use) >= 1 - GOAL)
        end
      end

      private

      def figures(pairs, in_use, between)
        format("x %.4f (rate x %.3f, %.3f %% of the time between slices; %d pairs)",
               middle(in_use), middle(ratios(pairs, :per_s)), between * 100, pairs.size)
      end

      def ratios(pairs, figure) = pairs.map { |whole, sliced| sliced[figure] / whole[figure] }

      # Runs both; they take turns in going first.
      def pair(driver, round)
        lists = round.even? ? [WHOLE, SLICED] : [SLICED, WHOLE]
        pair = lists.map { |steps| stretch(driver.run(steps)) }
        round.even? ? pair : pair.reverse
      end

      def stretch(results)
        span = (results[-1].started_ns + results[-1].wall_ns - results[0].started_ns).to_f
        Stretch.new(span:, wall: results.sum(&:wall_ns), per_s: results.sum(&:good) * 1e9 / span,
                    in_use: results.sum(&:latency_sum_ns) / span)
      end

      def middle(values) = values.sort[values.size / 2]
    end
  end
end
