# frozen_string_literal: true

module Mohs
  module Report
    module Sections
      # The table of all variants.
      class Figures < Base
        KEY = "figures"
        TITLE = "All variants"
        TIMES = { p50: "p50 ms", p90: "p90", p95: "p95", p99: "p99", p999: "p99.9",
                  max: "max" }.freeze
        WORST = { "refused" => "not run", "failed" => "failed", "invalid" => "invalid",
                  "waiting" => "not reached" }.freeze
        MARKS = "Variants that share a letter as their group can't be told apart here."

        private

        def any? = measured.any?

        def parts
          cells = rows.map { |row| cells(row) }
          [table(:variants, columns, cells, caption:),
           (MARKS if @document[:groups].to_a.any?)]
        end

        def caption
          return "Latencies, memory at rest after the load, boot to the first response" if streams?

          "Correct #{unit} per second with half its interval, latencies (#{latency}), CPU time, " \
            "memory at rest after the load, boot to the first response, and the verdict"
        end

        # They have neither rates nor CPU times.
        def streams? = !@document[:streams].nil?

        def unit = Unit.name(@document)

        def latency = measured.map { |row| row.dig(:latency_ms, :kind) }.compact.uniq.join(", ")

        # Those that a row needs.
        def columns
          [column(:name, "variant"), *(figures(rate: "#{unit}/s", spread: "±") unless streams?),
           column(:verdict, against),
           *([column(:group, "group")] if measured.any? { |row| row[:group] }), *figures(times),
           *(figures(cpu: "CPU µs") unless streams?), *figures(memory: "MB", boot: "boot ms"),
           *(figures(errors: "errors") if measured.any? { |row| failed?(row) }),
           *figures(boots: "boots")]
        end

        def figures(titles)
          titles.map { |key, title| column(key, title, figure: true) }
        end

        # With a p95 only where a p99 is missing.
        def times
          TIMES.select { |key, _| key == :p95 ? time?(key) && !all?(:p99) : time?(key) }
        end

        def all?(key) = measured.all? { |row| row.dig(:latency_ms, key) }

        def against = "against #{Printable.cut(@document[:baseline].to_s, 24)}"

        def time?(key)
          measured.any? { |row| row.dig(:latency_ms, key) || row.dig(:latency_ms, :more_than, key) }
        end

        def cells(row)
          { name: cell(row[:variant]), rate: figure(Unit.rate(@document, row)&.fetch(:value)),
            spread: cell(spread(row)), verdict: verdict(row), group: cell(row[:group]),
            **times.to_h { |key, _| [key, time(row, key)] },
            cpu: figure(Unit.cpu_us(@document, row)),
            memory: figure(row.dig(:memory_bytes, :value)&.fdiv(Numbers::MEGABYTE)),
            boot: figure(row.dig(:boot_ms, :value)), errors: share(row),
            boots: count(row.dig(:trials, :measured)) }
        end

        def time(row, key)
          time, bound = row.dig(:latency_ms, key), row.dig(:latency_ms, :more_than, key)
          cell(Numbers.latency(time, bound), value: time || bound)
        end

        def count(count) = cell(count || Numbers::NONE, value: count)

        def spread(row)
          Numbers.half_width(row[:throughput_per_s]) || Numbers::NONE
        end

        def failed?(row) = row.dig(:errors, :total).to_i.positive?

        def share(row)
          share = row.dig(:errors, :share)
          share&.positive? ? cell(Numbers.percent(share), value: share) : cell("0", value: 0)
        end

        def verdict(row)
          return cell(WORST.fetch(row[:state], row[:state])) unless row[:state] == "measured"

          text, outcome = row[:verdict].to_h.values_at(:text, :outcome)
          cell(text, tone: Tone::VERDICTS[outcome])
        end
      end
    end
  end
end
