# frozen_string_literal: true

module Mohs
  module Drivers
    # h2load of nghttp2 1, over HTTP/1.1.
    class H2load < Peer::Base
      CAPABILITIES = Set[:lines, :count, :duration, :fractions, :threads, :remainder, :uneven,
                         :unix].freeze
      WHERE = "apt install nghttp2-client."
      GOOD = (200..399) # src/h2load.cc, Client::on_status_code and process_request_failure
      CAVEAT = "h2load never reconnects, and does not report lost connections in timed loads; it " \
               "has no request timeout"

      # On the line "requests: 1000 total, 1000 started, ..."; "total" is what was asked for.
      COUNTS = %w[started done succeeded errored timeout].freeze

      #: (Load::Step) -> Peer::Base::Launch
      def launch(step)
        length = step.count ? ["-n", step.count] : ["-D", milliseconds(step)]
        argv = ["h2load", "--h1", "-t", @threads, "-c", target.connections, *length,
                *header_options, *method_options]
        argv.push("-H", "Connection: close") if close?
        argv.push("-B", "unix:#{target.unix}") if target.unix
        Launch.new(commands: [[*argv, url]], files: body_file)
      end

      #: (Peer::Output) -> Peer::Base::Figures
      def figures(output)
        sent, completed, good, errored, timeout = COUNTS.map do |name|
          output.count(/^requests: .*?(?<!\d)(\d++) #{name}/)
        end
        Figures.new(
          wall_ns: wall(output, completed), sent:, completed:, good:,
          bytes: output.count(/^traffic: .* \((\d+)\) data/), times: times(output),
          errors: { "wrong_status" => completed - good, "errored" => errored, "timeout" => timeout }
        )
      end

      private

      def method_options
        method = ["-H", ":method: #{request.method}"]
        return request.method == "GET" ? [] : method unless request.body

        ["-d", "body", *method]
      end

      def wall(output, completed)
        seconds = output.time_ns(/^finished in #{Peer::Output::TIME}/).to_i / 1e9
        output.wall_ns(completed, output.number(%r{^finished in .*, ([\d.]+) req/s}), seconds)
      end

      # "time for request:   31us   2.72ms   117us   287us  98.40%": minimum, maximum, mean.
      def times(output)
        { 0.0 => output.time_ns(/^time for request: +#{Peer::Output::TIME}/),
          1.0 => output.time_ns(/^time for request: +\S+ +#{Peer::Output::TIME}/) }
      end
    end
  end
end
