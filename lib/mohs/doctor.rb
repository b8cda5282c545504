# frozen_string_literal: true

require "mohs/core"

module Mohs
  # Can this host be trusted, and what is to be changed? Nothing here forbids a measurement: that it
  # is valid comes from its design (docs/method.md), a bad host only costs time. The manual is
  # docs/doctor.md. This room reads the host; Analysis::Host says what that means.
  module Doctor
    SECONDS = 3

    module_function

    # All checks, in the order in which they are reported, after spinning on every core for so many
    # seconds. The machine is held meanwhile, as for a cohort: `wait` is called with the process
    # that it has to wait for.
    #: (?seconds: Numeric, ?reader: Doctor::Reader, ?wait: Proc) -> Array[Analysis::Finding]
    def examine(seconds: SECONDS, reader: Reader.new, wait: ->(_pid) {})
      cpus = Process::CpuSet.available
      Process::MachineLock.new.hold(wait:) do
        watch = Watch.new(reader:)
        spins = FixedWorkProbe.call(cpus:, seconds:)
        Analysis::Host.call(facts(watch, reader, cpus:, spins:))
      end
    end

    # The checks that cost nothing, for a cohort's record: what went on since `watch` was made
    # (Doctor::Watch.new, while no server of ours runs; as now), and what kind of host it is. Takes
    # some milliseconds.
    #: (Doctor::Watch, ?reader: Doctor::Reader) -> Array[Analysis::Finding]
    def noise(watch, reader: Reader.new)
      Analysis::Host.cheap(facts(watch, reader, cpus: Process::CpuSet.available))
    end

    # The same as a cohort keeps it: what went to others, as shares of all CPU time, and the
    # findings that speak against this host, worst first.
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

    # What --fix and --undo do on this host.
    #: (env: Hash[String, String]) -> Doctor::Fixes
    def fixes(env:) = Fixes.new(state: File.join(Folders.state(env), "doctor.json"))

    def facts(watch, reader, **others)
      Facts.new(reader).call(activity: watch.call, pressure: watch.pressure, **others)
    end
    private_class_method :facts

    # Spins on every core at once, in C: ext/mohs/core/fixed_work_probe.h. It disturbs every other
    # measurement on this machine, so only `mohs doctor` uses it.
    module FixedWorkProbe
      BINS_PER_S = 10

      module_function

      # A Spin for each of `cpus`, after so many seconds (0.2 to 60).
      #: (cpus: Array[Integer], seconds: Numeric) -> Array[Analysis::Spin]
      def call(cpus:, seconds:)
        Core.spin(cpus, (seconds * BINS_PER_S).round).map { |facts| Analysis::Spin.new(**facts) }
      end
    end
  end
end
