# frozen_string_literal: true

module Mohs
  module Drivers
    # siege 4 (https://www.joedog.org/siege-home).
    class Siege < Peer::Base
      CAPABILITIES = Set[:count, :duration, :close_for_a_time].freeze
      WHERE = "apt install siege."
      GOOD = (200..399)
      CAVEAT = "siege counts in steps of 10 ms; a short load ends before its time; where it " \
               "hangs at the end, it is started again"
      # When its time is up, siege cancels its threads wherever they are. A thread that holds a lock
      # then keeps the others waiting for ever (https://github.com/JoeDog/siege/issues/4); seen once
      # in 174 loads of one second.
      ATTEMPTS = 3

      # Uses a configuration file of its own in place of the user's: otherwise siege fetches what
      # a page links to, asks for other encodings, and takes at most 255 connections.
      #: (Load::Step) -> Peer::Base::Launch
      def launch(step)
        length = step.count ? ["-r", step.count / target.connections] : ["-t", "#{seconds(step)}S"]
        argv = ["siege", "-R", "siegerc", "-q", "-j", "-b", "-c", target.connections, *length,
                *options_and_type]
        Launch.new(commands: [[*argv, "-f", "urls"]], env: { "HOME" => "." },
                         files: { "siegerc" => settings, "urls" => "#{url}#{body}\n", **body_file })
      end

      #: (Peer::Output) -> Peer::Base::Figures
      def figures(output)
        summary = output.json
        output.expecting do
          completed, good, failed = summary.fetch_values("transactions", "successful_transactions",
                                                      "failed_transactions")
          Figures.new(
            wall_ns: nanoseconds(summary.fetch("elapsed_time")), completed:, good:,
            times: times(summary),
            errors: { "wrong_status" => completed - good, "failed" => failed }
          )
        end
      end

      private

      def settings
        <<~CONF
          verbose = false
          logging = false
          show-logfile = false
          parser = false
          follow-location = false
          cache = false
          accept-encoding = identity
          protocol = HTTP/1.1
          chunked = true
          unique = false
          connection = #{close? ? 'close' : 'keep-alive'}
          timeout = #{target.timeout_s.ceil}
          failures = 1000000000
          limit = #{target.connections}
        CONF
      end

      def body
        return "" if request.method == "GET" && !request.body

        " #{request.method}#{' <body' if request.body}"
      end

      def times(summary)
        { 0.0 => "shortest_transaction", 1.0 => "longest_transaction" }
          .transform_values { |key| nanoseconds(summary.fetch(key)) }
      end

      def nanoseconds(seconds) = (seconds * 1e9).round
    end
  end
end
