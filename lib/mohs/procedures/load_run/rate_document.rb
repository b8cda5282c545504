# frozen_string_literal: true

module Mohs
  class LoadRun
    # Turns a rate search into the document of docs/json.md, `load --find-rate`. Pure.
    class RateDocument
      # One probe, as a row of the document.
      #: (Analysis::Rate::Probed) -> Hash[Symbol, untyped]
      def self.shown(probe)
        { **probe.to_h.slice(:rate_per_s, :seconds, :outcome, :offered, :late, :errors),
          reason: probe.reason && Report::Render.call(probe.reason),
          figure_ms: probe.figure_ns && (probe.figure_ns / 1e6),
          known: probe.interval.to_h.values_at(:low, :high) }
      end

      # Outcomes of a successful search.
      FOUND = %w[found at_least].freeze
      private_constant :FOUND

      # As of any document (Report::Model.outcome).
      #: (Hash[Symbol, untyped]) -> Symbol
      def self.outcome(document) = FOUND.include?(document[:outcome]) ? :ok : :failed

      # server: as a user would write it. invocation: what was typed.
      #: (LoadRun::RateResult, ?server: String?, ?invocation: Invocation?) -> void
      def initialize(result, server: nil, invocation: nil)
        @result = result
        @server = server
        @invocation = invocation
      end

      #: () -> Hash[Symbol, untyped]
      def document
        { server: @server, requested: @result.answers.map { |one| one.request.to_s }.uniq,
          outcome: @result.outcome, sentence: sentence,
          limit: { figure: limit.figure, below_ms: limit.ns / 1e6 }, rate_per_s:,
          level: Analysis::RateSearch::LEVEL, capacity_per_s: @result.capacity_per_s,
          headroom: @result.headroom, arrivals: @result.arrivals.to_s,
          **@result.to_h.slice(:budget_s, :needed_s, :seconds),
          probes: @result.probes.map { |probe| self.class.shown(probe) },
          answers: @result.answers.map { |answer| Document.shown(answer) },
          keep_alive: @result.asked[:keep_alive].to_s, checks:, max_connections: nil,
          again: Report::Document.again(@invocation&.to_h),
          **@result.asked.slice(:connections, :max_connections, :threads) }
      end

      # What the search found.
      #: () -> String
      def sentence
        case @result.outcome
        when "found" then say("rate_found", **limits, **rate_per_s)
        when "none" then say("rate_none", **limits, rate: tried.min)
        when "at_least" then say("rate_at_least", **limits, rate: tried.max)
        when "gone" then gone
        when "spoiled"
          say("rate_spoiled", reason: Report::Render.call(@result.probes.last.reason))
        else say("rate_no_time")
        end
      end

      private

      def say(code, **values) = Report::Render.text(code, **values)

      def limit = @result.limit

      def limits = { figure: limit.figure, time: limit.time }

      def tried
        @result.probes.reject { |probe| probe.outcome == "spoiled" }.map(&:rate_per_s)
      end

      def gone
        rate = @result.probes.last&.rate_per_s
        rate ? say("rate_gone", rate:) : say("rate_gone_at_once")
      end

      def rate_per_s = @result.interval&.to_h&.slice(:value, :low, :high)

      def checks = @result.checks.map { |finding| Report::Render.check(finding) }
    end
  end
end
