# frozen_string_literal: true

module Mohs
  module Tune
    # What to tune next after a tuning that is undecided: the setting that may gain something beside
    # the present one alone, for long enough to tell.
    class Suggestion
      COMMANDS = %w[tune].freeze

      # Settings whose names are what --settings takes: not those of one of several variants.
      NAMED = /\A\d+x\d+\z/
      private_constant :COMMANDS, :NAMED

      # [{ what:, command:, hint: }], none or one. further: nil if there is nothing to suggest.
      #: (Hash[Symbol, untyped], Tune::Further?) -> Array[Hash[Symbol, String?]]
      def self.of(document, further)
        return [] unless document[:state] == "finished" && further&.name&.match?(NAMED)

        options = Report::GivenOptions.of(document[:provenance], COMMANDS) do |one|
          one.about == "subject"
        end
        return [] unless options

        words = ["mohs", "tune", *options.words, "--settings", further.name,
                 "--budget", Report::Numbers.rough_option(further.budget_s)]
        [{ what: Report::Render.text("tune_further", change: Report::Change.of(further.gain).amount),
           command: Report::Shell.command(words), hint: options.hint }]
      end
    end
  end
end
