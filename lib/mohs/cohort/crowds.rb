# frozen_string_literal: true

module Mohs
  module Cohort
    # On which servers connections wait for a thread, by the threads that a server attests. If it
    # attests none (it ran before, or a command started it), a load shows it: a thread that waits
    # for the next request of a connection which has none (Puma before version 8: 200 ms) keeps the
    # other connections waiting, unless each is closed as soon as it has nothing more to send.
    class Crowds
      # So many connections send a request each. With more, such waits would take a minute, as 256
      # connections would of puma:1x1; with so many threads they hardly matter.
      MOST = 32

      # How many times as long the requests take if connections stay: they may be spread over two
      # processes less evenly than those that were closed. A wait lasts longer than LEAST_NS.
      LONGER = 1.5
      LEAST_NS = 100_000_000

      #: () -> void
      def initialize
        @seen = {}.compare_by_identity
      end

      # Loads a server of which it is not known: yields what to load it with, twice, and takes the
      # result.
      #: (Trial) { (**untyped) -> Load::StepResult } -> void
      def look(trial)
        return unless may_wait?(trial) && slots(trial).nil?

        count = [trial.target.connections, MOST].min
        closed, open = [true, false].map { |hang_up| yield(count:, hang_up:).wall_ns }
        @seen[trial] = open > (LONGER * closed) + LEAST_NS
      end

      # Did a load show that its connections wait?
      #: (Trial) -> bool
      def seen?(trial) = @seen.fetch(trial, false)

      #: (Trial) -> bool
      def crowded?(trial)
        may_wait?(trial) && @seen.fetch(trial) do
          Analysis::ConnectionsExceedThreads.crowded?(trial.target.connections, slots(trial))
        end
      end

      # As Schedule has it for each variant. A server that was seen to let so many wait works on
      # fewer at a time.
      #: (Trial) -> [Integer, Integer]
      def of(trial)
        connections = trial.target.connections
        at_a_time = slots(trial) || (MOST if @seen[trial])
        [[connections, at_a_time].compact.min, crowded?(trial) ? connections : 0]
      end

      private

      # In an open loop, connections stay. One alone never waits.
      def may_wait?(trial) = trial.rate.nil? && trial.target.connections > 1

      # Requests that it works on at the same time; nil if that is not known.
      def slots(trial) = Analysis::ConnectionsExceedThreads.slots(trial.attested.to_h)
    end
  end
end
