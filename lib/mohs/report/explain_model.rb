# frozen_string_literal: true

module Mohs
  module Report
    # The document of `mohs explain`, from a run's analysis: why pairs of its variants differ. Pure.
    class ExplainModel < Model
      # pairs: names of A and B, of each pair that is explained.
      #: (Analysis::Run, Array[[String, String]]) -> Hash[Symbol, untyped]
      def self.document(run, pairs) = new(run, pairs).document

      #: (Analysis::Run, Array[[String, String]]) -> void
      def initialize(run, pairs)
        super(run)
        @pairs = pairs
      end

      # The keys of the first pair stand in the document itself.
      #: () -> Hash[Symbol, untyped]
      def document
        first, *others = @pairs.map { |a, b| pair(@run.explanation(b, against: a)) }
        Document.envelope("explain", run: @stored.key, seconds: @stored.seconds, host:, provenance:,
                                     state: @run.state,
                                     app: @stored.app && File.basename(@stored.app),
                                     requested: Subject.requested(@stored.study),
                                     connections: @run.connections, **first, others:)
      end

      private

      def pair(explanation)
        verdict = verdict(explanation)
        rest = explanation.unexplained
        { a: explanation.a, b: explanation.b, verdict: verdict && Phrase.verdict(verdict),
          why: why(explanation, verdict), cohorts: explanation.count,
          tested: explanation.tested?, cpu: cause(explanation.cpu),
          cpu_compared: compared(explanation),
          cores_share: explanation.cores_share,
          causes: explanation.causes.map { |one| cause(one) },
          unexplained_share: rest&.value,
          unexplained_interval: rest&.low && [rest.low, rest.high], profile: nil }
      end

      # Between two candidates there is none.
      def verdict(explanation)
        return unless explanation.a == @run.baseline

        row = @run.rows.find { |one| one.name == explanation.b }
        @run.verdict(row) if row
      end

      # Of two without a verdict that finds a difference if their CPU time differs.
      def why(explanation, verdict)
        differs = verdict&.differs?
        return unless differs || explanation.differs?

        metric = differs ? verdict.metric : :cpu_us_per_request
        Words::Causes.sentence(Analysis::Explanation::Why.new(explanation).findings(metric))
      end

      # nil if the verdict's table has none.
      def compared(explanation)
        ratio = explanation.compared or return
        { ratio: ratio.value, interval: ratio.low && [ratio.low, ratio.high],
          significant: explanation.differs? }
      end

      def cause(cause)
        { name: cause.name.to_s, title: Words::Causes::TITLES.fetch(cause.name.to_s),
          unit: cause.unit, a: cause.a, b: cause.b, change: cause.change,
          interval: cause.low && [cause.low, cause.high], ratio: cause.ratio,
          significant: cause.significant, share_of_difference: cause.share }
      end
    end
  end
end
