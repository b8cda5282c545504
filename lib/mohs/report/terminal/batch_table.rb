# frozen_string_literal: true

module Mohs
  module Report
    class Terminal
      # What the document of a load says of its batches: the first and the last, what lies between,
      # and a line drawn through all of them.
      class BatchTable
        TITLES = %w[first lowest median highest last].freeze
        # Bars of that line; with less room there is none.
        BARS = (8..64)

        #: (Array[Hash[Symbol, untyped]], style: Terminal::Style) -> void
        def initialize(batches, style:)
          @batches = batches
          @style = style
        end

        # [String], none without batches.
        #: () -> Array[String]
        def lines
          return [] if @batches.empty?

          rows = [[title, *TITLES], *figures.map { |name, values| [name, *cells(values)] }]
          title, *texts = Columns.new(rows, figures: (0..)).lines
          room = @style.width - title.length - Columns::GAP.length
          [title, *texts.zip(figures.values.map { |values| drawn(values, room) })
                        .map { |text, line| (text + Columns::GAP + line).rstrip }]
        end

        private

        def title
          count, size = @batches.size, @batches.first[:requests]
          "#{Numbers.thousands(count)} batch#{'es' if count > 1} of #{Numbers.thousands(size)}"
        end

        def figures
          @figures ||= { "answered/s" => @batches.map { |batch| batch[:answered_per_s] },
                         "p50, ms" => times(:p50), "p99, ms" => times(:p99) }
        end

        def times(name) = @batches.map { |batch| batch[:latency_ms][name] }

        # Of a batch without any right answer there are no latencies: the middle three are those of
        # the values that are known.
        def cells(values)
          known = values.compact
          median = Stats::Center.median(known) if known.any?
          figures = [values.first, known.min, median, known.max, values.last]
          figures.map { |value| Numbers.figure(value) }
        end

        # Neighbours share a bar where there are more of them than room.
        def drawn(values, room)
          return "" if room < BARS.min

          together = values.size.fdiv([room, BARS.max].min).ceil
          bars = values.map(&:to_f).each_slice(together)
          Sparkline.of(bars.map { |some| some.sum / some.size })
        end
      end
    end
  end
end
