# frozen_string_literal: true

module Mohs
  class LoadRun
    # A rate search under way: on a terminal one line with the current range, which narrows, and
    # the current probe; elsewhere a line for each probe.
    class RateProgress
      EVERY_NS = 200_000_000
      BAR = 32

      #: (IO, live: bool, style: Report::Terminal::Style, limit: (Load::Limit | LoadRun::ConnectionLimit), ?clock: Module) -> void
      def initialize(out, live:, style:, limit:, clock: Clock)
        @out = out
        @line = Report::Terminal::LiveLine.new(out, style:) if live
        @style = style
        @limit = limit
        @clock = clock
        @started_ns = clock.mono_ns
        @doing = "closed loop"
      end

      # name: :closed_loop, :capacity, :probe, :live, :probed, with the facts of
      # LoadRun::RateFinder's events.
      #: (Symbol, Hash[Symbol, untyped]) -> void
      def call(name, facts)
        case name
        when :capacity then know_capacity(**facts)
        when :probe then begin_probe(facts)
        when :probed then probed(facts[:probed])
        end
        draw if @line
      end

      #: () -> void
      def close = @line&.wipe

      private

      # If the time is too short, the finding is printed first, while the user can still change
      # it.
      def know_capacity(rate_per_s:, finding:)
        @capacity_per_s = rate_per_s
        return unless finding

        @line&.wipe
        @out.puts(@style.wrap(Report::Render.call(finding)))
      end

      def begin_probe(facts)
        @known = facts[:interval]
        probe = facts[:probe]
        rate = Report::Numbers.figure(probe.rate_per_s)
        @doing = "probe #{facts[:number]}: #{rate}/s for #{format('%.1f', probe.seconds)} s"
      end

      def probed(probe)
        @known = probe.interval
        @out.puts(@style.plain(text(probe))) unless @line
      end

      def text(probe)
        text = RateView.probe(RateDocument.shown(probe), @limit.figure)
        format("%6.1f s  %s; %s", seconds, text, known)
      end

      def draw
        now = @clock.mono_ns
        return if @drawn_ns && now - @drawn_ns < EVERY_NS

        @drawn_ns = now
        @line.draw([format("%5.1f s", seconds), bar, known, @doing].compact.join("  "))
      end

      def known
        return unless @known

        low, high = [@known.low, @known.high].map { |rate| Report::Numbers.figure(rate) }
        "#{@limit} up to #{Report::Numbers.figure(@known.value)} [#{low}, #{high}]"
      end

      # Where the rate may lie, on a bar from 0 to FULL.
      def bar
        return unless @known && @capacity_per_s

        from, to = [@known.low, @known.high].map do |rate|
          (rate / @capacity_per_s / FULL * BAR).floor.clamp(0, BAR - 1)
        end
        "▏#{' ' * from}#{'━' * (to - from + 1)}#{' ' * (BAR - 1 - to)}▕"
      end

      # The end of the bar, relative to the closed loop's rate.
      FULL = 1.25

      def seconds = (@clock.mono_ns - @started_ns) / 1e9
    end
  end
end
