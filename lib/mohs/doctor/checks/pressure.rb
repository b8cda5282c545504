# frozen_string_literal: true

module Mohs
  module Doctor
    module Checks
      # Share of the last ten seconds before we began in which somebody waited for a CPU
      # (/proc/pressure/cpu, "some").
      class Pressure < Base
        LABEL = "CPU pressure"
        UNIT = SHARE
        LIMITS = { warn: 0.02, bad: 0.20 }.freeze

        private

        def judge
          return unknown("this kernel does not tell (PSI)") unless facts.pressure

          share = facts.pressure / 100
          graded(share, "somebody waited for a CPU #{percent(share)} of the time before",
                 remedy: "close what else runs here, or wait until it has ended")
        end
      end
    end
  end
end
