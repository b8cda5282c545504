# frozen_string_literal: true

module Mohs
  module Report
    class Terminal
      # The document of `mohs import` for people: what each variant had, how they differ, and what
      # the files can't tell.
      class ImportScreen < Screen
        LATENCIES = { p50: "p50 ms", p99: "p99", max: "max" }.freeze

        #: () -> String
        def to_s
          tables = @document[:rows].group_by { |row| row.dig(:measure, :name) }.values
          paragraphs(sources, *tables.map { |rows| table(rows).chomp }, lacks, notes)
        end

        private

        def sources
          files = @document[:files]
          kinds = files.map { |file| file[:format].tr("_", "-") }.tally
          kinds = kinds.map { |format, count| "#{format}#{" x #{count}" if count > 1}" }
          @style.wrap("imported: #{kinds.join(', ')}")
        end

        def table(rows)
          kept = columns(rows).select { |_, cell| rows.any? { |row| !cell.call(row).empty? } }
          body = rows.map { |row| kept.map { |_, cell| cell.call(row) } }
          last = kept.size - 1
          Columns.new([kept.map(&:first), *body], figures: names(kept)...last).to_s
        end

        def names(kept) = kept.count { |title, _| %w[benchmark variant].include?(title) }

        # [title, row -> cell]; those without any content go.
        def columns(rows)
          [["benchmark", ->(row) { row[:benchmark].to_s }],
           ["variant", ->(row) { @style.squeeze(row[:variant], @style.width / 3) }],
           ["runs", ->(row) { row[:runs].to_s }],
           [title(rows), ->(row) { figure(row[:measure], small: small?(rows)) }],
           *LATENCIES.map { |key, title| [title, ->(row) { latency(row, key) }] },
           ["errors", ->(row) { errors(row) }],
           ["compared", ->(row) { compared(row) }]]
        end

        def title(rows)
          measure = rows.first[:measure]
          return measure[:name] if measure[:name] == "requests/s"

          "#{measure[:name]} #{small?(rows) ? 'ms' : measure[:unit]}"
        end

        # Seconds that are all below one are shown as milliseconds.
        def small?(rows)
          rows.all? { |row| row[:measure][:unit] == "s" && row[:measure][:value].to_f < 1 }
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

        # An empty cell would go with its column: the table ends in one.
        def compared(row)
          return "baseline" if baseline?(row)

          found = same(row).find { |one| one[:variant] == row[:variant] }
          found ? said(found) : " "
        end

        def baseline?(row) = row[:variant] == @document[:baseline] && same(row).any?

        # Comparisons of its benchmark by its measure.
        def same(row)
          @document[:comparisons].select do |one|
            one.values_at(:benchmark, :metric) == [row[:benchmark], row.dig(:measure, :name)]
          end
        end

        def said(comparison)
          return comparison[:text] if comparison[:interval] || comparison[:effect].nil?

          "#{Change.of(comparison[:effect]).signed}, no interval"
        end

        # Each once, with the variants that it is about if it is not about all.
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
