# frozen_string_literal: true

module Mohs
  class Trial
    # Replaces Trial::WarmUp: a server's first load is a given number of batches of a given number
    # of requests (Study::ColdStart), which show how it warms up. If it is not warm after these, it
    # is loaded further by its engine's rule: JVMs need minutes. Pure.
    class Batches
      SHARES = { p50_ns: 0.5, p99_ns: 0.99 }.freeze

      # As Trial::WarmUp#outcome.
      attr_reader :outcome

      # The block makes the rule of its engine once the batches are served: only then it is known
      # what they have left of a deadline.
      #: (Study::ColdStart) { () -> Trial::WarmUp } -> void
      def initialize(cold_start, &new_rule)
        @cold_start = cold_start
        @new_rule = new_rule
        @results = []
        @compilers = []
        @jit = []
        @code = nil
        @rule = nil
        @outcome = nil
      end

      # Requests to send in the next batch or, after the last one, as Trial::WarmUp#next.
      #: () -> (Integer | Symbol)
      def next = @outcome || (@rule ? @rule.next : @cold_start.requests)

      # As Trial::WarmUp#settle_s.
      #: () -> Numeric
      def settle_s = @rule ? @rule.settle_s : 0

      # As Trial::WarmUp#begin_again, after the batches.
      #: () -> void
      def begin_again
        @rule&.begin_again
        @outcome = @rule&.outcome
      end

      # As Trial::WarmUp#left_s; nil for batches.
      #: () -> Numeric?
      def left_s = @rule&.left_s

      # As Trial::WarmUp#compilers.
      #: (Integer?) -> void
      def compilers(used_ns)
        @rule ? @rule.compilers(used_ns) : @compilers << used_ns
      end

      # Takes the result of a batch, or of a step after them. A batch without a correct response is
      # the last one: the server is gone.
      #: (Load::StepResult) -> self
      def <<(result)
        if @rule
          @outcome = (@rule << result).outcome
          return self
        end

        @results << result
        return finish(:capped) if result.good.zero?

        go_on if served?
        self
      end

      # Are all batches served, and nothing after them?
      #: () -> bool
      def recorded? = !@rule.nil? && @rule.seconds.zero?

      # Is what its JIT has compiled wanted now? Once before all batches, then after each.
      #: () -> bool
      def reads? = @jit.size <= @results.size

      # Takes what the server's JIT has compiled (Probes::JitFigures).
      #: (Hash[Symbol, Integer]) -> void
      def read(figures) = @jit << (figures unless figures.empty?)

      # Takes what the server's JIT has saved (Probes::SavedCode#compiled).
      #: (Array[Hash[Symbol, untyped]]) -> void
      def keep(code) = @code = code

      # Correct responses.
      #: () -> Integer
      def requests = @rule ? @rule.requests : @results.sum(&:good)

      # Seconds of load.
      #: () -> Float
      def seconds = (@results.sum(&:wall_ns) / 1e9) + (@rule ? @rule.seconds : 0)

      # Correct responses per second at the end.
      #: () -> Float
      def rate = @rule ? @rule.rate : Load.rate_per_s(@results.last(WarmUp::STEPS))

      # As Trial::WarmUp#unwarmed.
      #: (Integer, ?compiles: bool, ?pages: Array[Trial::WarmUp::Pages::Page]?) -> Hash[Symbol, Float]
      def unwarmed(served, **others)
        @rule ? @rule.unwarmed(served, **others) : WarmUp::Needed::NOTHING
      end

      # As Trial::WarmUp#to_h, of all load; windows: the batches.
      #: () -> Hash[Symbol, untyped]
      def to_h
        { requests:, **@rule.to_h, outcome: @outcome&.to_s, seconds: seconds.round(3),
          windows: @results.size }
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

      def go_on
        @rule = @new_rule.call.follow(@results, @compilers)
        finish(:warm) if steady? && @rule.warm_before?
      end

      def finish(outcome)
        @outcome = outcome
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
