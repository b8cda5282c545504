# frozen_string_literal: true

module Mohs
  module Compare
    # What to type after a comparison that ended undecided: the same, for as long as its forecast
    # says, or within a margin that this host can resolve. A provisional answer is decided without
    # its option.
    class Suggestion < Report::Suggestion
      # comparison: of which the document is.
      #: (Hash[Symbol, untyped], Study, Store::Trial?, comparison: Compare::Result) -> void
      def initialize(document, study, unmet, comparison:)
        super(document, study, unmet)
        @comparison = comparison
      end

      private

      def own
        settings = settings() or return
        typed = Report::Proposal.typed_for(@document[:provenance], command: Rules::NAME,
                                                                   about: %w[subject extent])
        return unless typed

        typed, settings = typed.without(:quick), settings.except(:budget_s) if
          @comparison.rules.quick
        ["to decide", typed.with(**settings)]
      end

      # What is known to decide it; nil: nothing.
      def settings
        forecast = @comparison.forecast
        return unless forecast && Forecast::CODES.include?(forecast.code)

        needed_s, resolved, resolved_s, wider =
          forecast.values.values_at(:needed_s, :resolved, :resolved_s, :wider)
        return { budget_s: needed_s } if needed_s

        found = { margin_share: resolved || wider, budget_s: resolved_s }.compact
        found unless found.empty?
      end
    end
  end
end
