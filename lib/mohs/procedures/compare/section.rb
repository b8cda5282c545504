# frozen_string_literal: true

module Mohs
  module Compare
    # The metrics of a comparison: B against A, each with its interval; then how the interval
    # narrowed from look to look, and the figures of both.
    class Section < Report::Html::Section
      ID = "metrics"
      TITLE = "B against A"
      HOW = "Right of the upright line B is better, left of it worse: 1.2x better serves 1.2 " \
            "times as many requests, or takes 1.2 times less time or memory. The line through " \
            "a mark is its interval, the shaded band the margin. Hollow marks are undecided."
      HEAD = ["metric", "A", "B", "B against A", "interval", ""].freeze
      # Number of looks that are drawn, the last ones.
      LOOKS = 12

      #: () -> bool
      def any? = @document[:metrics].to_a.any?

      #: () -> untyped
      def content
        [names, picture, looks, figures, gates]
      end

      private

      def metrics = (@document[:metrics] + [@document[:tail]].compact).uniq

      def judged = metrics.select { |one| one[:effect] }

      def names
        sides = %i[a b].map { |side| [element(:b, side.to_s.upcase), " is #{@document[side]}"] }
        element(:p, sides.first, ", ", sides.last, ".")
      end

      def picture
        return if judged.empty?

        points = judged.map { |one| point(one) }
        intervals = Report::Html::Intervals.new(points, margin: @document[:margin], gains: true)
        text = judged.map { |one| "#{one[:title]}: #{words(one)}" }.join("; ")
        intervals.draw(plot("plot", title: "B against A in each metric", text:,
                                    height: intervals.height))
      end

      def point(metric)
        { name: metric[:title], text: words(metric), outcome: (mark(metric) if metric[:interval]),
          value: metric[:effect], ends: metric[:equal_interval] || metric[:interval] }
      end

      def change(metric) = Report::Change.equal(metric, better: metric[:better])

      def words(metric)
        [change(metric).signed, change(metric).interval, mark(metric)].compact.join(" ")
      end

      # Nothing is better or worse where no figure can be trusted.
      def mark(metric) = (metric[:mark] unless invalid?)

      def invalid? = @document.dig(:verdict, :outcome) == "invalid"

      def looks
        all = @document[:looks].to_a.last(LOOKS).select { |one| one[:effect] }
        return if all.size < 2

        points = all.map do |look|
          change = Report::Change.new(look)
          { name: "after #{Report::Numbers.counted(look[:cohorts], 'cohort')}", outcome: "",
            text: [change.signed, change.interval].compact.join(" "), value: look[:effect],
            ends: look[:interval] }
        end
        intervals = Report::Html::Intervals.new(points, margin: @document[:margin])
        picture = intervals.draw(plot("looks", title: "The interval at each look",
                                               text: points.map { |one| one[:text] }.join("; "),
                                               height: intervals.height))
        folded("How the interval closed, look by look", picture)
      end

      def figures
        rows = metrics.map do |metric|
          changed = [change(metric).signed, change(metric).interval] if metric[:effect]
          [metric[:title], *metric.values_at(:a, :b).map { |value| value(metric[:name], value) },
           *(changed || [Report::Numbers::NONE, ""]),
           metric[:missing] || (invalid? ? "no verdict" : metric[:mark])]
        end
        table("Figures of A and B", HEAD, [*rows, errors], figures: 1..4)
      end

      def value(...) = Compare::View.value(...)

      def errors
        shares = %i[a b].map do |side|
          found = rows.find { |row| row[:variant] == @document[side] }
          found ? Report::Numbers.percent(found.dig(:errors, :share) || 0) : Report::Numbers::NONE
        end
        ["failed requests", *shares, "", "", ""]
      end

      def gates
        gates = @document[:gates].to_a
        return if gates.empty?

        rows = gates.map { |gate| gate.values_at(:gate, :outcome, :reason) }
        table("Gates", %w[gate outcome why], rows, figures: 9..)
      end
    end
  end
end
