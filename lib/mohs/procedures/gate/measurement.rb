# frozen_string_literal: true

module Mohs
  module Gate
    # Compares one page of two revisions like `mohs compare`, each time as a separate run in the
    # store.
    class Measurement < Compare::Series
      BASE = "base"
      HEAD = "head"

      # revisions: the older and the newer one ("@1a2b3c"; nil: the folder as it is). on: what both
      # are measured on.
      #: (revisions: [String?, String?], ?on: Study::Notation, **untyped) -> void
      def initialize(revisions:, on: Study::Notation.new, **series)
        super(**series)
        @variants = [BASE, HEAD].zip(revisions).map do |label, revision|
          [nil, Study::Notation.new(**on.to_h, label:, revision:)]
        end
      end

      # The study of one page.
      #: (Gate::Page, Hash[Symbol, untyped], Numeric) -> Study
      def prepare(page, comparison, budget_s)
        study_of(comparison: { **comparison, **deciding(comparison) }, budget_s:,
                 requests: [page.request], variants: @variants)
        refused = study.variants.find(&:refusal)
        raise UsageError, "#{page.name}: #{refused.refusal_text}" if refused

        study
      end

      # The Analysis::Run that compared the page. Raises UsageError if one of the revisions can't be
      # measured.
      #: (Gate::Page, Hash[Symbol, untyped], Numeric) -> untyped
      def call(page, comparison, budget_s)
        prepare(page, comparison, budget_s)
        measured
      end

      private

      # Requests/s can't decide at a rate, which is the same for both.
      def deciding(comparison)
        served = comparison[:metric] == Compare::Rules::THROUGHPUT
        served && @variants.any? { |_, notation| notation.rate } ? { metric: "cpu" } : {}
      end
    end
  end
end
