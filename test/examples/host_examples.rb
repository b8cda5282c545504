# frozen_string_literal: true

require_relative "../support/doctor_helper"

module Mohs
  # What DoctorHelper#find has to be given for each check of the host to come to each of its cases:
  # what every one of them finds is phrased, and compared with fixtures/screens/host-checks.txt.
  module HostExamples
    extend DoctorHelper

    QUIET = DoctorTree::QUIET
    UNSEEN = { activity: QUIET.transform_values { nil } }.freeze
    PORTS = "proc/sys/net/ipv4/ip_local_port_range"
    CPU = "sys/devices/system/cpu"
    CLOCK = "sys/devices/system/clocksource/clocksource0/current_clocksource"
    LIMITS = "proc/self/limits"
    TIMEOUT = "Max realtime timeout      100000 100000 us\n"
    BUSY = [{ name: "chrome", share: 0.12 }, { name: "make", share: 0.05 }].freeze

    ALL = {
      "gaps.measured" => { spins: [spin(away: 0.14)] },
      "gaps.unknown" => { spins: nil },
      "own_cpu.measured" => { spins: [spin(cpu_share: 0.93)] },
      "own_cpu.unknown" => { spins: nil },
      "speed.varies" => { spins: [spin(bins: [900, 1000, 1050])] },
      "speed.starved" => { spins: [spin(bins: [0, 0, 0])] },
      "speed.unknown" => { spins: nil },
      "correlation.together" => { spins: [spin(bins: [1, 2, 3]), spin(bins: [1, 2, 4])] },
      "correlation.apart" => { spins: [spin(bins: [99, 100]), spin(bins: [100, 99])] },
      "correlation.against" => { spins: [spin(bins: [9, 10]), spin(bins: [10, 9])] },
      "correlation.unknown" => { spins: [spin] },
      "steal.measured" => { activity: QUIET.merge(steal_share: 0.08) },
      "steal.unknown" => UNSEEN,
      "other_processes.measured" => { activity: QUIET.merge(foreign_cpu_share: 0.3,
                                                            processes: BUSY) },
      "other_processes.unknown" => UNSEEN,
      "throttling.none" => {},
      "throttling.measured" => { activity: QUIET.merge(throttled: 31) },
      "throttling.unknown" => UNSEEN,
      "swap.none" => {},
      "swap.measured" => { activity: QUIET.merge(swapped: 8120) },
      "swap.unknown" => UNSEEN,
      "pressure.measured" => { pressure: 3.1 },
      "pressure.unknown" => { pressure: nil },
      "governor.steady" => {},
      "governor.following" => { "#{CPU}/cpu1/cpufreq/scaling_governor" => "powersave" },
      "governor.unknown" => { "#{CPU}/cpu0/cpufreq/scaling_governor" => nil,
                              "#{CPU}/cpu1/cpufreq/scaling_governor" => nil },
      "turbo.off" => {},
      "turbo.on" => { "#{CPU}/intel_pstate/no_turbo" => "0" },
      "turbo.unknown" => { "#{CPU}/intel_pstate/no_turbo" => nil },
      "siblings.single" => { cpus: [0] },
      "siblings.apart" => {},
      "siblings.shared" => { "#{CPU}/cpu3/topology/thread_siblings_list" => "0-1,3",
                             cpus: [0, 1, 2, 3] },
      "siblings.shared_by_all" => { "#{CPU}/cpu1/topology/thread_siblings_list" => "0-1" },
      "siblings.unknown" => { cpus: [0, 9] },
      "clock.fast" => {},
      "clock.slow" => { CLOCK => "xen" },
      "clock.unknown" => { CLOCK => nil },
      "real_time.usable" => {},
      "real_time.forbidden" => { "proc/self/status" => "CapEff: 0000000000000000" },
      "real_time.obstructed" => { LIMITS => TIMEOUT },
      "real_time.unknown" => { "proc/sys/kernel/sched_rt_runtime_us" => nil },
      "cores.several" => {},
      "cores.one" => { cpus: [3] },
      "cores.quota" => { "sys/fs/cgroup/cpu.max" => "150000 100000" },
      "memory.measured" => { "proc/meminfo" => "MemAvailable: 1200000 kB" },
      "memory.unknown" => { "proc/meminfo" => nil },
      "files.limited" => { LIMITS => "Max open files  256  8192  files" },
      "files.unlimited" => { LIMITS => "Max open files  unlimited  unlimited  files" },
      "files.unknown" => { LIMITS => nil },
      "ports.counted" => { PORTS => "40000 43999" },
      "ports.overlap" => { PORTS => "1024 65535" },
      "ports.unknown" => { PORTS => nil },
      "time_wait.measured" => { "proc/net/sockstat" => "TCP: inuse 3 orphan 0 tw 27500 alloc 9" },
      "time_wait.unknown" => { "proc/net/sockstat" => nil },
    }.freeze
  end
end
