# frozen_string_literal: true

module Mohs
  module Drivers
    # wrk 4 (https://github.com/wg/wrk).
    class Wrk < Peer::Base
      CAPABILITIES = Set[:lines, :duration, :threads, :close_for_a_time, :secrets].freeze
      WHERE = "apt install wrk, or build it from https://github.com/wg/wrk."
      GOOD = (200..399) # src/wrk.c, response_complete: `status > 399` is an error
      CAVEAT = "wrk adds samples of its own to the latencies, as if requests had waited for slow " \
               "ones; requests in flight at the end are in no figure"

      # wrk's "Socket errors", in the order in which it prints them.
      ERRORS = %w[connect read write timeout].freeze
      SHARES = { 0.5 => 50, 0.9 => 90, 0.99 => 99 }.freeze

      #: (Load::Step) -> Peer::Base::Launch
      def launch(step)
        argv = ["wrk", "-t", @threads, "-c", target.connections, "-d", "#{seconds(step)}s",
                "--latency", "--timeout", "#{target.timeout_s.ceil}s", *script]
        argv.push("-H", "Connection: close") if close?
        Launch.new(commands: [[*argv, url]], files: script_file)
      end

      #: (Peer::Output) -> Peer::Base::Figures
      def figures(output)
        completed = output.count(/^ +(\d+) requests in /)
        wrong = output.rare(/Non-2xx or 3xx responses: (\d+)/)
        late = output.rare(/timeout (\d+)$/)
        Figures.new(
          wall_ns: wall(output, completed), completed:, good: completed - wrong - late,
          errors: errors(output, wrong), times: completed.zero? ? {} : times(output)
        )
      end

      private

      def script = lua.empty? ? [] : ["-s", "request.lua"]

      def script_file = lua.empty? ? {} : { "request.lua" => lua }

      # What wrk itself makes of its arguments (src/script.c, script_create), which other users can
      # see. Without a function, the script costs nothing while load runs.
      def lua
        headers = request.headers.map do |name, value|
          "wrk.headers[#{quoted(name)}] = #{quoted(value)}\n"
        end
        "#{method_lines}#{headers.join}"
      end

      def method_lines
        return if request.method == "GET" && !request.body

        "wrk.method = #{quoted(request.method)}\nwrk.body = #{quoted(request.body.to_s)}\n"
      end

      # A Lua string literal of arbitrary bytes.
      def quoted(text) = "\"#{text.bytes.map { |byte| format('\\%03d', byte) }.join}\""

      def wall(output, completed)
        output.wall_ns(completed, output.number(%r{^Requests/sec: +([\d.]+)}),
                       output.time_ns(/requests in #{Peer::Output::TIME}/).to_i / 1e9)
      end

      # A late response is in "requests" and in "timeout", but in no latency.
      def errors(output, wrong)
        socket_errors = ERRORS.to_h do |name|
          [name, output.rare(/^ +Socket errors:.*#{name} (\d+)/)]
        end
        { **socket_errors, "wrong_status" => wrong }
      end

      # "Latency   402.41us  824.03us   6.83ms   88.53%": mean, deviation, maximum.
      def times(output)
        quantiles = SHARES.transform_values do |share|
          output.time_ns(/^ +#{share}% +#{Peer::Output::TIME}/)
        end
        { **quantiles, 1.0 => output.time_ns(/^ +Latency +\S+ +\S+ +#{Peer::Output::TIME}/) }
      end
    end
  end
end
