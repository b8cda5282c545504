# frozen_string_literal: true

module Mohs
  module Analysis
    # The result of a comparison: `outcome` :faster, :slower, :equivalent, :undecided, :invalid, or
    # :baseline for what the others are compared with. `effect` is the ratio to it, better is
    # bigger, `low` and `high` its interval (nil without one), `margin` the smallest difference that
    # matters (0.01 = 1 %), `findings` what is missing or what to know. Verdict::Judge makes one;
    # Report::Numbers and Report::Phrase put it into words.
    class Verdict < Struct.new(:outcome, :against, :metric, :effect, :low, :high, :margin,
                               :findings, keyword_init: true)
      # The difference that matters unless a study says another (method, section 4).
      MARGIN = Study::ComparisonRules::MARGIN

      # The chance of a false finding among all that are judged together.
      ALPHA = 0.05

      #: (outcome: Symbol, ?against: String?, ?metric: Symbol, ?effect: Float?, ?low: Float?, ?high: Float?, ?margin: Float, ?findings: Array[Analysis::Finding]) -> void
      def initialize(**values)
        super(metric: :throughput_per_s, margin: MARGIN, findings: [], **values)
        freeze
      end

      #: () -> bool
      def differs? = %i[faster slower].include?(outcome)
    end
  end
end
