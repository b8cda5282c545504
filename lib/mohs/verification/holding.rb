# frozen_string_literal: true

require "fileutils"
require "securerandom"

module Mohs
  class Verification
    # How many connections a server that runs the application of verifications holds open while it
    # still answers others. As many as are held are opened at once, until nobody else is answered
    # beside them; then one after the other, so that the number is exact. (One after the other from
    # the start, a thousand took Agoo longer than it keeps one that is idle.)
    class Holding
      # Seconds within which an ordinary request has to be answered on a connection of its own.
      AT_ONCE_S = 1
      # How often that is asked before it is concluded: a busy machine may be late, a server whose
      # threads are all taken answers none.
      TRIES = 3
      # Seconds that all of them stay open before each has to be of use.
      HOLD_S = 2
      # Longer than a first event or response takes on a busy machine.
      BEGIN_S = 10

      # An event stream, which sends its last event when it has to finish.
      class Stream
        #: (Verification::Connection, folder: String) -> void
        def initialize(connection, folder:)
          @connection = connection
          @name = SecureRandom.hex(4)
          @path = File.join(folder, @name)
        end

        #: () -> void
        def start = @connection.get("/stream?#{@name}")

        #: () -> bool
        def begun? = !@connection.take_until("first\n\n").nil?

        # The thread that serves an idle stream would not learn that its client is gone.
        #: () -> void
        def finish = FileUtils.touch(@path)

        # Whether it was there until its end.
        #: () -> bool
        def lasted? = !@connection.take_until("last\n\n").nil?

        #: () -> void
        def close = @connection.close
      end

      # A connection that has had a response, and waits for the next request.
      class Kept
        #: (Verification::Connection, **untyped) -> void
        def initialize(connection, **)
          @connection = connection
        end

        #: () -> void
        def start = @connection.get("/")

        #: () -> bool
        def begun? = !@connection.answer.nil?

        # Asks whether it is still answered.
        #: () -> void
        def finish = start

        #: () -> bool
        def lasted? = begun?

        #: () -> void
        def close = @connection.close
      end

      # folder: where the application looks for files.
      #: (Load::Target, folder: String, ?at_once_s: Numeric, ?hold_s: Numeric, ?begin_s: Numeric) -> void
      def initialize(target, folder:, at_once_s: AT_ONCE_S, hold_s: HOLD_S, begin_s: BEGIN_S)
        @target = target
        @folder = folder
        @other = Client.new(target, folder:, answer_s: at_once_s)
        @hold_s = hold_s
        @begin_s = begin_s
      end

      # How many of at most `limit` event streams, or kept connections. Those beside which nobody
      # else was answered do not count; if in the end nobody else is answered, none does.
      #: (Integer, streams: bool) -> Integer
      def count(limit, streams:)
        held = open(limit, streams ? Stream : Kept)
        sleep @hold_s
        others = others_answered?
        held.each(&:finish)
        others ? lasting(held) : 0
      ensure
        held&.each(&:close)
      end

      private

      def open(limit, kind)
        held = []
        single = false
        while held.size < limit
          size = single ? 1 : [[held.size, 1].max, limit - held.size].min
          more = Array.new(size) { kind.new(connection, folder: @folder) }
          next held.concat(more) if stay?(more)

          let_go(more)
          break if size == 1

          single = true
        end
        held
      end

      def connection = Connection.new(@target, timeout_s: @begin_s)

      # Whether all of them begin, and others are answered beside them.
      def stay?(more)
        more.each(&:start)
        more.all?(&:begun?) && others_answered?
      end

      def let_go(more)
        more.each(&:finish)
        more.each(&:close)
        others_answered? # waits until those that they held up were
      end

      # One that a server has forgotten without an end must not take its time from each of a
      # thousand.
      def lasting(held)
        deadline = Clock.deadline(@begin_s)
        held.count { |one| Clock.mono_ns < deadline && one.lasted? }
      end

      def others_answered? = Array.new(TRIES).any? { @other.answered? }
    end
  end
end
