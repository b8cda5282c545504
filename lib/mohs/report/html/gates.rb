# frozen_string_literal: true

module Mohs
  module Report
    class Html
      # The gates of a change, each with its limit, then the other metrics of each page.
      class Gates < Section
        ID = "gates"
        TITLE = "Each gate"
        HOW = "Each mark is the change of one metric from the older to the newer revision, the " \
              "line its interval, the band what the limit allows. A gate fails if the whole " \
              "interval is beyond the band, and holds if it is within. Hollow marks are " \
              "inconclusive."
        OUTCOMES = { "holds" => "agrees", "fails" => "contradicted",
                     "inconclusive" => "undecided" }.freeze
        FIGURES = %i[base head change interval limit].freeze
        # Metrics whose changes are the cost of a change in speed.
        COSTS = %w[memory cpu boot].freeze

        #: () -> bool
        def any? = gates.any? && pages.any?

        #: () -> untyped
        def content
          [picture, table_of(view.table(:gates), "Gates", figures: FIGURES),
           folded("Every metric of each page", metrics)]
        end

        # Terms and texts for the answer: of the gate that it is about or, if all hold, of the gate
        # nearest to its limit.
        #: () -> Array[[String, untyped]]
        def facts
          gate = GateModel.deciding(@document) || nearest or return []
          [["which", "#{gate[:name]}: #{gate[:title]}, limit #{gate[:limit]}"],
           ["by how much", gate[:effect] ? words(gate) : gate[:reason]],
           ["how sure", view.remarks.find { |one| one.code == :alarms }.text],
           ["at what cost", costs(gate)]]
        end

        private

        def gates = @document[:gates].to_a

        def pages = @document[:pages].to_a

        def nearest = gates.select { |gate| gate[:effect] }.max_by { |gate| excess(gate) }

        # The effect relative to the limit: 1 at the limit, more beyond it.
        def excess(gate)
          low, high = allowed(gate)
          high ? gate[:effect] / high : low.to_f / gate[:effect]
        end

        # [low, high] of the ratio; one of them is nil.
        def allowed(gate) = gate[:side] == "<" ? [nil, gate[:bound]] : [gate[:bound], nil]

        def picture
          judged = gates.select { |gate| gate[:effect] }
          return if judged.empty?

          intervals = Intervals.new(judged.map { |gate| point(gate) }, margin: nil)
          text = judged.map { |gate| "#{gate[:name]} #{gate[:title]}: #{words(gate)}" }.join("; ")
          intervals.draw(plot("plot", title: "The change of each gated metric", text:,
                                      height: intervals.height))
        end

        def point(gate)
          { name: "#{gate[:name]} · #{gate[:title]} #{gate[:limit]}", value: gate[:effect],
            text: "#{words(gate)} #{gate[:outcome]}", ends: gate[:interval], range: allowed(gate),
            outcome: OUTCOMES.fetch(gate[:outcome], "") }
        end

        def words(gate)
          change = Change.new(gate)
          [change.signed, *change.interval].join(" ")
        end

        # Costs on the same page in metrics other than the gate's own.
        def costs(gate)
          page = pages.find { |one| one[:name] == gate[:name] } or return []
          others = page[:metrics].select do |one|
            COSTS.include?(one[:name]) && one[:name] != gate[:metric] && one[:effect]
          end
          others.map { |one| "#{one[:title]} #{change(one).signed}" }
        end

        def change(metric) = Change.new(metric, better: metric[:better])

        def metrics
          rows = pages.flat_map do |page|
            page[:metrics].map { |metric| row(page, metric) }
          end
          table("Metrics, newer against older", ["page", "metric", "base", "head", "change",
                                                 "interval", ""], rows, figures: 2..5)
        end

        def row(page, metric)
          values = %i[a b].map { |side| Views::Compare.value(metric[:name], metric[side]) }
          known = metric[:effect]
          [page[:name], metric[:title], *values, known ? change(metric).signed : Numbers::NONE,
           known ? change(metric).interval.to_s : "", (metric[:mark] || metric[:missing]).to_s]
        end
      end
    end
  end
end
