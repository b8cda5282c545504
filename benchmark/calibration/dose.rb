# frozen_string_literal: true

module Mohs
  module Calibration
    # Converts between rounds of the loop and their true cost, based on measurements of the loop.
    # Pure. A loop of n rounds takes n times as long as one round, so the time of a request grows
    # by the factor 1 + n k.
    class Dose
      #: (Array[Hash[Symbol, untyped]]) -> void
      def initialize(truths)
        @truths = truths
      end

      # Rounds that make a request take `percent` longer, by requests/s.
      #: (Numeric) -> Integer
      def rounds(percent) = (percent / 100.0 / per_round(:throughput)).round

      # Log difference that so many rounds cause; negative is slower.
      #: (Integer, :throughput | :cpu) -> Float
      def effect(rounds, metric) = -Math.log(1 + (rounds * per_round(metric)))

      # Standard error of that effect on requests/s: from the measurements' spread, or from its
      # error if there is only one.
      #: (Integer) -> Float
      def error(rounds)
        share = @truths.sum { |truth| (truth[:error] / truth[:throughput])**2 }
        Math.sqrt(share) / @truths.size * effect(rounds, :throughput).abs
      end

      private

      def per_round(metric)
        Stats::Center.mean(@truths.map { |one| (Math.exp(-one[metric]) - 1) / one[:rounds] })
      end
    end
  end
end
