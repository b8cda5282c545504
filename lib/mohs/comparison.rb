# frozen_string_literal: true

module Mohs
  # What the cohorts of a comparison say, at any time of it: pure, from what the store holds of its
  # run. Asked by the runner whether to go on, and by the report for the verdict, so that both say
  # the same.
  class Comparison
    # Cohorts in which a server crashed, from which on it is no accident.
    MOST_VOID = 3

    # Log ratio from which on one cohort more measures each alone (method, section 4: 10 %).
    LARGE = Math.log(1.1)

    # Of the study: what was asked. `pace`: an Analysis::CoreSpeed; `cohorts` at their mean speed.
    attr_reader :rules, :baseline, :candidate, :pace, :cohorts

    # That of store.result(run_id); nil where its study has none.
    #: (Store::Run) -> Comparison?
    def self.of(run) = (new(run) if run.study.comparison)

    # run: store.result(run_id) of a run whose study has a comparison.
    #: (Store::Run) -> void
    def initialize(run)
      @pace = Analysis::CoreSpeed.new(run.cohorts)
      @cohorts = @pace.even
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
    #: () -> Array[Comparison::Pair]
    def pairs = @whole ||= @pairs.select(&:whole?)

    # The others, each with what happened.
    #: () -> Array[Comparison::Pair]
    def void = @pairs.reject(&:whole?)

    # The cohort in which each was measured alone, once; nil without one.
    #: () -> Comparison::Pair?
    def solo = @solo.find(&:whole?)

    # Is the difference so large that the two may have been in each other's way? A duet shrinks a
    # large ratio by up to a twentieth of itself (method, table 3b).
    #: () -> bool
    def wants_solo?
      return false unless state == :differs && pairs.first.scheme == "duet" && @solo.empty?
      return false if rules.most || spent?

      Stats::Center.mean(differences(metric)).abs > LARGE
    end

    #: () -> Comparison::Metric
    def metric = Metric.fetch(rules.metric)

    # Log differences B - A, better is bigger, one for each cohort that can tell.
    #: (Comparison::Metric) -> Array[Float]
    def differences(metric) = pairs.filter_map { |pair| pair.difference(metric) }

    # What ended it: :differs, :equivalent, :precise, :exhausted (Stats::Sequential::Decision),
    # :first or :second in a step of a bisection (Stats::Sides), :quick, :budget, :invalid; or
    # :continue, also of what is decided but for a gate.
    #: () -> Symbol
    def state
      return :invalid if fault
      return !ended && gates_open? ? :continue : decided unless decided == :continue
      return :quick if rules.quick && differences(metric).size >= sequential.looks.first

      ended || :continue
    end

    # What the last look said, gates apart: one of those, or :continue.
    #: () -> Symbol
    def decided
      @decided ||= begin
        seen = differences(metric)
        last = rules.looks.reverse_each.find { |look| look <= seen.size }
        decision.call(seen.first(last || 0))
      end
    end

    #: () -> bool
    def over? = state != :continue

    # Why no verdict can come of it: one that could not be served, answers otherwise, or crashes
    # again and again. Nil where nothing speaks against one. A step of a bisection is measured on in
    # spite of doubts, which a busy host raises: its ends and its confirmation are not.
    #: () -> String?
    def fault
      final = void.find(&:final?) || (void.last if void.size >= MOST_VOID)
      return (doubts.find(&:fatal)&.text unless rules.step) unless final

      final.final? ? final.trouble : "#{final.trouble} (in #{void.size} cohorts)"
    end

    # What would decide it; nil unless it ended undecided.
    #: () -> String?
    def forecast
      ended = %i[quick budget exhausted].include?(state) && !rules.step
      Forecast.new(self).text if ended && Ruling.new(self).outcome == :undecided
    end

    # What speaks against the figures.
    #: () -> Array[Comparison::Doubts::Doubt]
    def doubts = @doubts ||= Doubts.call(self)

    # The cohorts after which is looked next; nil after the last.
    #: () -> Integer?
    def next_look = rules.looks.find { |look| look > differences(metric).size }

    # Seconds that one cohort took; nil before the first.
    #: () -> Float?
    def cohort_s = @pairs.empty? ? nil : Stats::Center.median(@pairs.map(&:seconds))

    # The test of `count` metrics held together.
    #: (?Integer) -> Stats::Sequential
    def sequential(count = 1) = Stats::Sequential.new(alpha: Verdict::ALPHA, comparisons: count)

    # What of the two variants was declared to differ: [:flags], say.
    #: () -> Array[Symbol]
    def declared
      a, b = [baseline, candidate].map { |name| @study.variant(name) }
      a.difference(b).map(&:to_sym)
    end

    #: () -> Verdict
    def verdict = @verdict ||= Ruling.new(self).verdict

    private

    # Why no cohort more can be had.
    def ended
      return :exhausted if @left.zero? || (rules.most && pairs.size >= rules.most)

      :budget if spent?
    end

    # More cohorts may close them: intervals hold at any look, whoever stops, and why. A quick
    # answer waits for none.
    def gates_open?
      return false if rules.quick || rules.gates.empty?

      lines = Ruling.new(self).lines
      rules.gates.any? { |text| Gate.parse(text).open?(lines) }
    end

    def decision
      return Stats::Sides.new(**rules.step) if rules.step

      Stats::Sequential::Decision.new(sequential, margin: rules.margin, precision: rules.precision)
    end

    # The next cohort has to fit in, too.
    def spent?
      budget = @study.budget_s or return false
      @pairs.sum(&:seconds) + cohort_s.to_f > budget
    end
  end
end
