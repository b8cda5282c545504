# frozen_string_literal: true

module Mohs
  module Report
    # Turns a search for a rate into the document of docs/json.md, `load --find-rate`. Pure.
    class RateModel
      # One probe, as its row of the document.
      #: (Load::RateFinder::Probed) -> Hash[Symbol, untyped]
      def self.shown(probe)
        { **probe.to_h.slice(:rate_per_s, :seconds, :outcome, :offered, :late, :errors),
          reason: probe.reason && Phrase.call(probe.reason),
          figure_ms: probe.figure_ns && (probe.figure_ns / 1e6),
          known: probe.interval.to_h.values_at(:low, :high) }
      end

      # empty_per_s: of Load::NullServerRate, where it was asked.
      #: (Load::RateFinder::Result, answers: Array[App::Answer], asked: Hash[Symbol, untyped], ?empty_per_s: Float?) -> void
      def initialize(result, answers:, asked:, empty_per_s: nil)
        @result = result
        @empty_per_s = empty_per_s
        @answers = answers
        @asked = asked
      end

      #: () -> Hash[Symbol, untyped]
      def document
        { outcome: @result.outcome, sentence: RateSentence.new(@result).to_s,
          limit: { figure: limit.figure, below_ms: limit.ns / 1e6 }, rate_per_s: rate,
          level: Load::RateSearch::LEVEL, capacity_per_s: @result.capacity_per_s, headroom:,
          arrivals: @result.arrivals.to_s,
          **@result.to_h.slice(:budget_s, :needed_s, :seconds),
          probes: @result.probes.map { |probe| self.class.shown(probe) },
          answers: @answers.map { |answer| LoadModel.shown(answer) },
          keep_alive: @asked[:keep_alive].to_s,
          **@asked.slice(:connections, :max_connections, :threads) }
      end

      private

      def limit = @result.limit

      def rate = @result.interval&.to_h&.slice(:value, :low, :high)

      # Times that rate, to a server that does nothing.
      def headroom = rate && @empty_per_s && (@empty_per_s / rate[:value])
    end
  end
end
