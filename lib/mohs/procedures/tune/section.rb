# frozen_string_literal: true

module Mohs
  module Tune
    # The settings of a tuning: rate at the limit against memory, the table, and how to use the
    # recommended setting.
    class Section < Report::Sections::Base
      KEY = "settings"
      TITLE = "Settings"
      HOW = "Each mark is a setting, at its memory and the highest rate at which the limit " \
            "holds; the upright lines are intervals, of which those that go on far above are " \
            "cut. A setting joined by the stepped line is " \
            "on the frontier: no other serves more with as little memory. The large triangle is " \
            "the recommended one."
      # Intervals are drawn up to this multiple of the highest rate.
      CUT = 1.5
      HEIGHT = 340

      private

      def any? = settings.any?

      def parts = [picture, list, to_use, left_out]

      def settings = @document[:settings].to_a

      def points
        @points ||= settings.select do |one|
          one.dig(:rate_per_s, :value)&.positive? && one.dig(:memory_bytes, :value)
        end
      end

      def by_memory = points.sort_by { |one| megabytes(one) }

      def recommended = @document.dig(:recommendation, :name)

      def frontier?(one) = @document[:frontier].to_a.include?(one[:name])

      def megabytes(one) = one[:memory_bytes][:value] / Report::Numbers::MEGABYTE

      def rate(one) = one[:rate_per_s][:value]

      # The ends of a setting's interval, cut at `highest`: a very wide interval, or that of a
      # bound, would leave no room for the others.
      def ends(one)
        low, high = one[:rate_per_s].values_at(:low, :high)
        [low, high || highest].map { |per_s| per_s.clamp(0, highest) } if low
      end

      def highest = @highest ||= CUT * points.map { |one| rate(one) }.max

      def picture
        return if points.size < 2

        across = Parts::Axis.new(values: points.map { |one| megabytes(one) }, unit: :megabytes,
                                 ticks: 6)
        down = Parts::Axis.new(values: points.flat_map { |one| [rate(one), *ends(one)] },
                               unit: :per_s, ticks: 5)
        text = points.map { |one| words(one) }.join("; ")
        Parts::Chart.new(key: "plot", title: "Rate at the limit against memory", height: HEIGHT,
                         text:, across:, down:, lines: [frontier].compact,
                         marks: by_memory.map { |one| mark(one) })
      end

      # The highest rate for each amount of memory: a step at each setting of it.
      def frontier
        places = by_memory.select { |one| frontier?(one) }.map { |one| [megabytes(one), rate(one)] }
        return if places.size < 2

        stairs = places.each_cons(2).flat_map { |(x, y), (next_x, _)| [[x, y], [next_x, y]] }
        Parts::Line.new(points: [*stairs, places.last])
      end

      def mark(one)
        best = one[:name] == recommended
        figure = one.dig(:figure_ms, :value)
        Parts::Mark.new(x: megabytes(one), y: rate(one), ends: ends(one), text: words(one),
                        shape: best ? :up : :disc, tone: (:good if best || frontier?(one)),
                        label: one[:name],
                        aside: figure && " · #{Report::Numbers.figure(figure)} ms")
      end

      # What the limit is about: p99.
      def limited = @document.dig(:limit, :figure)

      def words(one)
        figure = one.dig(:figure_ms, :value)
        ["#{one[:name]}: #{Bounds.at_least(rate(one), one[:at_least])} requests/s",
         "#{Report::Numbers.figure(megabytes(one))} MB",
         *(figure && "#{limited} #{Report::Numbers.figure(figure)} ms")].join(", ")
      end

      # Settings that were or may be searched, as on the terminal; then the reasons for the
      # others.
      def list
        table = view.table(:settings)
        caption = "Settings, the best first: the highest rate at which #{limit} holds"
        [(shown(table, caption) if table), others]
      end

      def limit = @document.dig(:limit, :text)

      def others
        rest = settings.select { |one| one[:reason] }
        return if rest.empty?

        rows = rest.map { |one| [one[:name], one[:state].tr("_", " "), one[:reason]] }
        folded("Settings that were dropped, refused or failed",
               listed("Why settings were not followed further", %w[setting state why], rows,
                      figures: []))
      end

      def to_use
        use = @document.dig(:recommendation, :to_use) or return
        words = [*use[:flags], *use[:argv]]
        env = use[:env].to_h.map { |pair| pair.join("=") }
        [heading("To use it"), file(use), (named("Options: ", words) if words.any?),
         (named("Environment: ", env) if env.any?)]
      end

      def file(use)
        return if use[:lines].empty?

        [(paragraph("In ", word(use[:file], :code)) if use[:file]), lines(use[:lines].join("\n"))]
      end

      def named(name, words) = paragraph(name, word(words.join(" "), :code))

      def left_out
        all = @document[:left_out].to_a
        return if all.empty?

        rows = all.map { |one| one.values_at(:name, :reason) }
        folded("Settings that can't be judged on this machine",
               listed("Left out", %w[setting why], rows, figures: []))
      end
    end
  end
end
