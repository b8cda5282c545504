# frozen_string_literal: true

module Mohs
  module Report
    class Terminal
      # The document of `mohs compare` for people: the verdict in a sentence, what it rests on, a
      # table of metrics, what is to be known.
      class CompareScreen < Screen
        UNITS = { "cpu" => " µs", "p50" => " ms", "memory" => " MB", "boot" => " ms" }.freeze
        MEGABYTE = 1e6
        COLOURS = { "better" => :green, "worse" => :red }.freeze
        STEPS = { "ends" => "its two ends", "search" => "on which side B is",
                  "confirm" => "to confirm what was found" }.freeze
        HEAD = ["metric", "A", "B", "B against A", "", ""].freeze

        # Share of the noise that core speed has to explain to be mentioned.
        MUCH = 0.1

        #: () -> String
        def to_s = paragraphs(top, table, below.map { |line| @style.named(*line) }.join("\n"))

        private

        def top = [head, @style.wrap(basis)].reject(&:empty?).join("\n")

        # The basis of the verdict.
        def basis
          cohorts = @document[:cohorts]
          return "" if cohorts[:done].zero?

          [Numbers.duration(cohorts[:seconds]),
           "#{Numbers.counted(cohorts[:done], 'cohort')} of #{servers(cohorts)} servers",
           "#{Numbers.thousands(cohorts[:requests])} requests each", cores(cohorts)].join(" · ")
        end

        def servers(cohorts)
          [*cohorts[:each_before], cohorts[:each]].map { |each| each.join(" + ") }.join(", then ")
        end

        def cores(cohorts)
          count = cohorts[:cores]
          noun = count == 1 ? "one core" : "#{count} cores"
          return "#{noun} a side" if cohorts[:scheme] == "duet"

          driver = @document.dig(:cores, :apart) ? "apart" : "shares"
          "#{noun}, #{Phrase.text("driver_#{driver}")}"
        end

        def table
          return if @document.dig(:cohorts, :done).zero?

          metrics = @document[:metrics]
          head, *lines = Columns.new([HEAD, *metrics.map { |one| row(one) }, errors]).lines
          lines = lines.zip(metrics).map { |line, metric| coloured(line, metric) }
          [*names, @style.cut(head), *lines].join("\n")
        end

        # Which variant is A, which B, unless the sentence says it.
        def names
          return [] if %w[faster slower].include?(@document.dig(:verdict, :outcome))

          %i[a b].map { |side| @style.cut("#{side.upcase}: #{@document[side]}") }
        end

        def row(metric)
          return [metric[:title], "–", "–", "", "", ""] if metric[:missing]

          [metric[:title], cell(metric, :a), cell(metric, :b), *against(metric),
           shown(metric).to_s]
        end

        def shown(metric)
          return metric[:outcome] unless metric[:outcome] == "alike"

          verdict = @document[:verdict]
          equivalent = verdict[:outcome] == "equivalent" && metric[:key] == verdict[:metric]
          equivalent ? "equal" : "undecided"
        end

        def cell(metric, side)
          value = metric[side]
          value /= MEGABYTE if metric[:name] == "memory"
          "#{Numbers.figure(value)}#{UNITS[metric[:name]]}"
        end

        # "+33.1 %", "[31.8, 34.3]".
        def against(metric)
          change = Change.equal(metric, better: metric[:better])
          [change.signed, change.interval.to_s]
        end

        def errors
          a, b = %i[a b].map do |side|
            @document[:rows].find { |one| one[:variant] == @document[side] }[:errors]
          end
          outcome = a[:share] > b[:share] ? "better" : "worse" if b[:differs]
          ["errors", error_cell(a), error_cell(b), "", "", outcome.to_s]
        end

        def error_cell(errors)
          return "0" if errors[:total].zero?

          "#{Numbers.whole(errors[:total])} (#{Numbers.percent(errors[:share])})"
        end

        # The last column, if there is room for it.
        def coloured(line, metric)
          colour = COLOURS[metric && metric[:outcome]]
          return @style.cut(line) if colour.nil? || line.length > @style.width

          line[0...-metric[:outcome].length] + @style.paint(colour, metric[:outcome])
        end

        def below
          [bisection, marks, *missing, spread, *reasons, *gates, *notes, *void,
           *Terminal.next_lines(@document)].compact
        end

        # The conditions of the measurement.
        def bisection
          step = @document[:bisection] or return
          number, good, bad = step.values_at(:number, :good, :bad)
          ["bisect", "step #{number} (#{STEPS.fetch(step[:kind])}) of a bisection from #{good}, " \
                     "good, to #{bad}, bad"]
        end

        def marks
          judged = @document[:metrics].count { |metric| metric[:outcome] }
          return if judged < 2

          deciding = @document[:metrics].find { |one| one[:key] == @document[:verdict][:metric] }
          title, equal = deciding.values_at(:title, :equal_interval)
          text = "better, worse: beyond chance, #{title} tested alone, the others jointly"
          text += "; equal: the interval of the test for it, 90 %" if equal
          ["marks", text]
        end

        def missing
          return [] if @document.dig(:cohorts, :done).zero?

          @document[:metrics].select { |metric| metric[:missing] }
                             .group_by { |metric| metric[:missing] }
                             .map { |why, same| ["missing", "#{titles(same)}: #{why}"] }
        end

        def titles(metrics) = metrics.map { |metric| metric[:title] }.join(", ")

        # The size of the noise, and its sources.
        def spread
          sd, boots, core_speed = @document.dig(:cohorts, :spread).values_at(:sd, :boots, :pace)
          return unless sd

          text = "standard deviation between cohorts #{Numbers.tenths(sd)}"
          text += " (#{Numbers.tenths(boots)} due to boots)" if boots
          ["spread", [text, *core_speed_text(core_speed)].join(", ")]
        end

        def core_speed_text(share)
          return unless share.to_f >= MUCH

          "after adjusting for core speed (#{Numbers.tenths(share)} of the noise)"
        end

        # The mean says less than the range it moved through.
        def disturbed(text)
          shares = @document[:observations].filter_map { |one| one[:foreign_cpu_share] }
          low, high = shares.minmax.map { |share| share && (share * 100).round }
          low == high ? text : "#{text} (#{low} to #{high} % in a cohort)"
        end

        # Without what the sentence gives: the forecast, and why there is no verdict.
        def reasons
          findings = @document[:verdict][:findings].reject { |one| one[:code] == "forecast" }
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

        # Cohorts that don't count, except those in the sentence; a cause that several share is
        # printed once.
        def void
          others = @document.dig(:cohorts, :void).reject { |cohort| cohort[:decisive] }
          others.group_by { |cohort| cohort[:reason] }.map do |reason, same|
            numbers = same.map { |one| one[:cohort] + 1 }.join(", ")
            ["left out", "cohort#{'s' unless same.one?} #{numbers}: #{reason}"]
          end
        end
      end
    end
  end
end
