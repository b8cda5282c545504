# frozen_string_literal: true

module Mohs
  module Repro
    # The outcomes of claims in words.
    module Outcomes
      WORDS = { "agrees" => "agrees", "direction_only" => "agrees in part",
                "contradicted" => "contradicted", "undecided" => "undecided",
                "not_measured" => "not measured",
                "not_testable" => "not testable here" }.freeze
      # Where several claims have another verb.
      SEVERAL = { **WORDS, "agrees" => "agree", "direction_only" => "agree in part" }.freeze

      TONES = { "agrees" => :good, "contradicted" => :bad }.freeze

      # The outcome of this many claims: 1 agrees, 7 agree.
      #: (String, Integer) -> String
      def self.outcome(outcome, count) = (count > 1 ? SEVERAL : WORDS).fetch(outcome)

      # What an outcome means to a reader (Report::Tone).
      #: (String) -> Symbol
      def self.tone(outcome) = TONES.fetch(outcome, :open)

      # The outcomes of all claims: "1 agrees, 2 undecided". counts: { outcome => claims }.
      # only: for each claim that is contradicted only for another version, or fewer cores, than the
      # source had, the codes that say so (Test::ONLY).
      #: (Hash[String, Integer], ?only: Array[Array[String]]) -> String
      def self.tally(counts, only: [])
        found = Judge::OUTCOMES.select { |one| counts.fetch(one, 0).positive? }
        found.map do |one|
          text = "#{counts[one]} #{outcome(one, counts[one])}"
          next text unless one == Judge::CONTRADICTED && only.any?

          some = "#{only.size} of them " if only.size < counts[one]
          "#{text} (#{some}#{differences(only.flatten)})"
        end.join(", ")
      end

      # What differed from the source, by these codes.
      #: (Array[String]) -> String
      def self.differences(codes)
        cores, versions = codes.partition { |code| code == Test::CORES_ONLY }
        [*("with other versions" if versions.any?), *("on fewer cores" if cores.any?)].join(" or ")
      end
    end
  end
end
