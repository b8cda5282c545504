# frozen_string_literal: true

require "etc"
require "mohs/core"

module Mohs
  # Can this host be trusted, and what should be changed? Nothing here forbids a measurement: its
  # validity comes from its design (docs/method.md); a bad host only costs time. The manual is
  # docs/doctor.md. Doctor reads the host; Analysis::Host interprets the facts.
  module Doctor
    SECONDS = 3

    module_function

    # All checks, in the order in which they are reported, after spinning on every core for
    # `seconds`. The machine is locked meanwhile, as for a cohort: `wait` is called with the
    # Process::MachineName::Holder that has to be waited for.
    #: (?seconds: Numeric, ?reader: Doctor::Reader, ?wait: Proc, ?lock: Process::MachineLock) -> Array[Analysis::Finding]
    def examine(seconds: SECONDS, reader: Reader.new, wait: ->(_holder) {},
                lock: Process::MachineLock.new)
      cpus = Process::CpuSet.available
      lock.hold(wait:) do
        watch = Watch.new(reader:)
        spins = FixedWorkProbe.call(cpus:, seconds:)
        Analysis::Host.call(facts(watch, reader, cpus:, spins:))
      end
    end

    # The checks that cost nothing, for a cohort's record: what has happened since `watch` was
    # created (Doctor::Watch.new, while no server of ours runs, as now), and what kind of host this
    # is. Takes a few milliseconds.
    #: (Doctor::Watch, ?reader: Doctor::Reader) -> Array[Analysis::Finding]
    def noise(watch, reader: Reader.new)
      Analysis::Host.cheap(facts(watch, reader, cpus: Process::CpuSet.available))
    end

    # The same as recorded for a cohort: the shares of all CPU time that others took, and the
    # findings against this host, worst first.
    #: (Doctor::Watch, ?reader: Doctor::Reader) -> Hash[Symbol, untyped]
    def record(watch, reader: Reader.new)
      found = noise(watch, reader:)
      shares = { foreign_cpu_share: "other_processes", steal_share: "steal" }
      shares = shares.transform_values do |name|
        found.find { |finding| finding.member == name }.values[:value]&.round(4)
      end
      bad, other = found.select(&:against?).partition(&:fatal?)
      { **shares.compact, against: (bad + other).map { |finding| Analysis::Host.dump(finding) } }
    end

    # The total that this process's control groups allow all of their processes: `cores` and
    # `memory_bytes`, each nil if there is no limit.
    #: (?reader: Doctor::Reader) -> { cores: Float?, memory_bytes: Integer? }
    def allowance(reader: Reader.new)
      cgroup = Cgroup.new(reader)
      { cores: cgroup.quota_cores, memory_bytes: cgroup.memory_limit_bytes }
    end

    # Changes this host's settings (--fix) and restores them (--undo).
    #: (env: Hash[String, String]) -> Doctor::Fixes
    def fixes(env:) = Fixes.new(state: File.join(Folders.state(env), "doctor.json"))

    def facts(watch, reader, **others)
      HostFacts.new(reader).call(activity: watch.call, pressure: watch.pressure, **others)
    end
    private_class_method :facts

    # Spins on every core at once, in C: ext/mohs/core/fixed_work_probe.h. It disturbs every other
    # measurement on this machine, so only `mohs doctor` uses it.
    module FixedWorkProbe
      BINS_PER_S = 10

      module_function

      # A FixedWorkSample for each of `cpus`, after `seconds` (0.2 to 60).
      #: (cpus: Array[Integer], seconds: Numeric) -> Array[Analysis::FixedWorkSample]
      def call(cpus:, seconds:)
        Core.spin(cpus, (seconds * BINS_PER_S).round).map { |facts| Analysis::FixedWorkSample.new(**facts) }
      end
    end

    # The files of /proc and /sys below a root folder, so that tests can use trees of other
    # machines. A file that is missing or unreadable reads as nil; nothing is made up for it.
    class Reader
      attr_reader :root

      #: (?root: String) -> void
      def initialize(root: "/")
        @root = root
      end

      # `path` without a leading slash: "proc/stat".
      #: (String) -> String
      def path(path) = File.join(@root, path)

      # The text of a file, stripped.
      #: (String) -> String?
      def text(path)
        Process::Text.utf8(bytes(path)).strip
      rescue SystemCallError
        nil
      end

      # The first integer in the file.
      #: (String) -> Integer?
      def number(path) = text(path)&.slice(/-?\d+/)&.to_i

      # The value in a line "name number", as in vmstat and cpu.stat.
      #: (String, String) -> Integer?
      def field(path, name) = text(path)&.slice(/^#{Regexp.escape(name)}:?\s+(\d+)/, 1)&.to_i

      # Paths, without the root, that match a shell pattern; ordered by the numbers in them.
      #: (String) -> Array[String]
      def glob(pattern) = matching(pattern).sort_by { |path| [path[/\d+/].to_i, path] }

      private

      def bytes(path) = File.binread(path(path))

      def matching(pattern) = Dir.glob(pattern, base: @root)
    end

    # Which processes used the CPU, except this one and its descendants. Processes that began and
    # ended between the two readings can't be named.
    module Neighbours
      # Positions in /proc/PID/stat after the name (proc(5)): parent; user and system time in ticks.
      PARENT, USER, SYSTEM = 1, 11, 12

      One = Struct.new(:pid, :name, :parent, :ticks, keyword_init: true) { include Value }

      module_function

      # { pid => One } of every process.
      #: (Doctor::Reader) -> Hash[Integer, One]
      def read(reader)
        reader.glob("proc/[0-9]*/stat").filter_map { |path| parse(reader.text(path)) }
              .to_h { |one| [one.pid, one] }
      end

      # The processes that were busy between two readings, by name: [{ name:, share: of all cores
      # }], busiest first, without those below half a percent.
      #: (Hash[Integer, One], Hash[Integer, One], seconds: Float, ?own: Integer, ?cores: Integer, ?ticks_per_s: Integer) -> Array[{ name: String, share: Float }]
      def busy(before, now, seconds:, own: ::Process.pid, cores: Etc.nprocessors,
               ticks_per_s: Etc.sysconf(Etc::SC_CLK_TCK))
        foreign = now.values.reject { |one| below?(one, own, now) }
        spent = foreign.group_by(&:name).transform_values do |ones|
          ones.sum { |one| one.ticks - (before[one.pid]&.ticks || 0) }
        end
        shares = spent.transform_values { |ticks| ticks / (seconds * cores * ticks_per_s) }
        shares.select { |_, share| share >= 0.005 }.sort_by { |name, share| [-share, name] }
              .map { |name, share| { name:, share: share.round(4) } }
      end

      # Names may contain anything, even brackets and spaces: the last bracket ends the name.
      def parse(text)
        match = text.to_s.match(/\A(\d+) \((.*)\) (.*)\z/m) or return

        fields = match[3].split
        One.new(pid: match[1].to_i, name: match[2], parent: fields[PARENT].to_i,
                ticks: fields[USER].to_i + fields[SYSTEM].to_i)
      end

      def below?(one, root, all)
        seen = []
        while one && !seen.include?(one.pid)
          return true if one.pid == root

          seen << one.pid
          one = all[one.parent]
        end
        false
      end
      private_class_method :parse, :below?
    end

    # Observes the host during a measurement: created before, called after. Kernel counters are read
    # at both ends, and around what is left out (`except`); nothing runs in between.
    class Watch
      Counters = Struct.new(:time_ns, :throttled, :swapped, :processes, keyword_init: true) do
        include Value
      end

      # CPU pressure just before the watch began; nil if the kernel doesn't report it.
      attr_reader :pressure

      #: (?reader: Doctor::Reader, ?times: Proc, ?clock: Proc) -> void
      def initialize(reader: Reader.new, times: -> { ::Process.times }, clock: -> { Clock.mono_ns })
        @reader = reader
        @clock = clock
        @pressure = reader.text("proc/pressure/cpu")&.slice(/^some .*?avg10=([\d.]+)/, 1)&.to_f
        stat = reader.path("proc/stat")
        @foreign = Probes::ForeignLoad.new(stat:, times:) if File.readable?(stat)
        @before = read
      end

      # Since the start: { foreign_cpu_share:, steal_share: (Probes::ForeignLoad), throttled: times,
      # swapped: pages, processes: [{ name:, share: of all cores }], busiest first }; values that
      # can't be read are nil.
      #: () -> Hash[Symbol, untyped]
      def call
        now = read
        shares = @foreign ? @foreign.call : { foreign_cpu_share: nil, steal_share: nil }
        shares.merge(throttled: grown(now, :throttled), swapped: grown(now, :swapped),
                     processes: Neighbours.busy(@before.processes, now.processes,
                                                seconds: (now.time_ns - @before.time_ns) / 1e9))
      end

      # Leaves out the time of the block, in which another mohs measures and this one is idle.
      #: [T] () { () -> T } -> T
      def except(&block)
        from = read
        @foreign ? @foreign.except(&block) : yield
      ensure
        @before = later(from, read)
      end

      private

      # The counters as they would have been at the start had nothing happened between `from` and
      # `now`.
      def later(from, now)
        counts = %i[time_ns throttled swapped].to_h do |name|
          values = [@before, now, from].map { |counters| counters[name] }
          [name, values.all? ? values[0] + values[1] - values[2] : nil]
        end
        Counters.new(**counts, processes: @before.processes.merge(used(from, now)))
      end

      # The processes of now, without the ticks since `from`.
      def used(from, now)
        now.processes.to_h do |pid, one|
          ticks = [@before, from].map { |counters| counters.processes[pid]&.ticks.to_i }
          [pid, Neighbours::One.new(**one.to_h, ticks: ticks[0] + one.ticks - ticks[1])]
        end
      end

      def read
        Counters.new(time_ns: @clock.call, throttled: Cgroup.new(@reader).throttled,
                     swapped:, processes: Neighbours.read(@reader))
      end

      # A machine without swap cannot swap, whatever its kernel counts.
      def swapped
        return 0 if @reader.field("proc/meminfo", "SwapTotal") == 0

        pages = %w[pswpin pswpout].map { |name| @reader.field("proc/vmstat", name) }
        pages.sum unless pages.include?(nil)
      end

      def grown(now, counter)
        from, to = [@before, now].map { |counters| counters[counter] }
        to - from if from && to
      end
    end
  end
end
