# frozen_string_literal: true

module Mohs
  module Analysis
    module Host
      # Whether --shield may use the real-time class here. No fault of a host that it may not.
      class RealTime < Base
        LABEL = "real-time class"

        WORDS = {
          usable: "--shield may use it, for %{share|percent} of the time at most " \
                  "(kernel.sched_rt_runtime_us), without a limit (RLIMIT_RTTIME)",
          forbidden: "--shield can't use it: mohs is not permitted to",
          obstructed: "--shield can't use it: %{obstacle}",
          unknown: "the kernel does not report what it grants",
        }.freeze

        private

        def judge
          granted = facts[:real_time] or return unknown
          obstacle, runtime_us, period_us = granted.values_at(:obstacle, :runtime_us, :period_us)
          return pass(:obstructed, value: "not usable", obstacle:) if obstacle
          return pass(:forbidden, value: "not usable") unless granted[:permitted]

          pass(:usable, value: "usable", share: runtime_us.fdiv(period_us || 1_000_000))
        end
      end
    end
  end
end
