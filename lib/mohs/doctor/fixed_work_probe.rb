# frozen_string_literal: true

require "mohs/core"

module Mohs
  module Doctor
    # Spins on every core at once, in C: ext/mohs/core/fixed_work_probe.h. It disturbs every other
    # measurement on this machine, so only `mohs doctor` uses it.
    module FixedWorkProbe
      BINS_PER_S = 10

      module_function

      # A Spin for each of `cpus`, after so many seconds (0.2 to 60).
      #: (cpus: Array[Integer], seconds: Numeric) -> Array[Analysis::Spin]
      def call(cpus:, seconds:)
        Core.spin(cpus, (seconds * BINS_PER_S).round).map { |facts| Analysis::Spin.new(**facts) }
      end
    end
  end
end
