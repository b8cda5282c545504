# frozen_string_literal: true

module Mohs
  module Tune
    # The settings of a tuning: rate at the limit against memory, the table, and how to use the
    # recommended setting.
    class Section < Report::Html::Section
      ID = "settings"
      TITLE = "Settings"
      HOW = "Each mark is a setting, at its memory and the highest rate at which the limit " \
            "holds; the upright lines are intervals, of which those that go on far above are " \
            "cut. A setting joined by the stepped line is " \
            "on the front: no other serves more with as little memory. The large triangle is " \
            "the recommended one."
      # Intervals are drawn up to this multiple of the highest rate.
      CUT = 1.5
      HEIGHT = 340
      BOTTOM = 308

      #: () -> bool
      def any? = settings.any?

      #: () -> untyped
      def content = [picture, list, to_use, left_out]

      private

      def settings = @document[:settings].to_a

      def points
        @points ||= settings.select do |one|
          one.dig(:rate_per_s, :value)&.positive? && one.dig(:memory_bytes, :value)
        end
      end

      def recommended = @document.dig(:recommendation, :name)

      def front = @document[:frontier].to_a

      def megabytes(one) = one[:memory_bytes][:value] / 1e6

      def rate(one) = one[:rate_per_s][:value]

      # The ends of a setting's interval, cut at `highest`: a very wide interval, or that of a
      # bound, would leave no room for the others.
      def ends(one)
        low, high = one[:rate_per_s].values_at(:low, :high)
        low ? [low, high || highest].map { |per_s| per_s.clamp(0, highest) } : []
      end

      def highest = @highest ||= CUT * points.map { |one| rate(one) }.max

      def picture
        return if points.size < 2

        across = Report::Html::Scale.linear(points.map { |one| megabytes(one) }).indented
        down = Report::Html::Scale.linear(points.flat_map { |one| [rate(one), *ends(one)] })
        plot = plot("plot", title: "Rate at the limit against memory", height: HEIGHT,
                            text: points.map { |one| words(one) }.join("; "))
        plot.down(down, down.ticks(5), 0, BOTTOM) { |tick| "#{Report::Html::Plot.tick(tick)}/s" }
        plot.across(across, across.ticks(6), 0, BOTTOM) { |tick| "#{Report::Html::Plot.tick(tick)} MB" }
        frontier(plot, across, down)
        points.sort_by { |one| megabytes(one) }
              .each_with_index { |one, at| point(plot, one, across, down, at) }
        plot.to_element
      end

      # The highest rate for each amount of memory: a step at each setting on the front.
      def frontier(plot, across, down)
        steps = points.select { |one| front.include?(one[:name]) }
                      .sort_by { |one| megabytes(one) }
        return if steps.size < 2

        places = steps.map { |one| [across.at(megabytes(one)), down.y(rate(one), BOTTOM)] }
        stairs = places.each_cons(2).flat_map { |(x, y), (next_x, _)| [[x, y], [next_x, y]] }
        plot.curves([[[*stairs, places.last], "front"]])
      end

      # Names stand above and below the marks in turn, so that neighbours don't collide.
      def point(plot, one, across, down, at)
        x, y = across.at(megabytes(one)), down.y(rate(one), BOTTOM)
        low, high = ends(one).map { |end_per_s| down.y(end_per_s, BOTTOM) }
        plot.line(x, low, x, high, "interval o-none") if low
        best = one[:name] == recommended
        kind = best ? "o-better" : place(one)
        plot.mark(x, y, best ? :up : :disc, kind, words(one))
        beside, anchor = x > 75 ? [-8, "end"] : [8, "start"]
        above = at.even? ? -8 : 18
        plot.text(x, y + above, label(one), kind: "name", beside:, anchor:)
      end

      def place(one) = front.include?(one[:name]) ? "on-front" : "o-none"

      def label(one)
        figure = one.dig(:figure_ms, :value)
        more = element(:tspan, " · #{Report::Numbers.figure(figure)} ms", class: "wide") if figure
        [Printable.cut(one[:name], 16), more]
      end

      # What the limit is about: p99.
      def limited = @document.dig(:limit, :figure)

      def words(one)
        figure = one.dig(:figure_ms, :value)
        ["#{one[:name]}: #{Report::Numbers.at_least(rate(one), one[:at_least])} requests/s",
         "#{Report::Numbers.figure(megabytes(one))} MB",
         *(figure && "#{limited} #{Report::Numbers.figure(figure)} ms")].join(", ")
      end

      # Settings that were or may be searched, as on the terminal; then the reasons for the
      # others.
      def list
        shown = view.table(:settings)
        caption = "Settings, the best first: the highest rate at which #{limit} holds"
        [(table_of(shown, caption) if shown), others]
      end

      def limit = @document.dig(:limit, :text)

      def others
        rest = settings.select { |one| one[:reason] }
        return if rest.empty?

        rows = rest.map { |one| [one[:name], one[:state].tr("_", " "), one[:reason]] }
        folded("Settings that were dropped, refused or failed",
               table("Why settings were not followed further", %w[setting state why], rows,
                     figures: 9..))
      end

      def to_use
        use = @document.dig(:recommendation, :to_use) or return
        words = [*use[:flags], *use[:argv]]
        env = use[:env].to_h.map { |pair| pair.join("=") }
        [element(:h3, "To use it"),
         (element(:p, "In ", element(:code, use[:file])) if use[:file] && use[:lines].any?),
         (element(:pre, use[:lines].join("\n")) if use[:lines].any?),
         (element(:p, "Options: ", element(:code, words.join(" "))) if words.any?),
         (element(:p, "Environment: ", element(:code, env.join(" "))) if env.any?)]
      end

      def left_out
        all = @document[:left_out].to_a
        return if all.empty?

        rows = all.map { |one| one.values_at(:name, :reason) }
        folded("Settings that can't be judged on this machine",
               table("Left out", %w[setting why], rows, figures: 9..))
      end
    end
  end
end
