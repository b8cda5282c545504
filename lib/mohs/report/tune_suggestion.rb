# frozen_string_literal: true

module Mohs
  module Report
    # What to tune next after a tuning that is undecided: the setting that may gain something beside
    # the present one alone, for long enough to tell.
    class TuneSuggestion
      COMMANDS = %w[tune].freeze

      # Settings whose names are what --settings takes: not those of one of several variants.
      NAMED = /\A\d+x\d+\z/
      private_constant :COMMANDS, :NAMED

      # [{ what:, command:, hint: }], none or one. further: nil if there is nothing to suggest.
      #: (Hash[Symbol, untyped], Analysis::Tuning::Further?) -> Array[Hash[Symbol, String?]]
      def self.of(document, further)
        return [] unless document[:state] == "finished" && further&.name&.match?(NAMED)

        options = GivenOptions.of(document[:provenance], COMMANDS) do |one|
          one.about == "subject"
        end
        return [] unless options

        words = ["mohs", "tune", *options.words, "--settings", further.name,
                 "--budget", Numbers.rough_option(further.budget_s)]
        [{ what: Render.text("tune_further", change: Change.of(further.gain).amount),
           command: Shell.command(words), hint: options.hint }]
      end
    end
  end
end
