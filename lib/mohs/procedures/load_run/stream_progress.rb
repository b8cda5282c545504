# frozen_string_literal: true

module Mohs
  class LoadRun
    # A load of event streams or WebSockets under way: on a terminal one line, redrawn in place;
    # elsewhere a line every five seconds.
    class StreamProgress
      # kind: what is counted: events, or messages that came back.
      #: (IO, live: bool, style: Report::Terminal::Style, ?kind: String, ?clock: Module) -> void
      def initialize(out, live:, style:, kind: "events", clock: Clock)
        @kind = kind
        @out = out
        @line = Report::Terminal::LiveLine.new(out, style:) if live
        @style = style
        @clock = clock
        @every_ns = live ? Progress::LIVE_NS : Progress::LINES_NS
        @started_ns = @last_ns = clock.mono_ns
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

      #: () -> void
      def close = @line&.wipe

      private

      def draw(live, rate, seconds)
        counts = { open: live.opened - live.dropped, dropped: live.dropped, errors: live.failed }
        words = counts.map { |name, count| "#{name} #{Report::Numbers.thousands(count)}" }
        text = [format("%5.1f s  %9s %s/s", seconds, Report::Numbers.whole(rate), @kind),
                *words].join("   ")
        return @line.draw(text) if @line

        @out.puts(@style.plain(@style.cut(text)))
        @out.flush
      end
    end
  end
end
