# frozen_string_literal: true

module Mohs
  module Report
    module Sections
      # The latencies of each variant over time, as shaded cells.
      class Heat < Base
        KEY = "time"
        TITLE = "Latency over time"
        HOW = "The load runs from left to right, boot after boot between the dashed lines, " \
              "without its pauses and warm-up; latency grows upwards. The darker a cell, the " \
              "more requests of its column are in it. A steady server has one even band; drift, " \
              "pauses and a server that was not warm yet show as slopes, gaps and steps. " \
              "Crosses at the top are requests without a correct response."
        HEAD = ["variant", "boot", "correct", "without a correct response", "from and to"].freeze

        private

        def any? = drawn.any?

        def parts
          [Parts::Heat.new(edges_ms: edges, panels: drawn.map { |one| panel(one) }), figures]
        end

        def drawn = @drawn ||= curves.select { |one| one[:counts].to_a.flatten.any?(&:positive?) }

        # In ms: where each row begins, and where the last one ends.
        def edges
          @edges ||= @document.dig(:curves, :from_ms).then do |from|
            [*from, from.last * (from.size > 1 ? from[1] / from[0] : 1.26)]
          end
        end

        def panel(one)
          { name: one[:variant], title: "Latency of #{one[:variant]} over time", text: words(one),
            caption: caption(one), counts: one[:counts], starts: one[:starts].to_a,
            unanswered: one[:unanswered] }
        end

        # A table of the boots shown in the pictures.
        def figures
          rows = drawn.flat_map do |one|
            ends = [*one[:starts].drop(1), one[:counts].size]
            one[:starts].zip(ends).map.with_index(1) { |(from, to), at| boot(one, at, from...to) }
          end
          folded("Figures", listed("Requests of each boot, and their latencies", HEAD, rows))
        end

        def boot(one, number, columns)
          failed = one[:unanswered][columns].sum
          totals = one[:counts][columns].transpose.map(&:sum)
          [one[:variant], number, whole(totals.sum), whole(failed), range(totals)]
        end

        # "0.5 to 12.6 ms", the range of the rows that have requests; "" if none has.
        def range(totals)
          used = totals.each_index.select { |row| totals[row].positive? }
          return "" if used.empty?

          ends = [edges[used.first], edges[used.last + 1]].map { |ms| Numbers.figure(ms) }
          "#{ends.join(' to ')} ms"
        end

        def caption(one)
          boots = one[:boots].to_a.size
          drawn = one[:starts].to_a.size
          return one[:kind] + " times" if boots.zero?

          of = " of #{boots}" if drawn < boots
          "#{Numbers.counted(drawn, 'boot')}#{of}, #{one[:kind]} times"
        end

        def words(one)
          failed = one[:unanswered].sum
          [range(one[:counts].transpose.map(&:sum)), *(unanswered(failed) if failed.positive?)]
            .join(", ")
        end

        def unanswered(count)
          "#{Numbers.counted(count, 'request')} without a correct response"
        end
      end
    end
  end
end
