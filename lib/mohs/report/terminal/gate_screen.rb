# frozen_string_literal: true

module Mohs
  module Report
    class Terminal
      # The document of `mohs gate` for people: the answer, each gate with its figures, how it was
      # decided, and the run of each page.
      class GateScreen < Screen
        HEAD = ["page", "metric", "base", "head", "change", "", "limit", "gate"].freeze

        # Groups of columns, in the order in which they are left out.
        LEAST_FIRST = [[2, 3], [5], [6]].freeze
        TITLES = ["page", "metric", "values", "values", "change", "intervals", "limits",
                  "gate"].freeze
        NAME = 30
        COLOURS = { "holds" => :green, "fails" => :red }.freeze

        #: () -> String
        def to_s = paragraphs(head, table, named([*columns_line, *remarks]))

        #: () -> Array[Array[String]]
        def cells = @cells ||= rows.map { |row| row.values_at(*columns) }

        #: () -> Array[[String, String]]
        def remarks = [*reasons, *notes, measured, against, alarms, *runs]

        # How rarely a gate fails by mistake: [name, text].
        #: () -> [String, String]
        def alarms
          pushes, gates = @document[:false_alarms].values_at(:pushes, :gates)
          ["alarms", Phrase.text("gating_level", pushes:,
                                                 gates: Numbers.counted(gates, "gate"))]
        end

        private

        def table
          lines = Columns.new(cells).lines.zip(cells.map(&:last))
          lines.map { |line, outcome| coloured(line, outcome) }.join("\n")
        end

        def rows = @rows ||= [HEAD, *@document[:gates].map { |gate| row(gate) }]

        def columns
          @columns ||= Columns.fitting(rows, least_first: LEAST_FIRST, width: @style.width)
        end

        def row(gate)
          metric = metric(gate)
          values = %i[a b].map { |side| CompareScreen.value(gate[:metric], metric&.fetch(side)) }
          change = Change.new(gate) if gate[:effect]
          [@style.squeeze(gate[:name], NAME), gate[:title], *values,
           change ? change.signed : Numbers::NONE,
           (gate[:interval] ? change.interval : "").to_s, gate[:limit], gate[:outcome]]
        end

        def metric(gate)
          page = @document[:pages].find { |one| one[:name] == gate[:name] }
          page[:metrics].find { |one| one[:name] == gate[:metric] }
        end

        def columns_line
          gone = HEAD.each_index.to_a - columns
          gone.empty? ? [] : [@style.left_out(TITLES.values_at(*gone).uniq)]
        end

        def reasons
          GateModel.silent(@document).map { |name, reason| ["why", "#{name}: #{reason}"] }
        end

        def notes
          @document[:pages].flat_map do |page|
            page[:notes].map { |text| ["note", "#{page[:name]}: #{text}"] }
          end
        end

        def measured
          cohorts = @document[:pages].sum { |page| page[:cohorts] }
          ["basis", Phrase.text("gating_basis", time: Numbers.duration(@document[:seconds]),
                                                cohorts: Numbers.counted(cohorts, "cohort"))]
        end

        def against = ["against", GateModel.compared(@document)]

        def runs
          pages = @document[:pages].select { |page| page[:run] }
          pages.map { |page| ["run", "#{page[:run]} · #{page[:name]}: mohs show #{page[:run]}"] }
        end
      end
    end
  end
end
