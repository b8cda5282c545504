# frozen_string_literal: true

module Mohs
  class Plan
    # Estimates the rest of the run from its events. A trial takes as long as its variant took
    # before in this run; the first trial of a variant takes the planned time, scaled by what other
    # variants of its engine took: a host or an application that boots slowly also gets warm later.
    # How long a large application takes to boot on CRuby says nothing about a JVM; but if it now
    # takes longer than in earlier runs, the host is slower, for all engines.
    class Estimator
      # The parts of Plan::Costs::Cost that differ by variant; the other parts are the same for all.
      OWN = %i[boot_s warm_up_s usual_s].freeze
      WARM_UPS = %i[warm_up_s usual_s].freeze

      # The part that is a variant's warm-up in a cohort; recorded: names whose cold start is
      # already recorded.
      #: (String, Array[String]) -> Symbol
      def self.warm_up(name, recorded) = recorded.include?(name) ? :usual_s : :warm_up_s

      #: (Array[Study::Variant], ?Plan::Costs) -> void
      def initialize(variants, costs = Costs.new)
        @engines = variants.to_h { |variant| [variant.name, variant.engine] }
        @planned = variants.to_h { |variant| [variant.name, costs.for(variant)] }
        @known = variants.to_h { |variant| [variant.name, costs.known(variant)] }
        @lingering = variants.select(&:lingers?).map(&:name)
        @wave_size = costs.wave_size
        @per_s = {}
        @took = {}
        @rests = []
        @out = []
      end

      # Records the seconds of a trial's boot (:boot_s, until its responses are checked) or of its
      # warm-up (Estimator.warm_up).
      #: (String, Symbol, Float) -> void
      def took(name, part, seconds) = @took[[name, part]] = seconds

      # Records the rest of each trial of a cohort: measured load, last readings, shutdown.
      #: (Float) -> void
      def rest(seconds) = @rests << seconds

      # The rate of a variant's server that warms up: those that differ widely warm up in turn.
      #: (String, Float) -> void
      def serves(name, per_s) = @per_s[name] = per_s

      # From now on servers warm up one at a time.
      #: () -> void
      def in_turns = @wave_size = 1

      # The variant could not be served and is not tried again.
      #: (String) -> void
      def ended(name) = @out << name

      # The names that are still tried.
      #: (Array[String]) -> Array[String]
      def still_tried(names) = names - @out

      # Seconds of the boot or warm-up of the variant's next trial.
      #: (String, Symbol) -> Float
      def own_s(name, part)
        @took.fetch([name, part]) do
          @planned.fetch(name)[part] * slowdown(@engines.fetch(name), part)
        end
      end

      # Seconds of the rest of the variant's next trial.
      #: (String) -> Float
      def rest_s(name)
        return Stats::Center.mean(@rests) if @rests.any?

        @planned.fetch(name).to_h.except(*OWN).values.sum
      end

      # Seconds of a cohort.
      #: (Plan::CohortSpec) -> Numeric
      def cohort_s(cohort)
        others_s = still_tried(cohort.variants).sum { |name| own_s(name, :boot_s) + rest_s(name) }
        others_s + warm_ups_s(cohort.variants) do |name|
          own_s(name, Estimator.warm_up(name, cohort.recorded))
        end
      end

      # Seconds of the warm-ups of these variants, in the order of their cohort; the block returns
      # those of one. Where servers warm up at once, the slowest of them counts.
      #: (Array[String]) { (String) -> Float } -> Numeric
      def warm_ups_s(names, &)
        most = names.intersect?(@lingering) ? 1 : @wave_size
        names.each_slice(most).sum do |wave|
          alike(still_tried(wave)).sum { |some| some.map(&).max }
        end
      end

      private

      # Groups of servers that are about as fast, as far as is known.
      def alike(names)
        first, *others = names
        return [] unless first

        same, rest = others.partition do |name|
          low, high = @per_s.values_at(first, name).compact.minmax
          low.nil? || high <= Scheme::ALIKE * low
        end
        [[first, *same], *alike(rest)]
      end

      def slowdown(engine, part)
        seen = ratios(part, @planned) { |name| @engines[name] == engine }
        seen = ratios(part, @known) if seen.empty?
        return Stats::Center.median(seen) if seen.any?

        WARM_UPS.include?(part) ? slowdown(engine, :boot_s) : 1.0
      end

      # Ratios of what a part took in this run to what was expected.
      def ratios(part, expected)
        seen = @took.select { |(name, took), _| took == part && (!block_given? || yield(name)) }
        seen.filter_map do |(name, _), seconds|
          before = expected.fetch(name)[part]
          seconds / before if before&.positive?
        end
      end
    end
  end
end
