# frozen_string_literal: true

module Mohs
  module Report
    class Terminal
      # The document of `mohs import` for people: the figures of each variant, how the variants
      # differ, and what the files can't tell.
      class ImportScreen < Screen
        LATENCIES = { p50: "p50 ms", p99: "p99", max: "max" }.freeze
        # Columns, in the order in which they are left out.
        LEAST_FIRST = ["max", "p99", "runs", "p50 ms"].freeze
        # A name may take one part in this many of the screen's width.
        NAME_SHARE = 3

        #: () -> String
        def to_s
          tables = @document[:rows].group_by { |row| row.dig(:measure, :name) }.values
          paragraphs(headline, *tables.map { |rows| table(rows).chomp }, left_out, lacks, notes)
        end

        private

        def table(rows)
          known = columns(rows).select { |_, cell| rows.any? { |row| !cell.call(row).empty? } }
          titles = known.map(&:first)
          cells = [titles, *rows.map { |row| known.map { |_, cell| cell.call(row) } }]
          fit = fitting(cells)
          (@gone ||= []).concat(titles - titles.values_at(*fit))
          shown = titles.values_at(*fit)
          first = shown.count { |title| %w[benchmark variant].include?(title) }
          figures = first...(shown.index("compared") || shown.size)
          Columns.new(cells.map { |row| row.values_at(*fit) }, figures:).to_s
        end

        def fitting(cells)
          places = LEAST_FIRST.filter_map { |title| cells.first.index(title) }
          Columns.fitting(cells, least_first: places.map { |at| [at] }, width: @style.width)
        end

        def left_out
          return "" if @gone.to_a.empty?

          name, text = @style.left_out(@gone.uniq)
          @style.wrap("#{name}: #{text}", indent: INDENT)
        end

        # [[title, function from a row to its cell], ...]; columns without any content are left out.
        def columns(rows)
          [["benchmark", ->(row) { squeezed(row[:benchmark].to_s) }],
           ["variant", ->(row) { squeezed(row[:variant]) }],
           ["runs", ->(row) { row[:runs].to_s }],
           [title(rows), ->(row) { figure(row[:measure], small: small?(rows)) }],
           *LATENCIES.map { |key, title| [title, ->(row) { latency(row, key) }] },
           ["errors", ->(row) { errors(row) }],
           ["compared", ->(row) { compared(row) }]]
        end

        def squeezed(name) = @style.squeeze(name, @style.width / NAME_SHARE)

        def title(rows)
          measure = rows.first[:measure]
          return measure[:name] if measure[:unit] == Analysis::Imports::PER_S

          "#{measure[:name]} #{small?(rows) ? 'ms' : measure[:unit]}"
        end

        # Seconds are shown as milliseconds if some are below one.
        def small?(rows)
          measures = rows.map { |row| row[:measure] }
          measures.first[:unit] == "s" && measures.any? { |one| one[:value].to_f < 1 }
        end

        def figure(measure, small:)
          value = measure[:value] or return ""
          spread = Numbers.spread(measure.slice(:value, :low, :high))
          [Numbers.figure(small ? value * 1000 : value), spread].compact.join(" ")
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
