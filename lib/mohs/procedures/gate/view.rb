# frozen_string_literal: true

module Mohs
  module Gate
    # A gating: the answer, each gate with its figures, how it was decided, and the pages' runs.
    class View < Report::Views::Base
      KIND = "gate"
      LACKS = "gates are of several runs (mohs report RUN takes each)"
      LISTS = { init: "gate --init" }.freeze
      SECTIONS = [Section, Report::Sections::Remarks, Report::Sections::Provenance].freeze
      LEAST_FIRST = [%i[base head], %i[interval], %i[limit]].freeze
      # Metrics whose changes are the cost of a change in speed.
      COSTS = %w[memory cpu boot].freeze

      private

      def own_name = @document[:name]

      # Of the gate that the answer is about or, if all hold, of the one nearest to its limit.
      def facts
        gate = Document.deciding(@document) || nearest or return []
        [["which", "#{gate[:name]}: #{gate[:title]}, limit #{gate[:limit]}"],
         ["by how much", gate[:effect] ? Report::Change.new(gate).to_s : gate[:reason]],
         ["how sure", alarms.text], ["at what cost", costs(gate)]]
      end

      def nearest
        known = @document[:gates].select { |gate| gate[:effect] }
        known.max_by { |gate| excess(gate) }
      end

      # The effect relative to the limit: 1 at the limit, more beyond it.
      def excess(gate)
        low, high = Document.allowed(gate)
        high ? gate[:effect] / high : low.to_f / gate[:effect]
      end

      # Costs on the same page in metrics other than the gate's own.
      def costs(gate)
        page = @document[:pages].find { |one| one[:name] == gate[:name] } or return []
        others = page[:metrics].select do |one|
          COSTS.include?(one[:name]) && one[:name] != gate[:metric] && one[:effect]
        end
        others.map { |one| "#{one[:title]} #{Report::Change.new(one, better: one[:better]).signed}" }
      end

      def tables
        [table(:gates, columns, @document[:gates].map { |gate| row(gate) },
               least_first: LEAST_FIRST)]
      end

      def columns
        [column(:page, "page", names: true), column(:metric, "metric"),
         column(:base, "base", name: "value"), column(:head, "head", name: "value"),
         column(:change, "change"), column(:interval, "", name: "interval"),
         column(:limit, "limit", name: "limit"), column(:outcome, "gate")]
      end

      def row(gate)
        base, head = metric(gate).to_h.values_at(:a, :b).map do |value|
          cell(Compare::MetricTable.value(gate[:metric], value), value:)
        end
        change = Report::Change.new(gate) if gate[:effect]
        { page: cell(gate[:name]), metric: cell(gate[:title]), base:, head:,
          change: cell(change ? change.signed : Report::Numbers::NONE, value: gate[:effect]),
          interval: cell((change.interval if gate[:interval])), limit: cell(gate[:limit]),
          outcome: cell(gate[:outcome], tone: Compare::Tones::GATES[gate[:outcome]]) }
      end

      def metric(gate)
        page = @document[:pages].find { |one| one[:name] == gate[:name] }
        page[:metrics].find { |one| one[:name] == gate[:metric] }
      end

      def remarks = [*reasons, *notes, measured, against, alarms]

      def reasons
        Document.silent(@document).flat_map do |name, reason, remedy|
          [remark("why", "#{name}: #{reason}"), cure(remedy)].compact
        end
      end

      def notes
        @document[:pages].flat_map do |page|
          page[:notes].map { |text| remark("note", "#{page[:name]}: #{text}") }
        end
      end

      def measured
        cohorts = @document[:pages].sum { |page| page[:cohorts] }
        remark("basis", say("gating_basis", time: Report::Numbers.duration(@document[:seconds]),
                                            cohorts: Report::Numbers.counted(cohorts, "cohort")))
      end

      def against = remark("against", Document.compared(@document))

      # How rarely a gate fails by mistake.
      def alarms
        pushes, gates = @document[:false_alarms].values_at(:pushes, :gates)
        gates = Report::Numbers.counted(gates, "gate")
        remark("alarms", say("gating_level", pushes:, gates:), code: :alarms)
      end

      def next_lines
        pages = @document[:pages].select { |page| page[:run] }
        pages.map do |page|
          remark("run", "#{page[:run]} · #{page[:name]}:",
                 command: Report::Proposal.to("show", page[:run]))
        end
      end
    end
  end
end
