# frozen_string_literal: true

module Mohs
  module Report
    class Terminal
      # The document of `mohs import` for people: the figures of each variant, how the variants
      # differ, and what the files can't tell.
      class ImportScreen < Screen
        LATENCIES = { p50: "p50 ms", p99: "p99", max: "max" }.freeze
        # Columns, in the order in which they are left out.
        LEAST_FIRST = %i[max p99 runs p50].freeze
        # Columns of words: these on the left, and one on the right.
        NAMES = %i[benchmark variant].freeze
        # A column: its key, its title, and the function from a row to its cell.
        Column = Struct.new(:key, :title, :cell)
        # A name may take one part in this many of the screen's width.
        NAME_SHARE = 3

        #: () -> String
        def to_s
          tables = @document[:rows].group_by { |row| row.dig(:measure, :name) }.values
          paragraphs(headline, *tables.map { |rows| table(rows).chomp }, left_out, lacks, notes)
        end

        private

        def table(rows)
          known = columns(rows).select { |one| rows.any? { |row| !one.cell.call(row).empty? } }
          cells = [known.map(&:title), *rows.map { |row| known.map { |one| one.cell.call(row) } }]
          fit = fitting(known.map(&:key), cells)
          shown = known.values_at(*fit)
          (@gone ||= []).concat((known - shown).map(&:title))
          Columns.new(cells.map { |row| row.values_at(*fit) }, figures: figures(shown)).to_s
        end

        # The places of the columns of figures.
        def figures(shown)
          keys = shown.map(&:key)
          (keys & NAMES).size...(keys.index(:compared) || keys.size)
        end

        def fitting(keys, cells)
          places = LEAST_FIRST.filter_map { |key| keys.index(key) }
          Columns.fitting(cells, least_first: places.map { |at| [at] }, width: @style.width)
        end

        def left_out
          return "" if @gone.to_a.empty?

          name, text = @style.left_out(@gone.uniq)
          @style.wrap("#{name}: #{text}", indent: INDENT)
        end

        # Columns without any content are left out.
        def columns(rows)
          [[:benchmark, "benchmark", ->(row) { squeezed(row[:benchmark].to_s) }],
           [:variant, "variant", ->(row) { squeezed(row[:variant]) }],
           [:runs, "runs", ->(row) { row[:runs].to_s }],
           [:measure, title(rows), ->(row) { figure(row[:measure], values(rows)) }],
           *LATENCIES.map { |key, title| [key, title, ->(row) { latency(row, key) }] },
           [:errors, "errors", ->(row) { errors(row) }],
           [:compared, "compared", ->(row) { compared(row) }]].map { |one| Column.new(*one) }
        end

        def squeezed(name) = @style.squeeze(name, @style.width / NAME_SHARE)

        def title(rows)
          [rows.first.dig(:measure, :name), *values(rows).unit].join(" ")
        end

        def values(rows) = ImportedValues.of(rows.map { |row| row[:measure] })

        def figure(measure, values)
          value = measure[:value] or return ""
          spread = Numbers.spread(measure.slice(:value, :low, :high))
          [values.figure(value), spread].compact.join(" ")
        end

        def latency(row, key)
          value = row[:latency_ms][key]
          twice = key == :p50 && row.dig(:measure, :name) == "p50"
          value && !twice ? Numbers.figure(value) : ""
        end

        def errors(row)
          total = row.dig(:errors, :total)
          total.zero? ? "" : Numbers.whole(total)
        end

        # A column of empty cells is left out; in a comparison this is the table's last column.
        def compared(row)
          return "" if @document[:comparisons].empty?
          return "baseline" if baseline?(row)

          found = same(row).find { |one| one[:variant] == row[:variant] }
          found ? said(found) : " "
        end

        def baseline?(row) = row[:variant] == @document[:baseline] && same(row).any?

        # The comparisons of the row's benchmark in its measure.
        def same(row)
          @document[:comparisons].select do |one|
            one.values_at(:benchmark, :metric) == [row[:benchmark], row.dig(:measure, :name)]
          end
        end

        def said(comparison)
          return comparison[:text] if comparison[:interval] || comparison[:effect].nil?

          "#{Change.of(comparison[:effect]).signed}, no interval"
        end

        # Each text once, with the variants that it is about unless it is about all.
        def lacks
          rows = @document[:rows]
          texts = rows.flat_map { |row| row[:lacks].map { |lack| [lack[:text], row[:variant]] } }
          lines = texts.group_by(&:first).map do |text, pairs|
            names = pairs.map(&:last).uniq
            all = names.size == rows.map { |row| row[:variant] }.uniq.size
            painted(:yellow, all ? text : "#{Wording.few(names, 3)}: #{text}")
          end
          lines.join("\n")
        end

        def notes
          reasons = @document[:comparisons].flat_map { |one| one[:reasons] }.uniq
          texts = [*reasons, *@document[:notes].map { |note| note[:text] }]
          texts.map { |text| @style.wrap(text, indent: INDENT) }.join("\n")
        end
      end
    end
  end
end
