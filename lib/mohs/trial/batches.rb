# frozen_string_literal: true

module Mohs
  class Trial
    # Replaces Trial::WarmUp, with the same interface: a server's first load is a given number of
    # batches of a given number of requests (Study::ColdStart), which show how it warms up. Pure.
    class Batches
      # The measured slices are planned by the rate of this many last batches.
      LAST = 4
      SHARES = { p50_ns: 0.5, p99_ns: 0.99 }.freeze

      # outcome: as Trial::WarmUp#outcome, set when all batches are served. settle_s: seconds to
      # wait at most until the server's compilers are idle.
      attr_reader :outcome, :settle_s

      # background: as in Trial::WarmUp::Rule.
      #: (Study::ColdStart, settle_s: Numeric, ?background: bool) -> void
      def initialize(cold_start, settle_s:, background: false)
        @cold_start = cold_start
        @settle_s = settle_s
        @background = background
        @results = []
        @compilers = []
        @jit = []
        @code = nil
        @outcome = nil
      end

      # Requests to send in the next batch. After the last batch :warm, or :capped if the server was
      # still changing in the second half.
      #: () -> (Integer | Symbol)
      def next = @outcome || @cold_start.requests

      # As Trial::WarmUp#compilers.
      #: (Integer?) -> void
      def compilers(used_ns) = @compilers << used_ns

      # Takes the result of a batch. A batch without a correct response ends the rule: the server is
      # gone.
      #: (Load::StepResult) -> self
      def <<(result)
        @results << result
        if result.good.zero?
          @outcome = :capped
        elsif @results.size == @cold_start.batches
          @outcome = steady? ? :warm : :capped
        end
        self
      end

      # Takes what the server's JIT has compiled (Probes::JitFigures): once before all batches, then
      # after each.
      #: (Hash[Symbol, Integer]) -> void
      def read(figures) = @jit << (figures unless figures.empty?)

      # Takes what the server's JIT has saved (Probes::SavedCode#compiled).
      #: (Array[Hash[Symbol, untyped]]) -> void
      def keep(code) = @code = code

      #: () -> Integer
      def requests = @results.sum(&:good)

      # Seconds of load.
      #: () -> Float
      def seconds = @results.sum(&:wall_ns) / 1e9

      # Correct responses per second at the end.
      #: () -> Float
      def rate = Load.rate_per_s(@results.last(LAST))

      # As Trial::WarmUp#to_h.
      #: () -> Hash[Symbol, untyped]
      def to_h
        curve = { curve: WarmUp::Curve.of(@results, @compilers).to_h(patient: @background) } if
          requests.positive? && (@background || @outcome == :capped)
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
