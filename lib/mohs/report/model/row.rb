# frozen_string_literal: true

module Mohs
  module Report
    class Model
      # What one variant's trials come to, but for comparisons.
      class Row
        # The worst first: what a row without figures is called by, and the better told reason of
        # several.
        STATES = %w[invalid failed refused].freeze

        # Trials that ended without a word: mohs itself was ended, or is still at it.
        LOST = { state: "lost", reason: "mohs ended while it ran" }.freeze

        # Boots needed before the first, from a cold page cache, can be left out of the boot time.
        WARM_BOOTS = 3

        attr_reader :name

        # cohorts: of the whole run.
        #: (Study::Variant, Array[Store::Cohort]) -> void
        def initialize(variant, cohorts)
          @variant = variant
          @name = variant.name
          @cohorts = cohorts
          @trials = cohorts.flat_map { |cohort| own(cohort) }
          @measured = @trials.select(&:measured?)
          @figures = @measured.map { |trial| Trial::Figures.new(trial) }
        end

        #: () -> bool
        def measured? = @measured.any?

        # Ratio of the rates of two rows: all there is where they never ran side by side.
        #: (Report::Model::Row) -> Float
        def relative_to(other) = throughput[:value].to_f / (other&.throughput&.fetch(:value) || 1.0)

        #: () -> Hash[Symbol, Float?]
        def throughput = estimate(&:throughput_per_s)

        #: () -> Hash[Symbol, untyped]
        def to_h
          { variant: @name, state:, reason:, log_tail:, failures:,
            trials: { started: @trials.size, measured: @measured.size },
            attested: @measured.last&.attested || {},
            requests: @figures.sum(&:requests), errors: }
            .merge(estimates, latency_ms: Latency.new(@measured).to_h, checks: Worst.of(@measured))
        end

        #: () -> String
        def state
          return "measured" if measured?

          states = failures.map { |failure| failure[:state] } & STATES
          states.min_by { |state| STATES.index(state) } || unstarted
        end

        private

        def estimates
          { boot_ms: Row.estimate(boots), throughput_per_s: throughput,
            total_throughput_per_s: estimate(&:total_throughput_per_s),
            cpu_us_per_request: estimate(&:cpu_us_per_request),
            memory_bytes: estimate(&:memory_bytes), peak_memory_bytes: peak }
        end

        def unstarted = @variant.refusal ? "refused" : "waiting"

        def reason
          return if measured?

          worst&.fetch(:reason) || @variant.refusal
        end

        def worst = failures.find { |failure| failure[:state] == state }

        def log_tail
          of_trials = ended(@trials).reverse.filter_map(&:log_tail).first
          of_trials || (@variant.refusal_log unless measured?)
        end

        def own(cohort) = cohort.trials.select { |trial| trial.variant == name }

        def ended(trials) = trials.reject { |trial| %w[measured started].include?(trial.state) }

        def failures
          @failures ||= @cohorts.flat_map do |cohort|
            ended(own(cohort)).map do |trial|
              told = STATES.include?(trial.state) ? { state: trial.state } : LOST
              { round: cohort.round, **told, reason: why(trial) || LOST[:reason] }
            end
          end
        end

        def why(trial) = trial.reason || Phrase.spoiled(trial.checks)

        def errors
          by_class = Trial::Figures.sum(@figures.map(&:errors))
          { total: by_class.values.sum, by_class: }
        end

        def boots
          all = @figures.filter_map(&:boot_ms)
          all.size > WARM_BOOTS ? all.drop(1) : all
        end

        def peak
          peaks = @figures.filter_map(&:peak_memory_bytes)
          Stats::Center.median(peaks).round if peaks.any?
        end

        def estimate(&figure) = Row.estimate(@figures.filter_map(&figure))

        # { value:, low:, high: } over boots.
        def self.estimate(values)
          Stats::Interval.of_positive(values).to_h.slice(:value, :low, :high)
        end
      end
    end
  end
end
