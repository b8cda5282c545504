# frozen_string_literal: true

module Mohs
  module Analysis
    module Checks
      # A server that was gone, whether it came back or not: on no connection did it answer, and
      # requests failed. The rate contains that time; without it, the rate of the rest is not known.
      class Outage < Base
        # Shorter ones are a failure or two, and so is one of few times the usual answer: then the
        # server was still at work on what was not due.
        LEAST_NS, TIMES = 500_000_000, 20

        SIZE = :for_s

        WORDS = {
          none: "it answered throughout",
          gone: "the server gave no whole response for %{for_s|seconds}, from %{from_s|seconds} " \
                "on: every request failed. The rate includes that time",
        }.freeze

        private

        def judge
          return unknown(:unmeasured) if measured.empty?

          gone = measured.select { |slice| long?(slice) }.max_by { |slice| slice[:outage][:ns] }
          return pass(:none) unless gone

          from_ns, ns = gone[:outage].values_at(:from_ns, :ns)
          since_ns = gone[:started_ns] - measured.first[:started_ns]
          warn(:gone, from_s: (since_ns + from_ns) / 1e9, for_s: ns / 1e9)
        end

        def long?(slice)
          ns = slice.dig(:outage, :ns) or return false
          ns >= [LEAST_NS, TIMES * slice[:p50_ns].to_i].max
        end
      end
    end
  end
end
