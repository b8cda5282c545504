# frozen_string_literal: true

module Mohs
  module Importers
    # ApacheBench: its output, its percentages (-e FILE) and its times (-g FILE).
    class Ab < Base
      include Shared::Summary
      include Shared::Requests::Sampling

      SHARES_HEAD = "Percentage served,Time in ms"
      TIMES_HEAD = "starttime\tseconds\tctime\tdtime\tttime\twait"
      # A row of the table at the end of the output.
      SHARE = /^ +(\d+)% +(\d+)/

      #: (String) -> bool
      def self.recognise?(head)
        head.start_with?("This is ApacheBench", SHARES_HEAD, TIMES_HEAD)
      end

      #: () -> Array[Analysis::Imports::Sample]
      def samples
        head = source.head
        return [shares] if head.start_with?(SHARES_HEAD)
        return [times] if head.start_with?(TIMES_HEAD)

        outputs(/^This is ApacheBench/).map { |text| printed(text) }
      end

      private

      def printed(text)
        rows = text.scan(SHARE).map { |row| row.join(",") }
        summary(text, files: { "times.csv" => [SHARES_HEAD, *rows].join("\n") },
                      lacks: [lack("whole_ms")])
      end

      # A file of -e: for each per cent of the requests, the time in ms within which they were
      # served.
      def shares
        rows = source.text.lines.drop(1).to_h { |line| line.chomp.split(",", 2) }
        times = [50, 90, 99, 100].to_h do |share|
          [share / 100.0, number(rows.fetch(share.to_s)) * 1e6]
        end
        sample(measure: Analysis::Imports::MEDIAN, value: times[0.5] / 1e6,
               latency_ms: latency_ms(times, nil), lacks: [lack("only_quantiles")])
      end

      # A file of -g: requests sorted by their times, which are rounded, as are the seconds in which
      # they began.
      def times
        requests = Shared::Requests.new
        each_row("\t", 6) do |cells|
          requests.add(number(cells[4]) * 1e6, start_s: nil, error: nil)
        end
        raise ArgumentError, "no rows" if requests.size.zero?

        found = of_requests(requests, lacks: [lack("whole_ms"), lack("no_rate"),
                                              lack("errors_unknown")])
        median = found.latency_ms[:p50]
        found.with(measure: Analysis::Imports::MEDIAN, value: median, good: nil)
      end
    end
  end
end
