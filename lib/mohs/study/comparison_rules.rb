# frozen_string_literal: true

module Mohs
  class Study
    # What `mohs compare` asks of its two variants, the baseline (A) and `candidate` (B): `metric`
    # the one that decides (a name of Analysis::Metric), `margin` the difference that matters
    # (0.01 = 1 %), `precision` the half width of the interval that suffices (nil: until it is
    # decided), `quick` a provisional answer, `gates` what makes the exit status ("p50 < +2%"),
    # `most` how many cohorts at most, decided or not (nil: as many as the test has looks for),
    # `step` of a bisection, which only asks which end the candidate is like (the values of
    # Stats::Sides; else nil), `bisection` that it was made for, to be shown (`kind` ends, search or
    # confirm, `number` from 1, names of its `good` and `bad` end; else nil).
    class ComparisonRules < Struct.new(:candidate, :metric, :margin, :precision, :quick, :gates,
                                       :most, :step, :bisection, keyword_init: true)
      # The difference that matters unless another is asked for (method, section 4).
      MARGIN = 0.01

      #: (candidate: String, ?metric: String, ?margin: Float, ?precision: Float?, ?quick: bool, ?gates: Array[String], ?most: Integer?, ?step: { difference: Float, noise: Hash[Symbol, Numeric], alpha: Float }?, ?bisection: Hash[Symbol, String | Integer]?) -> void
      def initialize(**values)
        super(metric: "throughput", margin: MARGIN, quick: false, gates: [], **values)
        freeze
      end
    end
  end
end
