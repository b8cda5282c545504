# frozen_string_literal: true

module Mohs
  module Doctor
    module Checks
      # Whether cores are slowed down together: then measuring two things at the same time, each on
      # its half of the cores, cancels most of the noise. Neither good nor bad.
      class Correlation < Base
        LABEL = "cores together"
        UNIT = "correlation"
        NEEDS = [:spins].freeze
        HIGH = 0.5

        private

        def judge
          pairs = facts.spins.combination(2).filter_map { |one, other| one.correlation(other) }
          return unknown("one core alone has nothing to go along with") if pairs.empty?

          mean = Stats::Center.mean(pairs)
          what = mean >= HIGH ? "together: measuring at the same time pays" : "each for itself"
          ok(mean, "cores vary #{what} (correlation #{format('%.2f', mean)})")
        end
      end
    end
  end
end
