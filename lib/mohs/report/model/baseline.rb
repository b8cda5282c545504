# frozen_string_literal: true

module Mohs
  module Report
    class Model
      # What the rows are held against: the study's baseline, or who stands in for it.
      class Baseline
        #: (Study, Array[Store::Trial]) -> void
        def initialize(study, trials)
          @study = study
          @trials = trials
          @stand_in = Plan::StandIn.call(study, trials)
        end

        #: () -> String
        def name = @stand_in || @study.baseline

        # Why that one.
        #: () -> String?
        def reason = @stand_in ? missing : @study.baseline_reason

        # A line under the table; nil where the study's own is the baseline.
        #: () -> String?
        def note = @stand_in && "#{missing}; compared with #{@stand_in}"

        private

        # Only a server that answered has a boot time.
        def missing
          declared = @study.baseline
          booted = @trials.any? { |trial| trial.variant == declared && trial.boot_ns }
          "#{declared} #{booted ? 'could not be measured' : 'did not boot'}"
        end
      end
    end
  end
end
