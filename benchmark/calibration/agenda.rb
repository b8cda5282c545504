# frozen_string_literal: true

module Mohs
  module Calibration
    # What a session does next, given what is wanted and what the ledger has. Pure.
    class Agenda
      # Determines how many rounds are injected in the other cases.
      FIRST = ["truth", nil].freeze

      #: (Hash[[String, String?], Integer], Calibration::Ledger) -> void
      def initialize(wanted, ledger)
        @wanted = wanted
        @ledger = ledger
      end

      # { unit => how many are still to be done }, without complete ones.
      #: () -> Hash[[String, String?], Integer]
      def left
        @wanted.to_h { |unit, count| [unit, count - @ledger.of(*unit).size] }
               .select { |_, count| count.positive? }
      end

      # The loop's cost first, then at random, so that the host's noise affects all cases alike and
      # a session that is stopped early has some of each. Nil if all is done.
      #: (Random) -> [String, String?]?
      def pick(random)
        units = left
        return FIRST if units.key?(FIRST) && @ledger.of("truth").empty?

        units.flat_map { |unit, count| [unit] * count }.sample(random:)
      end
    end
  end
end
