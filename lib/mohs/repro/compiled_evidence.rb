# frozen_string_literal: true

module Mohs
  module Repro
    # What a run has to say of a claim about the versions that a JIT compiled a method in. Each
    # trial of the level has to show what is claimed, or each the opposite; one that never compiled
    # the method decides nothing. When a JIT compiles depends on its thread and on the clock, so few
    # trials may be alike by chance: of a method compiled so in every second boot, three are in one
    # of four runs. So they also have to bound the share of the boots that are so: it is more than
    # SHARE if all trials show it, by Clopper's and Pearson's interval (1934), both of whose ends
    # are asked.
    class CompiledEvidence < ColdEvidence
      ALPHA = 0.05
      # Of all boots.
      SHARE = 0.5
      # Trials from which on the interval leaves it out.
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

      # If so many trials show it.
      def of_all
        return Judge::AGREES if versions.all? { |count| claimed?(count) }

        versions.none? { |count| unknown?(count) } ? Judge::CONTRADICTED : Judge::UNDECIDED
      end

      # The lower end of the interval where all show it.
      def too_few
        boots = versions.size
        note("repro_few_boots", boots:, share: (ALPHA / 2)**1.fdiv(boots), asked: SHARE,
                                needed: FEWEST)
      end

      def claimed?(count) = count.between?(@statement.low, @statement.high || count)

      # Not compiled, or as claimed.
      def unknown?(count) = count.zero? || claimed?(count)

      def seen
        note("repro_versions", variant: level.name, method: @statement.routine, versions:)
      end
    end
  end
end
