# frozen_string_literal: true

module Mohs
  module Cohort
    # What the driver could do at most where a cohort was measured (Load::NullServerRate): asked
    # once for a run, behind its first cohort, when no server is there to be disturbed. All variants
    # are asked for the same, and by the same driver.
    class HeadroomProbe
      #: (?driver: Class) -> void
      def initialize(driver: Drivers.fetch("native"))
        @driver = driver
      end

      # Answers a second of a server that does nothing; nil while none was measured, or as there.
      #: (Array[Trial], Cohort::Layout) -> Float?
      def call(trials, layout)
        trial = trials.find(&:recording)
        return @empty_per_s if @empty_per_s || trial.nil?

        driver = ->(**options) { @driver.new(**options) }
        body_bytes = trial.answers.first.length.to_i
        @empty_per_s = Load::NullServerRate.new(driver:, cpus: layout.driver_cpus.first(1))
                                           .call(trial.target, body_bytes:)
      end
    end
  end
end
