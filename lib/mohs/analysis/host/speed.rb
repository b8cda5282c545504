# frozen_string_literal: true

module Mohs
  module Analysis
    module Host
      # How much the speed of one fixed piece of work varies from one tenth of a second to the next
      # (coefficient of variation, worst core). Seen: 0.9 to 3.3 % on a quiet host, 9 to 50 % on a
      # busy one, and 13 % where nothing else showed: caches, memory and clock are shared.
      class Speed < Base
        LABEL = "speed"
        UNIT = Threshold::SHARE
        SPINS = true
        LIMITS = Limits.new(warn: 0.03, bad: 0.10)

        WORDS = {
          varies: "the same work varies by %{value|percent} on CPU %{cpu}, from one tenth of a " \
                  "second to the next",
          starved: "a core did no work at all",
          unknown: Threshold::UNSEEN,
        }.freeze
        REMEDIES = {
          varies: "compare only what was measured in one run, as mohs does",
          starved: Threshold::CLOSE,
        }.freeze

        private

        def judge
          spins = facts[:spins] or return unknown
          return bad(:starved) if spins.any? { |spin| spin.variation.nil? }

          worst = spins.max_by(&:variation)
          measured(LIMITS, :varies, worst.variation, cpu: worst.cpu)
        end
      end
    end
  end
end
