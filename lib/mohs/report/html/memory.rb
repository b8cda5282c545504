# frozen_string_literal: true

module Mohs
  module Report
    class Html
      # The memory of each variant at the points of its life, and its private, shared and resident
      # parts.
      class Memory < Section
        ID = "memory"
        TITLE = "Memory"
        HOW = "The whole process tree, pages that its processes share counted once: hollow after " \
              "boot, full at rest after the load; the upright line is the peak of resident " \
              "memory. All are of the last measured boot."
        POINTS = { after_boot: "after boot", after_warm_up: "after warm-up",
                   at_end: "after the load" }.freeze
        MARKS = { after_boot: [:disc, "m-open"], after_warm_up: [:diamond, "m-half"],
                  at_end: [:disc, "m-full"] }.freeze
        HEAD = ["variant", *POINTS.values, "private", "shared", "RSS", "peak RSS"].freeze

        #: () -> bool
        def any? = shown.any?

        #: () -> untyped
        def content
          lines = shown.map { |row| line(row) }
          values = lines.flat_map { |line| line[:marks].map(&:first) }
          scale = Scale.linear(values, zero: true)
          dots = Dots.new(lines, scale:) { |tick| "#{Plot.tick(tick)} MB" }
          text = spoken(lines)
          [dots.draw(plot("plot", title: "Memory of each variant", text:, height: dots.height)),
           details]
        end

        private

        def shown = @shown ||= measured.select { |row| row[:memory] && size(row, :at_end) }

        def size(row, point)
          found = row.dig(:memory, point).to_h
          found[:tree_bytes] || found[:pss_bytes] || found[:rss_bytes]
        end

        def line(row)
          sizes = POINTS.keys.to_h { |point| [point, size(row, point)&.fdiv(1e6)] }.compact
          marks = sizes.map do |point, megabytes|
            [megabytes, *MARKS.fetch(point),
             "#{row[:variant]}: #{POINTS.fetch(point)} #{Numbers.figure(megabytes)} MB"]
          end
          { name: row[:variant], text: text(sizes), from: sizes.values.min, to: sizes.values.max,
            marks: [*marks, *peak(row)] }
        end

        def text(sizes)
          from, to = sizes.values_at(:after_boot, :at_end)
          [*(from && "#{Numbers.figure(from)} →"), "#{Numbers.figure(to)} MB"].join(" ")
        end

        def peak(row)
          bytes = row[:peak_memory_bytes] or return []
          [[bytes / 1e6, :tick, "mean",
            "#{row[:variant]}: peak RSS #{Numbers.figure(bytes / 1e6)} MB"]]
        end

        def details
          rows = shown.map do |row|
            last = row.dig(:memory, :at_end)
            sizes = [*POINTS.keys.map { |point| size(row, point) },
                     *last.values_at(:private_bytes, :shared_bytes, :rss_bytes),
                     row[:peak_memory_bytes]]
            [row[:variant], *sizes.map { |bytes| figure(bytes&.fdiv(1e6)) }]
          end
          folded("Figures",
                 table("Memory in MB; private and shared: at rest after the load", HEAD, rows))
        end
      end
    end
  end
end
