# frozen_string_literal: true

module Mohs
  module Stats
    # One metric value of one slice, on the scale that everything is compared on: a logarithm,
    # better is bigger. Nil where the slice cannot say (no answer, no CPU clock).
    module Sample
      METRICS = {
        throughput_per_s: ->(slice) { [slice[:good], slice[:wall_ns]] },
        cpu_us_per_request: ->(slice) { [slice[:good], slice[:cpu_ns]] },
        latency_p50_ms: ->(slice) { [1, slice[:p50_ns]] },
      }.freeze

      module_function

      # At the mean pace of the cores, where CoreSpeed has told what that adds.
      #: (Store::Slice | Hash[Symbol, untyped], Symbol) -> Float?
      def log(slice, metric)
        measured = measured(slice, metric)
        measured && (measured + (slice.dig(:at_pace, metric) || 0))
      end

      # As it was. `slice` as the store gives it: good, wall_ns (to the last counted answer, so that
      # no count is rounded), cpu_ns of the whole process tree, p50_ns.
      #: (Store::Slice | Hash[Symbol, untyped], Symbol) -> Float?
      def measured(slice, metric)
        gained, spent = METRICS.fetch(metric).call(slice)
        Math.log(gained.to_f / spent) if gained.to_i.positive? && spent.to_i.positive?
      end
    end
  end
end
