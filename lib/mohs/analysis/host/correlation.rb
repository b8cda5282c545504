# frozen_string_literal: true

module Mohs
  module Analysis
    module Host
      # Whether cores are slowed down together: then measuring two things at the same time, each on
      # its half of the cores, cancels most of the noise. Neither good nor bad.
      class Correlation < Base
        LABEL = "cores together"
        UNIT = "correlation"
        SPINS = true
        HIGH = 0.5

        WORDS = {
          together: "cores vary together: measuring at the same time pays " \
                    "(correlation %{value|figure})",
          apart: "cores vary independently (correlation %{value|figure})",
          unknown: "it takes two cores that vary",
        }.freeze

        private

        def judge
          pairs = facts[:spins].to_a.combination(2)
                               .filter_map { |one, other| one.correlation(other) }
          return unknown if pairs.empty?

          value = Stats::Center.mean(pairs)
          pass(value >= HIGH ? :together : :apart, value:)
        end
      end
    end
  end
end
