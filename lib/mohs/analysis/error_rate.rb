# frozen_string_literal: true

module Mohs
  module Analysis
    # How many of a variant's requests failed: `total` of `sent`. `p`: the chance of shares this
    # different if it failed as often as the baseline does (Stats::BootShares; nil for the baseline,
    # and if either has only one boot); below `alpha` the difference is beyond chance. `baseline`:
    # the baseline's ErrorRate; nil if there is none to compare with.
    class ErrorRate < Struct.new(:total, :sent, :p, :alpha, :baseline, keyword_init: true)
      include Value

      # The chance of an error for all candidates together, in addition to that of the verdicts.
      ALPHA = Verdict::ALPHA / 5

      # baseline: its row; nil if the row is the baseline's, or there is no baseline. candidates:
      # how many variants are compared with it.
      #: (Analysis::Row, baseline: Analysis::Row?, candidates: Integer) -> Analysis::ErrorRate
      def self.of(row, baseline:, candidates:)
        total, sent = row.failed.transpose.map(&:sum)
        p = Stats::BootShares.p(baseline.failed, row.failed) if baseline
        new(total: total.to_i, sent: sent.to_i, p:, alpha: ALPHA / [candidates, 1].max,
            baseline: baseline && of(baseline, baseline: nil, candidates:))
      end

      # 0..1; nil if nothing was sent.
      #: () -> Float?
      def share = sent.zero? ? nil : total.fdiv(sent)

      #: () -> bool
      def differs? = !p.nil? && p < alpha

      # As for a metric: "better" or "worse" than the baseline beyond chance; else nil.
      #: () -> String?
      def outcome
        return unless differs?

        share < baseline.share ? "better" : "worse"
      end

      # Are there too few boots to compare them?
      #: () -> bool
      def untested? = !baseline.nil? && p.nil?
    end
  end
end
