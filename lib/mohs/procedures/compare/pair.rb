# frozen_string_literal: true

module Mohs
  module Compare
    # One cohort of a comparison: its trials by side.
    class Pair
      attr_reader :cohort, :a, :b, :position, :scheme

      #: (Store::Cohort, baseline: String, candidate: String) -> void
      def initialize(cohort, baseline:, candidate:)
        @cohort = cohort
        @baseline = baseline
        @position = cohort.position
        @scheme = cohort.spec.scheme
        # Lost trials are those of a mohs that was ended: their cohort was run again.
        trials = cohort.trials.reject(&:lost?)
        @a, @b = [baseline, candidate].map do |name|
          trials.select { |trial| trial.variant == name }
        end
        @differences = {}
      end

      #: () -> Array[Store::Trial]
      def trials = a + b

      # Were both sides loaded at the same time, each on its half of the cores?
      #: () -> bool
      def duet? = scheme == Plan::Scheme::DUET

      #: () -> bool
      def whole? = a.any? && b.any? && failures.empty? && !silent

      # Does this cohort give the result of the whole comparison? It does if a server would end
      # like this again, or fell silent or died under load: leaving out that cohort would favour
      # its side, the more so the more often it happens. A server that ended before any load may
      # have had an accident, and one that still got faster may only have seemed to.
      #: () -> bool
      def final? = failures.any? { |trial| result?(trial) } || !silent.nil?

      # Did a server of it still get faster, perhaps only seemingly?
      #: () -> bool
      def rose? = failures.any?(&:once_more?)

      # What went wrong in this cohort; nil if nothing did.
      #: () -> Analysis::Finding?
      def trouble
        return if whole?

        worst = failures.min_by { |trial| result?(trial) ? 0 : 1 }
        return (silent ? silence : fault("side_not_measured")) unless worst

        side = worst.variant == @baseline ? "A" : "B"
        spoiled = Analysis::Checks.spoiled(Analysis::Checks.of(worst)) unless worst.reason
        values = { side:, variant: worst.variant, reason: worst.reason,
                   spoiled: spoiled&.to_h&.slice(:code, :values) }
        fault("side_#{worst.state}", subject: side, values:)
      end

      #: (Analysis::Metric) -> Float?
      def difference(metric)
        @differences.fetch(metric) { @differences[metric] = metric.difference(a, b) }
      end

      # The same for the totals over all slices; nil for a metric without totals.
      #: (Analysis::Metric) -> Float?
      def total_difference(metric) = metric.total_difference(a, b)

      # The same for each block; empty for a metric that slices don't have.
      #: (Analysis::Metric) -> Array[Float]
      def block_differences(metric)
        return [] unless Analysis::Metric::OF_SLICES.include?(metric.key)

        sides = [a, b].map { |trials| trials.flat_map(&:measured_slices) }
        Stats::Effect.block_differences(*sides, metric.key).sort.map(&:last)
      end

      # { kind => ln(B / A) } of the time that each piece of the driver's own work
      # (Stats::CoreSpeed::KINDS) took beside each side, over blocks like a metric's difference;
      # nil for a kind that was not timed.
      #: () -> Hash[Symbol, Float?]
      def core_speed
        Stats::CoreSpeed::KINDS.to_h do |kind|
          one, other = [a, b].map { |trials| block_logs(trials, kind) }
          differences = (one.keys & other.keys).map { |block| other[block] - one[block] }
          [kind, (Stats::Center.trimmed_mean(differences) if differences.any?)]
        end
      end

      # The time it took, without its wait for another mohs.
      #: () -> Float
      def seconds = @cohort.seconds

      # Seconds of load of one block: those of every slice of both sides or, in a duet, of one
      # side, as both run at the same time.
      #: () -> Float
      def block_s
        sides = duet? ? [a] : [a, b]
        slices = sides.flatten.flat_map(&:measured_slices)
        blocks = slices.map(&:block).uniq.size
        blocks.zero? ? 0.0 : slices.sum(&:wall_ns) / 1e9 / blocks
      end

      # The cores of each server.
      #: () -> Integer?
      def cores = trials.first&.cores

      #: () -> Hash[Symbol, Float]
      def noise = @cohort.noise

      private

      # The side that left slices without any correct response in so many blocks that all that is
      # known of the difference is its rank among the others: the worst.
      def silent
        return @silent if defined?(@silent)

        sides = [a, b].map { |trials| trials.flat_map(&:measured_slices) }
        rank = Stats::Effect.ranked_difference(*sides, :throughput_per_s)
        @silent = (rank.positive? ? "A" : "B" unless rank.nil? || rank.finite?)
      end

      # { block => mean log } of the blocks in which this kind was timed.
      def block_logs(trials, kind)
        timed = trials.flat_map(&:measured_slices).select { |slice| slice.pulse.to_h[kind] }
        timed.group_by(&:block).transform_values do |slices|
          Stats::Center.mean(slices.map { |slice| Math.log(slice.pulse[kind]) })
        end
      end

      def silence
        variant = { "A" => a, "B" => b }.fetch(silent).first.variant
        fault("side_silent", subject: silent, values: { side: silent, variant: })
      end

      def fault(code, **more) = Analysis::Finding.new(code:, severity: :bad, **more)

      def failures = trials.reject(&:measured?)

      def result?(trial)
        return false if trial.measured? || trial.once_more?

        trial.given_up? || trial.slices.any?
      end
    end
  end
end
