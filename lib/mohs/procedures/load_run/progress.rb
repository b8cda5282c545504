# frozen_string_literal: true

module Mohs
  class LoadRun
    # A load under way: its rate, also as a line of bars, the latencies of the last second, and
    # errors. On a terminal one line, redrawn in place; elsewhere a line every five seconds.
    class Progress
      POINTS = 24
      FEWEST = 6 # points; a narrower terminal has no line of bars
      REST = 41 # columns for everything except the points and the latencies
      LIVE_NS = 200_000_000
      LINES_NS = 5_000_000_000
      # Looks that a latency figure covers: one second.
      LOOKS = 5
      SHARES = { p50: 0.5, p99: 0.99, max: 1.0 }.freeze

      #: (IO, live: bool, style: Report::Terminal::Style, ?clock: Module) -> void
      def initialize(out, live:, style:, clock: Clock)
        @out = out
        @line = Report::Terminal::LiveLine.new(out, style:) if live
        @style = style
        @clock = clock
        @every_ns = live ? LIVE_NS : LINES_NS
        @started_ns = @last_ns = clock.mono_ns
        @completed = 0
        @rates = []
        @times = []
        @failed = []
      end

      # name: :live, with the driver's counters so far (Load::Live), which other tools don't have.
      #: (Symbol, { live: Load::Live }) -> void
      def call(_name, facts)
        live = facts.fetch(:live)
        now = @clock.mono_ns
        return if live.completed.nil? || now - @last_ns < @every_ns

        @rates << ((live.completed - @completed) * 1e9 / (now - @last_ns))
        @last_ns = now
        @completed = live.completed
        draw(live, (now - @started_ns) / 1e9)
      end

      #: () -> void
      def close = @line&.wipe

      private

      def draw(live, seconds)
        rate = format("%5.1f s  %9s/s", seconds, Report::Numbers.whole(@rates.last))
        errors = "errors #{Report::Numbers.thousands(live.failed)}"
        times = latencies(live)
        show([rate, *sparkline(@style.width - REST - times.length), times, errors].join("   "))
      end

      def show(text)
        return @line.draw(text) if @line

        @out.puts(@style.plain(@style.cut(text)))
        @out.flush
      end

      def sparkline(room)
        points = [room, POINTS].min
        Report::Terminal::Sparkline.of(@rates.last(points)).ljust(points) if points >= FEWEST
      end

      # Latencies since a look one second ago (before there is one, all latencies), including
      # requests that are still waiting, whose times are lower bounds. Requests that failed
      # meanwhile rank last, as in the report.
      def latencies(live)
        return "p50 –  p99 –  max – ms" unless live.times

        recent, failed = [[@times, live.times], [@failed, live.failed]].map { |one| since(*one) }
        recent += live.waiting if live.waiting
        words = SHARES.map do |name, share|
          "#{name} #{time(*recent.ranked(share, failed:)).ljust(4)}"
        end
        "#{words.join('  ')} ms"
      end

      # The counts since the first of the earlier looks, to which this look is added.
      def since(earlier, now)
        looks = @line ? LOOKS : 1
        recent = earlier.size < looks ? now : now - earlier.first
        earlier.push(now)
        earlier.shift if earlier.size > looks
        recent
      end

      def time(ns, more)
        ms = ns && (ns / 1e6)
        Report::Numbers.latency(ms, (ms if more))
      end
    end
  end
end
