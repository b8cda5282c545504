# frozen_string_literal: true

module Mohs
  module Report
    class Terminal
      # The document of one published study for people: what came of its claims in a sentence, each
      # claim with the published figure and ours, and where to see more.
      class ReproScreen < Screen
        HEAD = ["claim (place)", "published", "here", "judgement"].freeze
        OVERHEAD = ["overhead", "us a request", ""].freeze
        NONE = Numbers::NONE
        # Of a hundred columns, those that claims may have before they are wrapped; and what claims
        # and judgements have at least, before figures are left out for them.
        CLAIM, LEAST = 40, 18
        GAP = 2
        COLOURS = { "agrees" => :green, "contradicted" => :red }.freeze

        #: () -> String
        def to_s = paragraphs(headline, table, overheads, *shares, *cold_start, below)

        private

        def table
          rows = [HEAD, *@document[:claims].map { |claim| row(claim) }]
          kept, widths = layout(rows)
          @left_out = HEAD.values_at(*([1, 2] - kept))
          lines = rows.each_with_index.flat_map do |row, index|
            colour = COLOURS[@document[:claims][index - 1][:judgement]] if index.positive?
            lines(row.values_at(*kept), widths, colour)
          end
          lines.join("\n")
        end

        def row(claim)
          text = "#{'* ' if claim[:headline]}#{claim[:text]} (#{claim[:place]})"
          outcome = Words::Claims::OUTCOMES.fetch(claim[:judgement])
          [text, published(claim), here(claim), [outcome, *claim[:reason]].join(": ")]
        end

        def cold_start
          levels = @document[:cold_start]
          [*ColdStartTable.new(levels, style: @style).paragraphs,
           *levels.to_a.flat_map { |level| JitTable.new(level, style: @style).paragraphs }]
        end

        def shares = ShareTable.new(@document[:shares], style: @style).paragraphs

        # In microseconds.
        def overheads
          rows = @document[:overheads].map do |one|
            ends = one[:interval_us]&.map { |us| us.round.to_s }
            ["#{one[:of]} over #{one[:over]}", one[:value_us]&.round.to_s || NONE,
             ends ? "[#{ends.join(', ')}]" : ""]
          end
          return if rows.empty?

          Columns.new([OVERHEAD, *rows]).lines.map { |line| @style.cut(line) }.join("\n")
        end

        # What the source gives, else the range that it claims.
        def published(claim)
          return share(claim) if claim[:kind] == "share"
          return Numbers.signed(claim[:published]) if claim[:published]

          low, high = claim[:range].values_at(:low, :high)
          case claim[:kind]
          when "equal" then "equal"
          when "order" then low ? "more" : "less"
          when "bound" then low ? "> #{Numbers.signed(low)}" : "< #{Numbers.signed(high)}"
          when "warm" then Numbers.counted(high, "batch", "batches")
          when "excluded" then "excluded"
          when "compiled" then "#{'> ' unless high}#{Numbers.counted(high || (low - 1), 'version')}"
          when "survives" then "no crash"
          when "crashes" then "crash"
          else NONE
          end
        end

        def share(claim)
          return Numbers.exact_percent(claim[:published]) if claim[:published]

          low, high = claim[:range].values_at(:low, :high)
                                   .map { |one| one && Numbers.exact_percent(one) }
          return "#{low} to #{high}" if low && high

          low ? "> #{low}" : "< #{high}"
        end

        def here(claim)
          return NONE unless claim[:value]
          return [Numbers.share(claim[:value]), *interval(claim)].join(" ") \
            if claim[:kind] == "share"

          change = Change.new({ effect: claim[:value], interval: claim[:interval] })
          [change.signed, *change.interval].join(" ")
        end

        def interval(claim) = claim[:interval] && Numbers.shares(claim[:interval])

        # Columns and their widths. Figures are never wrapped; claim and judgement share what these
        # leave.
        def layout(rows)
          figures = [1, 2].to_h { |column| [column, rows.map { |row| row[column].length }.max] }
          figures.delete(figures.keys.first) while left(figures) < 2 * LEAST && figures.any?
          left = left(figures)
          claim = [rows.map { |row| row[0].length }.max, width * CLAIM / 100, left - LEAST].min
          claim = [claim, LEAST].max
          [[0, *figures.keys, 3], [claim, *figures.values, [left - claim, LEAST].max]]
        end

        def width = [@style.width, Style::PROSE].min

        def left(figures) = width - figures.values.sum - ((figures.size + 1) * GAP)

        # Of one row, as many as its longest cell has.
        def lines(row, widths, colour)
          cells = row.zip(widths).map do |text, width|
            Style.new(width:).flow(text.split(Style::SPACE), gap: " ", indent: 0).split("\n")
          end
          height = cells.map(&:size).max
          Array.new(height) do |index|
            parts = cells.zip(widths).map { |lines, width| lines[index].to_s.ljust(width) }
            judgement = parts.pop.rstrip
            head = parts.join(" " * GAP) + (" " * GAP)
            judgement.empty? ? head.rstrip : head + paint(colour, judgement)
          end
        end

        def paint(colour, text) = colour ? @style.paint(colour, text) : text

        def below
          headline = "the source rests on it: tested more strictly" if headline?
          run = @document[:run]
          named = [["*", headline], ["published", legend], *left_out, *stopped,
                   ["data", @document[:from_raw] && "the source's own, #{@document[:from_raw]}"],
                   ["run", run && "#{run} · its table: mohs show #{run} --table"],
                   ["notes", notes && "what differs from the source: #{notes}"]]
          named.filter_map { |name, text| @style.named(name, text) if text }.join("\n")
        end

        def headline? = @document[:claims].any? { |claim| claim[:headline] }

        def legend
          return if @document[:claims].none? { |claim| claim[:value] }

          where = @document[:from_raw] ? "by the source's own data" : "in one run"
          ratio = "the ratio of two of the source's figures"
          return "#{ratio}; here: the same ratio #{where}, with its 95 % interval" unless shares?

          "#{ratio}, or its share; here: the same #{where}, with its 95 % interval"
        end

        def shares? = @document[:claims].any? { |claim| claim[:kind] == "share" }

        def left_out = @left_out.empty? ? [] : [@style.left_out(@left_out)]

        def stopped
          return [] if [nil, "finished", "running"].include?(@document[:state])

          [["stopped", "continue: mohs repro #{@document[:name]} --resume"]]
        end

        def notes = @document[:notes]

        # The cold start of each level: its figures, then its course over the batches as lines of
        # bars, then what stands out. Nothing without batches.
        class ColdStartTable
          HEAD = ["from a cold start", "last/s", "average/s", "p50 ms", "p99", "boot ms",
                  "warm after"].freeze
          FIGURES = (1..5).freeze
          KEYS = %i[last_per_s average_per_s p50_ms p99_ms boot_ms].freeze
          BOOT = 5
          # Those that a narrow terminal has no room for.
          LEAST_FIRST = [[BOOT], [3, 4], [2]].freeze
          COURSES = { per_s: "requests/s", p50_ms: "p50", p99_ms: "p99" }.freeze
          # Bars of each course; with less room there is none.
          BARS = (8..32)

          #: (Array[Hash[Symbol, untyped]]?, style: Terminal::Style) -> void
          def initialize(levels, style:)
            @levels = levels.to_a
            @style = style
          end

          # [String].
          #: () -> Array[String]
          def paragraphs = @levels.empty? ? [] : [figures, courses, notes].reject(&:empty?)

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

          # Neighbours share a bar if there are more of them than room.
          def drawn(curves, bars)
            COURSES.keys.map do |key|
              values = curves[key].map(&:to_f)
              together = values.size.fdiv(bars).ceil
              Sparkline.of(values.each_slice(together).map { |some| some.sum / some.size })
            end
          end

          def notes
            named = [*excluded, *acks, *(@style.left_out(@left_out) if @left_out.any?)]
            named.each_slice(2).map { |name, text| @style.named(name, text) }.join("\n")
          end

          def excluded
            @levels.select { |level| level[:excluded] }.flat_map do |level|
              rates = level[:trials].map { |trial| Numbers.short(trial[:settled_per_s]) }
              ["excluded", Phrase.text("cold_excluded", level: level[:name], rates:)]
            end
          end

          def acks
            shares = @levels.filter_map do |level|
              share = level[:delayed_acks]
              "#{level[:name]} #{Numbers.percent(share)}" if share
            end
            shares.empty? ? [] : ["40 ms", Phrase.text("cold_acks", shares:)]
          end
        end
      end
    end
  end
end
