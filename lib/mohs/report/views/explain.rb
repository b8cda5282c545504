# frozen_string_literal: true

module Mohs
  module Report
    module Views
      # Pairs of variants: for each the causes in a sentence, the parts of the difference in CPU a
      # request, what else moved, and what did not.
      class Explain < Base
        KIND = "explain"
        LEAST_FIRST = [%i[interval], %i[a b]].freeze
        # Marks a figure that is a state, not an amount per request.
        STATE = " (in all)"

        private

        def headline
          names = say("explain_pair", a: @document[:a].inspect, b: @document[:b].inspect)
          "#{[names, *@document.dig(:verdict, :text)].join(': ')}."
        end

        def why = @document[:why]

        def basis = nil

        def others = @document[:others].to_a.map { |pair| Explain.new(pair).to_view }

        def next_lines
          @document[:run] ? [show("show its table")] : []
        end

        def tables = [table(:causes, columns, rows, least_first: LEAST_FIRST)]

        def columns
          [column(:title, "a request"), column(:a, "A"), column(:b, "B"), column(:change, "B - A"),
           column(:interval, "", name: "interval"), column(:share, "share", name: "share")]
        end

        def rows
          [*compared, all_slices, *named.map { |one| row(one, part: true) }, *rest,
           *moved.map { |one| row(one) }]
        end

        # CPU time as in the verdict's table; the totals, to which the parts add up, follow.
        def compared
          ratio, interval = @document[:cpu_compared]&.values_at(:ratio, :interval)
          return [] unless ratio

          change = Change.new({ effect: ratio, interval: })
          [View::Row.new(cells: { title: cell("#{@document.dig(:cpu, :title)}, as compared"),
                                  change: cell(change.signed, value: ratio),
                                  interval: cell(change.interval) })]
        end

        def all_slices
          row = row(@document[:cpu])
          title = cell("#{row[:title].text}, all slices")
          View::Row.new(cells: { **row.cells, title: })
        end

        def causes = @document[:causes]

        def named = causes.select { |one| one[:share_of_difference] }

        # Whether the parts add up to more than the whole, so that shares would look like a
        # mistake.
        def beyond?
          named.sum { |one| one[:share_of_difference] } > Templates::Causes::MOST_SHARE
        end

        # Other causes that differ beyond chance or, as long as there is no test, at all.
        def moved
          others = causes - named
          return others.select { |one| one[:significant] } if @document[:tested]

          others.reject { |one| one[:change].zero? }
        end

        def row(cause, part: false)
          share = cause[:share_of_difference]
          state = STATE if %w[count bytes].include?(cause[:unit])
          View::Row.new(part:, cells: {
                          title: cell("#{cause[:title]}#{state}"), **amounts(cause),
                          change: cell(Templates::Causes.change(cause), value: cause[:change]),
                          interval: cell(Templates::Causes.interval(cause)),
                          share: cell(share && !beyond? ? Numbers.whole_percent(share) : ""),
                        })
        end

        def amounts(cause)
          %i[a b].to_h do |side|
            [side, cell(Templates::Causes.amount(cause[side], cause[:unit]), value: cause[side])]
          end
        end

        def rest
          share, interval = @document.values_at(:unexplained_share, :unexplained_interval)
          return [] if share.nil? || beyond?

          ends = interval&.map { |one| Numbers.whole(one * 100) }
          [View::Row.new(part: true, cells: {
                           title: cell("not explained by what was measured"),
                           interval: cell(("[#{ends.join(', ')}] %" if ends)),
                           share: cell((Numbers.whole_percent(share) unless vague?)),
                         })]
        end

        # Whether the interval of the rest is too wide for its share to mean anything.
        def vague?
          low, high = @document[:unexplained_interval]
          @document[:tested] && !Analysis::Explanation.telling?(low, high)
        end

        def pictures = @document[:profile] ? { profile: @document[:profile] } : {}

        def remarks
          [remark("cohorts", Numbers.counted(@document[:cohorts], "cohort")), test, marks, apart,
           beyond, same].compact
        end

        def test
          remark("compared", say("explain_compared")) if @document[:cpu_compared]
        end

        def marks
          code = @document[:tested] ? "explain_tested" : "explain_untested"
          remark("marks", say(code, needed: Analysis::Explanation::FEWEST))
        end

        def apart
          remark("parts", say("explain_apart")) unless @document[:parts_whole]
        end

        def beyond
          remark("parts", say("explain_beyond", both: Templates::Causes.overlap?(named))) if beyond?
        end

        # Figures that don't differ beyond chance.
        def same
          titles = (causes - named - moved).map { |one| one[:title] }
          remark("not moved", titles.join(", ")) if titles.any?
        end
      end
    end
  end
end
