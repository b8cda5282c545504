# frozen_string_literal: true

module Mohs
  module Analysis
    module Warnings
      # "Not steady": see Drift. Fatal if it moved by more than all of B's lead.
      module Unsteady
        THROUGHPUT = Metric.fetch("throughput")

        module_function

        #: (Analysis::Comparison) -> Analysis::Finding?
        def call(comparison)
          differences = comparison.differences(THROUGHPUT)
          return if differences.empty?

          blocks = comparison.pairs.map { |pair| pair.block_differences(THROUGHPUT) }
          Drift.call(blocks, margin: comparison.rules.margin, lead: Stats::Center.mean(differences),
                             of: "B", over: "A") { |moves| Warnings.interval(moves) }
        end
      end
    end
  end
end
