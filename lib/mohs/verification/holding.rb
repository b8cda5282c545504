# frozen_string_literal: true

require "fileutils"
require "securerandom"

module Mohs
  class Verification
    # How many connections a server that runs the application of verifications holds open while it
    # still answers others. They are opened one after the other, and after each an ordinary request
    # has to be answered at once: the number is exact, which a search by doubling is not, and where
    # the server holds any number, a thousand take few seconds.
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

        #: () -> bool
        def begun?
          @connection.get("/stream?#{@name}") && !@connection.take_until("first\n\n").nil?
        end

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

        #: () -> bool
        def begun? = answered?

        #: () -> void
        def finish = nil

        # Whether it is still answered.
        #: () -> bool
        def lasted? = answered?

        #: () -> void
        def close = @connection.close

        private

        def answered? = @connection.get("/") && !@connection.answer.nil?
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

      # How many of at most `limit` event streams, or kept connections. The one beside which nobody
      # else was answered does not count; if in the end nobody else is answered, none does.
      #: (Integer, streams: bool) -> Integer
      def count(limit, streams:)
        held = open(limit, streams ? Stream : Kept)
        sleep @hold_s
        others = others_answered?
        held.each(&:finish)
        others ? held.count(&:lasted?) : 0
      ensure
        held&.each(&:close)
      end

      private

      def open(limit, kind)
        held = []
        while held.size < limit
          one = kind.new(Connection.new(@target, timeout_s: @begin_s), folder: @folder)
          next held << one if one.begun? && others_answered?

          one.finish
          one.close
          break
        end
        held
      end

      def others_answered? = Array.new(TRIES).any? { @other.answered? }
    end
  end
end
