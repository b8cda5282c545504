# frozen_string_literal: true

module Mohs
  module Gate
    # The gates of a change, each with its limit, then the other metrics of each page.
    class Section < Report::Sections::Base
      KEY = "gates"
      TITLE = "Each gate"
      HOW = "Each mark is the change of one metric from the older to the newer revision, the " \
            "line its interval, the band what the limit allows. A gate fails if the whole " \
            "interval is beyond the band, and holds if it is within. Hollow marks are " \
            "inconclusive."
      # How a failed gate is drawn; the others are discs.
      FAILED = { "fails" => :cross }.freeze
      FIGURES = %i[base head change interval limit].freeze

      private

      def any? = gates.any? && pages.any?

      def parts
        [picture, shown(view.table(:gates), "Gates", figures: FIGURES),
         folded("Every metric of each page", metrics)]
      end

      def gates = @document[:gates].to_a

      def pages = @document[:pages].to_a

      def picture
        judged = gates.select { |gate| gate[:effect] }
        return if judged.empty?

        texts = judged.map { |gate| "#{gate[:name]} #{gate[:title]}: #{Report::Change.new(gate)}" }
        Parts::Intervals.new(key: "plot", title: "The change of each gated metric",
                             text: texts.join("; "), points: judged.map { |gate| point(gate) })
      end

      def point(gate)
        { name: "#{gate[:name]} · #{gate[:title]} #{gate[:limit]}", value: gate[:effect],
          text: "#{Report::Change.new(gate)} #{gate[:outcome]}", ends: gate[:interval],
          range: Gate::Document.allowed(gate),
          tone: Compare::Tones::GATES[gate[:outcome]], shape: FAILED.fetch(gate[:outcome], :disc) }
      end

      def change(metric) = Report::Change.new(metric, better: metric[:better])

      def metrics
        rows = pages.flat_map do |page|
          page[:metrics].map { |metric| row(page, metric) }
        end
        listed("Metrics, newer against older", ["page", "metric", "base", "head", "change",
                                                "interval", ""], rows, figures: 2..5)
      end

      def row(page, metric)
        values = %i[a b].map { |side| Compare::MetricTable.value(metric[:name], metric[side]) }
        known = metric[:effect]
        [page[:name], metric[:title], *values, known ? change(metric).signed : Report::Numbers::NONE,
         known ? change(metric).interval : "", outcome(metric)]
      end

      def outcome(metric)
        cell(metric[:mark] || metric[:missing], tone: Compare::Tones::MARKS[metric[:mark]])
      end
    end
  end
end
