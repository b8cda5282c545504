# frozen_string_literal: true

module Mohs
  module Report
    class Terminal
      # Progress on a terminal: the table so far and a status line, redrawn in place.
      class LiveProgress < Progress
        BAR = (8..24)
        # Columns for the text beside the bar.
        BESIDE = 72
        # Rows of a terminal that doesn't report its size.
        ROWS = 24
        # More frequent redrawing would take time from the driver's core, which measures.
        EVERY_NS = 200_000_000

        # Leaves the screen as if nothing had been drawn; printed lines stay.
        #: () -> void
        def close
          erase
          @closed = true
        end

        private

        def say(text)
          erase
          @out.puts(@style.plain(text))
          @out.flush
        end

        def update
          return if @closed || (@drawn_ns && @clock.mono_ns - @drawn_ns < EVERY_NS)

          @drawn_ns = @clock.mono_ns
          lines = picture
          erase
          @out.print(@style.plain(lines.map { |line| "#{line}\n" }.join))
          @out.flush
          @height = lines.size
        end

        def on_trial(facts)
          warming[facts[:variant]] = facts[:per_s] if facts[:per_s]
          super
        end

        # Shown in place, until the next stage of a trial replaces it.
        def waits(facts)
          @doing = waiting(facts)
          update
        end

        # A finished cohort's rows are shown at once. They are laid out here, not at each redraw.
        def on_cohort_finished(facts)
          document = facts[:document]
          @table = @text.table(document) if document
          @drawn_ns = nil
          super
        end

        def erase
          return if @height.to_i.zero?

          Terminal.control(@out, "\e[#{@height}A\r\e[J")
          @out.flush
          @height = 0
        end

        # As many lines as the terminal has room for: the cursor can't return to lines that have
        # scrolled away.
        def picture
          table = [*(@table || first_figures), *soon, *hosts].first([height - 4, 0].max)
          [*table, ("" if table.any?), @style.cut(status)].compact
        end

        # What each host of a fleet is doing, and for how long.
        def hosts
          width = busy.keys.map(&:length).max.to_i
          busy.sort.map do |name, work|
            since = Numbers.clock((@clock.mono_ns - work[:since_ns]) / 1e9)
            @style.cut("#{name.ljust(width)}  #{since}  #{@text.class::UNIT} #{work[:round]} · " \
                       "#{work[:variants].join(' · ')}")
          end
        end

        # The line below the table.
        def soon
          text = @text.soon
          [*(@style.paint(:dim, @style.cut(text)) if text)]
        end

        # The rates of the first warm-ups, by variant.
        def warming = @warming ||= {}

        # Until a cohort is done, there are no other figures.
        def first_figures
          return [] if warming.empty?

          rates = warming.map { |name, rate| "#{name} #{Numbers.figure(rate)}/s" }
          text = "in the warm-up, which does not count: #{rates.join(' · ')}"
          @style.wrap(text, indent: 2).lines(chomp: true)
        end

        # Progress is left out during a wait, as it doesn't change.
        def status = @waits_since ? @doing : [*way, @doing].join("  ")

        # How far the run is; [] before the first cohort.
        def way = @round ? @text.way(parts) : []

        def parts
          return [time_left] if @of
          return [@text.place, time_left] if @text.pending

          @eta ? [@text.place, bar, Numbers.whole_percent(@eta.share), time_left] : [@text.place]
        end

        def bar
          length = (@style.width - BESIDE).clamp(BAR)
          full = (@eta.share * length).round
          "#{'━' * full}#{'─' * (length - full)}"
        end

        def height
          rows = @out.respond_to?(:winsize) ? @out.winsize.first : 0
          rows.zero? ? ROWS : rows
        end
      end
    end
  end
end
