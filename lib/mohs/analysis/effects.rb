# frozen_string_literal: true

module Mohs
  module Analysis
    # Which variants of a run differ: effects over its cohorts, judged all together.
    class Effects
      METRIC = :throughput_per_s

      # Rounds that an interval needs.
      ROUNDS = Stats::Interval::FEWEST

      # Steadier than throughput on a busy host, and used if throughput decides nothing: when its
      # interval is a third as wide (method, sections 1.7 and 3h).
      QUIET_METRIC = :cpu_us_per_request
      QUIETER = 3

      # candidates: names of measured variants but the baseline.
      #: (Array[Store::Cohort], baseline: String, candidates: Array[String]) -> void
      def initialize(cohorts, baseline:, candidates:)
        @cohorts = cohorts.map { |cohort| { round: cohort.round, slices: slices(cohort) } }
        @baseline = baseline
        @candidates = candidates
        @effects = candidates.to_h do |name|
          [name, Stats::Effect.new(@cohorts.map { |cohort| against(cohort, name) })]
        end
        @effects[baseline] = Stats::Effect.new([0.0])
        @levels = levels
      end

      # Relative to the baseline; one of no cohorts if the two were never measured side by side.
      #: (String) -> Stats::Effect
      def effect(name) = @effects.fetch(name) { Stats::Effect.new([]) }

      #: (String) -> Analysis::Verdict
      def verdict(name)
        alpha = @levels.fetch(name, Verdict::ALPHA)
        findings = [drift(name), quieter(name, alpha)].compact
        Verdict::Judge.call(effect(name), against: @baseline, alpha:, findings:)
      end

      # Names of variants that can't be distinguished, each pair compared round by round, all pairs
      # judged together.
      #: (Array[String]) -> Array[Array[String]]
      def groups(names)
        pairs = names.combination(2).to_a
        p_values = pairs.to_h { |pair| [pair, pair_effect(*pair).p || 1.0] }
        found = pairs.zip(Stats::Holm.adjust(p_values.values)).to_h
        Stats::Groups.of(names) { |one, other| found.fetch([one, other]) < Verdict::ALPHA }
      end

      private

      # { variant => its measured slices }.
      def slices(cohort)
        cohort.trials.select(&:measured?).group_by(&:variant)
              .transform_values { |trials| trials.flat_map(&:measured_slices) }
      end

      def against(cohort, name, metric = METRIC) = difference(cohort, @baseline, name, metric)

      def difference(cohort, one, other, metric = METRIC)
        left, right = cohort[:slices].values_at(one, other)
        Stats::Effect.difference(left, right, metric) if left && right
      end

      # The verdicts of all candidates that have a p are one family.
      def levels
        judged = @candidates.select { |name| effect(name).p }
        p_values = judged.map { |name| effect(name).p }
        judged.zip(Stats::Holm.levels(p_values, alpha: Verdict::ALPHA)).to_h
      end

      def pair_effect(one, other)
        rounds = @cohorts.group_by { |cohort| cohort[:round] }.values
        Stats::Effect.new(rounds.map { |round| apart(round, one, other) })
      end

      # For one round: within a cohort that holds both, else each by its own cohort's baseline.
      def apart(round, one, other)
        direct = round.filter_map { |cohort| difference(cohort, one, other) }
        return Stats::Center.mean(direct) if direct.any?

        ends = [one, other].map { |name| round.filter_map { |cohort| against(cohort, name) } }
        Stats::Center.mean(ends[1]) - Stats::Center.mean(ends[0]) if ends.all?(&:any?)
      end

      def quieter(name, alpha)
        loud = effect(name).interval(alpha:)
        return unless loud.low&.<=(1) && loud.high >= 1

        differences = @cohorts.map { |cohort| against(cohort, name, QUIET_METRIC) }
        quiet = Verdict::Judge.call(Stats::Effect.new(differences), against: @baseline, alpha:)
        return unless quiet.differs?

        ratio = Math.log(loud.high / loud.low) / Math.log(quiet.high / quiet.low)
        return if ratio < QUIETER

        Finding.note("quieter_metric", outcome: quiet.outcome.to_s,
                                       **quiet.to_h.slice(:effect, :low, :high))
      end

      # All candidates are one family of tests.
      def drift(name)
        blocks = @cohorts.filter_map do |cohort|
          left, right = cohort[:slices].values_at(@baseline, name)
          Stats::Effect.block_differences(left, right, METRIC).sort.map(&:last) if left && right
        end
        lead = Math.log(effect(name).ratio || 1)
        Drift.call(blocks, margin: Verdict::MARGIN, lead:, of: nil, over: @baseline) do |moves|
          Stats::Interval.of(moves, level: 1 - (Verdict::ALPHA / @candidates.size))
        end
      end
    end
  end
end
