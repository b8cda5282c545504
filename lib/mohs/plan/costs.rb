# frozen_string_literal: true

module Mohs
  class Plan
    # Seconds that one trial takes, by variant: what earlier runs measured where there is something,
    # else a default of its engine.
    class Costs
      Cost = Struct.new(:boot_s, :warm_up_s, :measure_s, :stop_s, keyword_init: true) do
        # Of the whole trial.
        #: () -> Float
        def total_s = to_a.sum
      end

      # As long as a cohort loads each trial (Cohort::Session).
      MEASURE_S = 2.0

      # `measured`: { variant's name => { boot_s:, warm_up_s:, ... } }, any of the four.
      #: (?Hash[String, Hash[Symbol, Numeric]]) -> void
      def initialize(measured = {})
        @measured = measured
      end

      #: (Study::Variant) -> Plan::Costs::Cost
      def for(variant)
        default = Rubies::Engines.named(variant.engine)::COST
        Cost.new(measure_s: MEASURE_S, **default, **known(variant))
      end

      # What of it was measured.
      #: (Study::Variant) -> Hash[Symbol, Numeric]
      def known(variant) = @measured.fetch(variant.name, {})
    end
  end
end
