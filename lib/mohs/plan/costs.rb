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

      # Boot and warm-up: seen on two busy cores (docs/method.md); JRuby's answers cost the same
      # from 50 s of load on (table 3i). Measuring: Cohort::Session's 2 s.
      DEFAULTS = {
        "ruby" => Cost.new(boot_s: 0.7, warm_up_s: 1.0, measure_s: 2.0, stop_s: 0.3),
        "jruby" => Cost.new(boot_s: 10.0, warm_up_s: 50.0, measure_s: 2.0, stop_s: 1.0),
        "truffleruby" => Cost.new(boot_s: 40.0, warm_up_s: 60.0, measure_s: 2.0, stop_s: 1.0),
      }.freeze

      # `measured`: { variant's name => { boot_s:, warm_up_s:, ... } }, any of the four.
      #: (?Hash[String, Hash[Symbol, Numeric]]) -> void
      def initialize(measured = {})
        @measured = measured
      end

      #: (Study::Variant) -> Plan::Costs::Cost
      def for(variant)
        default = DEFAULTS.fetch(variant.engine, DEFAULTS["ruby"])
        Cost.new(**default.to_h, **known(variant))
      end

      # What of it was measured.
      #: (Study::Variant) -> Hash[Symbol, Numeric]
      def known(variant) = @measured.fetch(variant.name, {})
    end
  end
end
