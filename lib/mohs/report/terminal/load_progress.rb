# frozen_string_literal: true

module Mohs
  module Report
    class Terminal
      # The line of a load under way, redrawn in place: rate of the last moments, errors.
      class LoadProgress
        POINTS = 24
        EVERY_NS = 200_000_000

        #: (IO, live: bool, style: Terminal::Style, ?clock: Module) -> void
        def initialize(out, live:, style:, clock: Clock)
          @out = out
          @live = live
          @style = style
          @clock = clock
          @started_ns = @last_ns = clock.mono_ns
          @completed = 0
          @rates = []
        end

        # `live`: the driver's counters so far (Load::Live).
        #: (Load::Live) -> void
        def call(live)
          now = @clock.mono_ns
          return unless @live && now - @last_ns >= EVERY_NS

          @rates << ((live.completed - @completed) * 1e9 / (now - @last_ns))
          @last_ns = now
          @completed = live.completed
          draw(live, (now - @started_ns) / 1e9)
        end

        #: () -> void
        def close
          return unless @live

          @out.print("\r\e[K")
          @out.flush
        end

        private

        def draw(live, seconds)
          line = format("%5.1f s  %9s/s  %-#{POINTS}s  errors %s", seconds,
                        Numbers.whole(@rates.last), Sparkline.of(@rates.last(POINTS)),
                        Numbers.thousands(live.failed))
          @out.print("\r#{@style.cut(line)}\e[K")
          @out.flush
        end
      end
    end
  end
end
