# frozen_string_literal: true

module Mohs
  module Report
    class Terminal
      # The table of a run's rows. It never wraps: if it is too wide, columns of figures are left
      # out, the least important first, and `left_out` lists them; the verdict always stays.
      class Table
        # Title, alignment, and function from a row to its cell; `kind` of columns with rules of
        # their own: :name, :marks, :errors, :verdict.
        # :marks, :errors, :verdict.
        Column = Struct.new(:title, :align, :cell, :kind, keyword_init: true)
        FIGURE = ->(column) { column.align == :rjust }
        # Spaces between columns: with fewer, titles of two words would run together.
        GAP = 2
        # Names may take one part in NAME_SHARE of the width before figures are left out for them;
        # if even a table without figures doesn't fit, they keep LEAST_NAME columns.
        NAME_SHARE = 3
        LEAST_NAME = 12
        BOOT = "boot ms"
        # Columns of the baseline's name in the title of the verdicts.
        MOST_AGAINST = 20
        # The unit is printed only once: three times would take the room of another column.
        LATENCIES = { p50: "p50 ms", p99: "p99", max: "max" }.freeze
        # Title of CPU time if each request is a batch of jobs; latencies are of whole batches.
        CPU_OF_JOB = "CPU µs/job"
        # The order in which columns are left out, after all figures that are not listed here.
        LEAST_FIRST = ["max", "CPU µs", CPU_OF_JOB, BOOT, "MB", "p99", "p50 ms"].freeze
        REASONS = { "refused" => "not run: ", "failed" => "failed: ", "invalid" => "invalid: ",
                    "waiting" => "not reached yet" }.freeze
        INCOMPLETE = "round 1 was not complete"
        LEFT_OUT = "started, but left out"
        COLOURS = { "faster" => :green, "slower" => :red, "invalid" => :red }.freeze

        #: (Hash[Symbol, untyped], style: Terminal::Style) -> void
        def initialize(document, style:)
          @document = document
          @style = style
          @rows = document[:rows]
          @marks = Marks.new(document)
          @name_limit = [style.width / NAME_SHARE, LEAST_NAME].max
          @columns = fitting
        end

        # Titles of the columns that did not fit.
        #: () -> Array[String]
        def left_out
          (columns - @columns).map { |column| column.kind == :marks ? "marks" : column.title }
        end

        # The line that explains the marks: its name and text; nil if there are no marks, or if
        # their column did not fit.
        #: () -> [String, String]?
        def marks_line
          @marks.line if !@marks.any? || @columns.any? { |column| column.kind == :marks }
        end

        # Names that were shortened, in the order of the rows.
        #: () -> Array[String]
        def cut_names
          @rows.map { |row| row[:variant] }.select { |name| name.length > @name_limit }
        end

        # The rows with the columns that fit; the first has the titles. A variant without figures
        # has its name and, in the last column, the reason.
        #: () -> Array[Array[String]]
        def cells
          rows = @rows.map do |row|
            next @columns.map { |column| column.cell.call(row).strip } if measured?(row)

            [row[:variant], *Array.new([@columns.size - 2, 0].max, ""), reason(row)]
          end
          titles = @columns.map(&:title)
          titles << "" if @columns.one?
          [titles, *rows]
        end

        #: () -> String
        def to_s
          lines = @rows.map { |row| measured?(row) ? line(row) : unmeasured(row) }
          [header, *lines].map { |line| "#{line}\n" }.join
        end

        # Whether the table shows the whole reason of this unmeasured row.
        #: (Hash[Symbol, untyped]) -> bool
        def whole?(row) = @style.cut(unmeasured_text(row), @style.width) == unmeasured_text(row)

        private

        def measured?(row) = row[:state] == "measured"

        def columns
          @all ||= [
            column("variant", :ljust, :name) { |row| @style.squeeze(row[:variant], @name_limit) },
            column(BOOT) { |row| Numbers.whole(row.dig(:boot_ms, :value)) },
            column("#{Unit.name(@document)}/s", :ljust) { |row| rate(row) },
            column("", :ljust, :marks) { |row| @marks.cell(row) },
            column("errors", :ljust, :errors) { |row| failed(row) },
            *LATENCIES.map { |key, title| latency(key, title) },
            column(cpu_title) { |row| Numbers.figure(Unit.cpu_us(@document, row)) },
            column("MB") { |row| Numbers.whole(megabytes(row)) },
            column(against, :ljust, :verdict) { |row| verdict(row, :text) },
          ].reject { |column| needless?(column) }
        end

        def column(title, align = :rjust, kind = nil, &cell)
          Column.new(title:, align:, cell:, kind:)
        end

        # Whether the column is useless: one variant has no verdict, a run without groups no marks,
        # a run without failed requests no errors, and without any figures only names remain.
        def needless?(column)
          return column.kind != :name if @rows.none? { |row| measured?(row) }

          { marks: !@marks.any?, verdict: @rows.one?, errors: @rows.none? { |row| failed?(row) } }[
            column.kind]
        end

        # The share of failed requests, without which no rate is shown.
        def failed(row) = failed?(row) ? Numbers.percent(row[:errors][:share]) : "0"

        def failed?(row) = row.dig(:errors, :total).to_i.positive?

        def latency(key, title)
          column(title) do |row|
            Numbers.latency(row.dig(:latency_ms, key), row.dig(:latency_ms, :more_than, key))
          end
        end

        def against = "against " + @style.squeeze(@document[:baseline].to_s, MOST_AGAINST)

        def verdict(row, key) = row.dig(:verdict, key).to_s

        def cpu_title = @document[:jobs] ? CPU_OF_JOB : "CPU µs"

        def per_s(row) = Numbers.figure(Unit.rate(@document, row)&.fetch(:value))

        # Rates aligned to the right, each followed by its spread.
        def rate(row)
          figure = per_s(row)
          [figure.rjust(rate_width), *Numbers.spread(row[:throughput_per_s])].join(" ")
        end

        def rate_width
          @rate_width ||= @rows.map { |row| per_s(row).length }.max
        end

        def megabytes(row)
          bytes = row.dig(:memory_bytes, :value)
          bytes && (bytes / 1e6)
        end

        # The columns that fit; in a very narrow terminal, name and verdict.
        def fitting
          kept = columns.dup
          drop_least(kept) while total(kept) > @style.width && kept.any?(&FIGURE)
          shorten_names(total(kept) - @style.width)
          kept.delete_at(-2) while total(kept) > @style.width && kept.size > 2
          kept
        end

        # Shortens names by this many columns, to LEAST_NAME at least.
        def shorten_names(excess)
          return unless excess.positive?

          @name_limit = [width(columns.first) - excess, LEAST_NAME].max
        end

        def drop_least(kept)
          rank = ->(column) { LEAST_FIRST.index(column.title) || -1 }
          kept.delete(kept.select(&FIGURE).min_by(&rank))
        end

        def total(columns) = columns.sum { |column| width(column) } + ((columns.size - 1) * GAP)

        def width(column)
          measured = column.kind == :name ? @rows : @rows.select { |row| measured?(row) }
          [column.title.length, *measured.map { |row| column.cell.call(row).length }].max
        end

        def header = @style.cut(join(&:title))

        def line(row)
          plain = join { |column| column.cell.call(row) }
          colour = COLOURS[verdict(row, :outcome)]
          text = verdict(row, :text)
          shown = @columns.last.kind == :verdict && plain.length <= @style.width
          return @style.cut(plain) unless colour && shown

          plain[0...-text.length] + @style.paint(colour, text)
        end

        def join
          cells = @columns.map { |column| yield(column).public_send(column.align, width(column)) }
          cells.join(" " * GAP).rstrip
        end

        def unmeasured(row) = @style.cut(unmeasured_text(row))

        def unmeasured_text(row)
          name = @columns.first
          dash = Numbers::NONE.rjust(GAP + BOOT.length)
          "#{name.cell.call(row).ljust(width(name))}#{dash}  #{reason(row)}"
        end

        def reason(row)
          return INCOMPLETE if incomplete?(row)

          left_out?(row) ? LEFT_OUT : "#{REASONS.fetch(row[:state])}#{row[:summary]}"
        end

        # Whether its trials ended because of other variants only.
        def left_out?(row)
          row[:state] == "waiting" && @document[:state] == "finished" &&
            row[:trials][:started].positive?
        end

        # Whether the variant was started in a first round that a user stopped.
        def incomplete?(row)
          row[:state] == "waiting" && @document[:state] == "interrupted" &&
            @document[:rounds][:done].zero? && row[:trials][:started].positive?
        end
      end
    end
  end
end
