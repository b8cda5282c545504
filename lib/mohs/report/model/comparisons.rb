# frozen_string_literal: true

module Mohs
  module Report
    class Model
      # Who differs from whom: effects over the cohorts, judged all together.
      class Comparisons
        METRIC = :throughput_per_s

        # Steadier than throughput on a busy host, and named where that decides nothing: when its
        # interval is a third as wide (method, sections 1.7 and 3h).
        QUIET_METRIC = :cpu_us_per_request
        QUIETER = 3

        # cohorts: the store's. candidates: names of measured variants but the baseline.
        #: (Array[Store::Cohort], baseline: String, candidates: Array[String]) -> void
        def initialize(cohorts, baseline:, candidates:)
          @cohorts = cohorts.map do |cohort|
            { round: cohort.round, slices: measured_slices(cohort) }
          end
          @baseline = baseline
          @candidates = candidates
          @effects = candidates.to_h do |name|
            [name, Stats::Effect.new(@cohorts.map { |cohort| against(cohort, name) })]
          end
          @effects[baseline] = Stats::Effect.new([0.0])
          @levels = levels
        end

        # To the baseline; one of no cohorts where the two were never measured side by side.
        #: (String) -> Stats::Effect
        def effect(name) = @effects.fetch(name) { Stats::Effect.new([]) }

        #: (String) -> Verdict
        def verdict(name)
          alpha = @levels.fetch(name, Verdict::ALPHA)
          reasons = [drift(name), quieter(name, alpha)].compact
          Verdict::Judge.call(effect(name), against: @baseline, alpha:, reasons:)
        end

        # Names that can't be told apart, each pair compared round by round, all pairs judged
        # together.
        #: (Array[String]) -> Array[Array[String]]
        def groups(names)
          pairs = names.combination(2).to_a
          p_values = pairs.to_h { |pair| [pair, pair_effect(*pair).p || 1.0] }
          found = pairs.zip(Stats::Holm.adjust(p_values.values)).to_h
          Stats::Groups.of(names) { |one, other| found.fetch([one, other]) < Verdict::ALPHA }
        end

        private

        # { variant => its measured slices }.
        def measured_slices(cohort)
          measured = cohort.trials.select(&:measured?).group_by(&:variant)
          measured.transform_values { |trials| trials.flat_map(&:measured_slices) }
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

        # Of one round: within a cohort that holds both, else each by its own cohort's baseline.
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
          return unless %i[faster slower].include?(quiet.outcome)

          ratio = Math.log(loud.high / loud.low) / Math.log(quiet.high / quiet.low)
          "by CPU time per request #{Verdict::Words.verdict(quiet)}" if ratio >= QUIETER
        end

        # Does the difference itself move from the first block to the last, in every cohort alike
        # (Theil-Sen; method, section 5)? Then one of the two was not warm yet, or slows with every
        # request.
        def drift(name)
          moves = @cohorts.filter_map { |cohort| move(cohort, name) }
          interval = Stats::Interval.of(moves, level: 1 - (Verdict::ALPHA / @candidates.size))
          return if interval.low.nil? || !(interval.low * interval.high).positive?
          return if interval.value.abs < Verdict::MARGIN / 2

          "not steady: its lead over #{@baseline} changed by " \
            "#{Verdict::Words.signed(Math.exp(interval.value))} while it was measured"
        end

        def move(cohort, name)
          left, right = cohort[:slices].values_at(@baseline, name)
          return unless left && right

          blocks = Stats::Effect.block_differences(left, right, METRIC).sort.map(&:last)
          slope = Stats::TheilSen.slope(blocks) and slope * (blocks.size - 1)
        end
      end
    end
  end
end
