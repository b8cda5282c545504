# frozen_string_literal: true

module Mohs
  module Calibration
    # What a session does next: pure, from what is wanted and what the ledger has.
    class Agenda
      # Its rounds are what the others are injected with.
      FIRST = ["truth", nil].freeze

      #: (Hash[[String, String?], Integer], Calibration::Ledger) -> void
      def initialize(wanted, ledger)
        @wanted = wanted
        @ledger = ledger
      end

      # { unit => how many are still to be done }, those of which none are left out.
      #: () -> Hash[[String, String?], Integer]
      def left
        @wanted.to_h { |unit, count| [unit, count - @ledger.of(*unit).size] }
               .select { |_, count| count.positive? }
      end

      # The loop's cost first, then by chance, so that what the host does meets every case alike and
      # a session that is ended early has some of each. Nil where all is done.
      #: (Random) -> [String, String?]?
      def pick(random)
        units = left
        return FIRST if units.key?(FIRST) && @ledger.of("truth").empty?

        units.flat_map { |unit, count| [unit] * count }.sample(random:)
      end
    end
  end
end
