# frozen_string_literal: true

module Mohs
  module Probes
    # The figures that a server's own processes report for a Store::Reading, repeatedly, at rest
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

      # Sums over the processes, without figures that one of them can't report and, once a process
      # has ended, without counters, which would be too small. nil if a process does not answer, or
      # if none can be asked.
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
