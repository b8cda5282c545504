# frozen_string_literal: true

require "json"

module Mohs
  module Drivers
    # k6 (https://github.com/grafana/k6): a script defines its load and its output.
    class K6 < Peer::Base
      CAPABILITIES = Set[:lines, :count, :duration, :fractions, :threads, :uneven, :remainder,
                         :statuses, :close_for_a_time, :secrets].freeze
      WHERE = "see https://grafana.com/docs/k6/latest/set-up/install-k6."
      CAVEAT = "k6 reports failures as one total, and includes their times in the latencies"

      # k6's names of the statistics that are requested.
      SHARES = { 0.0 => "min", 0.5 => "med", 0.9 => "p(90)", 0.99 => "p(99)", 0.999 => "p(99.9)",
                 1.0 => "max" }.freeze

      # Sends no usage report to k6's makers; the Go runtime gets the requested number of threads.
      #: (Load::Step) -> Peer::Base::Launch
      def launch(step)
        Launch.new(
          commands: [%w[k6 run --quiet --no-color --no-usage-report load.js]],
          env: { "K6_NO_USAGE_REPORT" => "true", "GOMAXPROCS" => @threads.to_s },
          files: { "load.js" => script(step) }, reads: ["summary.json"]
        )
      end

      # http_req_failed is a rate of unexpected responses: its "passes" are the failed requests.
      #: (Peer::Output) -> Peer::Base::Figures
      def figures(output)
        summary = output.json("summary.json")
        output.expecting do
          metrics = summary.fetch("metrics").transform_values { |metric| metric.fetch("values") }
          failed, good = metrics.fetch("http_req_failed").fetch_values("passes", "fails")
          Figures.new(
            wall_ns: nanoseconds(summary.fetch("state").fetch("testRunDurationMs")),
            sent: failed + good, completed: failed.zero? ? good : nil, good:,
            errors: { "failed" => failed }, times: times(metrics)
          )
        end
      end

      private

      def script(step)
        <<~JS
          import http from "k6/http";
          export const options = #{JSON.generate(options(step))};
          http.setResponseCallback(http.expectedStatuses(#{request.check.statuses.join(', ')}));
          export default function () {
            http.request(#{arguments.map { |one| JSON.generate(one) }.join(', ')});
          }
          export function handleSummary(data) {
            return { "summary.json": JSON.stringify(data) };
          }
        JS
      end

      def arguments
        timeout = "#{(target.timeout_s * 1000).ceil}ms"
        how = { headers: request.headers, timeout:, redirects: 0 }
        [request.method, url, request.body, how]
      end

      def options(step)
        { scenarios: { load: scenario(step) }, noConnectionReuse: close?,
          discardResponseBodies: true, summaryTrendStats: SHARES.values }
      end

      def scenario(step)
        stop = { vus: target.connections, gracefulStop: "#{target.timeout_s.ceil}s" }
        return { executor: "constant-vus", duration: milliseconds(step), **stop } unless step.count

        { executor: "shared-iterations", iterations: step.count,
          maxDuration: "#{LONGEST_S}s", **stop }
      end

      # Leaves out statistics that k6 does not report.
      def times(metrics)
        duration = metrics.fetch("http_req_duration")
        SHARES.transform_values { |key| duration[key] && nanoseconds(duration[key]) }
      end

      def nanoseconds(milliseconds) = (milliseconds * 1e6).round
    end
  end
end
