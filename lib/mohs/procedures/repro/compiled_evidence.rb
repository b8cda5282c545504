# frozen_string_literal: true

module Mohs
  module Repro
    # What a run says about a claim on the number of versions in which a JIT compiled a method.
    # Either each trial of the level has to show what is claimed, or each has to show the opposite;
    # a trial that never compiled the method decides nothing. When a JIT compiles depends on its
    # thread and on the clock, so a few trials may be alike by chance: if every second boot compiles
    # a method in this way, three boots are alike in one of four runs. So the trials also have to
    # bound the share of boots that do: if all trials do, it has to be above SHARE by the interval
    # of Clopper and Pearson (1934), two-sided.
    class CompiledEvidence < ColdEvidence
      ALPHA = 0.05
      # Share of all boots.
      SHARE = 0.5
      # The number of trials from which on the interval excludes SHARE.
      FEWEST = (Math.log(ALPHA / 2) / Math.log(SHARE)).ceil

      private

      def missing = super || (note("repro_no_code", variant: level.name) unless versions.all?)

      def level = levels.first

      def versions = @versions ||= level.trials.map { |trial| trial.versions(@statement.routine) }

      def decided
        outcome = of_all
        return [outcome, seen] if outcome == Judge::UNDECIDED || versions.size >= FEWEST

        [Judge::UNDECIDED, seen, too_few]
      end

      # The outcome if there are enough trials.
      def of_all
        return Judge::AGREES if versions.all? { |count| claimed?(count) }

        versions.none? { |count| unknown?(count) } ? Judge::CONTRADICTED : Judge::UNDECIDED
      end

      # The finding with the lower end of the interval if all trials agree.
      def too_few
        boots = versions.size
        note("repro_few_boots", claimed: of_all == Judge::AGREES, boots:, needed: FEWEST,
                                share: (ALPHA / 2)**1.fdiv(boots), asked: SHARE)
      end

      def claimed?(count) = count.between?(@statement.low, @statement.high || count)

      # Was the method not compiled, or compiled as claimed?
      def unknown?(count) = count.zero? || claimed?(count)

      def seen
        note("repro_versions", variant: level.name, method: @statement.routine, versions:)
      end
    end
  end
end
