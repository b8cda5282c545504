# frozen_string_literal: true

module Mohs
  class Plan
    # What a trial of each variant still to come will take: what it took before in this run; before
    # its first, what was planned, times what the others of its engine took of theirs. A JVM says
    # nothing about CRuby, nor CRuby about a JVM. Told what happens while it happens.
    class Estimator
      # Of Plan::Costs::Cost, what is a variant's own; the rest is alike for all.
      OWN = %i[boot_s warm_up_s].freeze

      #: (Array[Study::Variant], ?Plan::Costs) -> void
      def initialize(variants, costs = Costs.new)
        @engines = variants.to_h { |variant| [variant.name, variant.engine] }
        @planned = variants.to_h { |variant| [variant.name, costs.for(variant)] }
        @took = {}
        @rests = []
        @out = []
      end

      # A trial's boot (:boot_s, until its answers are known) or warm-up (:warm_up_s) took so long.
      #: (String, Symbol, Float) -> void
      def took(name, part, seconds) = @took[[name, part]] = seconds

      # What else each trial of a cohort took: measured load, its last looks, its end.
      #: (Float) -> void
      def rest(seconds) = @rests << seconds

      # It could not be served: it is not tried again.
      #: (String) -> void
      def ended(name) = @out << name

      # Those of the names that are (still) tried.
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

      # Seconds of a cohort of these.
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
