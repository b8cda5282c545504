# frozen_string_literal: true

module Mohs
  class LoadRun
    # The line that `mohs load` prints first: "GET / at http://127.0.0.1:9292 · closed loop, 10
    # connections, 10 s".
    class Intent
      # Most requests of a mix that are named.
      NAMED = 4

      # The schedule of requests in words: "100 to 500 requests/s due at random (Poisson)". stages:
      # each [rate at its start, at its end | nil]; none if each request has a time of its own.
      #: (Array[[Numeric?, Numeric?]], String, ?burst: Integer) -> String
      def self.rate(stages, arrivals, burst: 1)
        return Report::Render.text("load_rate_times") if arrivals == "times"

        rates = stages.map { |from, to| ends(from, to) }.join(", ")
        kind_clause = Report::Render.text("load_at_random") if arrivals == "poisson"
        together_clause = Report::Render.text("load_together", burst:) if burst > 1
        Report::Render.text("load_rate", rates:, kind_clause:, together_clause:)
      end

      # A rate, or both ends of a rate that changes.
      #: (Numeric, Numeric?) -> String
      def self.ends(from, to)
        [from, *to].uniq.map { |rate|
          rate == rate.round ? Report::Numbers.thousands(rate.round) : rate.to_s
        }.join(" to ")
      end

      #: (LoadRun::Declaration) -> void
      def initialize(declared)
        @declared = declared
      end

      # requests: as they are printed, each once.
      #: (Array[String]) -> String
      def to_s(requests)
        return streams(requests) if @declared.open_per_s || @declared.connection_limit

        first = say("load_intent", requests: named(requests), server: @declared.server,
                                   loop: loop_named)
        tool = @declared.tool
        [first, connections, length, *slow, *(say("load_tool", tool:) if tool)].compact.join(", ")
      end

      private

      def streams(requests)
        kind = @declared.websocket ? "WebSockets" : "event streams"
        channel = @declared.cable&.identifier
        [say("stream_intent", request: requests.first, server: @declared.server, kind:),
         *(say("stream_joining", channel:) if channel),
         opening, *messages, *storm, length].join(", ")
      end

      def opening
        limit = @declared.connection_limit
        return say("connections_highest", limit:) if limit

        say("stream_opening", count: @declared.connections, rate: @declared.open_per_s)
      end

      def messages
        return [] if @declared.arrivals.empty?

        due = @declared.arrivals.first
        rates = self.class.ends(due.rate_per_s, due.to_per_s)
        to_all_clause = say("stream_to_all") if @declared.fan_out
        path = @declared.masked_publish
        [say(path ? "stream_posts" : "stream_messages", rates:, to_all_clause:, path:)]
      end

      def storm
        given = @declared.storm or return []
        [say("stream_storm_intent", share: given.share, seconds: given.after_s)]
      end

      def say(code, **values) = Report::Render.text(code, **values)

      # A single further request takes no more room than "and 1 more".
      def named(requests)
        Wording.few(requests, requests.size == NAMED + 1 ? requests.size : NAMED)
      end

      # The time is that of each load.
      def slow
        asked = @declared.slow or return
        clients = say("slow_clients", **asked.to_h, part: asked.part.to_s)
        ["then again beside #{clients}"]
      end

      def connections
        count, most = @declared.to_h.values_at(:connections, :max_connections)
        closed_clause = say("load_one_each") unless @declared.keep_alive == :on
        say("load_connections", count:, most:, closed_clause:)
      end

      def length
        count, batches, duration_s = @declared.to_h.values_at(:count, :batches, :duration_s)
        return say("load_batches", batches:, each: count / batches) if batches
        return say("load_count", count:) if count

        Report::Numbers.duration(duration_s) if duration_s
      end

      def loop_named
        return say("load_highest", limit: @declared.limit) if @declared.limit

        due = @declared.arrivals
        return say("load_closed_loop") if due.empty?

        stages = due.map { |one| [one.rate_per_s, one.to_per_s] }
        kind, burst = due.first.facts.values_at(:kind, :burst)
        say("load_open_loop", rate: self.class.rate(stages, kind, burst:))
      end
    end
  end
end
