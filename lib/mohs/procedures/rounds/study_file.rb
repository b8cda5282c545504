# frozen_string_literal: true

module Mohs
  module Rounds
    # Reads what a study file says of rounds (sections/rounds.yml).
    class StudyFile
      #: (Study::File) -> void
      def initialize(file)
        @entry = file.entry
      end

      # What it adds to the declaration.
      #: () -> { rounds: Integer?, budget_s: Numeric? }
      def to_h = { rounds: @entry.whole(:rounds), budget_s: @entry.budget_s }
    end
  end
end
