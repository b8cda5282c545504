# frozen_string_literal: true

module Mohs
  class LoadRun
    # A search for a number of connections under way: on a terminal one line with the range so far
    # and the current load; elsewhere a line for each load.
    class ConnectionProgress
      #: (IO, live: bool, style: Report::Terminal::Style, limit: Load::ConnectionLimit, ?clock: Module) -> void
      def initialize(out, live:, style:, limit:, clock: Clock)
        @out = out
        @line = Report::Terminal::LiveLine.new(out, style:) if live
        @style = style
        @limit = limit
        @clock = clock
        @started_ns = clock.mono_ns
      end

      # name: :load, :loaded, with the facts of LoadRun::ConnectionFinder's events.
      #: (Symbol, Hash[Symbol, untyped]) -> void
      def call(name, facts)
        case name
        when :load then draw(**facts)
        when :loaded then loaded(**facts)
        end
      end

      #: () -> void
      def close = @line&.wipe

      private

      def draw(connections:, number:)
        count = Report::Numbers.counted(connections, "connection")
        doing = "load #{number}: #{count}"
        @line&.draw([format("%5.1f s", seconds), @known, doing].compact.join("  "))
      end

      def loaded(loaded:, kept:, missed:)
        @known = known(kept, missed)
        text = ConnectionView.load(ConnectionDocument.shown(loaded), @limit.figure)
        text = [text, *@known].join("; ")
        @out.puts(@style.plain(format("%6.1f s  %s", seconds, text))) unless @line
      end

      def known(kept, missed)
        low, high = [kept, missed].map { |count| Report::Numbers.whole(count) if count }
        parts = [*("with #{low}" if low), *("not with #{high}" if high)]
        "#{@limit} #{parts.join(', ')}" if parts.any?
      end

      def seconds = (@clock.mono_ns - @started_ns) / 1e9
    end
  end
end
