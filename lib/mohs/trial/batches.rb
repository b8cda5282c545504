# frozen_string_literal: true

module Mohs
  class Trial
    # Replaces Trial::WarmUp, with the same interface: a server's first load is a given number of
    # batches of a given number of requests (Study::ColdStart), which show how it warms up. If it is
    # not warm after these, it is loaded further by its engine's rule: JVMs need minutes. Pure.
    class Batches
      # The measured slices are planned by the rate of this many last batches.
      LAST = 4
      SHARES = { p50_ns: 0.5, p99_ns: 0.99 }.freeze

      # As Trial::WarmUp#outcome, set when all batches are served, and it is warm or won't be.
      attr_reader :outcome

      # The block makes the rule of its engine, once the batches are served: a budget then knows
      # what is left.
      #: (Study::ColdStart) { () -> Trial::WarmUp } -> void
      def initialize(cold_start, &new_rule)
        @cold_start = cold_start
        @new_rule = new_rule
        @results = []
        @further = []
        @compilers = []
        @jit = []
        @code = nil
        @outcome = nil
      end

      # Requests to send in the next batch or, after the last one, as Trial::WarmUp#next.
      #: () -> (Integer | Symbol)
      def next = @outcome || (served? ? rule.next : @cold_start.requests)

      # As Trial::WarmUp#settle_s.
      #: () -> Numeric
      def settle_s = rule.settle_s

      # As Trial::WarmUp#compilers.
      #: (Integer?) -> void
      def compilers(used_ns)
        @compilers << used_ns
        rule.compilers(used_ns) if served?
      end

      # Takes the result of a batch, or of a step after them. One without a correct response ends
      # the rule: the server is gone.
      #: (Load::StepResult) -> self
      def <<(result)
        return further(result) if served?

        @results << result
        if result.good.zero?
          @outcome = :capped
        elsif served?
          rule.follow(@results, @compilers)
          @outcome = :warm if steady? && rule.enough_before?
        end
        self
      end

      # Are all batches served, and nothing after them?
      #: () -> bool
      def recorded? = served? && @further.empty?

      # Is what its JIT has compiled wanted now? Once before all batches, then after each.
      #: () -> bool
      def reads? = @jit.size <= @results.size && @further.empty?

      # Takes what the server's JIT has compiled (Probes::JitFigures).
      #: (Hash[Symbol, Integer]) -> void
      def read(figures) = @jit << (figures unless figures.empty?)

      # Takes what the server's JIT has saved (Probes::SavedCode#compiled).
      #: (Array[Hash[Symbol, untyped]]) -> void
      def keep(code) = @code = code

      # Correct responses.
      #: () -> Integer
      def requests = steps.sum(&:good)

      # Seconds of load.
      #: () -> Float
      def seconds = steps.sum(&:wall_ns) / 1e9

      # Correct responses per second at the end.
      #: () -> Float
      def rate = @further.any? ? rule.rate : Load.rate_per_s(@results.last(LAST))

      # As Trial::WarmUp#to_h; windows: the batches.
      #: () -> Hash[Symbol, untyped]
      def to_h
        curve = { curve: course } if
          requests.positive? && (rule.background? || @outcome == :capped)
        { outcome: @outcome&.to_s, requests:, seconds: seconds.round(3), windows: @results.size,
          **curve.to_h }
      end

      # Each batch, from the trial's recording: correct responses, the time from the first request
      # to the last response, latencies (nil where that request had no correct response), and what
      # clusters (Analysis::Checks::Stalls.count); `jit`: what was compiled by then, where known.
      #: (Load::Recording) -> Array[Hash[Symbol, untyped]]
      def batches(recording)
        @results.zip(@jit.drop(1)).map do |result, jit|
          part = recording.due_between(result.started_ns, result.started_ns + result.wall_ns)
          times = part.service_times.sort
          { good: result.good, wall_ns: result.wall_ns,
            **SHARES.transform_values { |share| times[(share * result.sent).ceil - 1] },
            stalls: Analysis::Checks::Stalls.count { |low, high| between(times, low, high) },
            **{ jit: }.compact }
        end
      end

      # What the server's JIT had compiled before the batches, and the code that it has saved, where
      # known.
      #: () -> Hash[Symbol, untyped]
      def compiled = { jit_at_start: @jit.first, code: @code }.compact

      private

      def served? = @results.size == @cold_start.batches

      def steps = @results + @further

      def rule = @rule ||= @new_rule.call

      # Of all load. A server that is gone before the end of its batches has that of these.
      def course
        rule.to_h[:curve] ||
          WarmUp::Curve.of(steps, @compilers).to_h(patient: rule.background?)
      end

      def further(result)
        @further << result
        rule << result
        @outcome = rule.outcome
        self
      end

      def steady?
        !Stats::Mser.cut(@results.map { |result| result.good.fdiv(result.wall_ns) }, batch: 1).nil?
      end

      def between(sorted, low, high)
        ends = [low, high].map { |ns| sorted.bsearch_index { |time| time >= ns } || sorted.size }
        ends.last - ends.first
      end
    end
  end
end
