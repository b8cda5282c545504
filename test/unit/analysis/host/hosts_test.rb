# frozen_string_literal: true

require "test_helper"

# Whole hosts as they are found, and what the doctor says of each: all that can be read without
# spinning. Only what differs from the quiet host of DoctorHelper is told.
class HostsTest < Mohs::TestCase
  include Mohs::DoctorHelper

  CPU = "sys/devices/system/cpu"
  CLOCK = "sys/devices/system/clocksource/clocksource0/current_clocksource"
  NO_FREQUENCY = { "#{CPU}/cpu0/cpufreq/scaling_governor" => nil,
                   "#{CPU}/cpu1/cpufreq/scaling_governor" => nil,
                   "#{CPU}/intel_pstate/no_turbo" => nil }.freeze

  # name => [files, facts, { check => level } of those that are not ok]
  HOSTS = {
    "a laptop on battery, with a browser open" => [
      { "#{CPU}/cpu0/cpufreq/scaling_governor" => "powersave\n",
        "#{CPU}/cpu1/cpufreq/scaling_governor" => "powersave\n",
        "#{CPU}/intel_pstate/no_turbo" => "0\n",
        "#{CPU}/cpu3/topology/thread_siblings_list" => "1,3\n" },
      { cpus: [0, 1, 2, 3], pressure: 3.1,
        activity: Mohs::DoctorTree::QUIET.merge(foreign_cpu_share: 0.14,
                                          processes: [{ name: "chrome", share: 0.12 }]) },
      { "governor" => "warn", "turbo" => "warn", "siblings" => "warn", "pressure" => "warn",
        "other_processes" => "warn" },
    ],
    "a small cloud host: two hyperthreads of one core, its neighbours busy" => [
      { **NO_FREQUENCY, "#{CPU}/cpu1/topology/thread_siblings_list" => "0-1\n",
                        "proc/meminfo" => "MemAvailable: 900000 kB\nSwapTotal: 0 kB\n",
                        CLOCK => "kvm-clock\n" },
      { activity: Mohs::DoctorTree::QUIET.merge(steal_share: 0.08) },
      { "governor" => "unknown", "turbo" => "unknown", "siblings" => "warn", "memory" => "warn",
        "steal" => "bad" },
    ],
    "an old cloud host whose clock needs a system call" => [
      { **NO_FREQUENCY, CLOCK => "xen\n", "proc/pressure/cpu" => nil },
      { pressure: nil },
      { "governor" => "unknown", "turbo" => "unknown", "clock" => "warn", "pressure" => "unknown" },
    ],
    "a pod with half a core and 300 MB" => [
      { **NO_FREQUENCY, "sys/fs/cgroup/cpu.max" => "50000 100000\n",
                        "sys/fs/cgroup/memory.max" => "314572800\n",
                        "sys/fs/cgroup/memory.current" => "104857600\n" },
      { activity: Mohs::DoctorTree::QUIET.merge(throttled: 31) },
      { "governor" => "unknown", "turbo" => "unknown", "cores" => "warn", "memory" => "bad",
        "throttling" => "bad" },
    ],
    "a container of version 1 without limits" => [
      { "proc/self/cgroup" => "4:memory:/docker/ab\n3:cpu,cpuacct:/docker/ab\n",
        "sys/fs/cgroup/cpu.stat" => nil,
        "sys/fs/cgroup/cpu,cpuacct/cpu.stat" => "nr_throttled 0\n",
        "sys/fs/cgroup/cpu,cpuacct/cpu.cfs_quota_us" => "-1\n",
        "sys/fs/cgroup/cpu,cpuacct/cpu.cfs_period_us" => "100000\n",
        "sys/fs/cgroup/memory/memory.limit_in_bytes" => "9223372036854771712\n",
        "sys/fs/cgroup/memory/memory.usage_in_bytes" => "104857600\n" },
      {},
      {},
    ],
    "an ARM board with one governor for all, that swaps" => [
      { "#{CPU}/cpu0/cpufreq/scaling_governor" => "schedutil\n",
        "#{CPU}/cpu1/cpufreq/scaling_governor" => nil,
        "#{CPU}/intel_pstate/no_turbo" => nil, CLOCK => "arch_sys_counter\n" },
      { activity: Mohs::DoctorTree::QUIET.merge(swapped: 812) },
      { "governor" => "warn", "turbo" => "unknown", "swap" => "bad" },
    ],
    "a server with AMD's boost, tuned for many connections" => [
      { "#{CPU}/intel_pstate/no_turbo" => nil, "#{CPU}/cpufreq/boost" => "1\n",
        "proc/sys/net/ipv4/ip_local_port_range" => "1024\t65535\n",
        "proc/self/limits" => "Max open files            1048576   1048576   files\n" },
      {},
      { "turbo" => "warn", "ports" => "warn" },
    ],
    "a load generator just after a load without keep-alive" => [
      { "proc/net/sockstat" => "TCP: inuse 3 orphan 0 tw 27500 alloc 9 mem 1\n",
        "proc/self/limits" => "Max open files            256   4096   files\n" },
      { cpus: [0] },
      { "time_wait" => "bad", "files" => "warn", "cores" => "warn" },
    ],
    "a sandbox that shows nothing at all" => [
      Mohs::DoctorTree::TREE.transform_values { nil },
      { activity: nil, pressure: nil },
      (Mohs::Analysis::Host.names - %w[gaps own_cpu speed correlation cores])
        .to_h { |name| [name, "unknown"] },
    ],
  }.freeze

  HOSTS.each do |name, (files, facts, wanted)|
    test name do
      with_facts(files, **facts, spins: nil) do |seen|
        found = Mohs::Analysis::Host.cheap(seen).to_h { |one| [one.member, one.severity.to_s] }

        assert_equal wanted.sort, found.reject { |_, level| level == "ok" }.sort
      end
    end
  end
end
