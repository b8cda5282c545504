# frozen_string_literal: true

module Mohs
  module Analysis
    # How many of a variant's requests failed: `total` of `sent`. `p`: the chance of shares this
    # different if it failed as often as the baseline does (Fisher's exact test; nil for the
    # baseline); beyond chance below `alpha`.
    class ErrorRate < Struct.new(:total, :sent, :p, :alpha, keyword_init: true)
      include Value

      # Of all candidates together, beside the verdicts': see Warnings.
      ALPHA = Verdict::ALPHA / 5

      # baseline: its row; nil if the row is the baseline's, or there is none. candidates: how many
      # are compared with it.
      #: (Analysis::Row, baseline: Analysis::Row?, candidates: Integer) -> Analysis::ErrorRate
      def self.of(row, baseline:, candidates:)
        tables = [row, baseline].compact.map { |one| [one.errors.values.sum, one.requests] }
        total, sent = tables.first
        p = Stats::Fisher.p(*tables.flat_map { |bad, all| [bad, [all - bad, 0].max] }) if baseline
        new(total:, sent:, p:, alpha: ALPHA / [candidates, 1].max)
      end

      # 0..1; nil if nothing was sent.
      #: () -> Float?
      def share = sent.zero? ? nil : total.fdiv(sent)

      #: () -> bool
      def differs? = !p.nil? && p < alpha
    end
  end
end
