# frozen_string_literal: true

module Mohs
  class LoadRun
    # Do connections of a closed loop take turns at the server's threads? A server that closes a
    # kept connection now and then (after a number of requests, say) gives its thread to another, so
    # each connection gets responses, and yet waits for seconds each time it is opened again.
    # Inferred from the waits alone. Pure.
    class ThreadWaits
      # At least this share of the long requests are the first on a connection: a slow page would be
      # slow anywhere on it.
      FIRST = 0.9

      # At least this share of the first requests are long, and first requests are the minority:
      # where each request has a connection of its own, a slow page is a first request as well.
      LONG = 0.25

      # For at least this share of a wait, other connections got responses: otherwise the whole
      # server had stopped, as at its first request.
      SERVED = 0.5

      # Parts into which the shortest long wait is divided to measure SERVED: it is at least 20
      # medians long (LoadRun::Result), so in one part a single connection gets two responses.
      PARTS = 10

      FRESH, WARM_UP, IN_FLIGHT = Load::Recording::FLAGS.values_at(:fresh, :warm_up, :in_flight)

      Wait = Struct.new(:from_ns, :to_ns, :first) do
        #: () -> Integer
        def ns = to_ns - from_ns
      end

      # least_ns: from this time on a request is long.
      #: (Load::Recording, least_ns: Integer) -> void
      def initialize(recording, least_ns:)
        @recording = recording
        @least_ns = least_ns
        @part_ns = least_ns / PARTS
        @first = @kept = @ended_ns = 0
        @served = {}
        @long = []
      end

      # How many connections waited at a time, on average over the load (at least one), and how long
      # the longest wait was; nil if nothing shows that they waited for a thread.
      #: () -> { connections: Integer, longest_ns: Integer }?
      def call
        return if @recording.count_between(:service, @least_ns, Core::LONGEST_DUE_NS).zero?

        walk
        firsts = @long.select(&:first)
        return if firsts.size < @long.size * FIRST || firsts.size < @first * LONG || @kept < @first

        waits = firsts.select { |wait| others_served?(wait) }
        return if waits.size < firsts.size * SERVED

        waited_ns = waits.sum { |wait| [wait.to_ns, @ended_ns].min - wait.from_ns }
        { connections: [waited_ns.fdiv(@ended_ns - @began_ns).round, 1].max,
          longest_ns: waits.map(&:ns).max }
      end

      private

      def walk
        @recording.each_row(%i[due_ns sent_ns done_ns error flags]) do |row|
          due_ns, sent_ns, done_ns, error, flags = row
          next unless (flags & WARM_UP).zero? && (error.zero? || (flags & IN_FLIGHT).positive?)

          add(due_ns + sent_ns, due_ns + done_ns, first: (flags & FRESH).positive?)
        end
      end

      def add(from_ns, to_ns, first:)
        @began_ns = [from_ns, *@began_ns].min
        first ? @first += 1 : @kept += 1
        return @long << Wait.new(from_ns, to_ns, first) if to_ns - from_ns >= @least_ns

        @ended_ns = [to_ns, @ended_ns].max
        @served[to_ns / @part_ns] = true
      end

      # The last waits go on after the last response: they count up to that response.
      def others_served?(wait)
        return false if wait.from_ns >= @ended_ns

        parts = ((wait.from_ns / @part_ns) + 1)...([wait.to_ns, @ended_ns].min / @part_ns)
        parts.count { |part| @served[part] } >= parts.size * SERVED
      end
    end
  end
end
