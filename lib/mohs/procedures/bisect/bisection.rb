# frozen_string_literal: true

module Mohs
  module Bisect
    # Finds the point in a line (commits, versions of a gem) from which on an application is slower:
    # measures what Bisect::Search asks for, within the budget, until there is an answer.
    class Bisection
      # The result. `outcome`: found, range (only points that can't be measured are left, or the
      # points that were left when it ended), contradicted (on its own, the point is not slower than
      # the one before it), unconfirmed, none, undecided, invalid, interrupted; `suspects` [Point]:
      # a single one if it is found; `reported`: the step whose figures are the answer; `seconds`:
      # total; `finding`: that of the last step.
      Result = Struct.new(:outcome, :points, :suspects, :steps, :reported, :metric, :seconds,
                          :finding, keyword_init: true)

      # points: the line, from the good end to the bad one. measure: called with two points, the
      # values of Compare::Rules and the seconds left; returns the Analysis::Run that compared
      # them. rules: what the user requires of every comparison. on_event: receives the events :step
      # and :step_done.
      #: (points: Array[Bisect::Point], measure: Proc, ?rules: Hash[Symbol, untyped], ?budget_s: Numeric?, ?on_event: Proc, ?clock: Module) -> void
      def initialize(points:, measure:, rules: {}, budget_s: nil, on_event: ->(*) {}, clock: Clock)
        @points = points
        @measure = measure
        @rules = rules
        @budget_s = budget_s
        @on_event = on_event
        @clock = clock
        @steps = []
      end

      # Also returns after Ctrl-C.
      #: () -> Bisect::Bisection::Result
      def call
        started = @clock.mono_ns
        until (pair = bisection.pair).nil?
          return result("undecided", started) if left_s && !left_s.positive?

          compare(pair)
        end
        result(bisection.outcome, started)
      rescue SignalException
        result(Search::Step::INTERRUPTED, started)
      end

      private

      def bisection = Search.new(@points.size - 1, @steps)

      def compare(pair)
        kind, index = pair.kind, pair.b
        a, b = @points.values_at(pair.a, index)
        search = bisection.search
        left, suspects = search.steps_left, search.suspects.size
        @on_event.call(:step, { kind:, a:, b:, left:, suspects: })
        started = @clock.mono_ns
        run = @measure.call(a, b, { **@rules, question: asked(kind, pair.sides) }, left_s)
        @steps << Search::Step.of(kind, run, a: a.name, b: b.name, index:,
                                             seconds: since(started))
        @on_event.call(:step_done, { step: @steps.last })
      end

      # What a step is to find out, stored with its run.
      def asked(kind, sides)
        step = { kind: kind.to_s, number: @steps.size + 1, good: @points.first.name,
                 bad: @points.last.name }
        sides ? SideQuestion.new(step, sides) : Question.new(step)
      end

      def left_s = @budget_s && (@budget_s - @steps.sum(&:measured_s))

      def since(started_ns) = (@clock.mono_ns - started_ns) / 1e9

      def result(outcome, started_ns)
        reported = @steps.reverse_each.find { |step| step.kind != :search && step.interval }
        metric = Analysis::Metric.fetch(@rules.fetch(:metric, "throughput"))
        Result.new(outcome:, points: @points, suspects: @points[bisection.search.suspects],
                   steps: @steps.dup, reported:, metric:, seconds: since(started_ns),
                   finding: @steps.last&.finding).freeze
      end
    end
  end
end
