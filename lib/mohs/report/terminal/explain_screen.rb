# frozen_string_literal: true

module Mohs
  module Report
    class Terminal
      # The document of `mohs explain` for people: for each pair the causes in a sentence, the parts
      # of the difference in CPU a request, what else moved, and what did not.
      class ExplainScreen < Screen
        HEAD = ["a request", "A", "B", "B - A", "", "share"].freeze
        TITLES = ["a request", "A", "B", "B - A", "intervals", "shares"].freeze
        # Groups of columns, in the order in which they are left out.
        LEAST_FIRST = [[4], [1, 2]].freeze
        INSET = "  "
        # Marks a figure that is a state, not an amount per request.
        STATE = " (in all)"

        #: () -> String
        def to_s
          subject = @style.wrap(Subject.of(@document))
          pairs = [@document, *@document[:others]]
          parts = pairs.flat_map { |pair| Pair.new(pair, style: @style).parts }
          paragraphs(subject, *parts, below)
        end

        private

        def below
          @style.named("run", "#{@document[:run]} · show its table: #{Terminal.show(@document)}")
        end

        # One pair of variants.
        class Pair < Screen
          #: () -> Array[String]
          def parts = [[headline, *why].join("\n"), table, *profile, notes]

          # The rows of the pair's table at full width; the first has the titles.
          #: () -> Array[Array[String]]
          def cells = rows

          private

          def headline
            names = Phrase.text("explain_pair", a: @document[:a].inspect, b: @document[:b].inspect)
            super([names, *@document.dig(:verdict, :text)].join(": ") + ".")
          end

          def why
            @style.wrap("Why: #{@document[:why]}.") if @document[:why]
          end

          def table
            kept = Columns.fitting(rows, least_first: LEAST_FIRST, width: @style.width)
            @left_out = TITLES.each_index.to_a - kept
            lines = Columns.new(rows.map { |row| row.values_at(*kept) }).lines
            lines.map { |line| @style.cut(line) }.join("\n")
          end

          def rows
            @rows ||= [HEAD, *compared, all_slices, *named.map { |one| row(one, inset: true) },
                       *rest, *moved.map { |one| row(one) }]
          end

          # CPU time as in the verdict's table; the totals, to which the parts add up, follow.
          def compared
            ratio, interval = @document[:cpu_compared]&.values_at(:ratio, :interval)
            return [] unless ratio

            change = Change.new({ effect: ratio, interval: })
            [["#{@document.dig(:cpu, :title)}, as compared", "", "", change.signed,
              change.interval.to_s, ""]]
          end

          def all_slices
            title, *others = row(@document[:cpu])
            ["#{title}, all slices", *others]
          end

          def causes = @document[:causes]

          def named = causes.select { |one| one[:share_of_difference] }

          # Whether the parts add up to more than the whole, so that shares would look like a
          # mistake.
          def beyond?
            named.sum { |one| one[:share_of_difference] } > Words::Causes::MOST_SHARE
          end

          # Other causes that differ beyond chance or, as long as there is no test, at all.
          def moved
            others = causes - named
            return others.select { |one| one[:significant] } if @document[:tested]

            others.reject { |one| one[:change].zero? }
          end

          def row(cause, inset: false)
            share = cause[:share_of_difference]
            state = STATE if %w[count bytes].include?(cause[:unit])
            ["#{INSET if inset}#{cause[:title]}#{state}",
             *%i[a b].map { |side| Words::Causes.amount(cause[side], cause[:unit]) },
             Words::Causes.change(cause), Words::Causes.interval(cause).to_s,
             share && !beyond? ? Numbers.whole_percent(share) : ""]
          end

          def rest
            share, interval = @document.values_at(:unexplained_share, :unexplained_interval)
            return [] if share.nil? || beyond?

            ends = interval&.map { |one| Numbers.whole(one * 100) }
            [["#{INSET}not explained by what was measured", "", "", "",
              ends ? "[#{ends.join(', ')}] %" : "", vague? ? "" : Numbers.whole_percent(share)]]
          end

          # Whether the interval of the rest is too wide for its share to mean anything.
          def vague?
            low, high = @document[:unexplained_interval]
            @document[:tested] && !Analysis::Explanation.telling?(low, high)
          end

          def profile
            @document[:profile] ? ProfileTables.new(@document[:profile], style: @style).parts : []
          end

          def notes
            lines = [cohorts, *test, marks, *apart, *beyond, same, *columns].compact
            lines.map { |line| @style.named(*line) }.join("\n")
          end

          def cohorts = ["cohorts", Numbers.counted(@document[:cohorts], "cohort")]

          def test
            [["compared", Phrase.text("explain_compared")]] if @document[:cpu_compared]
          end

          def marks
            code = @document[:tested] ? "explain_tested" : "explain_untested"
            ["marks", Phrase.text(code, needed: Analysis::Explanation::FEWEST)]
          end

          def apart
            [["parts", Phrase.text("explain_apart")]] unless @document[:parts_whole]
          end

          def beyond
            both = Words::Causes.overlap?(named)
            [["parts", Phrase.text("explain_beyond", both:)]] if beyond?
          end

          # Figures that don't differ beyond chance.
          def same
            titles = (causes - named - moved).map { |one| one[:title] }
            ["not moved", titles.join(", ")] if titles.any?
          end

          def columns
            [@style.left_out(TITLES.values_at(*@left_out))] if @left_out.any?
          end
        end
      end
    end
  end
end
