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

      private

      # The sentence may be about A.
      def why
        why = metrics.row_of(@document[:b])&.fetch(:why, nil)
        why && @document[:jit_worth] ? say("compare_why", why:) : why
      end

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

      def tables = measured? ? [metrics.to_table(above: names)] : []

      def metrics = @metrics ||= MetricTable.new(@document)

      def remarks
        [marks, latencies, *missing, lower_percentile, spread, remedy, *reasons, *gates, *notes,
         *void].compact
      end

      # Cohorts are not planned beforehand.
      def progress = ("by you; these are the figures up to then" if measured.any?)

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

      # Which variant is A and which is B, unless the sentence says so.
      def names
        said = %w[faster slower].include?(@document.dig(:verdict, :outcome))
        return [] if said && !@document[:jit_worth]

        %i[a b].map { |side| "#{side.upcase}: #{@document[side]}" }
      end

      def marks
        judged = @document[:metrics].count { |metric| metric[:outcome] }
        return if judged < 2 || Document.invalid?(@document)

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

        times = metrics.shown.select { |metric| LATENCIES.include?(metric[:name]) }
        texts = times.map do |one|
          "#{one[:title]} #{%i[a b].map { |side| metrics.cell_of(one, side).text }.join(', ')}"
        end
        remark("A, B", texts.join(" · "), without: %i[a b])
      end

      # Why metrics have no verdict; most have figures all the same.
      def missing
        return [] unless measured?

        lacking = metrics.shown.select { |metric| metric[:missing] }
        lacking.group_by { |one| [metrics.untested?(one), one[:missing_finding]] }
               .map do |(untested, _), same|
          remark(untested ? "untested" : "missing", "#{titles(same)}: #{same.first[:missing]}")
        end
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

      # Against the reason for having no verdict.
      def remedy
        reason = @document[:verdict][:findings].first if Document.invalid?(@document)
        cure(reason&.dig(:values, :remedy))
      end

      def reasons
        forecast = !@document[:forecast].nil?
        Headline.unstated(@document[:verdict], forecast:)
                .map { |finding| remark("note", finding[:text]) }
      end

      # Everybody should see them.
      def gates
        @document[:gates].map do |gate|
          remark("gate", "#{gate[:gate]} #{gate[:outcome]}: #{gate[:reason]}", code: :open)
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
