# frozen_string_literal: true

module Mohs
  class Web
    # The open streams of server-sent events. Each takes a thread of the server as long as its
    # client listens, so their number is limited, and all of them end when the server is stopped.
    class Streams
      MOST = 8
      # How often a stream polls the store. It writes each time, at least a comment, by which it
      # notices that its client has gone.
      PERIOD_S = 1.0
      # The event after which nothing follows.
      END_EVENT = "end"

      #: () -> void
      def initialize
        @mutex = Mutex.new
        @ended = ConditionVariable.new
        @open = 0
        @stopped = false
      end

      # A body that writes what the block returns each period: [event, data], if that has changed;
      # the block returns nil to end the stream. nil if too many streams are open.
      #: () { () -> [String, String]? } -> Web::Streams::Body?
      def open(&block)
        @mutex.synchronize do
          return if @stopped || @open >= MOST

          @open += 1
        end
        Body.new(self, &block)
      end

      # Waits until the next poll; false once the server is stopped.
      #: () -> bool
      def pause
        @mutex.synchronize do
          @ended.wait(@mutex, PERIOD_S) unless @stopped
          !@stopped
        end
      end

      # Makes room for another stream, as one has ended.
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

        # A store error ends the stream: the browser reconnects by itself.
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

        # The server calls this in any case.
        #: () -> void
        def close
          @streams.leave unless @closed
          @closed = true
        end

        private

        # A line end would end the data; JSON needs none.
        def written(name, data) = "event: #{name}\ndata: #{data.gsub(/[\r\n]/, ' ')}\n\n"
      end
    end
  end
end
