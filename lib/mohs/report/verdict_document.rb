# frozen_string_literal: true

module Mohs
  module Report
    # A verdict as docs/json.md has it, with its words.
    module VerdictDocument
      module_function

      #: (Analysis::Verdict) -> Hash[Symbol, untyped]
      def of(verdict)
        { outcome: verdict.outcome.to_s, against: verdict.against, metric: verdict.metric.to_s,
          effect: verdict.effect, interval: verdict.low && [verdict.low, verdict.high],
          margin: verdict.margin, text: Numbers.verdict(verdict),
          reasons: verdict.findings.map { |finding| Phrase.call(finding) },
          findings: verdict.findings.map { |finding| Phrase.document(finding) } }
      end
    end
  end
end
