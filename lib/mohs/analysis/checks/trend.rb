# frozen_string_literal: true

module Mohs
  module Analysis
    module Checks
      # Responses took as long at the end as at the beginning. If an application slows down with
      # every request (a list that grows, a leak), or its host does, it has no single speed.
      class Trend < Base
        # With fewer slices there is no trend to see.
        FEWEST = 8
        # The factor by which responses may become slower: on a busy shared machine, one trial in
        # thirty became slower by more.
        SLOWER = 1.25
        # Standard deviations of the order of the slices (Kendall): one series without a trend in a
        # thousand has more.
        CERTAIN = 3.29

        SIZE = :growth

        WORDS = {
          few: "too few slices: %{slices|count}",
          none: "none",
          slower: "responses took %{growth|percent} longer at the end of the measurement than at " \
                  "its beginning: the application slows down, or this host did",
        }.freeze

        private

        def judge
          times = measured.filter_map { |slice| time(slice) if slice[:good].positive? }
          return unknown(:few, slices: times.size) if times.size < FEWEST

          grown = Math.exp(Stats::TheilSen.slope(times) * (times.size - 1))
          return pass(:none) if grown < SLOWER || Stats::Kendall.z(times) < CERTAIN

          warn(:slower, growth: grown - 1)
        end

        def time(slice) = Math.log(slice[:latency_sum_ns].fdiv(slice[:good]))
      end
    end
  end
end
