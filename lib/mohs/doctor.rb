# frozen_string_literal: true

module Mohs
  # Can this host be trusted, and what is to be changed? Nothing here forbids a measurement: that it
  # is valid comes from its design (docs/method.md), a bad host only costs time. The manual is
  # docs/doctor.md.
  module Doctor
    SECONDS = 3

    module_function

    # All checks, in the order in which they are told, after spinning on every core for so many
    # seconds. The machine is held meanwhile, as for a cohort: `wait` is called with the process
    # that it has to wait for.
    #: (?seconds: Numeric, ?reader: Doctor::Reader, ?wait: Proc) -> Array[Doctor::Result]
    def examine(seconds: SECONDS, reader: Reader.new, wait: ->(_pid) {})
      cpus = Process::CpuSet.available
      Cohort::MachineLock.new.hold(wait:) do
        watch = Watch.new(reader:)
        spins = FixedWorkProbe.call(cpus:, seconds:)
        Checks.call(facts(watch, reader, cpus, spins:))
      end
    end

    # The checks that cost nothing, for a cohort's record: what went on since `watch` was made
    # (Doctor::Watch.new, while no server of ours runs; as now), and what kind of host it is. Takes
    # some milliseconds.
    #: (Doctor::Watch, ?reader: Doctor::Reader) -> Array[Doctor::Result]
    def noise(watch, reader: Reader.new)
      Checks.cheap(facts(watch, reader, Process::CpuSet.available))
    end

    # The same as a cohort keeps it: what went to others, as shares of all CPU time, and the checks
    # that speak against this host, worst first.
    #: (Doctor::Watch, ?reader: Doctor::Reader) -> Hash[Symbol, untyped]
    def record(watch, reader: Reader.new)
      results = noise(watch, reader:)
      shares = { foreign_cpu_share: "other_processes", steal_share: "steal" }
      shares = shares.transform_values { |name| results.find { |one| one.name == name }&.value }
      against = %w[bad warn].flat_map { |level| results.select { |one| one.level == level } }
      told = against.map { |one| one.to_h.slice(:name, :label, :level, :detail) }
      { **shares.compact, against: told }
    end

    # What --fix and --undo do on this host.
    #: (env: Hash[String, String]) -> Doctor::Fixes
    def fixes(env:) = Fixes.new(state: File.join(Folders.state(env), "doctor.json"))

    def facts(watch, reader, cpus, spins: nil)
      Facts.new(reader:, cpus:, spins:, activity: watch.call, pressure: watch.pressure)
    end
    private_class_method :facts
  end
end
