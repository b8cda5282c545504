# frozen_string_literal: true

module Mohs
  module Analysis
    module Host
      # Where the kernel has the time from: every request reads the clock several times, which takes
      # some 20 ns where no system call is needed, and a microsecond where one is.
      class Clock < Base
        LABEL = "clock"
        # Those that a process reads by itself (vDSO), by architecture and hypervisor.
        FAST = %w[tsc kvm-clock hyperv_clocksource_tsc_page arch_sys_counter timebase
                  riscv_clocksource].freeze

        WORDS = {
          fast: "clock source %{value}",
          slow: "clock source %{value}: slow to read",
          unknown: "the kernel does not name its clock source",
        }.freeze
        REMEDIES = {
          slow: "boot with tsc=reliable where the host's tsc is, or use another host",
        }.freeze

        private

        def judge
          source = facts[:clock]
          return unknown if source.to_s.empty?

          FAST.include?(source) ? pass(:fast, value: source) : warn(:slow, value: source)
        end
      end
    end
  end
end
