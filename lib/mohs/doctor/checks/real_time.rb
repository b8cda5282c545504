# frozen_string_literal: true

module Mohs
  module Doctor
    module Checks
      # Whether --shield may use the real-time class here. No fault of a host that it may not.
      class RealTime < Base
        LABEL = "real-time class"
        KERNEL = "proc/sys/kernel/sched_rt_runtime_us"
        # In the set of a process's capabilities (capabilities(7)).
        CAP_SYS_NICE = 23

        private

        def judge
          return unknown("the kernel does not tell what it grants") unless reader.number(KERNEL)

          grants = Process::RealTime.grants { |path| reader.text(path) }
          obstacle = Process::RealTime.obstacle(**grants)
          obstacle ||= "not permitted to us" unless permitted?
          return ok("not usable", "--shield can't use it: #{obstacle}") if obstacle

          share = grants[:runtime_us].fdiv(grants[:period_us] || 1_000_000)
          ok("usable", "--shield may use it, for #{percent(share)} of the time at most " \
                       "(kernel.sched_rt_runtime_us), without a limit (RLIMIT_RTTIME)")
        end

        # The server's priority and, above it, the watchdog's. Where nothing is told, true.
        def permitted?
          set = reader.text("proc/self/status")&.slice(/^CapEff:\s+(\h+)/, 1) or return true
          most = reader.text("proc/self/limits")&.slice(/^Max realtime priority +(\d+)/, 1)
          set.hex[CAP_SYS_NICE] == 1 || most.to_i > Process::Shield::PRIORITY
        end
      end
    end
  end
end
