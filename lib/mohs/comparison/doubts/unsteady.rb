# frozen_string_literal: true

module Mohs
  class Comparison
    module Doubts
      # Does the difference itself move from the first block to the last, in all cohorts alike
      # (Theil-Sen; method, section 5)? Then one of the two was still warming up.
      module Unsteady
        THROUGHPUT = Metric.fetch("throughput")

        module_function

        #: (Comparison) -> Comparison::Doubts::Doubt?
        def call(comparison)
          moves = comparison.pairs.filter_map { |pair| move(pair) }
          interval = Doubts.certain(moves) or return
          return if interval.value.abs < Math.log(1 + comparison.rules.margin)

          lead = Stats::Center.mean(comparison.differences(THROUGHPUT))
          moved = Verdict::Words.signed(Math.exp(interval.value))
          Doubt.new(text: "not steady: B's lead over A changed by #{moved} while it was measured",
                    fatal: interval.value.abs > lead.abs)
        end

        def move(pair)
          blocks = pair.block_differences(THROUGHPUT)
          slope = Stats::TheilSen.slope(blocks) if blocks.size > FEWEST
          slope && (slope * (blocks.size - 1))
        end
        private_class_method :move
      end
    end
  end
end
