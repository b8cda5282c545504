# frozen_string_literal: true

module Mohs
  module Importers
    # hey (https://github.com/rakyll/hey): its output, and each request (-o csv).
    class Hey < Base
      include Shared::Summary
      include Shared::Requests::Sampling

      HEAD = "response-time,DNS+dialup,DNS,Request-write,Response-delay,Response-read," \
             "status-code,offset"

      #: (String) -> bool
      def self.recognise?(head)
        head.start_with?(HEAD) || head.match?(/\A\s*Summary:\n +Total:\s+[\d.]+ secs\n +Slowest:/)
      end

      #: () -> Array[Analysis::Imports::Sample]
      def samples
        return [rows] if source.head.start_with?(HEAD)

        outputs(/^Summary:$/).map { |text| summary(text) }
      end

      private

      # The file lacks requests that failed without a response.
      def rows
        requests = Shared::Requests.new
        each_row(",", 8) do |cells|
          requests.add(number(cells[0]) * 1e9, start_s: number(cells[7]),
                                               error: status_error(cells[6]))
        end
        of_requests(requests, lacks: [lack("steps", step: "0.1 ms"), lack("errors_left_out")])
      end
    end
  end
end
