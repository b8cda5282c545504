# frozen_string_literal: true

require "time"

module Mohs
  module Importers
    # vegeta (https://github.com/tsenart/vegeta): its report (report -type=json), and each request
    # (encode -to=json or -to=csv). It sends at a set rate, so requests/s only repeat what was
    # typed: two servers that keep up would be equal. Runs are compared by their p50 instead.
    class Vegeta < Base
      include Shared::Summary
      include Shared::Requests::Sampling

      # Time in ns since 1970, status, latency in ns, bytes out and in, then the error.
      ROW = /\A(\d{19}),(\d+),(\d+),\d+,\d+,([^,]*)/
      LINE = /\A\{"attack":/

      #: (String) -> bool
      def self.recognise?(head)
        head.lines.first.to_s.match?(ROW) || head.match?(LINE) ||
          (head.start_with?("{") && head.include?('"latencies"') && head.include?('"status_codes"'))
      end

      #: () -> Array[Analysis::Imports::Sample]
      def samples
        [by_latency(found)]
      end

      private

      def found
        head = source.head
        return rows { |line, number| csv(line, number) } if head.match?(/\A\d/)
        return rows { |line, _| json(line) } if head.match?(LINE)

        summary(source.text)
      end

      def by_latency(sample)
        sample.with(measure: Analysis::Imports::MEDIAN, value: sample.latency_ms[:p50],
                    lacks: [*sample.lacks, lack("offered_rate")])
      end

      # The block returns [start in ns, status, latency in ns, error] of a line.
      def rows
        requests = Shared::Requests.new
        base = nil
        source.each_line(quotes: source.head.match?(/\A\d/)) do |line, number|
          at, status, latency, error = yield line, number
          base ||= at
          requests.add(number(latency), start_s: (at - base) / 1e9,
                                        error: error(status, error))
        end
        of_requests(requests)
      end

      def error(status, text)
        return if text.empty? && status.between?(200, 399)

        status.zero? ? "failed" : "wrong_status"
      end

      def csv(line, number)
        row = ROW.match(line) or raise ArgumentError, "line #{number} is no request"
        [row[1].to_i, row[2].to_i, row[3].to_i, row[4]]
      end

      def json(line)
        row = JSON.parse(line)
        time = Time.iso8601(row.fetch("timestamp"))
        at = (time.to_i * 1_000_000_000) + time.nsec
        [at, count(row.fetch("code")), count(row.fetch("latency")), row["error"].to_s]
      end
    end
  end
end
