# frozen_string_literal: true

module Mohs
  module Report
    class Terminal
      # The document of `mohs compare` for people: the verdict in a sentence, what it rests on, a
      # table of metrics, and remarks.
      class CompareScreen < Screen
        UNITS = { "cpu" => " µs", "p50" => " ms", "p99" => " ms", "memory" => " MB",
                  "boot" => " ms" }.freeze
        LATENCIES = %w[p50 p99].freeze
        COLOURS = { "better" => :green, "worse" => :red }.freeze
        STEPS = { "ends" => "its two ends", "search" => "on which side B is",
                  "confirm" => "to confirm what was found" }.freeze
        HEAD = ["metric", "A", "B", "B against A", "", ""].freeze
        TITLES = ["metric", "A", "B", "B against A", "intervals", "verdicts"].freeze

        # Groups of columns in the order in which they are left out: the value of one side alone
        # would hide the other's errors. Metric and verdict always stay.
        LEAST_FIRST = [[1, 2], [4], [3]].freeze
        UNTESTED = "not tested"

        # A metric's value with its unit; a dash if there is none.
        #: (String, Numeric?) -> String
        def self.value(metric, value)
          return Numbers::NONE unless value

          value /= Numbers::MEGABYTE if metric == "memory"
          "#{Numbers.figure(value)}#{UNITS[metric]}"
        end

        #: () -> String
        def to_s = paragraphs(top, table, named(remarks))

        # The rows, in the columns that fit. Rows that are empty without the values of A and B are
        # left out.
        #: () -> Array[Array[String]]
        def cells
          return [] if @document.dig(:cohorts, :done).zero?

          @cells ||= whole.map { |row| row.values_at(*columns) }
                          .select { |_, *cells| cells.any? { |cell| !cell.empty? } }
        end

        #: () -> Array[[String, String]]
        def remarks
          [bisection, marks, latencies, *missing, spread, *reasons, *gates, *notes, *void,
           *columns_line, *Terminal.next_lines(@document)].compact
        end

        #: () -> String
        def basis
          cohorts = @document[:cohorts]
          return "" if cohorts[:done].zero?

          [Numbers.duration(cohorts[:seconds]),
           "#{Numbers.counted(cohorts[:done], 'cohort')} of #{servers(cohorts)} servers",
           "at most #{Numbers.thousands(cohorts[:requests])} requests each",
           cores(cohorts)].join(" · ")
        end

        private

        def top = [head, *why, @style.wrap(basis)].reject(&:empty?).join("\n")

        # What causes the verdict's difference, if that is known.
        def why
          text = row_of(@document[:b])&.fetch(:why)
          @style.wrap("Why: #{text}.") if text
        end

        def servers(cohorts)
          [*cohorts[:each_before], cohorts[:each]].map { |each| each.join(" + ") }.join(", then ")
        end

        def cores(cohorts)
          count = cohorts[:cores]
          noun = count == 1 ? "one core" : "#{count} cores"
          return "#{noun} a side" if cohorts[:side_by_side]

          driver = @document.dig(:cores, :apart) ? "apart" : "shares"
          driver = "far" if @document.dig(:host, :load_from)
          "#{noun}, #{Phrase.text("driver_#{driver}")}"
        end

        def table
          return if @document.dig(:cohorts, :done).zero?

          lines = Columns.new(cells).lines.zip(cells.map(&:last))
          [*names, *lines.map { |line, mark| coloured(line, mark) }].join("\n")
        end

        def whole = @whole ||= [HEAD, *shown_metrics.map { |one| row(one) }, errors]

        # Indexes of the columns that fit.
        def columns
          @columns ||= Columns.fitting(whole, least_first: LEAST_FIRST, width: @style.width)
        end

        def columns_line
          gone = HEAD.each_index.to_a - columns
          return [] if gone.empty? || @document.dig(:cohorts, :done).zero?

          [@style.left_out(TITLES.values_at(*gone))]
        end

        # The metrics, with the tail after the median.
        def shown_metrics
          metrics = @document[:metrics]
          at = metrics.index { |one| one[:name] == "p50" }
          metrics.dup.insert(at + 1, @document[:tail])
        end

        # Which variant is A and which is B, unless the sentence says so.
        def names
          return [] if %w[faster slower].include?(@document.dig(:verdict, :outcome))

          %i[a b].map { |side| @style.cut("#{side.upcase}: #{@document[side]}") }
        end

        def row(metric)
          values = sides(metric)
          known = values.any? { |value| value != Numbers::NONE }
          return [metric[:title], *values, Numbers::NONE, "", known ? UNTESTED : ""] if
            metric[:missing]

          [metric[:title], *values, *against(metric), metric[:mark].to_s]
        end

        def sides(metric) = %i[a b].map { |side| cell(metric, side) }

        # The metric of one side; for a latency that can't be compared, that of the variant's row.
        def cell(metric, side)
          value = metric[side] || of_row(@document[side], metric[:name].to_sym)
          CompareScreen.value(metric[:name], value)
        end

        def of_row(name, quantile)
          row_of(name)&.dig(:latency_ms, quantile)
        end

        # "+33.1 %", "[31.8, 34.3]".
        def against(metric)
          change = Change.equal(metric, better: metric[:better])
          [change.signed, change.interval.to_s]
        end

        def errors
          a, b = %i[a b].map { |side| row_of(@document[side])&.fetch(:errors) }
          ["errors", error_cell(a), error_cell(b), "", "", b&.fetch(:outcome).to_s]
        end

        # nil for a variant that was not booted.
        def row_of(name) = @document[:rows].find { |row| row[:variant] == name }

        def error_cell(errors)
          return Numbers::NONE unless errors
          return "0" if errors[:total].zero?

          "#{Numbers.whole(errors[:total])} (#{Numbers.percent(errors[:share])})"
        end

        # The step of a bisection that this comparison is.
        def bisection
          step = @document[:bisection] or return
          number, good, bad = step.values_at(:number, :good, :bad)
          ["bisect", Phrase.text("marks_step", number:, good:, bad:,
                                               step: STEPS.fetch(step[:kind]))]
        end

        def marks
          judged = @document[:metrics].count { |metric| metric[:outcome] }
          return if judged < 2

          deciding = @document[:metrics].find { |one| one[:key] == @document[:verdict][:metric] }
          alone = [deciding, @document[:tail]].select { |one| one[:outcome] }
          titles = alone.map { |one| one[:title] }.join(" and ")
          test = Phrase.text("marks_test", metric: deciding[:title]) if deciding[:equal_interval]
          ["marks", Phrase.text("marks_compare", margin: @document[:margin], test_clause: test,
                                                 alone: titles)]
        end

        # The latencies of A and B, if their columns did not fit.
        def latencies
          return if columns_line.empty?

          times = shown_metrics.select { |metric| LATENCIES.include?(metric[:name]) }
          ["A, B", times.map { |one| "#{one[:title]} #{sides(one).join(', ')}" }.join(" · ")]
        end

        def missing
          return [] if @document.dig(:cohorts, :done).zero?

          shown_metrics.select { |metric| metric[:missing] }
                       .group_by { |metric| metric[:missing_finding] }.values
                       .map { |same| ["missing", "#{titles(same)}: #{same.first[:missing]}"] }
        end

        def titles(metrics) = metrics.map { |metric| metric[:title] }.join(", ")

        # The size of the noise, and its sources.
        def spread
          sd, boots = @document.dig(:cohorts, :spread).values_at(:sd, :boots)
          return unless sd

          text = "standard deviation between cohorts #{Numbers.tenths(sd)}"
          text += " (#{Numbers.tenths(boots)} due to boots)" if boots
          ["spread", [text, *core_speed].join(", ")]
        end

        def core_speed
          share, much = @document.dig(:cohorts, :spread).values_at(:pace, :pace_much)
          "after adjusting for core speed (#{Numbers.tenths(share)} of the noise)" if much
        end

        # Adds the range over the cohorts, which says more than the mean.
        def disturbed(text)
          shares = @document[:observations].filter_map { |one| one[:foreign_cpu_share] }
          low, high = shares.minmax.map { |share| share && (share * 100).round }
          low == high ? text : "#{text} (#{low} to #{high} % in a cohort)"
        end

        # The verdict's findings without those in the sentence: the forecast, and why there is no
        # verdict.
        def reasons
          given = @document[:forecast] ? Sentence::Comparison::FORECASTS : []
          findings = @document[:verdict][:findings].reject { |one| given.include?(one[:code]) }
          findings = findings.drop(1) if @document[:verdict][:outcome] == "invalid"
          findings.map { |finding| ["note", finding[:text]] }
        end

        def gates
          @document[:gates].map do |gate|
            ["gate", "#{gate[:gate]} #{gate[:outcome]}: #{gate[:reason]}"]
          end
        end

        def notes
          @document[:notes].to_a.map do |note|
            name, text = note.values_at(:name, :text)
            [name, name == "host" ? disturbed(text) : text]
          end
        end

        # Cohorts that don't count, except those in the sentence; a shared cause is printed once.
        def void
          others = @document.dig(:cohorts, :void).reject { |cohort| cohort[:decisive] }
          others.group_by { |cohort| cohort.values_at(:code, :values) }.values.map do |same|
            numbers = same.map { |one| one[:cohort] + 1 }.join(", ")
            ["left out", "cohort#{'s' unless same.one?} #{numbers}: #{same.first[:reason]}"]
          end
        end
      end
    end
  end
end
