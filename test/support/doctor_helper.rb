# frozen_string_literal: true

module Mohs
  # A quiet host as a tree of files.
  module DoctorTree
    # A quiet host of two cores, on which every check can read everything.
    TREE = {
      "proc/self/cgroup" => "0::/\n", "proc/self/limits" => "Limit  Soft  Hard  Units\n" \
                                                            "Max open files  4096  8192  files\n" \
                                                            "Max realtime timeout  unlimited  us\n",
      "proc/sys/kernel/sched_rt_runtime_us" => "950000\n",
      "proc/sys/kernel/sched_rt_period_us" => "1000000\n",
      "sys/fs/cgroup/cpu.stat" => "usage_usec 12\nnr_throttled 0\n",
      "proc/meminfo" => "MemTotal: 16000000 kB\nMemAvailable:  8000000 kB\nSwapTotal: 4096 kB\n",
      "proc/vmstat" => "nr_free_pages 7\npswpin 10\npswpout 20\n",
      "proc/pressure/cpu" => "some avg10=0.50 avg60=9.00 avg300=9.00 total=1\n",
      "proc/stat" => "cpu  1000 0 500 9000 100 0 0 10 0 0\n",
      "proc/net/sockstat" => "sockets: used 3\nTCP: inuse 1 orphan 0 tw 100 alloc 1 mem 1\n",
      "proc/sys/net/ipv4/ip_local_port_range" => "32768\t60999\n",
      "sys/devices/system/cpu/cpu0/cpufreq/scaling_governor" => "performance\n",
      "sys/devices/system/cpu/cpu1/cpufreq/scaling_governor" => "performance\n",
      "sys/devices/system/cpu/intel_pstate/no_turbo" => "1\n",
      "sys/devices/system/cpu/cpu1/topology/thread_siblings_list" => "1\n",
      "sys/devices/system/clocksource/clocksource0/current_clocksource" => "tsc\n",
    }.freeze

    QUIET = { foreign_cpu_share: 0.01, steal_share: 0.0, throttled: 0, swapped: 0,
              processes: [] }.freeze
  end

  # A Doctor::Reader of files that exist only here.
  class PlayedReader < Doctor::Reader
    def initialize(files)
      super()
      @files = files
    end

    private

    def bytes(path) = @files.fetch(path) { raise Errno::ENOENT, path }

    def matching(pattern)
      @files.keys.select { |path| File.fnmatch?(pattern, path, File::FNM_PATHNAME) }
    end
  end

  # Hosts that differ from that one, and what the fixed-work probe would have measured on them.
  module DoctorHelper
    include DoctorTree

    MS = 1_000_000

    def spin(cpu: 0, away: 0.01, cpu_share: 0.995, bins: [1000, 1010, 990])
      Analysis::FixedWorkSample.new(cpu:, wall_ns: 300 * MS, cpu_ns: (300 * MS * cpu_share).round,
                         away_ns: (300 * MS * away).round, longest_ns: 2 * MS, bins:)
    end

    # The facts of that host, changed by `tree` (nil: no such file) and by the other facts given.
    def with_facts(tree = {}, **changes)
      given = { cpus: [0, 1], activity: QUIET, pressure: 0.5, spins: [spin, spin(cpu: 1)] }
      reader = PlayedReader.new(TREE.merge(tree).compact)
      yield Doctor::HostFacts.new(reader).call(**given, **changes)
    end

    # What the check `name` finds there. `given` are files (string keys) and facts (symbols).
    def find(name, files = {}, **given)
      tree, changes = given.partition { |key, _| key.is_a?(String) }.map(&:to_h)
      with_facts(files.merge(tree), **changes) do |facts|
        return Analysis::Host.member(name).call(facts)
      end
    end
  end
end
