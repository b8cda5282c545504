# frozen_string_literal: true

module Mohs
  class CLI
    # What `mohs load` says before it begins: "GET / at http://127.0.0.1:9292 · closed loop, 10
    # connections, 10 s".
    class LoadIntent
      # Requests of a mix that are named.
      NAMED = 4

      # values: connections, keep_alive, count, batches or duration_s; limit: of --find-rate, or
      # nil; peer: the class of another tool's driver, or nil.
      #: (Hash[Symbol, untyped], server: CLI::LoadTarget, open_loop: CLI::OpenLoop, limit: Load::Limit?, peer: Class?) -> void
      def initialize(values, server:, open_loop:, limit:, peer:)
        @values = values
        @server = server
        @open_loop = open_loop
        @limit = limit
        @peer = peer
      end

      # requests: as they are shown, each once.
      #: (Array[String]) -> String
      def to_s(requests)
        ["#{named(requests)} at #{@server} · #{loop_named}", connections, length,
         *("by #{@peer.tool}" if @peer)].compact.join(", ")
      end

      private

      def named(requests)
        more = requests.size - NAMED
        return requests.join(", ") unless more > 1

        "#{requests.first(NAMED).join(', ')} and #{more} more"
      end

      def connections
        most = @open_loop.max_connections
        closed = " for a request each" unless @values[:keep_alive] == :on
        "#{@values[:connections]}#{" to #{most}" if most} connections#{closed}"
      end

      def length
        count, batches = @values.values_at(:count, :batches)
        return "#{batches} x #{count / batches} requests" if batches
        return "#{count} requests" if count

        Report::Terminal::Numbers.duration(@values[:duration_s]) if @values[:duration_s]
      end

      def loop_named
        return "the highest rate with #{@limit}" if @limit
        return "closed loop" unless @open_loop.any?

        due = Report::Terminal::LoadScreen.rate(@open_loop.stages, @open_loop.kind,
                                                burst: @open_loop.burst)
        "open loop, #{due}"
      end
    end
  end
end
