# frozen_string_literal: true

module Mohs
  class CLI
    # The line that `mohs load` prints first: "GET / at http://127.0.0.1:9292 · closed loop, 10
    # connections, 10 s".
    class LoadIntent
      # Requests of a mix that are named.
      NAMED = 4

      #: (LoadRun::Declaration) -> void
      def initialize(declared)
        @declared = declared
      end

      # requests: as they are shown, each once.
      #: (Array[String]) -> String
      def to_s(requests)
        ["#{named(requests)} at #{@declared.server} · #{loop_named}", connections, length,
         *("by #{@declared.tool}" if @declared.tool)].compact.join(", ")
      end

      private

      def named(requests)
        more = requests.size - NAMED
        return requests.join(", ") unless more > 1

        "#{requests.first(NAMED).join(', ')} and #{more} more"
      end

      def connections
        most = @declared.max_connections
        closed = ", a new one per request" unless @declared.keep_alive == :on
        count = [@declared.connections, *most].join(" to ")
        "#{count} connection#{'s' unless count == '1'}#{closed}"
      end

      def length
        count, batches, duration_s = @declared.to_h.values_at(:count, :batches, :duration_s)
        return "#{batches} x #{count / batches} requests" if batches
        return "#{count} requests" if count

        Report::Numbers.duration(duration_s) if duration_s
      end

      def loop_named
        return "the highest rate with #{@declared.limit}" if @declared.limit

        due = @declared.arrivals
        return "closed loop" if due.empty?

        stages = due.map { |one| [one.rate_per_s, one.to_per_s] }
        kind, burst = due.first.facts.values_at(:kind, :burst)
        "open loop, #{Report::Terminal::LoadScreen.rate(stages, kind, burst:)}"
      end
    end
  end
end
