# frozen_string_literal: true

module Mohs
  module Compare
    # Any two variants of a run, compared in every metric in the cohorts that have both: a document
    # with the keys of a comparison that Compare::Section draws, and those of mohs explain. A
    # comparison keeps its own figures, which allow for its looks. In any other run each interval
    # holds alone, whereas the run's verdicts allow for all of its candidates. Pure.
    class PairModel
      JUDGE = Analysis::Verdict::Judge
      MARKS = { faster: "better", slower: "worse", equivalent: "equal",
                undecided: "undecided" }.freeze
      # Beside the intervals of a run that compares more than two variants.
      ALONE = "Each interval holds alone (95 %); the run's own verdicts allow for all of its " \
              "variants."
      private_constant :JUDGE, :MARKS, :ALONE

      # Raises UsageError if the run has no figures for these two variants.
      #: (Analysis::Run, String, String, ?profiles: Hash[Integer, Profile]) -> void
      def initialize(run, a, b, profiles: {})
        @run = run
        @a = a
        @b = b
        @profiles = profiles
        verify
      end

      #: () -> Hash[Symbol, untyped]
      def document
        return { **compared, explain: } if whole.key?(:metrics)

        cohorts = explanation.count
        { run: @run.stored.key, a: @a, b: @b, margin: Analysis::Verdict::MARGIN, cohorts:,
          basis: "#{basis(cohorts)} #{ALONE}", metrics: metrics.map { |one| metric(one) },
          tail: metric(Analysis::Metric::TAIL), rows:, gates: [], looks: [], jobs: whole[:jobs],
          explain: }
      end

      private

      # The comparison as declared, whichever variant was named first.
      def compared
        @a, @b = whole.values_at(:a, :b)
        cohorts = whole.dig(:cohorts, :done)
        { **whole.slice(:run, :a, :b, :margin, :verdict, :sentence, :metrics, :tail, :rows, :gates,
                        :looks, :jobs), cohorts:, basis: "#{whole[:sentence]} #{basis(cohorts)}" }
      end

      # What the figures rest on.
      def basis(cohorts)
        "Run #{@run.stored.key}: #{Report::Numbers.counted(cohorts, 'cohort')} had both."
      end

      # As the run's own comparison would have them: at a fixed rate both serve as many requests,
      # and connections that stay open have times of their own.
      def metrics
        study = @run.stored.study
        return Analysis::Metric.of_streams(study.streams) if study.streams

        rated = study.variants.any? { |one| [@a, @b].include?(one.name) && one.rate }
        Analysis::Metric::ALL - (rated ? [Analysis::Metric.fetch(Rules::THROUGHPUT)] : [])
      end

      # The document of the run, in which a comparison has metrics of its own.
      def whole = @whole ||= Report::Model.build(@run)

      def verify
        names = @run.measured_rows.map(&:name)
        unknown = [@a, @b].find { |name| !names.include?(name) }
        raise UsageError, "run #{@run.stored.key} has no figures of #{unknown.inspect}." if unknown
        raise UsageError, "#{@a.inspect} is one variant: choose two." if @a == @b
      end

      def explanation = @run.explanation(@b, against: @a)

      def explain
        return unless explanation.count.positive? && explanation.known?

        Report::ExplainModel.document(@run, [[@a, @b]], profiles: @profiles)
      end

      def rows = whole[:rows]

      def metric(metric)
        { name: metric.name, key: metric.key.to_s, title: metric.title,
          better: metric.more ? "more" : "less", a: value(metric, @a), b: value(metric, @b),
          **against(metric) }
      end

      def value(metric, name)
        metric.of_row(rows.find { |one| one[:variant] == name })
      end

      def against(metric)
        contrast = @run.contrast(metric, @a, @b)
        return { effect: nil, missing: lack(contrast) } unless known?(contrast)

        interval, total = [contrast.interval, contrast.total_interval]
                          .map { |one| one && better(metric, one) }
        found = { effect: interval.value, interval: nil, mark: nil }
        return { **found, missing: "too few cohorts for an interval" } unless interval.low

        { **found, interval: [interval.low, interval.high], mark: mark(interval, total),
                   missing: nil }
      end

      def known?(contrast) = contrast.fatal.nil? && contrast.effect.count.positive?

      def lack(contrast)
        return Report::Render.call(contrast.fatal) if contrast.fatal

        "not known of both in one cohort"
      end

      # The ratio with bigger as better, as in every comparison.
      def better(metric, ratio)
        return ratio if metric.more

        value, low, high = ratio.to_h.values_at(:value, :high, :low).map { |one| one && (1 / one) }
        Stats::Interval.new(**ratio.to_h, value:, low:, high:)
      end

      def mark(interval, total)
        MARKS.fetch(JUDGE.outcome(interval) {
          JUDGE.within?(interval, Analysis::Verdict::MARGIN, total:)
        })
      end
    end
  end
end
