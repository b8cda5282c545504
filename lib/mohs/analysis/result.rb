# frozen_string_literal: true

module Mohs
  module Analysis
    # What the cohorts of a run say about its variants, at any time: all candidates are compared
    # with the baseline and judged together (Effects). A procedure that judges by a test of its own
    # has a Result that inherits from this one and answers by that.
    class Result
      # Share of the chance of error that is given to all looks before the last.
      EARLY = 0.2

      # run: as returned by Store#result.
      #: (Store::Run) -> void
      def initialize(run)
        @run = run
      end

      # Name of the variant that the others are compared with: the study's baseline, or its
      # stand-in.
      #: () -> String
      def baseline = @baseline ||= stand_in || @run.study.baseline

      # The variant that stands in for a baseline that can't be measured; nil if none does.
      #: () -> String?
      def stand_in = StandIn.call(@run.study, @run.trials)

      # Its cohorts, adjusted to the mean speed of the cores.
      #: () -> Array[Store::Cohort]
      def cohorts = @cohorts ||= adjustment.even(@run.cohorts)

      #: () -> Analysis::SpeedAdjustment
      def adjustment
        @adjustment ||= SpeedAdjustment.where_worth(@run.cohorts, Effects::METRIC, bound:)
      end

      #: () -> Analysis::Effects
      def effects = effects_of(Effects)

      # Effects of a class that says more about the same cohorts.
      #: (Class) -> Analysis::Effects
      def effects_of(kind)
        (@effects ||= {})[kind] ||= begin
          candidates = @run.trials.select(&:measured?).map(&:variant).uniq - [baseline]
          kind.new(cohorts, baseline:, candidates:, alpha:, adjustment:)
        end
      end

      # The chance that any verdict is wrong. A run that a user stopped, or looks at while it goes
      # on, could have been stopped at any other round because of what it showed, so its intervals
      # are those of repeated looks. They have a fifth of the chance of error, which leaves nearly
      # all of it to the last look of runs that went on.
      #: () -> Float
      def alpha
        @run.finished? ? Verdict::ALPHA : early
      end

      # How the intervals of the verdicts were computed; nil for a test that needs no word on it.
      #: () -> Analysis::Effects::Inference?
      def inference = effects.inference

      # The verdict of a candidate's row against the baseline.
      #: (Analysis::Row) -> Analysis::Verdict
      def judge(row)
        return no_verdict(row, "no_figures", state: row.state) unless row.measured?

        effects.verdict(row.name)
      end

      # Does a candidate's memory differ from the baseline's beyond chance?
      #: (String) -> bool
      def memory_differs?(name) = effects.memory_differs?(name)

      # How a candidate's effect holds across the hosts of a fleet; nil unless at least two hosts
      # measured both variants.
      #: (String) -> Analysis::OverHosts?
      def over_hosts(name) = effects.over_hosts(name)

      # Why one variant differs from another, by the readings of both in the same cohorts. All
      # candidates are one family, as they are for the verdicts.
      #: (String, against: String) -> Analysis::Explanation
      def explanation(name, against:)
        family = alpha / [@run.trials.select(&:measured?).map(&:variant).uniq.size - 1, 1].max
        Explanation.new(together(against, name), a: against, b: name,
                                                 level: ->(count) { family / count },
                                                 compared: effects.cpu(against, name))
      end

      # The measured trials of both variants, for each cohort that had both.
      #: (String, String) -> Array[[Array[Store::Trial], Array[Store::Trial]]]
      def together(one, other)
        each = cohorts.map do |cohort|
          [one, other].map do |name|
            cohort.trials.select { |trial| trial.variant == name && trial.measured? }
          end
        end
        each.select { |pair| pair.all?(&:any?) }
      end

      # A finding if no variant has figures although each of them booted, and all ended in the same
      # state: the cause is then the application or the request, and the next round would end alike.
      #: () -> Analysis::Finding?
      def shared_failure
        refused = @run.study.variants.select(&:refusal).map(&:name)
        ends = @run.trials.reject { |trial| trial.lost? || refused.include?(trial.variant) }
        states = ends.map(&:state).uniq
        return unless states.one? && ends.all?(&:boot_ns)
        return unless Store::Trial::WITHOUT_FIGURES.include?(states.first)

        variants = ends.map(&:variant).uniq.size
        rounds = @run.plan.rounds || @run.cohorts.map(&:round).uniq.size
        Finding.note("shared_failure", state: states.first, variants:, rounds:) if variants > 1
      end

      # A finding if the run ended before what was planned, since nothing was left to decide.
      #: () -> Analysis::Finding?
      def enough = nil

      # Were the responses of all servers so far refused in a way in which all others would be?
      #: () -> bool
      def hopeless? = false

      # Were all variants loaded alike, so that their curves can be drawn in one picture?
      #: () -> bool
      def curves? = true

      private

      # The level of each look before the last.
      def early
        Stats::Sequential::Levels.two_sided(EARLY * Verdict::ALPHA, Stats::Sequential::LOOKS)
      end

      # As Stats::Sequential#bound, for one candidate by its own rounds.
      def bound
        rounds = [@run.cohorts.map(&:round).uniq.size, 2].max
        Stats::StudentT.upper_quantile(Verdict::ALPHA / 2, rounds - 1) / Math.sqrt(rounds)
      end

      def no_verdict(row, code, **values)
        finding = Finding.new(code:, severity: :info, subject: row.name,
                              values: { variant: row.name, **values })
        Verdict.new(outcome: :invalid, against: baseline, findings: [finding])
      end
    end
  end
end
