# frozen_string_literal: true

module Mohs
  module Drivers
    # hey 0.1 (https://github.com/rakyll/hey).
    class Hey < Peer::Base
      CAPABILITIES = Set[:lines, :count, :duration, :fractions, :threads, :uneven, :statuses,
                         :close_for_a_time].freeze
      WHERE = "apt install hey, or see https://github.com/rakyll/hey."
      CAVEAT = "hey counts in steps of 0.1 ms, silently retries GETs on broken connections, and " \
               "opens more connections than requested"

      # requester/report.go, maxRes: with more results it reports only the rate.
      MOST = 1_000_000
      SHARES = { 0.5 => 50, 0.9 => 90, 0.99 => 99 }.freeze

      #: (Load::Step) -> Peer::Base::Launch
      def launch(step)
        length = step.count ? ["-n", step.count] : ["-z", milliseconds(step)]
        argv = ["hey", *length, "-c", target.connections, "-cpus", @threads, "-m", request.method,
                "-t", target.timeout_s.ceil, "-disable-redirects", "-disable-compression",
                *header_options]
        argv.push("-D", "body") if request.body
        argv.push("-disable-keepalive") if close?
        Launch.new(commands: [[*argv, url]], files: body_file)
      end

      #: (Peer::Output) -> Peer::Base::Figures
      def figures(output)
        statuses = output.stdout.scan(/^  \[(\d+)\]\t(\d+) responses$/)
                         .to_h { |row| row.map(&:to_i) }
        errors = errors(output)
        sent = statuses.values.sum + errors.values.sum
        raise Error, "hey reports at most #{MOST} requests; send fewer" if sent >= MOST

        Figures.new(
          wall_ns: wall(output, sent), sent:, times: times(output),
          bytes: output.stdout[/^ +Total data:\s+(\d+) bytes/, 1]&.to_i,
          **by_status(statuses, errors:)
        )
      end

      private

      def wall(output, sent)
        per_s = output.number(%r{^ +Requests/sec:\s+([\d.]+)})
        output.wall_ns(sent, per_s, output.number(/^ +Total:\s+([\d.]+) secs/))
      end

      # "  [4]\tGet \"http://...\": dial tcp ...: connection refused"
      def errors(output)
        distribution = output.stdout[/^Error distribution:\n(.*)\z/m, 1].to_s
        classes(distribution.scan(/^  \[(\d+)\]\t(.+)$/).to_h { |one, text| [text, one.to_i] })
      end

      def times(output)
        quantiles = SHARES.transform_values do |share|
          nanoseconds(output, /^ +#{share}% in ([\d.]+) secs/)
        end
        { 0.0 => nanoseconds(output, /^ +Fastest:\s+([\d.]+) secs/), **quantiles,
          1.0 => nanoseconds(output, /^ +Slowest:\s+([\d.]+) secs/) }
      end

      def nanoseconds(output, pattern)
        seconds = output.stdout[pattern, 1]
        seconds && (seconds.to_f * 1e9).round
      end
    end
  end
end
