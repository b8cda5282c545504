# frozen_string_literal: true

module Mohs
  module Doctor
    # How many cohorts a difference takes to be seen. Pure.
    module Prediction
      # [sd of a cohort's log difference over the true difference, cohorts to a verdict]: means of
      # simulated comparisons by the looks of docs/method.md, sds from 0.3 to 4.5 %, differences
      # from 1 to 5 %. Only the ratio matters: sd 1 and difference 1 take what sd 2 and 2 take.
      # Beyond it the simulation's own end (30 cohorts) would hide what is needed; there it goes on
      # with the rule of Stats::Needed, which meets the table at its last line.
      TABLE = [[0.06, 3.0], [0.1, 3.1], [0.15, 3.35], [0.2, 3.6], [0.25, 3.9], [0.3, 4.2],
               [0.375, 4.7], [0.4, 4.9], [0.5, 5.7], [0.75, 8.2], [0.9, 10.0], [1.0, 12.0]].freeze

      module_function

      # sd and difference on the same scale (0.01: one percent).
      #: (sd: Float, difference: Float) -> Float
      def cohorts(sd:, difference:)
        ratio = sd / difference
        return TABLE.first.last if ratio <= TABLE.first.first

        pair = TABLE.each_cons(2).find { |_, (upper, _)| ratio <= upper }
        pair ? between(*pair, ratio) : (Stats::Needed::DECIDES * ratio)**2
      end

      def between((from, low), (upto, high), ratio)
        low + ((high - low) * (ratio - from) / (upto - from))
      end
      private_class_method :between
    end
  end
end
