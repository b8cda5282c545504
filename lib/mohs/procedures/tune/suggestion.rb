# frozen_string_literal: true

module Mohs
  module Tune
    # What to tune next after a tuning that is undecided: the setting that may gain something beside
    # the present one alone, for long enough to tell.
    class Suggestion < Report::Suggestion
      # further: nil if there is nothing to suggest. setting: what --settings takes for it; nil if
      # that would take others, too.
      #: (Hash[Symbol, untyped], Study, Tune::Further?, setting: String?) -> void
      def initialize(document, study, further, setting:)
        super(document, study, nil)
        @further = further
        @setting = setting
      end

      private

      def own
        return unless @further && @setting

        [Report::Render.text("tune_further", change: Report::Change.of(@further.gain).amount),
         subject.to(Rules::NAME).with(settings: @setting, budget_s: @further.budget_s)]
      end
    end
  end
end
