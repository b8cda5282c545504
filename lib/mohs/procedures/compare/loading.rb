# frozen_string_literal: true

module Mohs
  module Compare
    # As usual, unless a percentile decides.
    class Loading < Mohs::Procedure::Loading
      # With a given rate, each slice begins with an idle server. Where the p99 decides, short
      # slices would so show too little of the queue: at 70 % of what one server can do, with
      # requests of 43 ms, slices of half a second have a p99 that is 28 % too low, slices of 5 s
      # one that is 6 % too low (docs/method.md, The 99th percentile at a rate). So each server has
      # two, as long as its requests take.
      SLICES = 2
      SHORTEST_SLICE_S = 2.0

      # Seconds of load of each server where the p99 decides, at the lowest of these rates.
      #: (Array[Numeric]) -> Float
      def self.tail_s(rates)
        [SLICES * SHORTEST_SLICE_S, Plan::Costs::RATED.fdiv(rates.min)].max
      end

      # Enough for the 99th percentile, if that decides.
      #: () -> Integer?
      def requests = (Plan::Costs::RATED if @study.rules.tail?)

      #: () -> Float?
      def slice_s
        Loading.tail_s(@study.rates) / SLICES if @study.rules.tail? && @study.rates.any?
      end
    end
  end
end
