# frozen_string_literal: true

require "time"

module Mohs
  module Importers
    # k6 (https://github.com/grafana/k6): its summary (--summary-export, handleSummary), and each
    # request (--out json).
    class K6 < Base
      include Shared::Summary
      include Shared::Requests::Sampling

      LINE = /\A\{[^\n]*"type":"(?:Metric|Point)"/
      DURATION = '"http_req_duration"'

      #: (String) -> bool
      def self.recognise?(head)
        first = head.lines.first.to_s
        (first.match?(LINE) && first.include?('"metric":')) ||
          (head.start_with?("{") && head.include?('"metrics"') && head.include?(DURATION))
      end

      #: () -> Array[Analysis::Imports::Sample]
      def samples
        [source.head.match?(LINE) ? points : of_summary]
      end

      private

      # A point's time is the end of its request.
      def points
        requests = Shared::Requests.new
        base = nil
        source.each_line do |line, _|
          next unless line.include?(DURATION) && line.include?('"Point"')

          time, value, tags = JSON.parse(line).fetch("data").values_at("time", "value", "tags")
          ended = Time.iso8601(time)
          base ||= ended
          ns = number(value) * 1e6
          requests.add(ns, start_s: (ended - base) - (ns / 1e9), error: error(tags.to_h))
        end
        raise ArgumentError, "no request" if requests.size.zero?

        of_requests(requests)
      end

      def error(tags)
        return "failed" if tags["expected_response"] == "false" && tags["status"].to_i.zero?

        status = tags["status"].to_i
        return if tags["expected_response"] == "true"

        status_error(status)
      end

      # --summary-export has a metric's values in the metric itself, and lacks the length of the
      # run.
      def of_summary
        document = source.json
        metrics = document.fetch("metrics").transform_values do |metric|
          { "values" => metric["values"] || metric }
        end
        rate, total = metrics.fetch("http_reqs")["values"].values_at("rate", "count")
        state = document["state"] || { "testRunDurationMs" => number(total) / number(rate) * 1000 }
        text = JSON.generate({ metrics:, state: })
        summary("", files: { "summary.json" => text })
      end
    end
  end
end
