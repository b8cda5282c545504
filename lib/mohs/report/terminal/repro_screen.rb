# frozen_string_literal: true

module Mohs
  module Report
    class Terminal
      # The document of one published study for people: the outcome of its claims in a sentence,
      # each claim with the published figure and ours, and where to see more.
      class ReproScreen < Screen
        HEAD = ["claim (place)", "published", "here", "judgement"].freeze
        OVERHEAD = ["overhead", "us a request", ""].freeze
        NONE = Numbers::NONE
        # Names of all metrics but requests/s: beside a claim that says "faster", a p50 of -41 % has
        # to be named.
        METRICS = [*Analysis::Metric::ALL, Analysis::Metric::TAIL, Analysis::Metric::OVERHEAD]
                  .to_h { |metric| [metric.name, metric.title] }.except("throughput").freeze
        # CLAIM: per cent of the width that claims may take before they are wrapped. LEAST: columns
        # that claims and judgements need at least; with less, figures are left out.
        CLAIM, LEAST = 40, 18
        GAP = 2
        COLOURS = { "agrees" => :green, "contradicted" => :red }.freeze

        #: () -> String
        def to_s = paragraphs(headline, table, overhead_table, *shares, *cold_start, below)

        # Every claim.
        #: () -> Array[Array[String]]
        def cells = [HEAD, *@document[:claims].map { |claim| row(claim) }]

        #: () -> Array[[String, String]]
        def remarks
          named.map { |name, text, words| [name, [text, *words && Style.command(words)].join(" ")] }
        end

        # Each claimed overhead in microseconds, with its interval.
        #: () -> Array[Array[String]]
        def overheads
          @document[:overheads].to_a.map do |one|
            value, *ends = [one[:value_us], *one[:interval_us]].map { |us| Numbers.whole(us) }
            ["#{one[:of]} over #{one[:over]}", value, ends.any? ? "[#{ends.join(', ')}]" : ""]
          end
        end

        private

        def table
          rows = cells
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

        def cold_start = ColdStartTable.new(@document[:cold_start], style: @style).paragraphs

        def shares = ShareTable.new(@document[:shares], style: @style).paragraphs

        def overhead_table
          return if overheads.empty?

          lines = Columns.new([OVERHEAD, *overheads]).lines.map { |line| @style.cut(line) }
          [*lines, @style.wrap(Phrase.text("repro_overheads"))].join("\n")
        end

        # The figure that the source gives, else the range that it claims.
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
          [METRICS[claim[:metric]], change.signed, *change.interval].compact.join(" ")
        end

        def interval(claim) = claim[:interval] && Numbers.shares(claim[:interval])

        # Columns and their widths. Figures are never wrapped; claim and judgement share the rest.
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

        # The lines of one row, as many as its longest cell needs.
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

        def below = named.map { |name, *text| line(name, *text) }.join("\n")

        # The lines below the table: name, text and, for some, the words of a command.
        def named
          headline = "the source rests on it: tested more strictly" if headline?
          run = @document[:run]
          [["*", headline], ["published", legend], *left_out, ["without", without],
           *@document[:cautions].to_a.map { |one| one.values_at(:name, :text) },
           ["stopped", *stopped],
           ["data", @document[:from_raw] && "the source's own, #{@document[:from_raw]}"],
           ["run", run && "#{run} · its table: #{Terminal.show({ run:, reproduces: true })}"],
           ["notes", notes && "what differs from the source: #{notes}"]].select { |line| line[1] }
        end

        def line(name, text, command = nil)
          command ? @style.named_command(name, text, command) : @style.named(name, text)
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

        def left_out = @left_out.to_a.empty? ? [] : [@style.left_out(@left_out)]

        # Levels that this size doesn't measure.
        def without
          names = @document.dig(:levels, :left_out).to_a
          "#{names.join(', ')}, left out by --#{@document[:size]}: no claim is about them" if
            names.any?
        end

        def stopped
          return [] if [nil, "finished", "running"].include?(@document[:state])

          name = @document[:folder] || @document[:name]
          ["continue:", ["mohs", "repro", name, "--resume"]]
        end

        def notes = @document[:notes]
      end
    end
  end
end
