# frozen_string_literal: true

module Mohs
  module Analysis
    class Tuning
      # A further tuning, of the setting `name` and the present one alone, which would show what the
      # setting gains: `gain`, the ratio of its rate to the present one's; `budget_s`, in seconds.
      class Further < Struct.new(:name, :gain, :budget_s, keyword_init: true)
        include Value

        # The chance that it shows the gain, if that is what it seems to be.
        POWER = 0.8

        # Boots of each setting that nobody would wait for.
        MOST = 30

        # effect: by how much the setting seems to serve more, a logarithm, over the boots so far.
        # budget: that of the tuning so far. search_s: of each search. nil if it would take too
        # many boots, or if the setting does not seem to serve more.
        #: (String, Stats::Effect, budget: Tuning::Budget, search_s: Numeric) -> Analysis::Tuning::Further?
        def self.of(name, effect, budget:, search_s:)
          boots = boots(effect) or return
          new(name:, gain: Math.exp(effect.value),
              budget_s: budget.whole_s(FEW, boots:, search_s:, servers: LOOK * FEW))
        end

        # The fewest boots with which a paired t-test has this power, by Student's quantiles: (t of
        # the level + t of the power) standard errors (Cochran and Cox, Experimental Designs, 1957,
        # section 2.21).
        def self.boots(effect)
          sd = effect.error * Math.sqrt(effect.count)
          (BOOTS..MOST).find do |count|
            quantiles = [ALPHA / 2, 1 - POWER].sum { Stats::StudentT.upper_quantile(_1, count - 1) }
            quantiles * sd / Math.sqrt(count) <= effect.value
          end
        end
        private_class_method :boots
      end
    end
  end
end
