# frozen_string_literal: true

module Mohs
  module Report
    class Headline
      # The first line of `mohs import`, from the rest of its document: how the variants differ, or
      # the figures of the only one.
      class Imports < Headline
        FASTEST = %w[faster equivalent undecided slower invalid].freeze

        #: () -> String
        def to_s
          "#{answer}#{failed_requests}."
        end

        private

        def answer
          comparisons = @document[:comparisons]
          return alone if comparisons.empty?
          return one(comparisons.first) if comparisons.one?

          several(comparisons)
        end

        # The failed requests of loads, as no speed is reported without them; nil if none failed.
        def failed_requests
          failed = @document[:rows].select { |row| row[:requests] && failures(row).positive? }
          return if failed.empty?
          return say("failed_alone", share: share(failed.first)) if @document[:rows].one?

          shown = failed.first(FEW).map { |row| "#{Numbers.called(row[:variant])} #{share(row)}" }
          shown << "#{failed.size - FEW} more" if failed.size > FEW
          say("failed_requests", shares: shown.join(", "))
        end

        def failures(row) = row[:errors][:total]

        # The share of failed requests; their number if the tool doesn't report the correct ones.
        def share(row)
          good = row[:good]
          good ? Numbers.percent(failures(row).fdiv(good + failures(row))) : failures(row).to_s
        end

        def say(code, **values) = super("import_#{code}", **values)

        def alone
          rows = @document[:rows]
          row = rows.first
          return say("nothing_compared", count: rows.size) unless rows.one?

          measure = row[:measure]
          return say("no_value", variant: row[:variant]) unless measure[:value]

          spread = Numbers.spread(measure.slice(:value, :low, :high)) || "no interval"
          say("alone", variant: row[:variant], figure: figure(measure), spread:,
                       runs: Numbers.counted(row[:runs], "run"))
        end

        def figure(measure)
          shown = ImportedValues.of([measure])
          texts = [measure[:name], shown.figure(measure[:value]), *shown.unit]
          (shown.unit ? texts : texts.rotate).join(" ")
        end

        def one(comparison)
          names = { variant: comparison[:variant], baseline: comparison[:against] }
          base, runs = comparison[:runs]
          basis = say("basis", metric: comparison[:metric], base:, runs:)
          return say("compared_invalid", **names) unless comparison[:effect]

          change = Change.of(comparison[:effect]).signed
          return say("compared_open", **names, change:, basis:) unless comparison[:interval]

          said(comparison, **names, basis:)
        end

        def said(comparison, **values)
          code = comparison[:outcome]
          return say("compared_#{code}", **values, text: comparison[:text]) \
            unless %w[faster slower].include?(code)

          change = Change.new(comparison)
          size = change.directed("faster", "slower", "fast")
          joint = change.times? ? "as" : "than"
          say("compared_differs", **values, size:, joint:, bracket: change.bracket)
        end

        def several(comparisons)
          counts = FASTEST.filter_map do |outcome|
            count = comparisons.count { |one| one[:outcome] == outcome }
            "#{count} #{outcome == 'invalid' ? 'without a verdict' : outcome}" if count.positive?
          end
          faster = comparisons.select { |one| one[:outcome] == "faster" }
          best = faster.max_by { |one| one[:effect] }
          best_clause = best && !benchmarks? ? "; #{one(best)}" : ""
          say("several", count: comparisons.size, baseline: @document[:baseline],
                         counts: list(counts), best_clause:)
        end

        def benchmarks? = @document[:comparisons].any? { |one| one[:benchmark] }
      end
    end
  end
end
