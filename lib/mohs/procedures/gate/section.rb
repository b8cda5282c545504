# frozen_string_literal: true

module Mohs
  module Gate
    # The gates of a change, each with its limit, then the other metrics of each page.
    class Section < Report::Html::Section
      ID = "gates"
      TITLE = "Each gate"
      HOW = "Each mark is the change of one metric from the older to the newer revision, the " \
            "line its interval, the band what the limit allows. A gate fails if the whole " \
            "interval is beyond the band, and holds if it is within. Hollow marks are " \
            "inconclusive."
      OUTCOMES = { "holds" => "agrees", "fails" => "contradicted",
                   "inconclusive" => "undecided" }.freeze
      FIGURES = %i[base head change interval limit].freeze

      #: () -> bool
      def any? = gates.any? && pages.any?

      #: () -> untyped
      def content
        [picture, table_of(view.table(:gates), "Gates", figures: FIGURES),
         folded("Every metric of each page", metrics)]
      end

      private

      def gates = @document[:gates].to_a

      def pages = @document[:pages].to_a

      def picture
        judged = gates.select { |gate| gate[:effect] }
        return if judged.empty?

        intervals = Report::Html::Intervals.new(judged.map { |gate| point(gate) }, margin: nil)
        texts = judged.map { |gate| "#{gate[:name]} #{gate[:title]}: #{Report::Change.new(gate)}" }
        intervals.draw(plot("plot", title: "The change of each gated metric",
                                    text: texts.join("; "),
                                    height: intervals.height))
      end

      def point(gate)
        { name: "#{gate[:name]} · #{gate[:title]} #{gate[:limit]}", value: gate[:effect],
          text: "#{Report::Change.new(gate)} #{gate[:outcome]}", ends: gate[:interval],
          range: Gate::Document.allowed(gate),
          outcome: OUTCOMES.fetch(gate[:outcome], "") }
      end

      def change(metric) = Report::Change.new(metric, better: metric[:better])

      def metrics
        rows = pages.flat_map do |page|
          page[:metrics].map { |metric| row(page, metric) }
        end
        table("Metrics, newer against older", ["page", "metric", "base", "head", "change",
                                               "interval", ""], rows, figures: 2..5)
      end

      def row(page, metric)
        values = %i[a b].map { |side| Compare::View.value(metric[:name], metric[side]) }
        known = metric[:effect]
        [page[:name], metric[:title], *values, known ? change(metric).signed : Report::Numbers::NONE,
         known ? change(metric).interval.to_s : "", (metric[:mark] || metric[:missing]).to_s]
      end
    end
  end
end
