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

      # Seconds of measured load per trial: the method's section 5.
      MEASURE_S = 2.0

      # Of the blocks of a duet (method, section 4): boots, not blocks, are what its precision comes
      # from. As many as fit in so many seconds: where a boot with all that belongs to it takes
      # 0.9 s and boots differ by 0.5 %, as on apps/primes, variance x seconds is the same within
      # 3 % from six blocks of 0.2 s to eight, and grows beyond; what a large difference needs is
      # three cohorts.
      DUET_S = 1.4

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
