# frozen_string_literal: true

module Mohs
  class LoadRun
    # Latency against rate: the steps of a load at several rates, or the probes of a search.
    class RatesSection < Report::Html::Section
      ID = "rates"
      TITLE = "Latency against rate"
      HEIGHT = 260
      BOTTOM = 228
      STEPS = "Each mark is one rate. Where the line turns upwards a queue begins to grow: the " \
              "server has reached what it can serve. At a cross the latency is at least that: " \
              "requests without a correct response hold the rank."
      PROBES = "Each mark is one rate that was tried: below the limit, above it, or not held " \
               "because a queue grew. The dashed line is the limit."
      SHAPES = { "below" => [:disc, "o-better"], "above" => [:up, "o-worse"],
                 "not_held" => [:cross, "o-worse"], "spoiled" => [:tick, "o-undecided"] }.freeze

      #: () -> bool
      def any? = points.size > 1

      #: () -> untyped
      def content = [picture, probes ? probe_table : step_table]

      private

      def how = probes ? PROBES : STEPS

      def probes = @document[:probes]

      def steps = @document[:steps].to_a

      # [{ rate:, ms:, shape:, kind:, text: }, ...], sorted by rate.
      def points
        @points ||= begin
          all = probes ? of_probes : of_steps
          all.select { |one| one[:ms]&.positive? && one[:rate] }.sort_by { |one| one[:rate] }
        end
      end

      # Probes without a figure, as too few requests were answered; they are drawn at the top.
      def endless = probes ? of_probes.select { |one| one[:ms].nil? } : []

      def of_probes
        probes.map do |one|
          shape, kind = SHAPES.fetch(one[:outcome], [:disc, ""])
          { rate: one[:rate_per_s], ms: one[:figure_ms], shape:, kind:,
            text: RateView.probe(one, @document[:limit][:figure]) }
        end
      end

      def of_steps
        steps.map do |one|
          known, bound = one.dig(:response_ms, :p99), one.dig(:response_ms, :more_than, :p99)
          shape, kind = known ? [:disc, "s0"] : [:cross, "o-worse"]
          { rate: one[:answered_per_s], ms: known || bound, shape:, kind:,
            text: "#{Report::Numbers.figure(one[:answered_per_s])} answered/s: " \
                  "p99 #{Report::Numbers.latency_with_unit(known, bound)}" }
        end
      end

      def limit_ms = @document.dig(:limit, :below_ms)

      def picture
        rates = [*points, *endless].map { |one| one[:rate] }
        across = Report::Html::Scale.linear(rates, zero: true).indented
        down = Report::Html::Scale.log([*points.map { |one| one[:ms] }, *limit_ms])
        plot = plot("plot", title: "Latency against rate", height: HEIGHT,
                            text: points.map { |one| one[:text] }.join("; "))
        plot.down(down, down.ticks(5), 0, BOTTOM) { |tick| "#{Report::Html::Plot.tick(tick)} ms" }
        plot.across(across, across.ticks, 0, BOTTOM) { |tick| "#{Report::Html::Plot.tick(tick)}/s" }
        limit(plot, down)
        places = points.map { |one| [across.at(one[:rate]), down.y(one[:ms], BOTTOM)] }
        plot.curves([[places, "s0"]])
        points.zip(places) do |one, (x, y)|
          plot.mark(x, y, one[:shape], one[:kind], one[:text])
        end
        endless.each do |one|
          plot.mark(across.at(one[:rate]), 6, one[:shape], one[:kind], one[:text])
        end
        plot.to_element
      end

      def limit(plot, down)
        return unless limit_ms

        y = down.y(limit_ms, BOTTOM)
        plot.line(0, y, 100, y, "limit")
        plot.text(100, y - 4, "limit #{Report::Numbers.figure(limit_ms)} ms", anchor: "end",
                  kind: "value")
      end

      def probe_table
        figure = @document[:limit][:figure]
        rows = probes.sort_by { |one| one[:rate_per_s] }.map do |one|
          [*one.values_at(:rate_per_s, :figure_ms).map { |value| Report::Numbers.figure(value) },
           *one.values_at(:offered, :late).map { |count| Report::Numbers.whole(count) },
           RateView.result(one)]
        end
        table("Every rate that was tried",
              ["requests/s", "#{figure} ms", "due", "late", "outcome"], rows, figures: 1..3)
      end

      def step_table
        table_of(view.table(:steps), "Each rate of the load, response times in ms")
      end
    end
  end
end
