# frozen_string_literal: true

module Mohs
  module Report
    class Terminal
      # What the JIT of one level had compiled by when, from a cold start on: a row for the first
      # batch, one each time the number of batches has doubled, and one for the last batch; then, if
      # known, the methods that were compiled more than once. Nothing without figures of a JIT.
      class JitTable
        HEAD = ["requests", "methods", "pieces", "code kB", "JIT ms", "dropped", "exits",
                "requests/s"].freeze
        # Groups of columns, in the order in which a narrow terminal leaves them out.
        LEAST_FIRST = [[6], [2], [5]].freeze
        # Most methods that are named.
        NAMED = 4

        #: (Hash[Symbol, untyped], style: Terminal::Style) -> void
        def initialize(level, style:)
          @level = level
          @rows = level[:timeline].to_a
          @style = style
        end

        # [] if there are no figures of a JIT.
        #: () -> Array[String]
        def paragraphs = @rows.empty? ? [] : [[title, table, *notes].join("\n")]

        private

        def title = @style.cut("compiled in #{@level[:name]}")

        def table
          rows = [HEAD, *shown.each_cons(2).map { |before, at| row(before, at) }]
          known = HEAD.each_index.reject { |column| rows.drop(1).all? { |row| row[column].nil? } }
          rows = rows.map { |row| row.map { |cell| cell || Numbers::NONE } }
          fitting = Columns.fitting(rows.map { |row| fill(row, known) }, least_first: LEAST_FIRST,
                                                                         width: @style.width)
          @left_out = HEAD.values_at(*(known - fitting))
          kept = known & fitting
          Columns.new(rows.map { |row| row.values_at(*kept) }, figures: 0..).lines.join("\n")
        end

        # Unknown columns take no room.
        def fill(row, known)
          row.each_with_index.map { |cell, column| known.include?(column) ? cell : "" }
        end

        # Indexes of the batches shown, after nil, which stands before the first.
        def shown
          last = @rows.size - 1
          doubling = (0..).lazy.map { |power| 2**power }.take_while { |number| number < last }
          [nil, 0, *doubling, last].uniq
        end

        def row(before, at)
          figures = @rows[at]
          counts = figures.values_at(:methods, :pieces)
          others = figures.values_at(:invalidations, :exits)
          [Numbers.whole(figures[:requests]), *whole(counts), short(figures[:code_bytes], 1000),
           short(figures[:compile_ms], 1), *whole(others), rate(before, at)]
        end

        def whole(values) = values.map { |value| value && Numbers.whole(value) }

        def short(value, unit) = value && Numbers.short(value.fdiv(unit))

        # The mean rate of the batches since the previous row.
        def rate(before, at)
          return "" unless before

          rates = @rows[(before + 1)..at].filter_map { |row| row[:per_s] }
          Numbers.short(rates.size / rates.sum { |one| 1 / one }) if rates.any?
        end

        def notes
          [*(@style.named("versions", versions) if @level[:code]),
           *(@style.named(*@style.left_out(@left_out)) if @left_out.any?)]
        end

        def versions
          again = @level[:code].select { |one| one[:versions] > 1 }
          return "one of each method" if again.empty?

          named = again.first(NAMED).map do |one|
            "#{one[:name]} (#{one[:at]}) #{Numbers.short(one[:versions])}"
          end
          more = "#{again.size - NAMED} more" if again.size > NAMED
          Numbers.list([*named, *more])
        end
      end
    end
  end
end
