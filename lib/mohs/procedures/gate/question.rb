# frozen_string_literal: true

module Mohs
  module Gate
    # Do the gates of a page hold? They alone end its comparison, and each is judged by one-sided
    # tests at the levels that Gate::FalseAlarms promises; nobody asks which revision is faster.
    class Question < Compare::Question
      STORED = %i[levels].freeze
      COMMAND = "gate"
      private_constant :COMMAND

      class << self
        #: (Hash[Symbol, untyped]) -> bool
        def of?(study) = !compared(study)[:levels].nil?

        #: (Hash[Symbol, untyped]) -> Gate::Question
        def stored(study) = new(**compared(study).fetch(:levels))

        #: () -> String
        def rated = COMMAND
      end

      # The chances that a gate `fails` and that it `holds` by mistake.
      #: () -> Hash[Symbol, Float]
      attr_reader :levels

      #: (fails: Float, holds: Float) -> void
      def initialize(fails:, holds:)
        super()
        @levels = { fails:, holds: }.freeze
        freeze
      end

      #: () -> Hash[Symbol, Hash[Symbol, Float]]
      def to_h = { levels: }

      #: () -> String
      def command = COMMAND

      #: () -> Class
      def headline = PageHeadline

      #: () -> bool
      def verdict? = false

      #: (Compare::Look, Compare::Result) -> bool
      def answered?(look, comparison) = !comparison.gates_open?(look)

      #: () -> Symbol
      def undecided = :gated

      # A gate holds, and two are equal, only if the totals say so too: trimming leaves pauses out.
      # That it fails, at or beyond the bound, depends on the end of the interval that is next to
      # where it would hold, and on the other end that it holds; better is bigger in a line.
      #: (Compare::Ruling::Line, Compare::Condition, Compare::Look, Compare::Result) -> Compare::Ruling::Line
      def gated(line, gate, look, comparison)
        return line if line.low.nil?

        metric = line.metric
        differences = metric == comparison.metric ? look.differences : look.of(metric)
        fails, holds, totals = [[:fails, differences], [:holds, differences],
                                [:holds, look.totals(metric)]].map do |outcome, logs|
          test = comparison.sequential(look:, alpha: levels.fetch(outcome))
          one_sided(test, logs, look.bias(metric)) if logs
        end
        ends = [fails, holds.around(totals)]
        ends.reverse! unless metric.more == (gate.side == "<")
        Compare::Ruling::Line.new(**line.to_h, low: ends.first.low, high: ends.last.high).freeze
      end

      private

      # Each end of the equivalence interval is a one-sided test, and is valid whenever one stops.
      def one_sided(test, logs, bias) = test.equivalence_interval(logs, bias:).exp
    end
  end
end
