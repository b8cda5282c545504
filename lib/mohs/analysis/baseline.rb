# frozen_string_literal: true

module Mohs
  module Analysis
    # What the rows of a run are compared with: the study's baseline, or a stand-in for it.
    class Baseline
      #: (Study, Array[Store::Trial]) -> void
      def initialize(study, trials)
        @study = study
        @trials = trials
        @stand_in = StandIn.call(study, trials)
      end

      #: () -> String
      def name = @stand_in || @study.baseline

      # Why another one stands in; nil if the study's own is the baseline. Only a server that
      # answered has a boot time.
      #: () -> Analysis::Finding?
      def finding
        return unless @stand_in

        booted = @trials.any? { |trial| trial.variant == @study.baseline && trial.boot_ns }
        Finding.new(code: booted ? "baseline_not_measured" : "baseline_not_booted",
                    severity: :warn, subject: @study.baseline,
                    values: { declared: @study.baseline, instead: @stand_in })
      end
    end
  end
end
