# frozen_string_literal: true

module Mohs
  module Importers
    # JMeter's results as CSV (JTL), with a header line.
    class Jmeter < Base
      include Shared::Requests::Sampling

      NEEDED = %w[timeStamp elapsed success].freeze

      #: (String) -> bool
      def self.recognise?(head)
        (NEEDED - head.lines.first.to_s.chomp.split(",")).empty?
      end

      #: () -> Array[Analysis::Imports::Sample]
      def samples
        requests = Shared::Requests.new
        base = at = nil
        source.each_line(quotes: true) do |line, number|
          cells = Load::Scenario::Csv.row(line)
          next at = NEEDED.map { |name| cells.index(name) || raise(ArgumentError, "no #{name}") } \
            if number == 1

          began, elapsed, success = cells.values_at(*at)
          base ||= count(began)
          requests.add(number(elapsed) * 1e6, start_s: (count(began) - base) / 1e3,
                                              error: (right?(success) ? nil : "failed"))
        end
        [of_requests(requests, lacks: [lack("whole_ms"), lack("labels")])]
      end

      private

      def right?(word)
        return word == "true" if %w[true false].include?(word)

        raise ArgumentError, "success is #{word.inspect}"
      end
    end
  end
end
