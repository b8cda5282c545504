# frozen_string_literal: true

module Mohs
  class Comparison
    module Doubts
      # Two that are loaded at once share caches, memory and the clock of the machine; where they
      # differ much, that can shrink the difference (method, table 3b). So a large one is measured
      # once with each alone, and both are told where they disagree.
      module Contention
        module_function

        #: (Comparison) -> Comparison::Doubts::Doubt?
        def call(comparison)
          alone = comparison.solo&.difference(comparison.metric) or return
          together = comparison.sequential.interval(comparison.differences(comparison.metric))
          return if together.low.nil? || alone.between?(together.low, together.high)

          ratio = comparison.metric.more ? alone : -alone
          Doubt.new(text: "measured alone on a core, B's #{comparison.metric.title} is " \
                          "#{Verdict::Words.signed(Math.exp(ratio))} against A's: side by side " \
                          "they contend for cache or memory", fatal: false)
        end
      end
    end
  end
end
