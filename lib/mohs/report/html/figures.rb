# frozen_string_literal: true

module Mohs
  module Report
    class Html
      # The table of all variants.
      class Figures < Section
        ID = "figures"
        TIMES = { p50: "p50 ms", p90: "p90", p99: "p99", p999: "p99.9", max: "max" }.freeze
        # cell: from a row. words: it contains no figures.
        Column = Struct.new(:title, :cell, :words, keyword_init: true)
        private_constant :Column
        WORST = { "refused" => "not run", "failed" => "failed", "invalid" => "invalid",
                  "waiting" => "not reached" }.freeze

        #: () -> bool
        def any? = measured.any?

        #: () -> untyped
        def content
          shown = columns
          lines = rows.map { |row| shown.map { |one| one.cell.call(row) } }
          numbers = shown.each_index.reject { |at| shown[at].words }
          [table(caption, shown.map(&:title), lines, figures: numbers), marks]
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

        # Those that a row needs.
        def columns
          groups = measured.any? { |row| row[:group] }
          [words("variant") { |row| row[:variant] },
           figures("#{Unit.name(@document)}/s") { |row| Unit.rate(@document, row)&.fetch(:value) },
           column("±") { |row| spread(row) }, words(against) { |row| verdict(row) },
           (words("group") { |row| row[:group].to_s } if groups), *times,
           figures("CPU µs") { |row| Unit.cpu_us(@document, row) },
           figures("MB") { |row| row.dig(:memory_bytes, :value)&.fdiv(1e6) },
           figures("boot ms") { |row| row.dig(:boot_ms, :value) },
           (column("errors") { |row| share(row) } if measured.any? { |row| failed?(row) }),
           column("boots") { |row| whole(row.dig(:trials, :measured)) }].compact
        end

        def words(title, &cell) = Column.new(title:, cell:, words: true)

        def column(title, &cell) = Column.new(title:, cell:)

        def figures(title) = column(title) { |row| figure(yield(row)) }

        def times
          TIMES.select { |key, _| time?(key) }
               .map { |key, title| column(title) { |row| time(row, key) } }
        end

        def against = "against #{Printable.cut(@document[:baseline].to_s, 24)}"

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
