# frozen_string_literal: true

module Mohs
  module Doctor
    module Checks
      # CPU time of a thread that only spins, over wall time, on the worst core. Where it is lower,
      # other processes of this host had the core; time that a hypervisor takes counts as our own.
      class OwnCpu < Base
        LABEL = "own CPU time"
        UNIT = SHARE
        NEEDS = [:spins].freeze
        LIMITS = { warn: 0.98, bad: 0.90 }.freeze

        private

        def judge
          spin = worst { |each| -each.cpu_share }
          graded(spin.cpu_share, "a busy thread got #{percent(spin.cpu_share)} of CPU #{spin.cpu}",
                 remedy: "close what else runs here")
        end
      end
    end
  end
end
