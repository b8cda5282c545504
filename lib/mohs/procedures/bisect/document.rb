# frozen_string_literal: true

module Mohs
  module Bisect
    # The document of `mohs bisect`, from its result. Pure.
    class Document
      # Facts of a step, beside its reason.
      STEP = %i[kind a b verdict cohorts measured_s seconds effect interval run].freeze

      # Outcomes that answer the question; any other is a failure.
      ANSWERED = %w[found range none].freeze
      private_constant :ANSWERED

      # As of any document (Report::Model.outcome).
      #: (Hash[Symbol, untyped]) -> Symbol
      def self.outcome(document) = ANSWERED.include?(document[:outcome]) ? :ok : :failed

      # study: the study of one of the comparisons; nil if the search ended before the first.
      #: (Bisect::Bisection::Result, invocation: Invocation, ?study: Study?) -> Hash[Symbol, untyped]
      def self.document(result, invocation:, study: nil) = new(result, invocation, study).document

      #: (Bisect::Bisection::Result, Invocation, Study?) -> void
      def initialize(result, invocation, study)
        @result = result
        @invocation = invocation
        @study = study
      end

      #: () -> Hash[Symbol, untyped]
      def document
        document = Report::Document.envelope(
          "bisect", **subject, outcome: @result.outcome, found:,
                    suspects: @result.suspects.map(&:to_h), good: @result.points.first.to_h,
                    bad: @result.points.last.to_h, points: @result.points.size - 1,
                    metric: @result.metric.name, effect:, seconds: @result.seconds,
                    steps: @result.steps.map { |step| step(step) },
                    reason: text(@result.finding),
                    remedy: Report::Render.cure(@result.finding), provenance:,
                    again: Report::Document.again(@invocation.to_h)
        )
        document.merge(sentence: Headline.new(document).to_s)
      end

      private

      def subject
        return { app: nil, requested: [], connections: nil } unless @study

        { app: @study.app && File.basename(@study.app), requested: Report::Subject.requested(@study),
          connections: @study.shared_connections }
      end

      def step(step)
        { **step.to_h.slice(*STEP), kind: step.kind.to_s, reason: text(step.finding) }
      end

      def text(finding) = finding && Report::Render.call(finding)

      # The suspect that the search found, whatever its confirmation says; nil if it found none.
      def found
        named = %w[found contradicted unconfirmed].include?(@result.outcome)
        @result.suspects.first.to_h if named && @result.suspects.one?
      end

      def effect
        step = @result.reported or return
        { ratio: step.effect, interval: step.interval, a: step.a, b: step.b }
      end

      def provenance
        { argv: @invocation.argv, invocation: @invocation.to_h,
          versions: { mohs: VERSION, ruby: RUBY_DESCRIPTION } }
      end
    end
  end
end
