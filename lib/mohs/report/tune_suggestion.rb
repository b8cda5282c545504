# frozen_string_literal: true

module Mohs
  module Report
    # What to tune next after a tuning that is undecided: the setting that may gain something beside
    # the present one alone, for long enough to tell.
    class TuneSuggestion
      # Options of a tuning that the next command doesn't need, or has values of its own for; the
      # value is the number of words that follow the option.
      DROPPED = { "--settings" => 1, "--budget" => 1, "--seed" => 1, "--report" => 1,
                  "--write" => 1, "--check" => 0, "--dry-run" => 0, "--quiet" => 0, "-q" => 0,
                  "--json" => 0, "--debug" => 0 }.freeze

      # Settings whose names are what --settings takes: not those of one of several variants.
      NAMED = /\A\d+x\d+\z/
      private_constant :DROPPED, :NAMED

      # [{ what:, command: }], none or one. further: nil if the tuning is decided.
      #: (Hash[Symbol, untyped], Analysis::Tuning::Further?) -> Array[Hash[Symbol, String]]
      def self.of(document, further)
        return [] unless document[:state] == "finished" && further&.name&.match?(NAMED)

        change = Change.of(further.gain).amount
        words = ["mohs", "tune", *kept(document[:provenance][:argv]), "--settings", further.name,
                 "--budget", Numbers.rough_option(further.budget_s)]
        [{ what: Phrase.text("tune_further", change:, share: Analysis::Tuning::Further::POWER),
           command: Terminal::Style.command(words) }]
      end

      def self.kept(argv)
        words = argv.to_a.map(&:to_s)
        words = words.drop(1) if words.first == "tune"
        kept = []
        while (word = words.shift)
          count = DROPPED[word[/\A[^=]+/]]
          kept << word unless count
          words.shift(count) if count && !word.include?("=")
        end
        kept
      end
      private_class_method :kept
    end
  end
end
