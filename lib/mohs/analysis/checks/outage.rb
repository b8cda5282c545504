# frozen_string_literal: true

module Mohs
  module Analysis
    module Checks
      # The server was gone, whether it came back or not: it responded on no connection, and
      # requests failed. The rate includes that time; what it is without that is unknown.
      class Outage < Base
        # Shorter outages are a failure or two. So are those of only a few times the usual response
        # time: then the server was still working on responses that were not due yet.
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
