# frozen_string_literal: true

module Mohs
  module Report
    class Terminal
      # The cold start of each level: its figures, its course over the batches as lines of bars,
      # what stands out, and what its JIT had compiled by when. Nothing without batches.
      class ColdStartTable
        HEAD = ["from a cold start", "last/s", "average/s", "p50 ms", "p99", "boot ms",
                "warm after"].freeze
        FIGURES = (1..5).freeze
        KEYS = %i[last_per_s average_per_s p50_ms p99_ms boot_ms].freeze
        BOOT = 5
        # Groups of columns, in the order in which a narrow terminal leaves them out.
        LEAST_FIRST = [[BOOT], [3, 4], [2]].freeze
        COURSES = { per_s: "requests/s", p50_ms: "p50", p99_ms: "p99" }.freeze
        # Bars of each course; if there is less room, courses are left out.
        BARS = (8..32)

        #: (Array[Hash[Symbol, untyped]]?, style: Terminal::Style) -> void
        def initialize(levels, style:)
          @levels = levels.to_a
          @style = style
        end

        # Paragraphs of text; [] if there are no levels.
        #: () -> Array[String]
        def paragraphs
          return [] if @levels.empty?

          [figures, courses, notes].reject(&:empty?) +
            @levels.flat_map { |level| JitTable.new(level, style: @style).paragraphs }
        end

        private

        def figures
          rows = [HEAD, *@levels.map { |level| row(level) }]
          kept = Columns.fitting(rows, least_first: LEAST_FIRST, width: @style.width)
          unknown = @levels.all? { |level| level[:boot_ms].nil? } ? [BOOT] : []
          @left_out = HEAD.values_at(*(HEAD.each_index.to_a - kept - unknown))
          kept -= unknown
          right = 1..(kept & FIGURES.to_a).size
          Columns.new(rows.map { |row| row.values_at(*kept) }, figures: right).lines.join("\n")
        end

        def row(level)
          after = level[:trials].map { |trial| trial[:warm_after] || Numbers::NONE }
          warm = level[:warm_after] || "not in time"
          [level[:name], *level.values_at(*KEYS).map { |value| Numbers.figure(value) },
           after.uniq.one? ? warm.to_s : "#{warm} (#{after.join(', ')})"]
        end

        def courses
          names = @levels.map { |level| level[:name] }
          room = @style.width - names.map(&:length).max
          bars = [(room / COURSES.size) - Columns::GAP.length, BARS.max].min
          return @left_out.push("curves") && "" if bars < BARS.min

          rows = @levels.map { |level| [level[:name], *drawn(level[:curves], bars)] }
          Columns.new([[title, *COURSES.values], *rows]).lines.join("\n")
        end

        def title = Numbers.counted(@levels.first[:curves][:per_s].size, "batch", "batches")

        def drawn(curves, bars)
          COURSES.keys.map { |key| Sparkline.of(curves[key].map(&:to_f), most: bars) }
        end

        def notes
          named = [*excluded, *acks, *(@style.left_out(@left_out) if @left_out.any?)]
          named.each_slice(2).map { |name, text| @style.named(name, text) }.join("\n")
        end

        def excluded
          @levels.select { |level| level[:excluded] }.flat_map do |level|
            rates = level[:trials].map { |trial| Numbers.short(trial[:settled_per_s]) }
            stray = Render.text("cold_stray", trial: level[:stray]) if level[:stray]
            ["excluded", [Render.text("cold_excluded", level: level[:name], rates:), *stray].join]
          end
        end

        def acks
          shares = @levels.filter_map do |level|
            share = level[:delayed_acks]
            "#{level[:name]} #{Numbers.percent(share)}" if share
          end
          shares.empty? ? [] : ["40 ms", Render.text("cold_acks", shares:)]
        end
      end
    end
  end
end
