# frozen_string_literal: true

module Mohs
  module Report
    # Turns a search for a rate into the document of docs/json.md, `load --find-rate`. Pure.
    class RateModel
      # One probe, as its row of the document.
      #: (Analysis::Rate::Probed) -> Hash[Symbol, untyped]
      def self.shown(probe)
        { **probe.to_h.slice(:rate_per_s, :seconds, :outcome, :offered, :late, :errors),
          reason: probe.reason && Phrase.call(probe.reason),
          figure_ms: probe.figure_ns && (probe.figure_ns / 1e6),
          known: probe.interval.to_h.values_at(:low, :high) }
      end

      #: (Analysis::Rate::Result) -> void
      def initialize(result)
        @result = result
      end

      #: () -> Hash[Symbol, untyped]
      def document
        { outcome: @result.outcome, sentence: sentence,
          limit: { figure: limit.figure, below_ms: limit.ns / 1e6 }, rate_per_s:,
          level: Analysis::RateSearch::LEVEL, capacity_per_s: @result.capacity_per_s,
          headroom: @result.headroom, arrivals: @result.arrivals.to_s,
          **@result.to_h.slice(:budget_s, :needed_s, :seconds),
          probes: @result.probes.map { |probe| self.class.shown(probe) },
          answers: @result.answers.map { |answer| LoadModel.shown(answer) },
          keep_alive: @result.asked[:keep_alive].to_s, checks:, max_connections: nil,
          **@result.asked.slice(:connections, :max_connections, :threads) }
      end

      # What the search found.
      #: () -> String
      def sentence
        case @result.outcome
        when "found" then "#{limit.figure} stays below #{limit.time} up to #{interval}."
        when "none" then "#{limit.figure} was never below #{limit.time}, not even at " \
                         "#{tried(:min)} requests/s."
        when "at_least" then "#{limit.figure} stayed below #{limit.time} at every rate tried, up " \
                             "to #{tried(:max)} requests/s; there was no time for more."
        when "gone" then "The server stopped responding#{last}."
        when "spoiled" then "The driver could not generate this load: #{reason}."
        else "There was no time for a single probe."
        end
      end

      private

      def limit = @result.limit

      def interval
        value, low, high = @result.interval.to_h.values_at(:value, :low, :high)
        "#{Numbers.figure(value)} requests/s [#{Numbers.figure(low)}, #{Numbers.figure(high)}]"
      end

      def tried(which)
        counted = @result.probes.reject { |probe| probe.outcome == "spoiled" }
        Numbers.figure(counted.map(&:rate_per_s).public_send(which))
      end

      def last
        rate = @result.probes.last&.rate_per_s
        rate ? ", at #{Numbers.figure(rate)} requests/s" : ", in a closed loop"
      end

      def reason = Phrase.call(@result.probes.last.reason)

      def rate_per_s = @result.interval&.to_h&.slice(:value, :low, :high)

      def checks = @result.checks.map { |finding| Phrase.check(finding) }
    end
  end
end
