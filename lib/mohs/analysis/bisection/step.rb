# frozen_string_literal: true

module Mohs
  module Analysis
    class Bisection
      # One comparison of a bisection. `kind` :ends, :search or :confirm; `a` and `b` names of the
      # two points; `verdict` of B: good, bad, skipped or undecided in a search, else slower,
      # faster, equivalent, undecided, invalid; or interrupted. `effect` and `interval` as in its
      # verdict, `differences` its cohorts' log differences, `measured_s` what counts against the
      # budget, `seconds` all, `run` its key in the store, `finding` why it was skipped or not
      # decided.
      class Step < Struct.new(:kind, :a, :b, :verdict, :cohorts, :measured_s, :seconds, :effect,
                              :interval, :differences, :state, :run, :finding, :index,
                              keyword_init: true)
        SIDES = { first: "good", second: "bad", invalid: "skipped" }.freeze
        INTERRUPTED = "interrupted"

        #: (Symbol, Analysis::Run, a: String, b: String, index: Integer, seconds: Float) -> Analysis::Bisection::Step
        def self.of(kind, run, a:, b:, index:, seconds:)
          comparison = run.comparison
          verdict = comparison.verdict
          new(kind:, a:, b:, index:, seconds:, verdict: verdict(kind, run), effect: verdict.effect,
              interval: verdict.low && [verdict.low, verdict.high],
              differences: comparison.differences(comparison.metric),
              cohorts: comparison.pairs.size, measured_s: comparison.pairs.sum(&:seconds).to_f,
              state: comparison.state, run: run.stored.key, finding: verdict.findings.first).freeze
        end

        def self.verdict(kind, run)
          return INTERRUPTED if run.state == INTERRUPTED
          return run.comparison.verdict.outcome.to_s unless kind == :search

          SIDES.fetch(run.comparison.state, "undecided")
        end
        private_class_method :verdict
      end
    end
  end
end
