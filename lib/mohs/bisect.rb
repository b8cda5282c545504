# frozen_string_literal: true

module Mohs
  # Finds the point in a line (commits, versions of a gem) from which on an application is slower:
  # measures what Analysis::Bisection asks for, within the budget, until there is an answer.
  class Bisect
    # A candidate for the culprit: a commit or a version of a gem. `name` is its short name, used
    # for its variant in tables; `id` is the full one; `title` and `date` are those of a commit (nil
    # for a version); `notation` says what is measured (Study::Notation).
    class Point < Struct.new(:name, :id, :title, :date, :notation, keyword_init: true)
      #: (name: String, id: String, ?title: String?, ?date: String?, ?notation: Study::Notation?) -> void
      def initialize(**values)
        super
        freeze
      end

      # As documented in docs/json.md.
      #: () -> Hash[Symbol, String?]
      def to_h = super.except(:notation)
    end

    # The result. `outcome`: found, range (only points that can't be measured are left, or the
    # points that were left when it ended), contradicted (on its own, the point is not slower than
    # the one before it), unconfirmed, none, undecided, invalid, interrupted; `suspects` [Point]: a
    # single one if it is found; `reported`: the step whose figures are the answer; `seconds`:
    # total; `finding`: that of the last step.
    Result = Struct.new(:outcome, :points, :suspects, :steps, :reported, :metric, :seconds,
                        :finding, keyword_init: true)

    # points: the line, from the good end to the bad one. measure: called with two points, the
    # values of Study::ComparisonRules and the seconds left; returns the Analysis::Run that compared
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
    #: () -> Bisect::Result
    def call
      started = @clock.mono_ns
      until (question = bisection.question).nil?
        return result("undecided", started) if left_s && !left_s.positive?

        compare(question)
      end
      result(bisection.outcome, started)
    rescue SignalException
      result(Analysis::Bisection::Step::INTERRUPTED, started)
    end

    private

    def bisection = Analysis::Bisection.new(@points.size - 1, @steps)

    def compare(question)
      kind, index, step = question.kind, question.b, question.sides
      a, b = @points.values_at(question.a, index)
      left, suspects = bisection.search.then { |search| [search.steps_left, search.suspects.size] }
      @on_event.call(:step, { kind:, a:, b:, left:, suspects: })
      started = @clock.mono_ns
      run = @measure.call(a, b, { **@rules, **{ step: }.compact, bisection: whose(kind) }, left_s)
      @steps << Analysis::Bisection::Step.of(kind, run, a: a.name, b: b.name, index:,
                                                        seconds: since(started))
      @on_event.call(:step_done, { step: @steps.last })
    end

    # The facts stored with each of the bisection's runs.
    def whose(kind)
      { kind: kind.to_s, number: @steps.size + 1, good: @points.first.name, bad: @points.last.name }
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

    # Measures two points like `mohs compare`, each time as a separate run in the store.
    class Measurement
      # The last Study that was measured; nil before the first.
      attr_reader :study

      #: (experiment: Experiment, declaration: Hash[Symbol, untyped], ?on_event: Proc, ?invocation: Invocation?) -> void
      def initialize(experiment:, declaration:, on_event: ->(*) {}, invocation: nil)
        @experiment = experiment
        @declaration = declaration
        @on_event = on_event
        @invocation = invocation
        @count = -1
      end

      # The run that compared them. Each run has its own order, even if a seed was given.
      #: (Bisect::Point, Bisect::Point, Hash[Symbol, untyped], Numeric?) -> Analysis::Run
      def call(first, second, comparison, budget_s)
        @count += 1
        seed = @declaration[:seed] && (@declaration[:seed] + @count)
        variants = [first, second].map { |point| [nil, point.notation] }
        @study = @experiment.prepare({ **@declaration, seed:, comparison:, budget_s:, variants: })
        @experiment.measure(@study, @experiment.plan(@study), on_event: @on_event,
                                                              invocation: @invocation)
      end
    end

    # The line of commits between two revisions of an application, all served in the same way.
    class Commits
      #: (App::Repository, on: Study::Notation) -> void
      def initialize(repository, on:)
        @repository = repository
        @on = on
      end

      # The points between two revisions as typed: "main", "@v1.2". Raises UsageError.
      #: (String, String) -> Array[Bisect::Point]
      def points(good, bad)
        ids = [good, bad].map { |name| @repository.commit(name.delete_prefix("@")) }
        raise UsageError, "#{good} and #{bad} are one commit: there is nothing to find." \
          if ids.uniq.one?

        @repository.line(*ids).map { |commit| point(commit) }
      end

      private

      def point(commit)
        id, short, date, subject = commit.fetch_values(:id, :short, :date, :subject)
        notation = Study::Notation.new(**@on.to_h, label: short, revision: "@#{short}")
        Point.new(name: short, id:, title: subject, date:, notation:)
      end
    end
  end
end
