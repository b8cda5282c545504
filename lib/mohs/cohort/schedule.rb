# frozen_string_literal: true

module Mohs
  module Cohort
    # The order of the measured slices of one cohort: pure, from the plan's blocks and the rates
    # that warm-up showed. Every variant gets slices of the same length, so that all are disturbed
    # alike.
    class Schedule
      # Shortest and longest slice, and the requests one should hold: table 3a of the method. Below
      # 40 ms switching costs more than 4 % of the time, above 500 ms the drift between two slices
      # is no longer common to both.
      SHORTEST_NS = 40_000_000
      LONGEST_NS = 500_000_000
      REQUESTS_PER_SLICE = 100

      # Fewest blocks: below six a 20 %-trimmed mean trims nothing. Most: the method's clamp for
      # cheap blocks.
      BLOCKS = 6..30

      # rates: requests/s each variant served at the end of its warm-up, by name. measure_s: seconds
      # of load wanted per variant. orders: the plan's blocks, each an array of names (the mirror is
      # added here).
      #: (orders: Array[Array[String]], rates: Hash[String, Float], measure_s: Numeric) -> void
      def initialize(orders:, rates:, measure_s:)
        @orders = orders
        @rates = rates
        @measure_s = measure_s
      end

      # Long enough for a hundred requests of the slowest, within the bounds.
      #: () -> Integer
      def slice_ns
        slowest = @rates.values.min
        (REQUESTS_PER_SLICE / slowest * 1e9).round.clamp(SHORTEST_NS, LONGEST_NS)
      end

      #: () -> Integer
      def block_count = (@measure_s * 1e9 / (2 * slice_ns)).round.clamp(BLOCKS.begin, BLOCKS.end)

      # One block after the other: names in the order of their slices, each order followed by its
      # mirror.
      #: () -> Array[Array[String]]
      def blocks
        Array.new(block_count) do |block|
          order = @orders[block % @orders.size] & @rates.keys
          order + order.reverse
        end
      end
    end
  end
end
