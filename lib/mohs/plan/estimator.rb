# frozen_string_literal: true

module Mohs
  class Plan
    # Estimates the rest of the run from its events: a trial takes what its variant took before in
    # this run; the first one what was planned, scaled by what the others of its engine took. A JVM
    # says nothing about CRuby, nor CRuby about a JVM.
    class Estimator
      # The parts of Plan::Costs::Cost that differ by variant; the rest is the same for all.
      OWN = %i[boot_s warm_up_s].freeze

      #: (Array[Study::Variant], ?Plan::Costs) -> void
      def initialize(variants, costs = Costs.new)
        @engines = variants.to_h { |variant| [variant.name, variant.engine] }
        @planned = variants.to_h { |variant| [variant.name, costs.for(variant)] }
        @took = {}
        @rests = []
        @out = []
      end

      # Records the seconds of a trial's boot (:boot_s, until its answers are known) or :warm_up_s.
      #: (String, Symbol, Float) -> void
      def took(name, part, seconds) = @took[[name, part]] = seconds

      # Records the rest of each trial of a cohort: measured load, its last looks, its end.
      #: (Float) -> void
      def rest(seconds) = @rests << seconds

      # The variant could not be served: it is not tried again.
      #: (String) -> void
      def ended(name) = @out << name

      # The names that are still tried.
      #: (Array[String]) -> Array[String]
      def in_race(names) = names - @out

      # Seconds of the next trial's boot or warm-up.
      #: (String, Symbol) -> Float
      def own_s(name, part)
        @took.fetch([name, part]) do
          @planned.fetch(name)[part] * slowdown(@engines.fetch(name), part)
        end
      end

      # Seconds of the rest of the next trial.
      #: (String) -> Float
      def rest_s(name)
        return Stats::Center.mean(@rests) if @rests.any?

        @planned.fetch(name).to_h.except(*OWN).values.sum
      end

      # Seconds of a cohort of these variants.
      #: (Array[String]) -> Numeric
      def cohort_s(names)
        in_race(names).sum { |name| rest_s(name) + OWN.sum { |part| own_s(name, part) } }
      end

      private

      def slowdown(engine, part)
        seen = @took.keys.select { |name, took| took == part && @engines[name] == engine }
        planned = seen.sum { |name, _| @planned.fetch(name)[part] }
        planned.positive? ? seen.sum { |key| @took[key] } / planned : 1.0
      end
    end
  end
end
