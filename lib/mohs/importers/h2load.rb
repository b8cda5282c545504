# frozen_string_literal: true

module Mohs
  module Importers
    # h2load of nghttp2: its output, and each request (--log-file).
    class H2load < Base
      include Shared::Summary
      include Shared::Requests::Sampling

      # Start in us since 1970; status, -1 without a response; duration in us.
      ROW = /\A(\d{16})\t(-?\d+)\t(\d+)(?:\t|\z)/

      #: (String) -> bool
      def self.recognise?(head)
        head.lines.first.to_s.chomp.match?(ROW) ||
          (head.match?(%r{^finished in \S+, [\d.]+ req/s}) && head.match?(/^time for request: /))
      end

      #: () -> Array[Analysis::Imports::Sample]
      def samples
        return [rows] if source.head.match?(/\A\d/)

        outputs(/^finished in /).map { |text| summary(text) }
      end

      private

      def rows
        requests = Shared::Requests.new
        base = nil
        source.each_line do |line, number|
          row = ROW.match(line) or raise ArgumentError, "line #{number} is no request"
          began = row[1].to_i
          base ||= began # a Float of seconds since 1970 can't hold microseconds
          requests.add(number(row[3]) * 1000, start_s: (began - base) / 1e6,
                                              error: status_error(row[2]))
        end
        of_requests(requests)
      end
    end
  end
end
