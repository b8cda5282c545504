# frozen_string_literal: true

module Mohs
  module Calibration
    # Computes the figures of the page from the entries of a ledger. Pure.
    class Summary
      METRICS = %i[throughput cpu p50].freeze

      # Power (80 %) and two-sided false positive rate (5 %) of the practice.
      POWER_Z = 0.8416 + 1.9600 # qnorm(.8) + qnorm(.975)

      # Half the width of a 95 % interval, in standard errors.
      TWO_SIDED_Z = 1.96

      # The outcome of a comparison whose budget ran out: a verdict would have taken longer.
      UNDECIDED = "undecided"

      # Runs of one comparison in the practice's plan (30 of each side).
      PLAN = 60

      # One case: `outcomes` { outcome => count }; the seconds in which half and nine of ten
      # comparisons had a verdict (infinite if fewer did; those without a verdict ended after
      # `open_s` at least); the longest of all; cohorts; the estimate and the truth as percentages;
      # the spread of cohorts in per cent (by metric); `covered` of `of` intervals contain the
      # truth.
      Row = Struct.new(:name, :runs, :outcomes, :median_s, :p90_s, :max_s, :open_s, :cohorts,
                       :estimate, :truth, :spread, :covered, :of, keyword_init: true) do
        # How many comparisons gave the right answer, a wrong one, or none. A flag has no known
        # answer: whichever most of its comparisons give. "Equal" is right of two that are the
        # same, and of a loop that costs less than the margin or as much.
        #: () -> { right: Integer, undecided: Integer, wrong: Integer }
        def answers
          right = outcomes.values_at(*rights).compact.sum
          wrong = outcomes.values_at(*(DECIDED - rights)).compact.sum
          { right:, undecided: runs - right - wrong, wrong: }
        end

        private

        def rights
          return %w[equivalent] if name == "aa"
          return [*outcomes.slice(*DECIDED).max_by(&:last)&.first] unless
            name.match?(Settings::PERCENT)

          name.to_f > MARGIN ? %w[slower] : %w[slower equivalent]
        end
      end

      DECIDED = %w[faster slower equivalent].freeze

      # Per cent.
      MARGIN = 100 * Compare::Rules::MARGIN

      # A Row's times, of its comparisons.
      #: (Array[Hash[Symbol, untyped]]) -> Hash[Symbol, Float?]
      def self.timed(entries)
        open, decided = entries.partition { |entry| entry[:outcome] == UNDECIDED }
        times = [*decided.map { |entry| entry[:wall_s] }.sort, *open.map { Float::INFINITY }]
        { median_s: within(times, 0.5), p90_s: within(times, 0.9),
          max_s: entries.map { |entry| entry[:wall_s] }.max,
          open_s: open.map { |entry| entry[:wall_s] }.min }
      end

      # The value that this share of the sorted values did not exceed.
      def self.within(sorted, share) = sorted[(share * sorted.size).ceil - 1]
      private_class_method :within

      #: (Calibration::Ledger) -> void
      def initialize(ledger)
        @ledger = ledger
        @dose = Dose.new(ledger.of("truth")) if ledger.of("truth").any?
      end

      #: () -> Array[Calibration::Summary::Row]
      def rows = names.map { |name| row(name, @ledger.of("live", name)) }

      #: (String) -> Calibration::Summary::Row?
      def find(name) = rows.find { |row| row.name == name }

      # How many comparisons of a case had a verdict within so many seconds.
      #: (String, Numeric) -> Integer
      def decided_within(name, seconds)
        decided = @ledger.of("live", name).reject { |entry| entry[:outcome] == UNDECIDED }
        decided.count { |entry| entry[:wall_s] <= seconds }
      end

      # How many comparisons of an application with itself found a difference, and how many there
      # are.
      #: () -> [Integer, Integer]
      def false_verdicts
        all = @ledger.of("live", "aa")
        [all.count { |entry| decided?(entry) }, all.size]
      end

      # How many intervals of requests/s contain the true effect, and how many there are; injected
      # cases only.
      #: () -> [Integer, Integer]
      def coverage = sum(rows.reject { |row| row.name == "aa" })

      # Variance x seconds of the practice over that of a cohort, { throughput:, cpu: }; nil if one
      # of them was not measured. Compares a pair of long runs with a cohort of two servers each.
      # A comparison's whole time is that of its cohorts: its start, what lies between them, and a
      # last one that decided nothing.
      #: () -> Hash[Symbol, Float]?
      def efficiency
        return if practice.empty? || spreads.empty?

        %i[throughput cpu].to_h do |metric|
          ours = (spreads[metric]**2) * Stats::Center.mean(cohort_seconds)
          [metric, 2 * practice_variance(metric) * 2 * practice_s / ours]
        end
      end

      # Seconds of the practice's plan over the seconds in which half of the 2 % comparisons had a
      # verdict; nil if one of them was not measured.
      #: () -> Float?
      def plan_ratio
        row = find("2")
        PLAN * practice_s / row.median_s if row && practice.any?
      end

      # Seconds that the practice needs to find `percent` in four of five tries.
      #: (Numeric) -> Float?
      def practice_needs(percent)
        return if practice.empty?

        runs = 2 * practice_variance(:throughput) * ((POWER_Z / Math.log(1 + (percent / 100.0)))**2)
        [runs, 2].max * 2 * practice_s
      end

      # Spread of the runs within their batch, in per cent.
      #: (Symbol) -> Float
      def practice_spread(metric) = 100 * Math.sqrt(practice_variance(metric))

      # Seconds of one run, its boot included.
      #: () -> Float
      def practice_s = Stats::Center.mean(practice.flatten.map { |run| run[:wall_s] })

      # Batches of runs.
      #: () -> Array[Array[Hash]]
      def practice = @ledger.of("practice").map { |entry| entry[:runs] }

      # Standard error of the loop's cost, in percentage points.
      #: (Calibration::Summary::Row) -> Float?
      def truth_error(row)
        rounds = rounds(@ledger.of("live", row.name)) or return
        100 * @dose.error(rounds)
      end

      # Median share of the CPU that other processes took during the comparisons.
      #: () -> Float?
      def foreign
        shares = @ledger.of("live").filter_map { |entry| entry[:foreign] }
        Stats::Center.median(shares) if shares.any?
      end

      private

      def names
        @ledger.of("live").map { |entry| entry[:case] }.uniq.sort_by { |name| order(name) }
      end

      def order(name) = [name == "aa" ? 0 : 1, name.to_f.zero? ? 1 : 0, name.to_f, name]

      def row(name, entries)
        held = entries.select { |entry| entry[:interval] }.map { |entry| covered?(entry) }.compact
        Row.new(name:, runs: entries.size, outcomes: entries.map { |e| e[:outcome] }.tally,
                **Summary.timed(entries), spread: spread(entries),
                cohorts: Stats::Center.mean(entries.map { |entry| entry[:differences].size }),
                estimate: percents { |metric| mean_effect(entries, metric) },
                truth: percents { |metric| truth(entries.first, metric) },
                covered: held.count(true), of: held.size)
      end

      def percents
        METRICS.to_h { |metric| [metric, yield(metric)&.then { |log| 100 * (Math.exp(log) - 1) }] }
      end

      def mean_effect(entries, metric)
        all = entries.flat_map { |entry| column(entry, metric) }
        Stats::Center.mean(all) if all.any?
      end

      def column(entry, metric)
        entry[:differences].filter_map { |each| each[METRICS.index(metric)] }
      end

      # The true log difference; nil if it is unknown.
      def truth(entry, metric)
        return 0.0 if entry[:case] == "aa"

        @dose.effect(entry[:rounds], metric) if entry[:rounds] && metric != :p50
      end

      def rounds(entries) = entries.first&.dig(:rounds)

      # Whether the interval contains the truth; nil if the truth is unknown. The truth is a
      # measurement too, so the interval is widened to that of the difference between the two
      # measurements.
      def covered?(entry)
        effect = truth(entry, :throughput) or return
        low, high = entry[:interval].map { |ratio| Math.log(ratio) }
        error = entry[:case] == "aa" ? 0.0 : @dose.error(entry[:rounds])
        reach = Math.hypot((high - low) / 2, TWO_SIDED_Z * error)
        (effect - ((low + high) / 2)).abs <= reach
      end

      def sum(rows) = [rows.sum(&:covered), rows.sum(&:of)]

      def decided?(entry) = %w[faster slower].include?(entry[:outcome])

      # Spread of cohorts around the mean of their own comparison, pooled.
      def spread(entries)
        METRICS.to_h do |metric|
          groups = entries.map { |entry| column(entry, metric) }.select { |group| group.size > 1 }
          [metric, groups.any? ? 100 * Math.sqrt(pooled_variance(groups)) : nil]
        end
      end

      def pooled_variance(groups)
        squares = groups.sum { |group| Stats::Spread.variance(group) * (group.size - 1) }
        squares / groups.sum { |group| group.size - 1 }
      end

      def live = @live ||= @ledger.of("live").reject { |entry| entry[:case] == "yjit" }

      def spreads
        @spreads ||= spread(live).compact.transform_values { |percent| percent / 100 }
      end

      def cohort_seconds
        live.filter_map do |entry|
          entry[:wall_s] / entry[:differences].size if entry[:differences].any?
        end
      end

      # Variance of the logarithm, within batches.
      def practice_variance(metric)
        key = { throughput: :rate, cpu: :cpu_us }.fetch(metric)
        pooled_variance(practice.map { |runs| runs.map { |run| Math.log(run[key]) } })
      end
    end
  end
end
