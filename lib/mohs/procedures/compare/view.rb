# frozen_string_literal: true

module Mohs
  module Compare
    # A comparison of two variants: the verdict, what it rests on, a table of metrics.
    class View < Report::Views::OfRows
      KIND = "compare"
      SECTIONS = [Section, Report::Sections::Figures, Report::Sections::Streams,
                  Report::Sections::Percentiles, Report::Sections::Heat, CohortsSection,
                  *Report::Sections::OF_VARIANTS, Report::Sections::Remarks,
                  Report::Sections::Provenance].freeze
      LATENCIES = %w[p50 p99].freeze
      # The value of one side alone would hide the other's errors. Metric and verdict always stay.
      LEAST_FIRST = [%i[a b], %i[interval], %i[change]].freeze
      UNTESTED = "not tested"
      NO_VERDICT = "no verdict"

      # A metric's value with its unit; a dash if there is none.
      #: (String, Numeric?) -> String
      def self.value(metric, value)
        return Report::Numbers::NONE unless value

        known = Analysis::Metric.named(metric)
        [Report::Numbers.figure(known ? known.shown(value) : value), *known&.unit].join(" ")
      end

      private

      def why = row_of(@document[:b])&.fetch(:why, nil)

      # They are about B, whichever is faster.
      def facts = pick ? of_pick : []

      def pick = candidates.find { |row| row[:variant] == @document[:b] } || super

      def certainty
        cohorts = @document[:cohorts]
        basis = "#{Report::Numbers.counted(cohorts[:done].to_i, 'cohort')} of fresh servers, " \
                "#{Report::Numbers.whole(cohorts[:requests])} " \
                "#{Report::Unit.name(@document)} a side"
        interval = "95 % interval, valid whenever it stops" unless @document[:quick]
        [(interval if interval?(@document)), basis].compact.join("; ")
      end

      def basis
        cohorts = @document[:cohorts]
        return unless measured?

        [Report::Numbers.duration(cohorts[:seconds]),
         "#{Report::Numbers.counted(cohorts[:done], 'cohort')} of #{servers(cohorts)} servers",
         "at most #{Report::Numbers.thousands(cohorts[:requests])} " \
         "#{Report::Unit.name(@document)} each",
         cores(cohorts)].join(" · ")
      end

      def tables = measured? ? [metrics] : []

      def remarks
        [marks, latencies, *missing, lower_percentile, spread, *reasons, *gates, *notes,
         *void].compact
      end

      # Cohorts are not planned beforehand.
      def progress = ("these figures are from before you stopped it" if measured.any?)

      def measured? = @document.dig(:cohorts, :done).positive?

      def servers(cohorts)
        [*cohorts[:each_before], cohorts[:each]].map { |each| each.join(" + ") }.join(", then ")
      end

      def cores(cohorts)
        count = cohorts[:cores]
        noun = count == 1 ? "one core" : "#{count} cores"
        return "#{noun} a side" if cohorts[:side_by_side]

        driver = @document.dig(:cores, :apart) ? "apart" : "shares"
        driver = "far" if @document.dig(:host, :load_from)
        "#{noun}, #{say("driver_#{driver}")}"
      end

      def metrics
        table(:metrics, columns, [*shown_metrics.map { |one| row(one) }, errors],
              least_first: LEAST_FIRST, above: names)
      end

      def columns
        [column(:metric, "metric"), column(:a, "A"), column(:b, "B"),
         column(:change, "B against A"), column(:interval, "", name: "interval"),
         column(:verdict, "", name: "verdict")]
      end

      # The metrics, with the tail after the median.
      def shown_metrics
        metrics = @document[:metrics].reject { |one| one[:name] == @document[:tail][:name] }
        medians = ["p50", *Analysis::Metric::TIMED.map(&:name)]
        at = metrics.index { |one| medians.include?(one[:name]) }
        metrics.insert(at + 1, @document[:tail])
      end

      # Which variant is A and which is B, unless the sentence says so.
      def names
        return [] if %w[faster slower].include?(@document.dig(:verdict, :outcome))

        %i[a b].map { |side| "#{side.upcase}: #{@document[side]}" }
      end

      def row(metric)
        a, b = %i[a b].map { |side| value(metric, side) }
        cells = { metric: cell(metric[:title]), a:, b:, **against(metric) }
        return { **cells, verdict: mark(metric) } unless metric[:missing]

        known = [a, b].any?(&:value)
        { **cells, verdict: cell(known ? UNTESTED : "") }
      end

      def mark(metric)
        invalid? && metric[:mark] ? cell(NO_VERDICT) : cell(metric[:mark], code: metric[:mark])
      end

      def invalid? = Document.invalid?(@document)

      # The metric of one side; for a latency that can't be compared, that of the variant's row.
      def value(metric, side)
        value = metric[side] || of_row(@document[side], metric[:name].to_sym)
        cell(View.value(metric[:name], value), value:)
      end

      def of_row(name, quantile)
        row_of(name)&.dig(:latency_ms, quantile)
      end

      # "+33.1 %", "[31.8, 34.3]".
      def against(metric)
        return { change: cell(Report::Numbers::NONE) } unless metric[:effect]

        change = Report::Change.equal(metric, better: metric[:better])
        { change: cell(change.signed, value: metric[:effect]), interval: cell(change.interval) }
      end

      def errors
        a, b = %i[a b].map { |side| row_of(@document[side])&.fetch(:errors) }
        { metric: cell("errors"), a: cell(error_text(a)), b: cell(error_text(b)),
          verdict: cell(b&.fetch(:outcome), code: b&.fetch(:outcome)) }
      end

      # nil for a variant that was not booted.
      def row_of(name) = @document[:rows].find { |row| row[:variant] == name }

      def error_text(errors)
        return Report::Numbers::NONE unless errors
        return "0" if errors[:total].zero?

        "#{Report::Numbers.whole(errors[:total])} (#{Report::Numbers.percent(errors[:share])})"
      end

      def marks
        judged = @document[:metrics].count { |metric| metric[:outcome] }
        return if judged < 2 || invalid?

        deciding = @document[:metrics].find { |one| one[:key] == @document[:verdict][:metric] }
        alone = [deciding, @document[:tail]].uniq.select { |one| one[:outcome] }
        titles = alone.map { |one| one[:title] }.join(" and ")
        test_clause = say("marks_test", metric: deciding[:title]) if deciding[:equal_interval]
        margin = @document[:margin]
        remark("marks", say("marks_compare", margin:, test_clause:, alone: titles))
      end

      # The latencies of A and B, for a renderer that has no room for their columns.
      def latencies
        return unless measured?

        times = shown_metrics.select { |metric| LATENCIES.include?(metric[:name]) }
        texts = times.map do |one|
          "#{one[:title]} #{%i[a b].map { |side| value(one, side).text }.join(', ')}"
        end
        remark("A, B", texts.join(" · "), without: %i[a b])
      end

      def missing
        return [] unless measured?

        shown_metrics.select { |metric| metric[:missing] }
                     .group_by { |metric| metric[:missing_finding] }.values
                     .map { |same| remark("missing", "#{titles(same)}: #{same.first[:missing]}") }
      end

      def titles(metrics) = metrics.map { |metric| metric[:title] }.join(", ")

      # The size of the noise, and its sources.
      def spread
        sd, boots = @document.dig(:cohorts, :spread).values_at(:sd, :boots)
        return unless sd

        text = "standard deviation between cohorts #{Report::Numbers.tenths(sd)}"
        text += " (#{Report::Numbers.tenths(boots)} due to boots)" if boots
        remark("spread", [text, *core_speed].join(", "))
      end

      def core_speed
        share, much = @document.dig(:cohorts, :spread).values_at(:pace, :pace_much)
        "after adjusting for core speed (#{Report::Numbers.tenths(share)} of the noise)" if much
      end

      # Adds the range over the cohorts, which says more than the mean.
      def disturbed(text)
        shares = @document[:observations].filter_map { |one| one[:foreign_cpu_share] }
        low, high = shares.minmax.map { |share| share && (share * 100).round }
        low == high ? text : "#{text} (#{low} to #{high} % in a cohort)"
      end

      def reasons
        forecast = !@document[:forecast].nil?
        Headline.unstated(@document[:verdict], forecast:)
                .map { |finding| remark("note", finding[:text]) }
      end

      def gates
        @document[:gates].map do |gate|
          remark("gate", "#{gate[:gate]} #{gate[:outcome]}: #{gate[:reason]}", code: :gate)
        end
      end

      def notes
        @document[:notes].to_a.map do |note|
          code, name, text = note.values_at(:code, :name, :text)
          remark(name, code == "host" ? disturbed(text) : text)
        end
      end

      # Cohorts that don't count, except those in the sentence; a shared cause is printed once.
      def void
        others = @document.dig(:cohorts, :void).reject { |cohort| cohort[:decisive] }
        others.group_by { |cohort| cohort.values_at(:code, :values) }.values.map do |same|
          numbers = same.map { |one| one[:cohort] + 1 }.join(", ")
          remark("left out", "cohort#{'s' unless same.one?} #{numbers}: #{same.first[:reason]}")
        end
      end
    end
  end
end
