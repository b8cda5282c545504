# frozen_string_literal: true

module Mohs
  module Analysis
    module Warnings
      # Two that are loaded at once share caches, memory and the clock of the machine; where they
      # differ much, that can shrink the difference (method, table 3b). So a large one is measured
      # once with each alone, and both are told where they disagree.
      module Contention
        module_function

        #: (Analysis::Comparison) -> Analysis::Finding?
        def call(comparison)
          alone = comparison.solo&.difference(comparison.metric) or return
          together = comparison.sequential.interval(comparison.differences(comparison.metric))
          return if together.low.nil? || alone.between?(together.low, together.high)

          ratio = comparison.metric.more ? alone : -alone
          Finding.new(code: "contention", severity: :warn,
                      values: { metric: comparison.metric.title, ratio: Math.exp(ratio) })
        end
      end
    end
  end
end
