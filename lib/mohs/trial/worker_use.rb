# frozen_string_literal: true

module Mohs
  class Trial
    # What a server made of its workers: whether all of them served, from the end of the warm-up to
    # the end of the load, and how evenly (Analysis::Checks::Served).
    class WorkerUse
      #: () -> void
      def initialize
        @uneven = @repeated = 0
        @before = {}
      end

      # Takes the workers at the end of the warm-up.
      #: (Array[Integer]) -> void
      def warmed(pids)
        @before = Probes::Cpu.ticks(pids)
      end

      # Takes those at the end.
      #: (Array[Integer]) -> void
      def finish(pids)
        @at_end = Probes::Cpu.ticks(pids)
      end

      # A step in which one of them had too little of the load: one that is measured all the same,
      # or one that is repeated.
      #: (repeated: bool) -> void
      def unevenly_loaded(repeated:)
        repeated ? @repeated += 1 : @uneven += 1
      end

      # Takes how many connections each has accepted, of the `count` that are open; returns the
      # fewest and the most. nil if not all were found.
      #: (Array[Integer], Integer) -> [Integer, Integer]?
      def connections(accepted, count)
        @most = (accepted.max if accepted.sum == count)
        accepted.minmax if @most
      end

      # For the checks: workers at the end, those of them that served, those that have taken the
      # place of others since the warm-up, slices as above, and the most connections of one of them.
      #: () -> Hash[Symbol, Integer?]
      def to_h
        known = @at_end.slice(*@before.keys)
        replaced = @at_end.size - known.size
        served = replaced + known.count { |pid, ticks| ticks > @before[pid] }
        { at_end: @at_end.size, served:, replaced:, uneven: @uneven, repeated: @repeated,
          most_connections: @most }
      end
    end
  end
end
