# frozen_string_literal: true

module Mohs
  module Repro
    # What a run has to say of a claim about the versions that a JIT compiled a method in: counts,
    # without a test of chance. As the trials of a level boot alike, each of them has to show what
    # is claimed, or each the opposite. A trial that never compiled the method decides nothing.
    class CompiledEvidence < ColdEvidence
      private

      def missing = super || (note("repro_no_code", variant: level.name) unless versions.all?)

      def level = levels.first

      def versions = @versions ||= level.trials.map { |trial| trial.versions(@statement.routine) }

      def decided
        few = versions.size
        return [Judge::UNDECIDED, seen, too_few(few)] if few < FEWEST
        return [Judge::AGREES, seen] if versions.all? { |count| claimed?(count) }
        return [Judge::CONTRADICTED, seen] if versions.none? { |count| unknown?(count) }

        [Judge::UNDECIDED, seen]
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
