# frozen_string_literal: true

module Mohs
  class LoadRun
    # A load beside slow clients: what they cost the others, then as any load.
    class SlowView < View
      #: (Hash[Symbol, untyped]) -> bool
      def self.of?(document) = document[:command] == KIND && !document[:slow].nil?

      private

      def slow = @document[:slow]

      def without = slow[:without]

      def headline
        p50, p99 = %i[p50 p99].map { |name| [beside(name), alone(name)] }
        rates = [@document, without].map { |one| Report::Numbers.figure(one[:rate_per_s]) }
        [say("load_beside_slow", clients:, p50:, p99:, rates:), super].join(" ")
      end

      def beside(name) = time(@document[:latency_ms], name)

      def alone(name) = time(without[:latency_ms], name)

      def time(latency, name)
        Report::Numbers.latency_with_unit(latency[name], latency.dig(:more_than, name))
      end

      # "4 clients that read 10 kB/s".
      def clients = say("slow_clients", **slow.slice(:part, :count, :bytes_per_s))

      # A second row for the load without them.
      def latencies
        table = super or return
        before = without[:latency_ms]
        cells = { kind: cell("#{before[:kind]}, without them"), **times(before) }
        row = Report::View::Row.new(cells:)
        Report::View::Table.new(**table.to_h, rows: [table.rows.first, row, *table.rows.drop(1)])
      end

      def remarks = [*super, of_clients]

      def of_clients
        errors_clause = " (#{classes(slow[:errors])})" if slow[:errors].any?
        counts = slow.slice(:opened, :completed, :failed, :underway)
        remark("slow clients", say("load_slow", **counts, errors_clause:), code: :slow)
      end
    end
  end
end
