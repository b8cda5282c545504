# frozen_string_literal: true

module Mohs
  module Compare
    # The metrics of a comparison: B against A, each with its interval; then how the interval
    # narrowed from look to look, and the figures of both.
    class Section < Report::Sections::Base
      KEY = "metrics"
      TITLE = "B against A"
      HOW = "Right of the upright line B is better, left of it worse: 1.2x better serves 1.2 " \
            "times as many requests, or takes 1.2 times less time or memory. The line through " \
            "a mark is its interval, the shaded band the margin. Hollow marks are undecided."
      FIGURES = %i[a b change interval].freeze
      # Number of looks that are drawn, the last ones.
      LOOKS = 12

      private

      def any? = @document[:metrics].to_a.any?

      def parts = [names, picture, looks, figures, gates]

      def metrics = (@document[:metrics] + [@document[:tail]].compact).uniq

      def judged = metrics.select { |one| one[:effect] }

      def names
        paragraph(word("A", :name), " is #{@document[:a]}, ", word("B", :name),
                  " is #{@document[:b]}.")
      end

      def picture
        return if judged.empty?

        text = judged.map { |one| "#{called(one)}: #{words(one)}" }.join("; ")
        Parts::Intervals.new(key: "plot", title: "B against A in each metric", text:,
                             points: judged.map { |one| point(one) }, margin: @document[:margin],
                             gains: true)
      end

      def point(metric)
        { name: called(metric), text: words(metric), tone: Tones::MARKS[mark(metric)],
          value: metric[:effect], ends: metric[:equal_interval] || metric[:interval] }
      end

      def called(metric) = Report::Unit.title(@document, metric)

      def change(metric) = Report::Change.equal(metric, better: metric[:better])

      def words(metric)
        [change(metric).signed, change(metric).interval, mark(metric)].compact.join(" ")
      end

      def mark(metric) = (metric[:mark] unless invalid?)

      def invalid? = Document.invalid?(@document)

      def looks
        all = @document[:looks].to_a.last(LOOKS).select { |one| one[:effect] }
        return if all.size < 2

        points = all.map { |look| look(look) }
        text = points.map { |one| one[:text] }.join("; ")
        folded("How the interval closed, look by look",
               Parts::Intervals.new(key: "looks", title: "The interval at each look", text:,
                                    points:, margin: @document[:margin]))
      end

      def look(look)
        change = Report::Change.new(look)
        { name: "after #{Report::Numbers.counted(look[:cohorts], 'cohort')}", ends: look[:interval],
          text: [change.signed, change.interval].compact.join(" "), value: look[:effect] }
      end

      def figures
        table = MetricTable.new(@document).to_table(reasons: true)
        shown(table, "Figures of A and B", figures: FIGURES)
      end

      def gates
        gates = @document[:gates].to_a
        return if gates.empty?

        rows = gates.map do |gate|
          outcome = gate[:outcome]
          [gate[:gate], cell(outcome, tone: Tones::GATES[outcome]), gate[:reason]]
        end
        listed("Gates", %w[gate outcome why], rows, figures: [])
      end
    end
  end
end
