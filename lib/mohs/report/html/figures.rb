# frozen_string_literal: true

module Mohs
  module Report
    class Html
      # The table of all variants.
      class Figures < Section
        ID = "figures"
        TIMES = { p50: "p50 ms", p90: "p90", p99: "p99", p999: "p99.9", max: "max" }.freeze
        # Columns that don't contain figures.
        WORDS = %w[variant verdict group].freeze
        WORST = { "refused" => "not run", "failed" => "failed", "invalid" => "invalid",
                  "waiting" => "not reached" }.freeze

        #: () -> bool
        def any? = measured.any?

        #: () -> untyped
        def content
          shown = columns.reject { |_, _, needed| needed == false }
          lines = rows.map { |row| shown.map { |_, cell| cell.call(row) } }
          figures = shown.each_index.reject { |at| WORDS.include?(shown[at].first) }
          head = shown.map { |title, *| title == WORDS[1] ? against : title }
          [table(caption, head, lines, figures:), marks]
        end

        private

        def title = kind::ROWS.first

        def how = kind::ROWS.last

        def caption
          unit = Unit.name(@document)
          "Correct #{unit} per second with half its interval, latencies (#{latency}), CPU time, " \
            "memory at rest after the load, boot to the first response, and the verdict"
        end

        def latency = measured.map { |row| row.dig(:latency_ms, :kind) }.compact.uniq.join(", ")

        # [[title, function from a row to its cell, false if no row needs the column], ...].
        def columns
          [["variant", ->(row) { row[:variant] }],
           ["#{Unit.name(@document)}/s", of_row { |row| Unit.rate(@document, row)&.fetch(:value) }],
           ["±", ->(row) { spread(row) }], ["verdict", ->(row) { verdict(row) }],
           ["group", ->(row) { row[:group].to_s }, measured.any? { |row| row[:group] }],
           *TIMES.map { |key, title| [title, ->(row) { time(row, key) }, time?(key)] },
           ["CPU µs", of_row { |row| Unit.cpu_us(@document, row) }],
           ["MB", of_row { |row| row.dig(:memory_bytes, :value)&.fdiv(1e6) }],
           ["boot ms", of_row { |row| row.dig(:boot_ms, :value) }],
           ["errors", ->(row) { share(row) }, measured.any? { |row| failed?(row) }],
           ["boots", ->(row) { whole(row.dig(:trials, :measured)) }]]
        end

        def against = "against #{Printable.cut(@document[:baseline].to_s, 24)}"

        def of_row = ->(row) { figure(yield(row)) }

        def time?(key)
          measured.any? { |row| row.dig(:latency_ms, key) || row.dig(:latency_ms, :more_than, key) }
        end

        def time(row, key)
          time, bound = row.dig(:latency_ms, key), row.dig(:latency_ms, :more_than, key)
          [Numbers.latency(time, bound), time || bound]
        end

        def whole(count) = count ? [count.to_s, count] : Numbers::NONE

        def spread(row)
          Numbers.spread(row[:throughput_per_s])&.delete_prefix("±") || Numbers::NONE
        end

        def failed?(row) = row.dig(:errors, :total).to_i.positive?

        def share(row)
          share = row.dig(:errors, :share)
          share&.positive? ? [Numbers.percent(share), share] : ["0", 0]
        end

        def verdict(row)
          return WORST.fetch(row[:state], row[:state].to_s) unless row[:state] == "measured"

          verdict = row[:verdict].to_h
          element(:span, verdict[:text], class: "word o-#{verdict[:outcome]}")
        end

        def marks
          return if @document[:groups].to_a.empty?

          element(:p, "Variants that share a letter as their group can't be told apart here.")
        end
      end
    end
  end
end
