# frozen_string_literal: true

module Mohs
  module Report
    module Sections
      # The memory of each variant at the points of its life, and its private, shared and resident
      # parts.
      class Memory < Base
        KEY = "memory"
        TITLE = "Memory"
        HOW = "The whole process tree, pages that its processes share counted once: hollow after " \
              "boot, full at rest after the load; the upright line is the peak of resident " \
              "memory. All are of the last measured boot."
        POINTS = { after_boot: "after boot", after_warm_up: "after warm-up",
                   at_end: "after the load" }.freeze
        MARKS = { after_boot: :early, after_warm_up: :middle, at_end: :late }.freeze
        HEAD = ["variant", *POINTS.values, "private", "shared", "RSS", "peak RSS"].freeze

        private

        def any? = drawn.any?

        def parts
          rows = drawn.map { |row| row(row) }
          [Parts::Dots.new(key: "plot", title: "Memory of each variant", text: spoken(rows), rows:,
                           unit: :megabytes, zero: true), details]
        end

        def drawn = @drawn ||= measured.select { |row| row[:memory] && size(row, :at_end) }

        def size(row, point)
          found = row.dig(:memory, point).to_h
          found[:tree_bytes] || found[:pss_bytes] || found[:rss_bytes]
        end

        def row(row)
          sizes = POINTS.keys.to_h { |point| [point, megabytes(size(row, point))] }.compact
          marks = sizes.map do |point, size|
            [size, MARKS.fetch(point),
             "#{row[:variant]}: #{POINTS.fetch(point)} #{Numbers.figure(size)} MB"]
          end
          { name: row[:variant], text: text(sizes), from: sizes.values.min, to: sizes.values.max,
            marks: [*marks, *peak(row)] }
        end

        def megabytes(bytes) = bytes&.fdiv(Numbers::MEGABYTE)

        def text(sizes)
          from, to = sizes.values_at(:after_boot, :at_end)
          [*(from && "#{Numbers.figure(from)} →"), "#{Numbers.figure(to)} MB"].join(" ")
        end

        def peak(row)
          size = megabytes(row[:peak_memory_bytes]) or return []
          [[size, :mean, "#{row[:variant]}: peak RSS #{Numbers.figure(size)} MB"]]
        end

        def details
          rows = drawn.map do |row|
            last = row.dig(:memory, :at_end)
            sizes = [*POINTS.keys.map { |point| size(row, point) },
                     *last.values_at(:private_bytes, :shared_bytes, :rss_bytes),
                     row[:peak_memory_bytes]]
            [row[:variant], *sizes.map { |bytes| figure(megabytes(bytes)) }]
          end
          folded("Figures",
                 listed("Memory in MB; private and shared: at rest after the load", HEAD, rows))
        end
      end
    end
  end
end
