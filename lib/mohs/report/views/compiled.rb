# frozen_string_literal: true

module Mohs
  module Report
    module Views
      # What the JIT of one level had compiled by when, from a cold start on: a row for the first
      # batch, one each time the number of batches has doubled, and one for the last batch; then, if
      # known, the methods that were compiled more than once.
      class Compiled
        include Cells

        KEY = :compiled
        LEAST_FIRST = [%i[exits], %i[pieces], %i[invalidations]].freeze
        # Titles of the columns with figures of a JIT.
        TITLES = { methods: "methods", pieces: "pieces", code_bytes: "code kB",
                   compile_ms: "JIT ms", invalidations: "dropped", exits: "exits" }.freeze
        # Units of those that are written short; the others are counts.
        SHORT = { code_bytes: 1000, compile_ms: 1 }.freeze
        # Most methods that are named.
        NAMED = 4

        #: (Hash[Symbol, untyped]) -> void
        def initialize(level)
          @level = level
          @moments = level[:timeline].to_a
        end

        # nil without figures of a JIT.
        #: () -> View::Table?
        def to_table
          return if @moments.empty?

          rows = shown.each_cons(2).map { |before, at| row(before, at) }
          table(KEY, columns, rows, least_first: LEAST_FIRST, runs_on: true, detail: true,
                                    caption: "compiled in #{@level[:name]}",
                                    remarks: [versions].compact)
        end

        private

        # Without those of which nothing is known.
        def columns
          at = shown.compact
          known = TITLES.select { |key, _| at.any? { |index| @moments[index][key] } }
          titles = { requests: "requests", **known, per_s: "requests/s" }
          titles.map { |key, title| column(key, title, figure: true) }
        end

        # Indexes of the batches shown, after nil, which stands before the first.
        def shown
          @shown ||= begin
            last = @moments.size - 1
            doubling = (0..).lazy.map { |power| 2**power }.take_while { |number| number < last }
            [nil, 0, *doubling, last].uniq
          end
        end

        def row(before, at)
          moment = @moments[at]
          figures = TITLES.to_h do |key, _|
            [key, cell(figure_of(key, moment[key]), value: moment[key])]
          end
          { requests: whole(moment[:requests]), **figures, per_s: rate(before, at) }
        end

        def figure_of(key, value)
          return Numbers.whole(value) unless value && SHORT.key?(key)

          Numbers.short(value.fdiv(SHORT[key]))
        end

        # The mean rate of the batches since the previous row.
        def rate(before, at)
          return cell("") unless before

          rates = @moments[(before + 1)..at].filter_map { |moment| moment[:per_s] }
          return View::Cell::ABSENT if rates.empty?

          mean = rates.size / rates.sum { |one| 1 / one }
          cell(Numbers.short(mean), value: mean)
        end

        def versions
          @level[:code] && View::Remark.new(name: "versions", text: versions_of(@level[:code]))
        end

        def versions_of(code)
          again = code.select { |one| one[:versions] > 1 }
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
