# frozen_string_literal: true

module Mohs
  # Finds the point in a line (commits, versions of a gem) from which on an application is slower.
  # First the ends are compared: where the second is not slower beyond chance, none is named. Then a
  # binary search; each step asks on which side of half the ends' difference a point lies
  # (Stats::Sides), with the noise of all comparisons so far. At last the point found is compared
  # with the one before it, and the figures reported are those.
  class Bisect
    # What came of it. `outcome` found, range (only points that can't be measured are left, or what
    # was left when it ended), contradicted (alone, the point is not slower than the one before it),
    # unconfirmed, none, undecided, invalid, interrupted; `suspects` [Point], one where it is found;
    # `reported` the step whose figures are the answer; `seconds` in all; `finding` the last step's.
    Result = Struct.new(:outcome, :points, :suspects, :steps, :reported, :metric, :seconds,
                        :finding, keyword_init: true)

    # The chance that any step goes to the wrong side.
    ALPHA = 0.05

    CONFIRMED = {
      "slower" => "found", "undecided" => "unconfirmed", "invalid" => "unconfirmed",
    }.freeze

    # points: the line, from the good end to the bad one. measure: two points, what is asked (the
    # values of Study::ComparisonRules) and seconds left to the Analysis::Run that compared them.
    # rules: what the person asked of every comparison. on_event: called with :step and :step_done.
    #: (points: Array[Bisect::Point], measure: Proc, ?rules: Hash[Symbol, untyped], ?budget_s: Numeric?, ?on_event: Proc, ?clock: Module) -> void
    def initialize(points:, measure:, rules: {}, budget_s: nil, on_event: ->(*) {}, clock: Clock)
      @points = points
      @measure = measure
      @rules = rules
      @budget_s = budget_s
      @on_event = on_event
      @clock = clock
      @steps = []
      @known = {}
      @spent = 0.0 # of ALPHA
    end

    # After Ctrl-C too.
    #: () -> Bisect::Result
    def call
      started = @clock.mono_ns
      outcome = catch(:over) { outcome() }
      result(outcome, started)
    rescue SignalException
      result("interrupted", started)
    end

    private

    def outcome
      ends
      search
      confirm
    end

    def ends
      step = compare(:ends, 0, last)
      over("none") if %w[faster equivalent].include?(step.verdict) || step.state == :precise
      over(step.verdict) unless step.verdict == "slower"
    end

    def search
      while (index = now.next)
        step = compare(:search, 0, index, step: question)
        over("undecided") if step.verdict == "undecided"
        @spent += share unless step.verdict == "skipped"
        @known[index] = step.verdict.to_sym
      end
    end

    # Two neighbours from the start: that was it.
    def confirm
      return "found" if last == 1

      step = compare(:confirm, now.good, now.bad)
      confirmed = CONFIRMED.fetch(step.verdict, "contradicted")
      confirmed == "found" && !now.found? ? "range" : confirmed
    end

    # Of what is left of the chance to be wrong, an equal part for each step still to come and one
    # kept: so any number of steps, however many points are skipped, stays within ALPHA.
    def share = (ALPHA - @spent) / (now.steps_left + 1)

    def question
      difference = Stats::Center.mean(@steps.first.differences)
      noise = Stats::NoisePool.of(@steps.map(&:differences))
      { difference:, noise: noise.to_h, alpha: share }
    end

    def compare(kind, first, second, **asked)
      over("undecided") if left_s && !left_s.positive?

      a, b = @points.values_at(first, second)
      @on_event.call(:step, { kind:, a:, b:, left: now.steps_left, suspects: now.suspects.size })
      started = @clock.mono_ns
      run = @measure.call(a, b, { **@rules, **asked, bisection: whose(kind) }, left_s)
      keep(Step.of(kind, run, a: a.name, b: b.name, seconds: since(started)))
    end

    # What the store keeps of it, beside each of its runs.
    def whose(kind)
      { kind: kind.to_s, number: @steps.size + 1, good: @points.first.name, bad: @points.last.name }
    end

    def keep(step)
      @steps << step
      @on_event.call(:step_done, { step: })
      over("interrupted") if step.verdict == Step::INTERRUPTED
      step
    end

    def over(outcome) = throw(:over, outcome)

    def now = Search.new(last, @known)

    def last = @points.size - 1

    def left_s = @budget_s && (@budget_s - @steps.sum(&:measured_s))

    def since(started_ns) = (@clock.mono_ns - started_ns) / 1e9

    def result(outcome, started_ns)
      reported = @steps.reverse_each.find { |step| step.kind != :search && step.interval }
      metric = Analysis::Metric.fetch(@rules.fetch(:metric, "throughput"))
      Result.new(outcome:, points: @points, suspects: @points[now.suspects], steps: @steps.dup,
                 reported:, metric:, seconds: since(started_ns),
                 finding: @steps.last&.finding).freeze
    end
  end
end
