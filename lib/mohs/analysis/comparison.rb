# frozen_string_literal: true

module Mohs
  module Analysis
    # The result of a comparison's cohorts, at any time: pure, from the stored run. The runner uses
    # it to decide whether to go on, the report for the verdict, so that both agree.
    class Comparison
      # Cohorts after which it may be decided for the first time.
      FIRST_LOOK = Stats::Sequential::LOOKS.first

      # Cohorts in which a server crashed, from which on it is no accident.
      MOST_VOID = 3

      # Log ratio from which on one more cohort measures each alone (method, section 4: 10 %).
      LARGE = Math.log(1.1)

      # Of the study: what was asked. `adjustment`: an Analysis::SpeedAdjustment; `cohorts` those of
      # the run at the mean speed of the cores.
      attr_reader :rules, :baseline, :candidate, :adjustment, :cohorts

      # run: store.result(run_id) of a run whose study has a comparison.
      #: (Store::Run) -> void
      def initialize(run)
        @adjustment = SpeedAdjustment.new(run.cohorts)
        @cohorts = @adjustment.even
        @study = run.study
        @rules = @study.comparison
        @baseline = @study.baseline
        @candidate = @rules.candidate
        solo, paired = @cohorts.partition(&:solo?)
        @left = paired.count { |cohort| !cohort.done? }
        @solo, @pairs = [solo, paired].map do |all|
          all.select(&:done?).map { |cohort| Pair.new(cohort, baseline:, candidate:) }
        end
      end

      # The cohorts that count: in which every server was measured.
      #: () -> Array[Analysis::Comparison::Pair]
      def pairs = @whole ||= @pairs.select(&:whole?)

      # The others, each with what happened.
      #: () -> Array[Analysis::Comparison::Pair]
      def void = @pairs.reject(&:whole?)

      # The cohort in which each was measured alone, once; nil without one.
      #: () -> Analysis::Comparison::Pair?
      def solo = @solo.find(&:whole?)

      # Is the difference so large that the two may have disturbed each other? A duet shrinks a
      # large ratio by up to a twentieth of itself (method, table 3b).
      #: () -> bool
      def wants_solo?
        return false unless state == :differs && pairs.first.scheme == "duet" && @solo.empty?
        return false if rules.most || spent?

        Stats::Center.mean(differences(metric)).abs > LARGE
      end

      #: () -> Analysis::Metric
      def metric = Metric.fetch(rules.metric)

      # Log differences B - A, better is bigger, one for each cohort that has one.
      #: (Analysis::Metric) -> Array[Float]
      def differences(metric) = pairs.filter_map { |pair| pair.difference(metric) }

      # What ended it: :differs, :equivalent, :precise, :exhausted (Stats::Sequential::Decision),
      # :first or :second in a step of a bisection (Stats::Sides), :quick, :budget, :invalid; or
      # :continue, also if only a gate is undecided.
      #: () -> Symbol
      def state
        return :invalid if fault
        return !ended && gates_open? ? :continue : decided unless decided == :continue
        return :quick if rules.quick && differences(metric).size >= sequential.looks.first

        ended || :continue
      end

      # The result of the last look, gates apart: one of those, or :continue.
      #: () -> Symbol
      def decided
        @decided ||= begin
          seen = differences(metric)
          last = Plan::Pairs.looks(rules).reverse_each.find { |look| look <= seen.size }
          decision.call(seen.first(last || 0))
        end
      end

      #: () -> bool
      def over? = state != :continue

      # Why no verdict is possible: a side that could not be served, answers differently, or crashes
      # again and again (`cohorts` says in how many). Nil if nothing speaks against one. A step of a
      # bisection continues in spite of warnings, which a busy host raises: its ends and its
      # confirmation do not.
      #: () -> Analysis::Finding?
      def fault
        return (warnings.find(&:fatal?) unless rules.step) unless spoiler
        return spoiler.trouble if spoiler.final?

        trouble = spoiler.trouble
        Finding.new(**trouble.to_h, values: { **trouble.values, cohorts: void.size })
      end

      # The cohort whose failure is the reason.
      #: () -> Analysis::Comparison::Pair?
      def spoiler = void.find(&:final?) || (void.last if void.size >= MOST_VOID)

      # What would decide it; nil unless it ended undecided.
      #: () -> Analysis::Finding?
      def forecast
        ended = %i[quick budget exhausted].include?(state) && !rules.step
        Forecast.new(self).finding if ended && ruling.outcome == :undecided
      end

      # What speaks against the figures, beyond each trial's own checks.
      #: () -> Array[Analysis::Finding]
      def warnings = @warnings ||= Warnings.new(self).to_a

      # The number of cohorts at the next look; nil after the last.
      #: () -> Integer?
      def next_look = Plan::Pairs.looks(rules).find { |look| look > differences(metric).size }

      # Requests that one side answered in all: the larger number of both.
      #: () -> Integer
      def requests
        %i[a b].map { |side| pairs.flat_map(&side).sum { |one| Figures.new(one).requests } }.max
      end

      # Seconds that one cohort took; nil before the first.
      #: () -> Float?
      def cohort_s = @pairs.empty? ? nil : Stats::Center.median(@pairs.map(&:seconds))

      # The test of `count` metrics held together.
      #: (?Integer) -> Stats::Sequential
      def sequential(count = 1) = Stats::Sequential.new(alpha: Verdict::ALPHA, comparisons: count)

      # The declared differences between the two variants: [:flags], say.
      #: () -> Array[Symbol]
      def declared
        a, b = [baseline, candidate].map { |name| @study.variant(name) }
        a.difference(b).map(&:to_sym)
      end

      #: () -> Analysis::Verdict
      def verdict = @verdict ||= ruling.verdict

      # The result of each metric.
      #: () -> Array[Analysis::Comparison::Ruling::Line]
      def lines = ruling.lines

      #: () -> Array[Analysis::Gate::Result]
      def gates = rules.gates.map { |text| Gate.parse(text).call(self) }

      private

      def ruling = Ruling.new(self)

      # Why no further cohort is possible.
      def ended
        return :exhausted if @left.zero? || (rules.most && pairs.size >= rules.most)

        :budget if spent?
      end

      # More cohorts may decide them: intervals hold at any look, whoever stops, and why. A quick
      # answer waits for none.
      def gates_open?
        return false if rules.quick || rules.gates.empty?

        rules.gates.any? { |text| Gate.parse(text).open?(lines) }
      end

      def decision
        return Stats::Sides.new(**rules.step) if rules.step

        Stats::Sequential::Decision.new(sequential, margin: rules.margin,
                                                    precision: rules.precision)
      end

      # The next cohort has to fit in, too.
      def spent?
        budget = @study.budget_s or return false
        @pairs.sum(&:seconds) + cohort_s.to_f > budget
      end
    end
  end
end
