# frozen_string_literal: true

module Mohs
  module Report
    class Html
      # The speed of each batch, from a cold start or in the batches of a load.
      class WarmUp < Section
        ID = "warm-up"
        HOW = "Each point is a batch of requests, from the server's first one on; a line that " \
              "has become level is a server that is warm, and the large mark is the batch from " \
              "which on it counts as warm. Without one it did not get warm in time."
        OF_LOAD = "Each point is a batch of requests, in the order of time."
        HEIGHT = 260
        BOTTOM = 228
        TITLES = ["variant", "warm after", "average/s", "last/s", "p50 ms", "p99 ms", "boot ms",
                  ""].freeze
        COURSE = Batches::COURSE
        COURSES = Batches::FIGURES
        UNITS = { code_bytes: 1000 }.freeze
        JIT = { methods: "methods", pieces: "pieces of code", code_bytes: "code kB",
                compile_ms: "ms compiling", invalidations: "thrown away", exits: "exits" }.freeze

        #: () -> bool
        def any? = lines.any? { |line| line[:values].compact.size > 1 }

        #: () -> untyped
        def content
          [picture, legend(lines), levels.any? ? figures : course,
           *levels.filter_map { |level| jit(level) }]
        end

        private

        def title = levels.any? ? "From a cold start" : "Batch by batch"

        def how = levels.any? ? HOW : OF_LOAD

        def levels = @document[:cold_start].to_a

        def batches = @document[:batches].to_a

        def lines
          @lines ||= levels.any? ? of_levels : [of_batches]
        end

        def of_levels
          levels.map do |level|
            { name: level[:name], values: level.dig(:curves, :per_s).to_a,
              warm: level[:warm_after] }
          end
        end

        def of_batches
          values = batches.map { |batch| batch[:answered_per_s] }
          { name: @document[:server], values:, warm: nil }
        end

        def across
          @across ||= Scale.linear([0, lines.map { |line| line[:values].size }.max - 1]).indented
        end

        def down
          @down ||= Scale.linear(lines.flat_map { |line| line[:values].compact }, zero: true)
        end

        def picture
          plot = plot("plot", title: "Requests per second, batch by batch", height: HEIGHT,
                              text: lines.map { |line| summary(line) }.join("; "))
          plot.down(down, down.ticks(5), 0, BOTTOM) { |tick| "#{Plot.tick(tick)}/s" }
          plot.across(across, across.ticks(8), 0, BOTTOM) do |tick|
            tick.zero? ? "batch 1" : Numbers.whole(tick + 1)
          end
          plot.curves(lines.map { |line| [points(line), Plot.series(number(line[:name]))] })
          lines.each { |line| marks(plot, line, number(line[:name])) }
          plot.to_element
        end

        def points(line)
          line[:values].each_with_index.map { |value, at| [across.at(at), y(value)] if value }
        end

        def y(value) = down.y(value, BOTTOM)

        def marks(plot, line, at)
          last = line[:values].size - 1
          [0, line[:warm], last].compact.uniq.each do |batch|
            value = line[:values][batch] or next
            warm = batch == line[:warm]
            plot.mark(across.at(batch), y(value), Plot.shape(at),
                      "#{'small ' unless warm}#{Plot.series(at)}",
                      "#{line[:name]}: batch #{batch + 1}#{', warm from here on' if warm}, " \
                      "#{Numbers.figure(value)}/s")
          end
        end

        def summary(line)
          first, last = line[:values].compact.values_at(0, -1)
          "#{line[:name]}: #{Numbers.figure(first)} to #{Numbers.figure(last)} a second"
        end

        def figures
          rows = levels.map do |level|
            [level[:name], level[:warm_after]&.to_s || "not in time",
             *level.values_at(:average_per_s, :last_per_s, :p50_ms, :p99_ms, :boot_ms)
                   .map { |value| value ? [Numbers.figure(value), value] : Numbers::NONE },
             level[:excluded] ? "varies more than the others: compared with nothing" : ""]
          end
          table("Batches until it was warm, then means and medians over boots",
                TITLES, rows, figures: 1..6)
        end

        # How the figures of a load's batches developed.
        def course
          found = @document[:batch_figures] or return
          rows = COURSES.map do |key, title|
            bounds = found[key].fetch(:more_than, {})
            [title, *COURSE.map { |name| Numbers.latency(found[key][name], bounds[name]) }]
          end
          table("The course over the batches", ["", *COURSE.map(&:to_s)], rows)
        end

        def jit(level)
          moments = level[:timeline] or return
          known = JIT.select { |key, _| moments.any? { |one| one[key] } }
          rows = moments.map do |one|
            [Numbers.whole(one[:requests]), Numbers.figure(one[:per_s]),
             *known.keys.map { |key| Numbers.figure(one[key]&.fdiv(UNITS.fetch(key, 1))) }]
          end
          folded("What the JIT had compiled by when: #{level[:name]}",
                 table("#{level[:name]}, after so many requests",
                       ["requests", "requests/s", *known.values], rows))
        end
      end
    end
  end
end
