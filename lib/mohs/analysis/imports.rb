# frozen_string_literal: true

module Mohs
  module Analysis
    # Results of other tools (Importers): what each variant had in its runs, and how variants differ
    # over these. A run is the unit: everything within a run has the same boot, the same state of
    # the machine and the same cache, and no number of its requests makes up for that (method,
    # section 4). Pure.
    class Imports
      # What runs are compared by: its `name` and `unit` as the tool has them, and whether `more` of
      # it is better.
      class Measure < Struct.new(:name, :unit, :more, keyword_init: true)
        include Value
      end

      # The unit of rates, whose name says it.
      PER_S = "1/s"

      RATE = Measure.new(name: "requests/s", unit: PER_S, more: true)
      TIME = Measure.new(name: "time", unit: "s", more: false)
      MEDIAN = Measure.new(name: "p50", unit: "ms", more: false)

      # One run of one variant, from a `file` in a `format`: its `value` of the `measure`, nil if it
      # has none. For a load, also the `requests` answered, how many of these were `good` (nil if
      # unknown), `errors` { class => count }, the `seconds` it took, and `latency_ms` { p50:, ..,
      # max: } as far as known. `benchmark` is what was measured, where a file has several. `lacks`:
      # [Finding], what the file doesn't contain.
      class Sample < Struct.new(:file, :format, :variant, :benchmark, :measure, :value, :requests,
                                :good, :errors, :seconds, :latency_ms, :lacks, keyword_init: true)
        include Value

        #: (format: String, measure: Imports::Measure, ?errors: Hash[String, Integer], ?latency_ms: Hash[Symbol, Float?], ?lacks: Array[Analysis::Finding], **untyped) -> void
        def initialize(errors: {}, latency_ms: {}, lacks: [], **)
          super
        end

        # A copy with these members changed.
        #: (**untyped) -> Imports::Sample
        def with(**changes) = self.class.new(**to_h, **changes)
      end

      # All runs of a variant in one benchmark that have the same measure.
      class Row < Struct.new(:variant, :benchmark, :samples, keyword_init: true)
        include Value

        #: () -> Imports::Measure
        def measure = samples.first.measure

        # The values of the measure, one for each run that has it.
        #: () -> Array[Float]
        def values = samples.filter_map { |sample| sample.value&.to_f }

        # With an interval from the third run on, unless all runs have the same figure: then it was
        # rounded, or is of the same file.
        #: () -> Stats::Interval
        def estimate
          return Stats::Interval.of(values) unless values.uniq.one?

          Stats::Interval.new(value: values.first, count: values.size)
        end

        # The sum of a member over the samples; nil if no run has it.
        #: (Symbol) -> Numeric?
        def total(name)
          known = samples.filter_map { |sample| sample[name] }
          known.sum unless known.empty?
        end

        #: () -> Hash[String, Integer]
        def errors
          samples.map(&:errors).reduce({}) { |all, one| all.merge(one) { |_, a, b| a + b } }
        end

        # Each quantile as the median over the runs; for `max` the largest: one run with a pause
        # must not make the tail of all (Analysis::Latency). A quantile that any run lacks is nil:
        # that run answered too few requests for it, or failed too many, and the others would
        # flatter the variant.
        #: () -> Hash[Symbol, Float?]
        def latency_ms
          QUANTILES.to_h do |name|
            known = latencies(name)
            [name, (name == :max ? known.max : Stats::Center.median(known) if known.any?)]
          end
        end

        # The quantile of each run; empty if any run lacks it.
        #: (Symbol) -> Array[Float]
        def latencies(name)
          known = samples.map { |sample| sample.latency_ms[name] }
          known.all? ? known : []
        end

        # Did one of its runs fail as a whole? In a load, single requests fail, which is another
        # matter.
        #: () -> bool
        def failed? = samples.any? { |sample| sample.requests.nil? && sample.errors.any? }

        # What its files don't contain, each once.
        #: () -> Array[Analysis::Finding]
        def lacks
          found = samples.flat_map(&:lacks).uniq(&:code)
          samples.one? ? [*found, Finding.note("import_one_run")] : found
        end
      end

      QUANTILES = %i[p50 p90 p99 p999 max].freeze

      # How a variant differs from the baseline in one benchmark: a Verdict by its measure, and the
      # `ratios` { p50:, p99: } of latencies as Stats::Intervals, better is bigger. `runs`: the
      # number of runs of the baseline and of the variant.
      class Comparison < Struct.new(:variant, :benchmark, :measure, :verdict, :ratios, :runs,
                                    keyword_init: true)
        include Value
      end

      # Runs of each variant that an interval needs. Two are few: with the one or two degrees of
      # freedom that are left the interval is wide, as it should be.
      RUNS = 2

      # The degrees of freedom of two different numbers of runs are at most this many times those of
      # the smaller number.
      FREEDOM = 1.5

      attr_reader :samples, :baseline

      # baseline: the name of a variant; nil: the first. Raises UsageError for an unknown one.
      #: (Array[Imports::Sample], ?baseline: String?) -> void
      def initialize(samples, baseline: nil)
        @samples = samples
        names = samples.map(&:variant).uniq
        @baseline = baseline || names.first
        return if names.include?(@baseline)

        hint = Suggest.hint(@baseline, names, otherwise: "There are: #{names.join(', ')}.",
                            &:inspect)
        raise UsageError, "--baseline #{@baseline}: no file is of that variant. #{hint}"
      end

      #: () -> Array[Imports::Row]
      def rows
        groups = samples.group_by { |one| [one.benchmark, one.variant, one.measure] }
        @rows ||= groups.map do |(benchmark, variant), all|
          Row.new(variant:, benchmark:, samples: all)
        end
      end

      #: () -> Array[Imports::Comparison]
      def comparisons
        @comparisons ||= pairs.map { |base, row| comparison(base, row) }
      end

      # The chance of each interval to miss: together they have that of one verdict (Bonferroni).
      #: () -> Float
      def alpha = Verdict::ALPHA / [pairs.size, 1].max

      # Findings about the import as a whole.
      #: () -> Array[Analysis::Finding]
      def notes
        formats = samples.map(&:format).uniq
        mixed = Finding.note("import_mixed", formats:) if formats.size > 1 && pairs.any?
        apart = Finding.note("import_apart") if pairs.any?
        [Finding.note("import_unattested"), apart, mixed].compact
      end

      private

      # Pairs [baseline's row, another variant's row] of the same benchmark and measure.
      def pairs
        same = rows.group_by { |row| [row.benchmark, row.measure] }.values
        @pairs ||= same.flat_map do |alike|
          base, others = alike.partition { |row| row.variant == baseline }
          base.flat_map { |one| others.map { |other| [one, other] } }
        end
      end

      def comparison(base, row)
        effect = effect(base.values, row.values, more: row.measure.more)
        ratios = %i[p50 p99].to_h do |name|
          [name, interval(effect(base.latencies(name), row.latencies(name), more: false))]
        end
        Comparison.new(variant: row.variant, benchmark: row.benchmark, measure: row.measure,
                       verdict: verdict(effect, spoilt([base, row])), ratios:,
                       runs: [base, row].map { |one| one.values.size })
      end

      # The runs of two variants are not paired.
      def effect(base, values, more:)
        logs = [base, values].map { |all| all.select(&:positive?).map { |one| Math.log(one) } }
        effect = cautious(Stats::Effect.between(*logs), logs)
        more ? effect : effect.reverse
      end

      # Two or three runs may vary little by chance, and Satterthwaite's degrees of freedom are then
      # those of the many runs beside them: simulated, 2 and 10 runs of two variants that are the
      # same would differ in 9 % of cases, 2 and 30 in 12 %. So the degrees of freedom are at most
      # FREEDOM times those of the fewer runs: then it is 0.3 and 2 %, and 5.5 % with 3 runs that
      # vary twice as much as the 10 beside them. And runs that never vary, because their figure was
      # rounded or the same file is given again, show nothing.
      def cautious(effect, logs)
        return effect unless effect.error
        return Stats::Effect.new(value: effect.value, count: effect.count) if
          logs.any? { |all| all.uniq.one? }
        return effect if logs.map(&:size).uniq.one?

        Stats::Effect.new(**effect.to_h, df: [effect.df, FREEDOM * (effect.count - 1)].min)
      end

      def interval(effect)
        half = effect.half_width(alpha)
        ends = half && [effect.value - half, effect.value + half]
        Stats::Interval.new(value: effect.value, low: ends&.first, high: ends&.last,
                            count: effect.count).map { |log| Math.exp(log) }
      end

      # Why two rows can't be compared: a run of theirs failed, or had no correct response. Without
      # it, the remaining runs would be compared, and the variant that failed most would look best.
      def spoilt(rows)
        return "failed" if rows.any?(&:failed?)

        "silent" if rows.any? { |row| row.values.any?(&:zero?) }
      end

      def verdict(effect, spoilt)
        found = interval(effect)
        return invalid(spoilt || "no_figure") if spoilt || found.value.nil?

        outcome = outcome(found)
        equal = [found.low, found.high] if outcome == :equivalent
        findings = found.low ? [] : [Finding.note(without_interval(effect))]
        Verdict.new(outcome:, against: baseline, effect: found.value, low: found.low,
                    high: found.high, equal:, findings:)
      end

      def without_interval(effect)
        effect.count < RUNS ? "import_no_interval" : "import_no_spread"
      end

      def invalid(why)
        Verdict.new(outcome: :invalid, against: baseline,
                    findings: [Finding.note("import_#{why}")])
      end

      def outcome(found)
        Verdict::Judge.outcome(found) { Verdict::Judge.within?(found, Verdict::MARGIN) }
      end
    end
  end
end
