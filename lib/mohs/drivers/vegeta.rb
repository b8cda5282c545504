# frozen_string_literal: true

require "json"

module Mohs
  module Drivers
    # vegeta 12 (https://github.com/tsenart/vegeta), as fast as its workers can.
    class Vegeta < Peer::Base
      CAPABILITIES = Set[:lines, :duration, :fractions, :threads, :uneven, :statuses, :unix,
                         :close_for_a_time, :secrets].freeze
      WHERE = "see https://github.com/tsenart/vegeta."
      CAVEAT = "vegeta silently retries GETs on broken connections; its latencies include those " \
               "of failed requests"

      SHARES = { 0.0 => "min", 0.5 => "50th", 0.9 => "90th", 0.99 => "99th", 1.0 => "max" }.freeze

      # Results go to a file that a second command reads. -redirects -1: no redirect is followed.
      #: (Load::Step) -> Peer::Base::Launch
      def launch(step)
        connections = target.connections
        attack = ["vegeta", "-cpus", @threads, "attack", "-rate", 0, "-workers", connections,
                  "-max-workers", connections, "-connections", connections,
                  "-duration", milliseconds(step), "-timeout", "#{target.timeout_s}s",
                  "-redirects", -1, "-format", "json", "-targets", "targets",
                  "-output", "results", "-keepalive=#{!close?}"]
        attack.push("-unix-socket", target.unix) if target.unix
        report = %w[vegeta report -type json results]
        Launch.new(commands: [attack, report], files: { "targets" => asked })
      end

      # "status_codes" has "0" for requests without a response; "errors" has each of their texts
      # once, and the texts of bad statuses ("404 Not Found").
      #: (Peer::Output) -> Peer::Base::Figures
      def figures(output)
        attack = output.json
        output.expecting do
          statuses = attack.fetch("status_codes").transform_keys(&:to_i)
          failed = statuses.delete(0).to_i
          Figures.new(
            wall_ns: attack.fetch("duration") + attack.fetch("wait"),
            sent: attack.fetch("requests"),
            bytes: attack.fetch("bytes_in").fetch("total"), times: times(attack),
            latency_sum_ns: sum(attack),
            **by_status(statuses, errors: { name(attack.fetch("errors")) => failed })
          )
        end
      end

      private

      # A line of vegeta's JSON format for targets: bodies in base64, headers as lists.
      def asked
        body = { body: [request.body].pack("m0") } if request.body
        headers = request.headers.transform_values { |value| [value] }
        "#{JSON.generate({ method: request.method, url:, header: headers, **body.to_h })}\n"
      end

      # The latency sum of all requests: that of the good ones only if all were good.
      def sum(attack)
        good = attack.fetch("status_codes").slice(*request.check.statuses.map(&:to_s)).values.sum
        attack.fetch("latencies").fetch("total") if good == attack.fetch("requests")
      end

      # The class of the failed requests, if all have the same.
      def name(texts)
        names = texts.grep_v(/\A\d{3} /).map { |text| class_of(text) }.uniq
        names.one? ? names.first : "failed"
      end

      def times(attack) = SHARES.transform_values { |key| attack.fetch("latencies")[key]&.round }
    end
  end
end
