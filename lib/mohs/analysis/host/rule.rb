# frozen_string_literal: true

module Mohs
  module Analysis
    module Host
      # A check of the host: a row of TABLE. `fact` is a function from what Doctor::HostFacts read
      # to the values of the finding; it returns nil if they are unknown. In them, :value is a
      # number in `unit`, or a word if there is no unit; :case says which of `words` applies, and
      # defaults to :none at 0, if `words` has that, else to :measured. The severity comes from
      # `cases`, else from what `limits` say of the value, else it is ok. `remedies`: what helps in
      # the cases that speak against the host. `spins`: does the check need a core for itself?
      class Rule < Struct.new(:name, :label, :unit, :fact, :words, :limits, :cases, :remedies,
                              :spins, keyword_init: true)
        include Value

        SHARE = "share" # 0..1

        class << self
          private

          # Values for the core whose `figure` is the worst.
          def worst_core(facts, figure, sign = 1)
            spin = facts[:spins]&.max_by { |one| sign * one.public_send(figure) }
            spin && { value: spin.public_send(figure), cpu: spin.cpu, longest_ns: spin.longest_ns }
          end

          # The value of one observed activity.
          def active(facts, key) = facts.dig(:activity, key)&.then { |value| { value: } }

          def busiest(facts)
            share, processes = facts[:activity]&.values_at(:foreign_cpu_share, :processes)
            share && { value: share, processes: processes.first(NAMED) }
          end

          def slowest(facts)
            spins = facts[:spins] or return
            return { case: :starved } if spins.any? { |spin| spin.variation.nil? }

            worst = spins.max_by(&:variation)
            { case: :varies, value: worst.variation, cpu: worst.cpu }
          end

          # Variation that cores share cancels where two things are measured at the same time, each
          # on its half of the cores; variation against each other does not.
          def correlated(facts)
            pairs = facts[:spins].to_a.combination(2)
                                 .select { |one, other| one.correlation(other) }
            return if pairs.empty?

            value, apart = %i[correlation against].map do |figure|
              Stats::Center.mean(pairs.map { |one, other| one.public_send(figure, other) })
            end
            kind = apart < APART ? :apart : :against
            { case: value >= HIGH ? :together : kind, value:, apart: }
          end

          def shared(facts)
            server, driver = facts[:places].values_at(:server, :driver)
            return { case: :single, value: "none" } if server == driver

            lists = driver.map { |cpu| facts[:siblings][cpu] }
            return if lists.include?(nil)

            both = lists.flatten & server
            return { case: :apart, value: "apart" } if both.empty?

            { case: facts[:cpus].size < ENOUGH ? :shared_by_all : :shared, value: "shared",
              driver: driver.first, server: both }
          end

          def granted(facts)
            granted = facts[:real_time] or return
            obstacle, runtime_us, period_us = granted.values_at(:obstacle, :runtime_us, :period_us)
            return { case: :obstructed, value: "not usable", obstacle: } if obstacle
            return { case: :forbidden, value: "not usable" } unless granted[:permitted]

            { case: :usable, value: "usable", share: runtime_us.fdiv(period_us || 1_000_000) }
          end

          def allowed(facts)
            cores, quota = facts[:cpus].size, facts[:quota_cores]
            return { case: :quota, value: quota, cores: } if quota && quota < cores

            { case: cores > 1 ? :several : :one, value: cores }
          end

          def connectable(facts)
            low, high = facts[:ports]
            return unless high

            overlap = low <= facts[:server_ports].end
            { case: overlap ? :overlap : :counted, value: high - low + 1, low:, high: }
          end
        end

        BUSY = lambda do |values, numbers|
          names = values[:processes].map { |one| "#{one[:name]} #{numbers.percent(one[:share])}" }
          "#{numbers.percent(values[:value])} of the CPU#{": #{numbers.list(names)}" if names.any?}"
        end
        NAMED = 3
        # Cores vary together from a correlation of HIGH on. They vary against each other from APART
        # on, the standard deviation of their difference; the same limit is used for the variation
        # of one core.
        HIGH = 0.5
        APART = 0.03
        # Number of CPUs: with fewer, only one would be left without hyperthreads.
        ENOUGH = 4
        # The governor that does not follow the load.
        STEADY = "performance"
        HELD = lambda do |values, numbers|
          waiting, share = numbers.whole(values[:waiting]), values[:value]
          much = "#{numbers.percent(share)} of the number of local ports"
          much = "#{share.round(1)} times as many as there are local ports" if share > 1
          "#{waiting} connections in TIME_WAIT: #{much}"
        end

        # Clock sources that a process can read without a system call (vDSO), by architecture and
        # hypervisor.
        FAST = %w[tsc kvm-clock hyperv_clocksource_tsc_page arch_sys_counter timebase
                  riscv_clocksource].freeze
        UNSEEN = "not observed"
        CLOSE = "close what else runs here"
        FIX = "sudo mohs doctor --fix (undo: sudo mohs doctor --undo)"
        SHARED = "the driver's CPU %{driver} shares a core with the server's %{server|list}"

        # Noise first, then the machine: the order in which they are reported.
        TABLE = [
          # Share of the time for which a thread that only spins was kept off its core, in gaps
          # longer than 20 us. Seen: 0.2 to 1.4 % on a quiet host, 5 to 55 % on a busy one.
          new(name: "gaps", label: "gaps", unit: SHARE, spins: true,
              fact: ->(facts) { worst_core(facts, :away_share) },
              limits: Limits.new(warn: 0.02, bad: 0.10),
              words: { measured: "other work took CPU %{cpu} for %{value|percent} of the time, " \
                                 "up to %{longest_ns|ms} at a stretch",
                       unknown: UNSEEN },
              remedies: { measured: "#{CLOSE}; on a virtual host, ask for cores of your own" }),
          # CPU time of that thread over wall time. If it is lower, other processes of this host had
          # the core; time taken by a hypervisor counts as our own.
          new(name: "own_cpu", label: "own CPU time", unit: SHARE, spins: true,
              limits: Limits.new(warn: 0.98, bad: 0.90),
              fact: ->(facts) { worst_core(facts, :cpu_share, -1) },
              words: { measured: "a busy thread got %{value|percent} of CPU %{cpu}",
                       unknown: UNSEEN },
              remedies: { measured: CLOSE }),
          # How much the speed of a fixed piece of work varies from one tenth of a second to the
          # next (coefficient of variation, worst core). Seen: 0.9 to 3.3 % on a quiet host, 9 to
          # 50 % on a busy one, and 13 % where nothing else showed: caches, memory and clock are
          # shared.
          new(name: "speed", label: "speed", unit: SHARE, fact: method(:slowest), spins: true,
              limits: Limits.new(warn: 0.03, bad: 0.10), cases: { starved: :bad },
              words: { varies: "the same work varies by %{value|percent} on CPU %{cpu}, from one " \
                               "tenth of a second to the next",
                       starved: "a core did no work at all", unknown: UNSEEN },
              remedies: { varies: "compare only what was measured in one run, as mohs does",
                          starved: CLOSE }),
          # Whether cores are slowed down together: if so, measuring two things at the same time,
          # each on its half of the cores, cancels most of the noise. Cores that vary against each
          # other add their own noise.
          new(name: "correlation", label: "cores together", unit: "correlation", spins: true,
              fact: method(:correlated), cases: { against: :warn },
              words: { together: "cores vary together: measuring at the same time pays " \
                                 "(correlation %{value|figure})",
                       apart: "cores hardly vary against each other (correlation " \
                              "%{value|figure})",
                       against: "cores vary against each other by %{apart|percent} (correlation " \
                                "%{value|figure}): measuring at the same time cancels little",
                       unknown: "it takes two cores that vary" },
              remedies: { against: "#{CLOSE}; on a virtual host, ask for cores of your own" }),
          # CPU time that the hypervisor gave to other guests. 0 does not mean that the host is
          # quiet: many hypervisors report none.
          new(name: "steal", label: "steal", unit: SHARE,
              fact: ->(facts) { active(facts, :steal_share) },
              limits: Limits.new(warn: 0.01, bad: 0.05),
              words: { measured: "the hypervisor took %{value|percent} of the CPU",
                       unknown: "/proc/stat can't be read" },
              remedies: { measured: "ask for a host with cores of its own" }),
          # CPU time of processes other than mohs and those it started, and which processes these
          # are.
          new(name: "other_processes", label: "other processes", unit: SHARE,
              limits: Limits.new(warn: 0.05, bad: 0.25), fact: method(:busiest),
              words: { measured: BUSY, unknown: "/proc/stat can't be read" },
              remedies: { measured: "close them" }),
          # Whether a control group's quota held us back: if so, the quota is measured, not the
          # server.
          new(name: "throttling", label: "throttling", unit: "times", limits: Limits.new(bad: 0),
              fact: ->(facts) { active(facts, :throttled) },
              words: { none: "no CPU quota throttled mohs",
                       measured: "a CPU quota throttled mohs %{value|count} times",
                       unknown: "the control group of mohs can't be read" },
              remedies: { measured: "raise or remove the quota (docker --cpus, a pod's CPU " \
                                    "limit, CPUQuota=)" }),
          # Pages written to or read from swap: any of them stalls the process that touches it.
          new(name: "swap", label: "swap", unit: "pages", limits: Limits.new(bad: 0),
              fact: ->(facts) { active(facts, :swapped) },
              words: { none: "nothing swapped", measured: "%{value|count} pages swapped",
                       unknown: "/proc/vmstat does not count it" },
              remedies: { measured: "free memory, then sudo swapoff -a" }),
          # Share of the last ten seconds before the measurement in which some task waited for a CPU
          # (/proc/pressure/cpu, "some").
          new(name: "pressure", label: "CPU pressure", unit: SHARE,
              limits: Limits.new(warn: 0.02, bad: 0.20),
              fact: ->(facts) { facts[:pressure]&.then { |percent| { value: percent / 100 } } },
              words: { measured: "in the last 10 s, some process was waiting for a CPU " \
                                 "%{value|percent} of the time",
                       unknown: "this kernel does not report it (PSI)" },
              remedies: { measured: "#{CLOSE}, or wait until it has ended" }),
          # Controls how fast the cores run. All governors but `performance` follow the load, so the
          # first requests after a pause are slower than the following ones.
          new(name: "governor", label: "frequency", cases: { following: :warn },
              fact: lambda do |facts|
                value = facts[:governors].join(", ")
                { case: value == STEADY ? :steady : :following, value: } unless value.empty?
              end,
              words: { steady: "governor %{value}", following: "governor %{value}",
                       unknown: "no governor can be seen (a virtual machine has none)" },
              remedies: { following: FIX }),
          # Turbo makes the cores as fast as heat and the neighbours allow: faster overall, but
          # never the same for long.
          new(name: "turbo", label: "turbo", cases: { on: :warn },
              fact: lambda do |facts|
                switch = facts[:turbo] or next
                next { case: :off, value: "off" } unless switch[:now] == switch[:on]

                { case: :on, value: "on", **switch.slice(:path, :on, :off) }
              end,
              words: { off: "turbo off", on: "turbo on: speed depends on heat and neighbours",
                       unknown: "no switch for it can be seen" },
              remedies: { on: "echo %{off} | sudo tee %{path} (on again: echo %{on})" }),
          # Whether the driver's CPU is a hyperthread of a core that the server runs on: then each
          # slows the other down. (What a hypervisor hides can't be seen.)
          new(name: "siblings", label: "hyperthreads", fact: method(:shared),
              cases: { shared: :warn, shared_by_all: :warn },
              words: { single: "one core for all", shared: SHARED, shared_by_all: SHARED,
                       apart: "driver and server have their own cores",
                       unknown: "the kernel does not report which CPUs share a core" },
              remedies: { shared: "echo off | sudo tee /sys/devices/system/cpu/smt/control (on " \
                                  "again: echo on)",
                          shared_by_all: "use a host with two whole cores or more" }),
          # The kernel's clock source: every request reads the clock several times, which takes some
          # 20 ns without a system call, and a microsecond with one.
          new(name: "clock", label: "clock", cases: { slow: :warn },
              fact: lambda do |facts|
                source = facts[:clock].to_s
                { case: FAST.include?(source) ? :fast : :slow, value: source } unless source.empty?
              end,
              words: { fast: "clock source %{value}", slow: "clock source %{value}: slow to read",
                       unknown: "the kernel does not name its clock source" },
              remedies: { slow: "boot with tsc=reliable where the host's tsc is, or use another " \
                                "host" }),
          # Whether --shield may use the real-time class here. If it may not, that is not a fault of
          # the host.
          new(name: "real_time", label: "real-time class", fact: method(:granted),
              words: { usable: "--shield may use it, for %{share|percent} of the time at most " \
                               "(kernel.sched_rt_runtime_us), without a limit (RLIMIT_RTTIME)",
                       forbidden: "--shield can't use it: mohs is not permitted to",
                       obstructed: "--shield can't use it: %{obstacle}",
                       unknown: "the kernel does not report what it grants" }),
          # Cores that we may use: with one, driver and server take it from each other; a quota of
          # fewer stops us in the middle of the work.
          new(name: "cores", label: "cores", unit: "cores", fact: method(:allowed),
              cases: { one: :warn, quota: :warn },
              words: { several: "%{value|count} cores", one: "one core: driver and server share it",
                       quota: "a quota of %{value|short} cores' time on %{cores|count} cores" },
              remedies: { one: "allow mohs two cores or more (taskset, docker --cpuset-cpus)",
                          quota: "give whole cores instead (docker --cpuset-cpus instead of " \
                                 "--cpus)" }),
          # Memory that is left for servers, on the machine or under our control group's limit. A
          # cohort has up to four servers alive at once; a Rails process takes 100 to 300 MB, a JVM
          # more.
          new(name: "memory", label: "memory", unit: "bytes",
              limits: Limits.new(warn: 2 * (2**30), bad: 2**29),
              fact: lambda do |facts|
                free, of_group = facts.values_at(:free_bytes, :group_free_bytes)
                free && { value: [free, of_group].compact.min }
              end,
              words: { measured: "%{value|gb} left", unknown: "/proc/meminfo can't be read" },
              remedies: { measured: "#{CLOSE}, or compare fewer variants at once" }),
          # Descriptors that one of our processes may have open: a connection takes one in the
          # driver and one in the server.
          new(name: "files", label: "files", unit: "files",
              limits: Limits.new(warn: 1023, bad: 255), cases: { unlimited: :ok },
              fact: lambda do |facts|
                limit = facts[:open_files] or next
                limit == :unlimited ? { case: :unlimited } : { case: :limited, value: limit }
              end,
              words: { limited: "%{value|count} open files at most",
                       unlimited: "no limit on open files",
                       unknown: "/proc/self/limits can't be read" },
              remedies: { limited: "ulimit -n 4096" }),
          # Ports that the kernel gives to our connections: one each, and one per request if
          # connections don't last. They must not overlap with the ports that mohs gives to servers:
          # else one could be taken when its server binds it.
          new(name: "ports", label: "ports", unit: "ports", fact: method(:connectable),
              limits: Limits.new(warn: 16_384, bad: 4_096), cases: { overlap: :warn },
              words: { counted: "%{value|count} ports for connections, %{low} to %{high}",
                       overlap: "the ports for connections, %{low} to %{high}, overlap with " \
                                "those for servers",
                       unknown: "the range of ports can't be read" },
              remedies: { counted: FIX, overlap: FIX }),
          # Connections closed in the last minute still hold their ports: the share of the ports for
          # connections that they take. (Connections to other addresses count too, so it is an upper
          # bound.)
          new(name: "time_wait", label: "TIME_WAIT", unit: SHARE,
              limits: Limits.new(warn: 0.25, bad: 0.75),
              fact: lambda do |facts|
                waiting, (low, high) = facts.values_at(:time_wait, :ports)
                waiting && high && { value: waiting.fdiv(high - low + 1), waiting: }
              end,
              words: { measured: HELD,
                       unknown: "/proc/net/sockstat can't be read" },
              remedies: { measured: "wait a minute before you measure" }),
        ].to_h { |row| [row.name, row] }.freeze

        #: (Hash[Symbol, untyped]) -> Analysis::Finding
        def call(facts)
          values = fact.call(facts) or
            return Finding.new(code: "#{name}.unknown", severity: :unknown)

          kind, value = values.values_at(:case, :value)
          kind ||= words.key?(:none) && value.zero? ? :none : :measured
          severity = cases.to_h.fetch(kind) { limits ? limits.severity(value) : :ok }
          Finding.new(code: "#{name}.#{kind}", severity:, values: values.except(:case))
        end
      end
    end
  end
end
