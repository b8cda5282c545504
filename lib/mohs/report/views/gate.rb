# frozen_string_literal: true

module Mohs
  module Report
    module Views
      # A gating: the answer, each gate with its figures, how it was decided, and the pages' runs.
      class Gate < Base
        KIND = "gate"
        LEAST_FIRST = [%i[base head], %i[interval], %i[limit]].freeze

        private

        def tables
          [table(:gates, columns, @document[:gates].map { |gate| row(gate) },
                 least_first: LEAST_FIRST)]
        end

        def columns
          [column(:page, "page", names: true), column(:metric, "metric"),
           column(:base, "base", name: "values"), column(:head, "head", name: "values"),
           column(:change, "change"), column(:interval, "", name: "intervals"),
           column(:limit, "limit", name: "limits"), column(:outcome, "gate")]
        end

        def row(gate)
          base, head = metric(gate).to_h.values_at(:a, :b).map do |value|
            cell(Compare.value(gate[:metric], value), value:)
          end
          change = Change.new(gate) if gate[:effect]
          { page: cell(gate[:name]), metric: cell(gate[:title]), base:, head:,
            change: cell(change ? change.signed : Numbers::NONE, value: gate[:effect]),
            interval: cell((change.interval if gate[:interval])), limit: cell(gate[:limit]),
            outcome: cell(gate[:outcome], code: gate[:outcome]) }
        end

        def metric(gate)
          page = @document[:pages].find { |one| one[:name] == gate[:name] }
          page[:metrics].find { |one| one[:name] == gate[:metric] }
        end

        def remarks = [*reasons, *notes, measured, against, alarms]

        def reasons
          GateModel.silent(@document).map { |name, reason| remark("why", "#{name}: #{reason}") }
        end

        def notes
          @document[:pages].flat_map do |page|
            page[:notes].map { |text| remark("note", "#{page[:name]}: #{text}") }
          end
        end

        def measured
          cohorts = @document[:pages].sum { |page| page[:cohorts] }
          remark("basis", say("gating_basis", time: Numbers.duration(@document[:seconds]),
                                              cohorts: Numbers.counted(cohorts, "cohort")))
        end

        def against = remark("against", GateModel.compared(@document))

        # How rarely a gate fails by mistake.
        def alarms
          pushes, gates = @document[:false_alarms].values_at(:pushes, :gates)
          remark("alarms", say("gating_level", pushes:, gates: Numbers.counted(gates, "gate")),
                 code: :alarms)
        end

        def next_lines
          pages = @document[:pages].select { |page| page[:run] }
          pages.map do |page|
            remark("run", "#{page[:run]} · #{page[:name]}: mohs show #{page[:run]}")
          end
        end
      end
    end
  end
end
