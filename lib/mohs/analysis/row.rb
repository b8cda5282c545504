# frozen_string_literal: true

module Mohs
  module Analysis
    # The figures of one variant's trials, without comparisons.
    class Row
      # The checks of several trials as one list: for each check the worst `finding`, and how many
      # of the `trials` had one as bad (`as_bad`).
      class Worst < Struct.new(:finding, :as_bad, :trials, keyword_init: true)
        include Value

        #: (Array[Store::Trial]) -> Array[Analysis::Row::Worst]
        def self.of(trials)
          findings = trials.flat_map { |trial| Checks.of(trial) }
          findings.group_by(&:member).values.map do |same|
            finding = same.max_by(&:rank)
            new(finding:, as_bad: same.count { |one| one.rank == finding.rank }, trials: same.size)
          end
        end

        # Do the trials disagree on a check that did not pass?
        #: () -> bool
        def disputed? = finding.severity != :ok && as_bad < trials

        # Is it likely to be caused by the host rather than the application? A trend in fewer than
        # half of the trials is.
        #: () -> bool
        def chance? = finding.member == "trend" && as_bad * 2 < trials
      end

      # With more boots than this, the first, from a cold page cache, is left out of the boot time.
      WARM_BOOTS = 3

      ESTIMATED = %i[throughput_per_s total_throughput_per_s cpu_us_per_request
                     memory_bytes].freeze

      # A trial that was not measured: `state` is one of Store::Trial::WITHOUT_FIGURES, or lost if
      # mohs itself was ended; `reason` a Reason if one was recorded; `spoiled` the check that made
      # it invalid.
      Failure = Struct.new(:round, :state, :reason, :spoiled, keyword_init: true) do
        # Why, as a value that two failures may share: a Reason or its code and values, the check
        # that spoiled the trial, or :lost if mohs ended.
        #: () -> (Reason | [String, Hash[Symbol, untyped]] | Analysis::Finding | :lost)
        def cause = reason&.cause || spoiled || :lost
      end

      attr_reader :name

      # cohorts: those of the whole run.
      #: (Study::Variant, Array[Store::Cohort]) -> void
      def initialize(variant, cohorts)
        @variant = variant
        @name = variant.name
        @cohorts = cohorts
        @trials = cohorts.flat_map { |cohort| own(cohort) }
        @measured = @trials.select(&:measured?)
        @figures = @measured.map { |trial| Figures.new(trial) }
        @loaded = @trials.select { |trial| trial.measured? || trial.ended_under_load? }
                         .map { |trial| Figures.new(trial) }
      end

      #: () -> bool
      def measured? = @measured.any?

      # Ratio of the rates of two rows: the only comparison if they never ran side by side.
      #: (Analysis::Row?) -> Float
      def relative_to(other) = rate.to_f / (other&.rate || 1.0)

      # Requests a second; nil without figures.
      #: () -> Float?
      def rate = estimates[:throughput_per_s][:value]

      # measured, refused, failed, invalid, or waiting (not reached yet).
      #: () -> String
      def state
        return "measured" if measured?

        ends = failures.map(&:state)
        Store::Trial::WITHOUT_FIGURES.find { |state| ends.include?(state) } ||
          (@variant.refusal ? "refused" : "waiting")
      end

      # Why it has no figures; nil if it has some, or if only its refusal is known.
      #: () -> Analysis::Row::Failure?
      def worst = measured? ? nil : failures.find { |failure| failure.state == state }

      # Does it have no figures because its responses were wrong under load?
      #: () -> bool
      def wrong_answers? = worst&.spoiled&.member == "answers"

      # Why it has no figures, as a value that two rows may share (Failure#cause); nil if it has
      # figures or was not reached.
      #: () -> (Reason | [String, Hash[Symbol, untyped]] | Analysis::Finding | Symbol | nil)
      def cause
        return if measured?

        (worst || refusal)&.cause
      end

      # Why it was refused before the start.
      #: () -> Reason?
      def refusal = @variant.refusal

      # Last log lines of a server that was not measured.
      #: () -> String?
      def log_tail
        of_trials = ended(@trials).reverse.filter_map(&:log_tail).first
        of_trials || (@variant.refusal_log unless measured?)
      end

      #: () -> Array[Analysis::Row::Failure]
      def failures
        @failures ||= @cohorts.flat_map do |cohort|
          ended(own(cohort)).map do |trial|
            Failure.new(round: cohort.round, state: trial.state, reason: trial.reason,
                        spoiled: Checks.spoiled(Checks.of(trial))).freeze
          end
        end
      end

      #: () -> Hash[Symbol, Integer]
      def trials = { started: @trials.size, measured: @measured.size }

      #: () -> Hash[Symbol, untyped]
      def attested = @measured.last&.attested || {}

      # Memory of the last measured boot (Probes::Memory), at each point of its life.
      #: () -> Hash[Symbol, untyped]?
      def memory = @measured.last&.memory

      # Connections of the last measured boot; nil if unknown.
      #: () -> Integer?
      def connections = @measured.last&.connections.to_h[:asked]

      # Requests a second that fell due; nil for a closed loop.
      #: () -> Integer?
      def given_rate = @variant.rate

      # Requests worked on at the same time, as attested; nil if unknown.
      #: () -> Integer?
      def slots = ConnectionsExceedThreads.slots(attested)

      #: () -> Integer
      def requests = @figures.sum(&:requests)

      # { "class" => count } over every boot that had load: the boots that failed most have no
      # figures.
      #: () -> Hash[String, Integer]
      def errors = Figures.sum(@loaded.map(&:errors))

      # [failed, sent] of each of these boots.
      #: () -> Array[[Integer, Integer]]
      def failed = @loaded.map { |figures| [figures.errors.values.sum, figures.requests] }

      # Estimates { value:, low:, high: } over boots, by the metric's key.
      #: () -> Hash[Symbol, Hash[Symbol, Float?]]
      def estimates
        @estimates ||= { boot_ms: interval(boots), **ESTIMATED.to_h { |key| [key, estimate(key)] } }
      end

      # What stands in front of its server, and its part of the figures: estimates over boots, and
      # its share of the CPU time; nil if nothing does.
      #: () -> Hash[Symbol, untyped]?
      def front
        name = @variant.front or return
        cpu, memory = %i[front_cpu_us_per_request front_memory_bytes].map { |key| estimate(key) }
        whole = estimates[:cpu_us_per_request][:value]
        { name:, cpu_us_per_request: cpu, memory_bytes: memory,
          cpu_share: (cpu[:value] / whole if cpu[:value] && whole) }
      end

      #: () -> Integer?
      def peak_memory_bytes
        peaks = @figures.filter_map(&:peak_memory_bytes)
        Stats::Center.median(peaks).round if peaks.any?
      end

      #: () -> Analysis::Latency
      def latency = Latency.new(@measured)

      # nil if it was not measured with streams.
      #: () -> Analysis::Streams?
      def streams
        Streams.new(@measured) if @measured.any? { |one| one.measured_slices.any?(&:streams) }
      end

      #: () -> Array[Analysis::Row::Worst]
      def checks = @checks ||= Worst.of(@measured)

      # Its private services and what they cost: [{ service:, version:, settings:, address: }] with
      # estimates { value:, low:, high: } of `cpu_us_per_request` and `memory_bytes`.
      #: () -> Array[Hash[Symbol, untyped]]
      def services
        all = @measured.flat_map(&:services).group_by { |one| one[:service] }
        all.values.map do |same|
          loaded = same.select { |one| one[:cpu_ns] && one[:requests].to_i.positive? }
          { **same.last.slice(:service, :version, :settings, :address),
            cpu_us_per_request: interval(loaded.map { |one| one[:cpu_ns] / 1e3 / one[:requests] }),
            memory_bytes: interval(same.filter_map { |one| one[:memory_bytes] }) }
        end
      end

      private

      def own(cohort) = cohort.trials.select { |trial| trial.variant == name }

      def ended(trials) = trials.reject { |trial| trial.measured? || trial.state == "started" }

      def boots
        all = @figures.filter_map(&:boot_ms)
        all.size > WARM_BOOTS ? all.drop(1) : all
      end

      def estimate(key) = interval(@figures.filter_map(&key))

      def interval(values) = Stats::Interval.of_positive(values).to_h.slice(:value, :low, :high)
    end
  end
end
