# frozen_string_literal: true

module Mohs
  class Web
    # The server-sent events that are open: each takes a thread of the server as long as its client
    # listens, so there are only so many, and all end as soon as the server is stopped.
    class Streams
      MOST = 8
      # How often a stream looks at the store. It writes each time, if only a comment: that is how
      # it notices that its client has gone.
      PERIOD_S = 1.0
      # Behind this event there is nothing more to come.
      END_EVENT = "end"

      #: () -> void
      def initialize
        @mutex = Mutex.new
        @ended = ConditionVariable.new
        @open = 0
        @stopped = false
      end

      # A body that writes what the block returns each period: [event, data] if that has changed;
      # nil ends it. nil if too many are open.
      #: () { () -> [String, String]? } -> Web::Streams::Body?
      def open(&block)
        @mutex.synchronize do
          return if @stopped || @open >= MOST

          @open += 1
        end
        Body.new(self, &block)
      end

      # Waits for the next look; false once it is over.
      #: () -> bool
      def pause
        @mutex.synchronize do
          @ended.wait(@mutex, PERIOD_S) unless @stopped
          !@stopped
        end
      end

      # Makes room for another: one has ended.
      #: () -> void
      def leave = @mutex.synchronize { @open -= 1 }

      #: () -> void
      def stop
        @mutex.synchronize do
          @stopped = true
          @ended.broadcast
        end
      end

      # A Rack body of events (html.spec.whatwg.org, 9.2).
      class Body
        #: (Web::Streams) { () -> [String, String]? } -> void
        def initialize(streams, &block)
          @streams = streams
          @block = block
          @last = nil
        end

        # An error of the store ends it: the browser asks again by itself.
        #: () { (String) -> void } -> void
        def each
          while (event = @block.call)
            yield event == @last ? ":\n\n" : written(*event)
            @last = event
            break if event.first == END_EVENT || !@streams.pause
          end
        rescue Error
          nil
        end

        # Called by the server in any case.
        #: () -> void
        def close
          @streams.leave unless @closed
          @closed = true
        end

        private

        # JSON has no line ends, which would end the data.
        def written(name, data) = "event: #{name}\ndata: #{data.gsub(/[\r\n]/, ' ')}\n\n"
      end
    end
  end
end
