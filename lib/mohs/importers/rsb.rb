# frozen_string_literal: true

module Mohs
  module Importers
    # Rails Simpler Bench (https://github.com/noahgibbs/rsb), version wrk:2 of its files: every
    # latency that wrk recorded, without its warm-up.
    class Rsb < Base
      include Shared::Requests::Sampling

      #: (String) -> bool
      def self.recognise?(head)
        head.match?(/\A\{\s*"version":\s*"wrk:\d+"/) && head.include?('"settings"')
      end

      #: () -> Array[Analysis::Imports::Sample]
      def samples
        document = source.json
        raise ArgumentError, "version #{document['version']}" unless document["version"] == "wrk:2"

        settings, environment = document.fetch_values("settings", "environment")
        seconds = number(settings.fetch("benchmark_seconds"))
        batch = document.fetch("requests").fetch("benchmark")
        raise RangeError, "no time" unless seconds.positive?

        found = of_requests(requests(batch), lacks: [lack("caveat", caveat: Drivers::Wrk.caveat)])
        wrong = count(batch.fetch("errors").fetch("status", 0))
        good = [found.good - wrong, 0].max
        errors = { **found.errors, **(wrong.positive? ? { "wrong_status" => wrong } : {}) }
        [found.with(seconds:, good:, errors:, value: good / seconds,
                    variant: variant(settings, environment))]
      end

      private

      # wrk records a latency for each whole response, even with a wrong status, but not for other
      # errors.
      def requests(batch)
        requests = Shared::Requests.new
        batch.fetch("latencies").each_slice(2) do |microseconds, times|
          # A value, and how often it was seen; the last pair may lack its count of 0.
          requests.repeat(number(microseconds) * 1000, count(times)) if times
        end
        raise ArgumentError, "no request" if requests.size.zero?

        batch.fetch("errors").except("status").each do |error, number|
          requests.fail(name(error), count(number))
        end
        requests
      end

      def variant(settings, environment)
        ruby = environment["rvm current"] || environment["RUBY_VERSION"]
        name([ruby, settings["server_cmd"]].compact.join(", "))
      end
    end
  end
end
