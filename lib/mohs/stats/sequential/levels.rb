# frozen_string_literal: true

module Mohs
  module Stats
    class Sequential
      # The nominal level of each look at which the chance to be wrong at any of them is alpha.
      module Levels
        # What the table is made for.
        ALPHA = 0.05
        LOOKS = [3, 4, 5, 6, 8, 10, 12, 15, 20, 25, 30].freeze

        ROUNDING = 1e-9

        # { comparisons => nominal level of a chance of ALPHA / comparisons over LOOKS }, as `rake
        # stats:levels` prints it (Stats::Crossing, at a grid four times as fine, rounded down). The
        # parts of one are one-sided tests: see .one_sided.
        TABLE = {
          0.5 => 0.018, 1 => 0.008, 1.5 => 0.00504, 2 => 0.00365, 2.5 => 0.00285, 3 => 0.00233,
          4 => 0.00169, 5 => 0.00133, 6 => 0.00109, 7 => 0.000923, 8 => 0.000799, 10 => 0.000628,
          12 => 0.000516, 15 => 0.000406, 20 => 0.000299, 23 => 0.000258, 30 => 0.000195,
          45 => 0.000128, 66 => 8.6e-05, 100 => 5.57e-05, 200 => 2.69e-05,
        }.freeze

        # Between two entries the level is taken in proportion to alpha from the stricter one. It
        # grows faster than alpha does, so that is on the safe side, by 12 % of the level at most.
        # Other looks and chances outside of the table are computed, which takes about half a
        # second.
        #: (Float, Array[Integer]) -> Float
        def self.two_sided(alpha, looks)
          comparisons = ALPHA / alpha
          stricter = TABLE.each_key.find { |count| count >= comparisons - ROUNDING }
          within = looks == LOOKS && stricter && comparisons >= TABLE.first[0] - ROUNDING
          return Crossing.level(alpha, looks) unless within

          TABLE[stricter] * [stricter / comparisons, 1].max
        end

        # Of a test that can be wrong on one side only. A path that goes beyond both bounds is rare
        # (6 of 100 000 at 5 % a side, simulated), so each side is wrong half as often as both.
        #: (Float, Array[Integer]) -> Float
        def self.one_sided(alpha, looks) = two_sided(2 * alpha, looks) / 2
      end
    end
  end
end
