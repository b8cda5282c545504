# frozen_string_literal: true

module Mohs
  class Bisect
    # One comparison of a bisection. `kind` :ends, :search or :confirm; `a` and `b` names of the two
    # points; `verdict` of B: good, bad, skipped or undecided in a search, else slower, faster,
    # equivalent, undecided, invalid; or interrupted. `effect` and `interval` as in its document,
    # `differences` its cohorts' log differences, `measured_s` what counts against the budget,
    # `seconds` all, `run` its key in the store, `reason` why it was skipped or not decided.
    class Step < Struct.new(:kind, :a, :b, :verdict, :cohorts, :measured_s, :seconds, :effect,
                            :interval, :differences, :state, :run, :reason, keyword_init: true)
      SIDES = { "first" => "good", "second" => "bad", "invalid" => "skipped" }.freeze
      INTERRUPTED = "interrupted"
      # Not told in documents: the runs hold it.
      INSIDE = %i[differences state].freeze

      # document: of a comparison (docs/json.md).
      #: (Symbol, Hash[Symbol, untyped], a: String, b: String, seconds: Float) -> Bisect::Step
      def self.of(kind, document, a:, b:, seconds:)
        verdict, cohorts = document.values_at(:verdict, :cohorts)
        key = verdict[:metric].to_sym
        differences = document[:observations].filter_map { |one| one[:differences][key] }
        new(kind:, a:, b:, seconds:, verdict: verdict(kind, document), differences:,
            cohorts: cohorts[:done], measured_s: cohorts[:seconds].to_f, state: cohorts[:state],
            effect: verdict[:effect], interval: verdict[:interval], run: document[:run],
            reason: verdict[:reasons].first).freeze
      end

      def self.verdict(kind, document)
        return INTERRUPTED if document[:state].to_s == INTERRUPTED
        return document[:verdict][:outcome] unless kind == :search

        SIDES.fetch(document[:cohorts][:state], "undecided")
      end
      private_class_method :verdict

      # As docs/json.md has it.
      #: () -> Hash[Symbol, untyped]
      def to_h = super.except(*INSIDE).merge(kind: kind.to_s)
    end
  end
end
