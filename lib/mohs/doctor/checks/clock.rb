# frozen_string_literal: true

module Mohs
  module Doctor
    module Checks
      # Where the kernel has the time from: every request reads the clock several times, which takes
      # some 20 ns where no system call is needed, and a microsecond where one is.
      class Clock < Base
        LABEL = "clock"
        # Those that a process reads by itself (vDSO), by architecture and hypervisor.
        FAST = %w[tsc kvm-clock hyperv_clocksource_tsc_page arch_sys_counter timebase
                  riscv_clocksource].freeze

        private

        def judge
          source = reader.text("sys/#{Probes::Host::CLOCK}")
          return unknown("the kernel does not tell its clock source") if source.to_s.empty?
          return ok(source, "clock source #{source}") if FAST.include?(source)

          warn(source, "clock source #{source}: slow to read",
               remedy: "boot with tsc=reliable where the host's tsc is, or use another host")
        end
      end
    end
  end
end
