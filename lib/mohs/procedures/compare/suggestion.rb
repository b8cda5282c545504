# frozen_string_literal: true

module Mohs
  module Compare
    # What to type after a comparison that ended undecided: the same, for as long as its forecast
    # says. A provisional answer is decided without its option.
    class Suggestion < Report::Suggestion
      # comparison: of which the document is.
      #: (Hash[Symbol, untyped], Study, Store::Trial?, comparison: Compare::Result) -> void
      def initialize(document, study, unmet, comparison:)
        super(document, study, unmet)
        @comparison = comparison
      end

      private

      def own
        needed_s = needed_s() or return
        typed = Report::Proposal.typed_for(@document[:provenance], command: Rules::NAME,
                                                                   about: %w[subject extent])
        return unless typed

        quick = @comparison.rules.quick
        ["to decide", quick ? typed.without(:quick) : typed.with(budget_s: needed_s)]
      end

      # nil if nothing is known to decide it.
      def needed_s
        forecast = @comparison.forecast
        forecast.values[:needed_s] if forecast && Forecast::CODES.include?(forecast.code)
      end
    end
  end
end
