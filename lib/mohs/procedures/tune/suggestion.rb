# frozen_string_literal: true

module Mohs
  module Tune
    # What to tune next after a tuning that is undecided: the setting that may gain something beside
    # the present one alone, for long enough to tell.
    class Suggestion
      COMMANDS = %w[tune].freeze
      private_constant :COMMANDS

      # [{ what:, command:, hint: }], none or one. further: nil if there is nothing to suggest.
      # setting: what --settings takes for it; nil if that would take others, too.
      #: (Hash[Symbol, untyped], Tune::Further?, setting: String?) -> Array[Hash[Symbol, String?]]
      def self.of(document, further, setting:)
        return [] unless document[:state] == "finished" && further && setting

        options = Report::GivenOptions.of(document[:provenance], COMMANDS) do |one|
          one.about == "subject"
        end
        return [] unless options

        words = ["mohs", "tune", *options.words, "--settings", setting,
                 "--budget", Report::Numbers.rough_option(further.budget_s)]
        [{ what: Report::Render.text("tune_further", change: Report::Change.of(further.gain).amount),
           command: Report::Shell.command(words), hint: options.hint }]
      end
    end
  end
end
