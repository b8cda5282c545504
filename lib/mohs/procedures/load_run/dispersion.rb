# frozen_string_literal: true

module Mohs
  class LoadRun
    # How evenly the requests of an open loop left, compared with their schedule: the index of
    # dispersion, variance over mean of the counts in windows that expect the same count (Cox and
    # Lewis 1966, The Statistical Analysis of Series of Events, 6.3). At random moments (Poisson) it
    # is 1, at even ones 0. A request that waited for a connection counts when it was due. The
    # windows of a ramp are equal in the integral of its rate, which makes its process one of rate 1
    # (Cinlar 1975).
    class Dispersion
      # The fewest arrivals and the fewest ns in a window: a driver that sends 0.1 ms late moves few
      # of them to the next window.
      FEWEST, SHORTEST_NS = 5, 10_000_000
      # Number of windows: with fewer the index says nothing, and more add nothing.
      WINDOWS = (30..1000)

      # `arrivals` as Load::Arrivals#facts has them. duration_ns: as requested; nil if a number of
      # requests was.
      #: (Hash[Symbol, untyped], duration_ns: Numeric?) -> void
      def initialize(arrivals, duration_ns:)
        @kind, @from, @to, @burst = arrivals.values_at(:kind, :rate_per_s, :to_per_s, :burst)
        @seconds = duration_ns && (duration_ns / 1e9)
      end

      # { windows:, index: }; nil for given times, and if the load was too short.
      #: (Load::StepResult, Load::Recording) -> Hash[Symbol, untyped]?
      def call(step, recording)
        return if @kind == "times"

        groups = position([@seconds, ended_s(step)].compact.min)
        each = [FEWEST, groups / WINDOWS.max, groups * SHORTEST_NS / step.wall_ns].max.ceil
        windows = (groups / each).floor
        return if windows < WINDOWS.min

        edges = Array.new(windows + 1) { |index| step.started_ns + ns_at(index * each) }
        counts = recording.sent_between(edges).map { |count| count.fdiv(@burst) }
        { windows:, index: counts.sum { |count| (count - each)**2 } / each / windows }
      end

      private

      # The time until which arrivals are counted. A number of requests at random moments also takes
      # a random time, surely nine tenths of the expected one.
      def ended_s(step)
        return step.wall_ns / 1e9 if @seconds

        [step.wall_ns / 1e9, (@kind == "poisson" ? 0.9 : 1) * step.offered / @from].min
      end

      def slope = @to ? (@to - @from) / @seconds : 0.0

      # Bursts that are expected up to this time.
      def position(seconds) = ((@from * seconds) + (slope * (seconds**2) / 2)) / @burst

      # The inverse. For constant arrivals, halfway between two, so that none falls on an edge.
      def ns_at(position)
        position = [position - 0.5, 0].max if @kind == "constant"
        requests = position * @burst
        root = Math.sqrt([(@from**2) + (2 * slope * requests), 0].max)
        (2 * requests / (@from + root) * 1e9).round
      end
    end
  end
end
