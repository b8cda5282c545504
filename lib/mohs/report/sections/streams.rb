# frozen_string_literal: true

module Mohs
  module Report
    module Sections
      # What became of the streams or WebSockets of each variant.
      class Streams < Base
        KEY = "streams"
        TITLE = "Connections"
        HOW = "Over all slices of all boots. held: opened, and lasted until the end of their " \
              "slice. Times are in ms: of each slice a median or 99th percentile, of these the " \
              "median."
        COUNTS = { asked: "to open", opened: "opened", held: "held", dropped: "dropped" }.freeze
        # Times of a row's streams, by their keys in documents.
        TIMES = { opening_ms: "opened after", first_event_ms: "first event", gap_ms: "gap",
                  echo_ms: "echo", half_ms: "half have it", most_ms: "99 % have it",
                  all_ms: "all have it", send_lag_ms: "sent after due" }.freeze
        PER_CONNECTION = "kB/conn."

        private

        def any? = streamed.any?

        def streamed = measured.select { |row| row[:streams] }

        def parts
          rows = streamed.map { |row| cells(row) }
          [table(:streams, columns(counts), rows),
           (table(:times, columns(quantiles), rows) if times.any?)]
        end

        def columns(shown)
          [column(:name, "variant"),
           *shown.map { |key, title| column(key, title, figure: true) }]
        end

        def counts
          [*COUNTS.to_a, *([[:lost, "lost messages"]] if lost?),
           *([[:missed, "missed deliveries"]] if missed?), [:per_connection, PER_CONNECTION]]
        end

        def quantiles
          times.flat_map { |key, title| [[key, title], [:"#{key}_p99", "p99"]] }
        end

        def cells(row)
          found = row[:streams]
          { name: cell(row[:variant]),
            **counted({ **found, held: held(found) }),
            lost: count(found[:messages]&.values_at(:lost, :unsent)&.sum),
            missed: count(found[:fan_out]&.then { |one| one[:due] - one[:came] }),
            **of_times(found),
            per_connection: figure(found[:memory_per_connection_bytes]&.fdiv(1000)) }
        end

        def counted(found) = COUNTS.to_h { |key, _| [key, count(found[key])] }

        def of_times(found)
          times.keys.flat_map do |key|
            [[key, time(found.dig(key, :p50))], [:"#{key}_p99", time(found.dig(key, :p99))]]
          end.to_h
        end

        # Those that some row has.
        def times
          TIMES.select { |key, _| streamed.any? { |row| row.dig(:streams, key, :p50) } }
        end

        def held(found) = found[:opened] - found[:dropped]

        def lost? = streamed.any? { |row| row.dig(:streams, :messages, :due).to_i.positive? }

        def missed? = streamed.any? { |row| row.dig(:streams, :fan_out) }

        def time(ms) = cell(Numbers.latency(ms, nil), value: ms)

        def count(number)
          cell(number ? Numbers.whole(number) : Numbers::NONE, value: number)
        end
      end
    end
  end
end
