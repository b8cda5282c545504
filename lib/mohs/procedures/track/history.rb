# frozen_string_literal: true

module Mohs
  module Track
    # The history that a comparison is a point of (mohs track): its `name`; the `reference` as
    # typed, and `reference_id`, the same with the id of its commit; `commit` { id:, short:, date:,
    # title:, changes: } of the application's folder, nil without git. `changes` counts the files
    # that differ from that commit. `check`: whether the exit status says if this point reveals a
    # regression.
    class History < Struct.new(:name, :reference, :reference_id, :commit, :check,
                               keyword_init: true)
      include Value

      # Half the width of the interval at which a point is done, and its maximum seconds, unless the
      # user gives others: if all points are equally precise, smaller changes show.
      PRECISION = 0.01
      BUDGET_S = 300

      # Characters of a commit's id that are unique in any repository.
      LONG = 16
      private_constant :LONG

      NAME = /\A[\w][\w.-]{0,63}\z/

      # Raises UsageError.
      #: (String) -> String
      def self.name(text)
        return text if text.match?(NAME)

        raise UsageError, "#{text.inspect} is not a valid name: use at most 64 letters, digits, " \
                          "., - and _"
      end

      # The command that gives a history its first point, and so its reference. name: nil: of any.
      #: (?String?) -> Report::Proposal
      def self.first_point(name = nil)
        Report::Proposal.to("track", name || "NAME", against: "@COMMIT")
      end

      # What a history is measured against: with the id of its commit, so that it stays the same
      # when its branch moves.
      #: (Study::Notation, label: String, repository: untyped) -> Study::Notation
      def self.pinned(notation, label:, repository:)
        name = notation.revision&.delete_prefix("@")
        Study::Notation.new(**notation.to_h, label:,
                            revision: name && "@#{repository.commit(name)[0, LONG]}")
      end
    end
  end
end
