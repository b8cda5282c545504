# frozen_string_literal: true

module Mohs
  module Probes
    # What a server's own processes say of themselves for a Store::Reading, again and again, at rest
    # (inside/attest.rb and Rubies::Engines).
    class InsideFigures
      COUNTERS = Analysis::Measures::ALL.values.select(&:counter?).map(&:name).freeze
      NAMES = Analysis::Measures.names(:inside).freeze

      #: (Probes::Inquiry) -> void
      def initialize(inquiry)
        @inquiry = inquiry
        @pids = []
        @lost = []
      end

      # Summed over the processes; without figures that one of them can't tell and, once a process
      # has ended, without counters: they would be too small. nil if one does not answer, or none
      # can be asked.
      #: (Array[Integer]) -> Hash[Symbol, Integer]?
      def read(pids)
        answers = @inquiry.call("figures", pids)
        return if answers.empty? || answers.value?(nil)

        @lost = COUNTERS if (@pids - answers.keys).any?
        @pids = answers.keys
        sum(answers.values).except(*@lost)
      end

      private

      def sum(rows)
        NAMES.to_h { |name| [name, rows.map { |row| row[name.to_s] }] }
             .select { |_, values| values.all?(Integer) }
             .transform_values(&:sum)
      end
    end
  end
end
