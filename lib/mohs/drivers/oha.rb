# frozen_string_literal: true

module Mohs
  module Drivers
    # oha from 1.9 on (https://github.com/hatoo/oha).
    class Oha < Peer::Base
      CAPABILITIES = Set[:lines, :count, :duration, :fractions, :remainder, :statuses, :unix,
                         :close_for_a_time].freeze
      WHERE = "see https://github.com/hatoo/oha."
      CAVEAT = "oha takes as many threads as there are cores"

      SHARES = { 0.5 => "p50", 0.9 => "p90", 0.99 => "p99", 0.999 => "p99.9" }.freeze

      # -w: waits for what is in flight at the end.
      #: (Load::Step) -> Peer::Base::Launch
      def launch(step)
        length = step.count ? ["-n", step.count] : ["-z", milliseconds(step)]
        argv = ["oha", "--no-tui", "--output-format", "json", "-w", *length,
                "-c", target.connections, "-m", request.method,
                "-t", "#{(target.timeout_s * 1000).ceil}ms", "--redirect", 0, *header_options]
        argv.push("-D", "body") if request.body
        argv.push("--disable-keepalive") if close?
        argv.push("--unix-socket", target.unix) if target.unix
        Launch.new(commands: [[*argv, url]], files: body_file)
      end

      #: (Peer::Output) -> Peer::Base::Figures
      def figures(output)
        report = output.json
        output.expecting do
          statuses = report.fetch("statusCodeDistribution").transform_keys(&:to_i)
          errors = classes(report.fetch("errorDistribution"))
          summary = report.fetch("summary")
          Figures.new(
            wall_ns: nanoseconds(summary.fetch("total")), bytes: summary["totalData"],
            sent: statuses.values.sum + errors.values.sum, times: times(report),
            **by_status(statuses, errors:)
          )
        end
      end

      private

      def times(report)
        quantiles = report.fetch("latencyPercentiles")
        summary = report.fetch("summary")
        { 0.0 => nanoseconds(summary["fastest"]), 1.0 => nanoseconds(summary["slowest"]),
          **SHARES.transform_values { |key| nanoseconds(quantiles[key]) } }
      end

      # null if there was no response.
      def nanoseconds(seconds) = seconds && (seconds * 1e9).round
    end
  end
end
