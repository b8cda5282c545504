# frozen_string_literal: true

module Mohs
  module Repro
    # The outcomes of claims in words.
    module Outcomes
      WORDS = { "agrees" => "agrees", "direction_only" => "agrees in part",
                   "contradicted" => "contradicted", "undecided" => "undecided",
                   "not_measured" => "not measured",
                   "not_testable" => "not testable here" }.freeze

      # The outcome of this many claims: 1 agrees, 7 agree.
      #: (String, Integer) -> String
      def self.outcome(outcome, count)
        text = WORDS.fetch(outcome)
        count > 1 ? text.sub(/\Aagrees/, "agree") : text
      end

      # The outcomes of all claims: "1 agrees, 2 undecided". counts: { outcome => claims }.
      # stand_ins: the number of contradicted claims that are contradicted only for another
      # version, or fewer cores, than the source had.
      #: (Hash[String, Integer], ?stand_ins: Integer) -> String
      def self.tally(counts, stand_ins: 0)
        found = Judge::OUTCOMES.select { |one| counts.fetch(one, 0).positive? }
        found.map do |one|
          text = "#{counts[one]} #{outcome(one, counts[one])}"
          next text unless one == Judge::CONTRADICTED && stand_ins.positive?

          some = "#{stand_ins} of them " if stand_ins < counts[one]
          "#{text} (#{some}with other versions or fewer cores)"
        end.join(", ")
      end
    end
  end
end
