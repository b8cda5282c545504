# frozen_string_literal: true

module Mohs
  module Analysis
    # What the probe saw on one core: `cpu` its number; wall_ns how long it spun, cpu_ns the CPU
    # time that it had of that, away_ns the time in gaps longer than 20 us, longest_ns the longest
    # of these; bins: units of fixed work in each 100 ms.
    FixedWorkSample = Struct.new(:cpu, :wall_ns, :cpu_ns, :away_ns, :longest_ns, :bins,
                      keyword_init: true) do
      include Value

      # As a share of the wall time, 0..1.
      #: () -> Float
      def away_share = away_ns.fdiv(wall_ns)

      # As a share of the wall time, 0..1.
      #: () -> Float
      def cpu_share = cpu_ns.fdiv(wall_ns)

      # Coefficient of variation of the work in the bins; nil if none was done.
      #: () -> Float?
      def variation
        mean = Stats::Center.mean(bins)
        Stats::Spread.sd(bins) / mean if mean.positive?
      end

      # How much two cores vary against each other: the standard deviation of the difference of
      # their work, each as a share of its mean. nil if either did none.
      #: (Analysis::FixedWorkSample) -> Float?
      def against(other)
        shares = [bins, other.bins].map do |work|
          mean = Stats::Center.mean(work)
          return if mean.zero?

          work.map { |units| units / mean }
        end
        Stats::Spread.sd(shares[0].zip(shares[1]).map { |mine, theirs| mine - theirs })
      end

      # Pearson's correlation of the work of two cores, bin by bin; nil if either did not vary.
      #: (Analysis::FixedWorkSample) -> Float?
      def correlation(other)
        mine, theirs = [bins, other.bins].map { |work| deviations(work) }
        scale = Math.sqrt(squares(mine) * squares(theirs))
        mine.zip(theirs).sum { |a, b| a * b } / scale if scale.positive?
      end

      private

      def deviations(work)
        mean = Stats::Center.mean(work)
        work.map { |units| units - mean }
      end

      def squares(values) = values.sum { |value| value * value }
    end
  end
end
