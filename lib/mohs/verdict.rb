# frozen_string_literal: true

module Mohs
  # What a comparison says: `outcome` :faster, :slower, :equivalent, :undecided, :invalid, or
  # :baseline for the thing that the others are held against. `effect` is the ratio to it, better is
  # bigger, `low` and `high` its interval (nil where there is none), `margin` the smallest
  # difference that matters (0.01 = 1 %), `reasons` sentences on what is missing or what to know.
  # Verdict::Judge makes one, Verdict::Words says it.
  class Verdict < Struct.new(:outcome, :against, :metric, :effect, :low, :high, :margin, :reasons,
                             keyword_init: true)
    # The difference that matters where nobody says another (method, section 4).
    MARGIN = 0.01

    # The chance of a false finding among all that are held together.
    ALPHA = 0.05

    #: (**untyped) -> void
    def initialize(**values)
      super(metric: :throughput_per_s, margin: MARGIN, reasons: [], **values)
      freeze
    end

    # As docs/json.md has it.
    #: () -> Hash[Symbol, untyped]
    def to_h
      { outcome: outcome.to_s, against:, metric: metric.to_s, effect:,
        interval: low && [low, high], margin:, text: Words.verdict(self), reasons: }
    end
  end
end
