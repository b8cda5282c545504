# frozen_string_literal: true

module Mohs
  module Agent
    # Messages that one thread puts in as they arrive, and another takes out, with a limit on the
    # wait (Queue#pop has none before Ruby 3.2) that ends at once when a message arrives: the clocks
    # are compared by such waits.
    class Inbox
      # A wait is counted in slices, so that the time for which this process itself was stopped
      # (Ctrl-Z) counts as one: the messages of that time are still to be read.
      SLICE_S = 0.1

      #: () -> void
      def initialize
        @messages = []
        @mutex = Mutex.new
        @changed = ConditionVariable.new
        @closed = false
      end

      #: (Hash[Symbol, untyped]) -> void
      def <<(message)
        @mutex.synchronize do
          @messages << message
          @changed.signal
        end
      end

      # The next message; nil if none arrives in so many seconds, or after the last of a closed one.
      #: (Numeric) -> Hash[Symbol, untyped]?
      def take(seconds)
        @mutex.synchronize do
          (seconds / SLICE_S).ceil.times do
            break if @closed || @messages.any?

            @changed.wait(@mutex, SLICE_S)
          end
          @messages.shift
        end
      end

      # Nothing arrives any more.
      #: () -> void
      def close
        @mutex.synchronize do
          @closed = true
          @changed.broadcast
        end
      end

      #: () -> bool
      def closed? = @closed
    end
  end
end
