# frozen_string_literal: true

module Mohs
  class LoadRun
    # Latency against rate: the probes of a search.
    class ProbesSection < RatesSection
      HOW = "Each mark is one rate that was tried: below the limit, above it, or not held " \
            "because a queue grew. The dashed line is the limit."
      SHAPES = { "above" => :up, "not_held" => :cross, "spoiled" => :tick }.freeze

      private

      def parts = [picture, list]

      def probes = @document[:probes]

      def figure_name = @document[:limit][:figure]

      def points
        probes.map do |one|
          look = { shape: SHAPES.fetch(one[:outcome], :disc), tone: RateView::TONES[one[:outcome]] }
          { rate: one[:rate_per_s], ms: one[:figure_ms], look:,
            text: RateView.probe(one, figure_name) }
        end
      end

      # Too few requests were answered.
      def endless = points.select { |one| one[:ms].nil? }

      def limit_ms = @document.dig(:limit, :below_ms)

      def list
        rows = probes.sort_by { |one| one[:rate_per_s] }.map do |one|
          [*one.values_at(:rate_per_s, :figure_ms).map { |value| Report::Numbers.figure(value) },
           *one.values_at(:offered, :late).map { |count| Report::Numbers.whole(count) },
           cell(RateView.result(one), tone: RateView::TONES[one[:outcome]])]
        end
        listed("Every rate that was tried",
               ["requests/s", "#{figure_name} ms", "due", "late", "outcome"], rows, figures: 1..3)
      end
    end
  end
end
