# frozen_string_literal: true

module Mohs
  module Doctor
    module Checks
      # How much the speed of one fixed piece of work varies from one tenth of a second to the next
      # (coefficient of variation, worst core). Seen: 0.9 to 3.3 % on a quiet host, 9 to 50 % on a
      # busy one, and 13 % where nothing else showed: caches, memory and clock are shared.
      class Speed < Base
        LABEL = "speed"
        UNIT = SHARE
        NEEDS = [:spins].freeze
        LIMITS = { warn: 0.03, bad: 0.10 }.freeze

        private

        def judge
          return starved if facts.spins.any? { |spin| spin.variation.nil? }

          spin = worst(&:variation)
          graded(spin.variation, "the same work varies by #{percent(spin.variation)} on CPU " \
                                 "#{spin.cpu}, from one tenth of a second to the next",
                 remedy: "compare only what was measured in one run, as mohs does")
        end

        def starved
          bad(nil, "a core did no work at all", remedy: "close what else runs here")
        end
      end
    end
  end
end
