# frozen_string_literal: true

module Mohs
  module Report
    # The document of `mohs bisect`, from what came of it. Pure.
    class BisectModel
      #: (Bisect::Result, argv: Array[String]) -> Hash[Symbol, untyped]
      def self.document(result, argv:) = new(result, argv).document

      #: (Bisect::Result, Array[String]) -> void
      def initialize(result, argv)
        @result = result
        @argv = argv
      end

      #: () -> Hash[Symbol, untyped]
      def document
        document = Exporters::Json.envelope(
          "bisect", outcome: @result.outcome, found:, suspects: @result.suspects.map(&:to_h),
                    good: @result.points.first.to_h, bad: @result.points.last.to_h,
                    points: @result.points.size - 1, metric: @result.metric.name, effect:,
                    steps: @result.steps.map(&:to_h), seconds: @result.seconds,
                    reason: @result.reason, provenance:
        )
        document.merge(sentence: BisectSentence.new(document).to_s)
      end

      private

      # Named where the search came to one, whatever its confirmation says.
      def found
        named = %w[found contradicted unconfirmed].include?(@result.outcome)
        @result.suspects.first.to_h if named && @result.suspects.one?
      end

      def effect
        step = @result.reported or return
        { ratio: step.effect, interval: step.interval, a: step.a, b: step.b }
      end

      def provenance
        { argv: Secrets.mask_argv(@argv), versions: { mohs: VERSION, ruby: RUBY_DESCRIPTION } }
      end
    end
  end
end
