# frozen_string_literal: true

module Mohs
  module Report
    # What the JIT is worth that the application turns on, in the direction in which people ask: the
    # verdict of a variant without it says what is lost.
    module JitWorth
      module_function

      # As in a document: `ruby`, `jit`, and the ratio with / without; nil unless the baseline runs
      # it, another row differs in nothing else, and that is decided.
      #: (Analysis::Run) -> Hash[Symbol, untyped]?
      def of(run)
        row = run.without_jit or return
        verdict = run.verdict(row)
        return unless verdict.differs?

        { ruby: run.stored.study.variant(row.name).ruby, jit: run.baseline_jit,
          effect: 1 / verdict.effect, interval: [1 / verdict.high, 1 / verdict.low] }
      end

      # The same if these two are all that was measured: then it is the answer.
      #: (Analysis::Run) -> Hash[Symbol, untyped]?
      def answer(run) = (of(run) if run.measured_rows.size == 2)

      # In rates.
      #: (Hash[Symbol, untyped], verb: String, unit: String) -> String
      def text(worth, verb:, unit:)
        change = Change.new(worth)
        Render.text("jit_worth", ruby: worth[:ruby], jit: worth[:jit].upcase, verb:, unit:,
                                 more: change.directed("more", "fewer", "many"),
                                 than: change.times? ? "as" : "than", bracket: change.bracket)
      end
    end
  end
end
