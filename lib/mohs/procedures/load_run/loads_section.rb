# frozen_string_literal: true

module Mohs
  class LoadRun
    # What was limited against the number of connections: the loads of a search.
    class LoadsSection < RatesSection
      KEY = "loads"
      TITLE = "Against the number of connections"
      HOW = "Each mark is one load: it kept the limit, or missed it. At a cross the time is at " \
            "least that, since connections or messages that failed hold the rank. The dashed " \
            "line is the limit."
      SHAPES = { "kept" => :disc, "missed" => :up, "spoiled" => :tick }.freeze

      private

      def parts = [picture, shown(view.table(:loads), "Every load")]

      def unit = :connections

      def points
        figure = @document[:limit].values_at(:what, :figure).join(" ")
        @document[:loads].map do |one|
          ms, more_than = one.values_at(:figure_ms, :more_than_ms)
          { rate: one[:connections], ms: ms || more_than,
            look: { shape: more_than ? :cross : SHAPES.fetch(one[:outcome]),
                    tone: ConnectionView::TONES[one[:outcome]] },
            text: ConnectionView.load(one, figure) }
        end
      end

      def limit_ms = @document.dig(:limit, :below_ms)
    end
  end
end
