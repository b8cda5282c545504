# frozen_string_literal: true

module Mohs
  class LoadRun
    # A load of event streams or WebSockets under way: how many are open, and what comes of them.
    class StreamProgress < Progress
      # kind: what is counted: events, or messages that came back.
      #: (IO, ?kind: String, **untyped) -> void
      def initialize(out, kind: "events", **options)
        super(out, **options)
        @kind = kind
        @events = 0
      end

      # name: :live, with a Load::Streams::Live.
      #: (Symbol, { live: Load::Streams::Live }) -> void
      def call(_name, facts)
        live, now = facts.fetch(:live), @clock.mono_ns
        return if now - @last_ns < @every_ns

        rate = (live.events - @events) * 1e9 / (now - @last_ns)
        @events, @last_ns = live.events, now
        draw(live, rate, (now - @started_ns) / 1e9)
      end

      private

      def draw(live, rate, seconds)
        counts = { open: live.opened - live.dropped - live.away, dropped: live.dropped,
                   errors: live.failed }
        words = counts.map { |name, count| "#{name} #{Report::Numbers.thousands(count)}" }
        show([format("%5.1f s  %9s %s/s", seconds, Report::Numbers.whole(rate), @kind),
              *words].join("   "))
      end
    end
  end
end
