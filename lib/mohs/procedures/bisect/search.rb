# frozen_string_literal: true

module Mohs
  module Bisect
    # The state of a bisection after its steps: what has to be compared next, and the result. Pure.
    # First the ends are compared: if the second is not slower beyond chance, there is nothing to
    # find. Then comes a binary search; each step asks on which side of half the ends' difference a
    # point lies (SideTest), with the noise of all comparisons so far. Last, the point is
    # compared with the one before it.
    class Search
      # The chance that any search step goes to the wrong side.
      ALPHA = 0.05

      CONFIRMED = {
        "slower" => "found", "undecided" => "unconfirmed", "invalid" => "unconfirmed",
      }.freeze

      # Points `a` and `b` of the line to compare; `sides`: in a search, the arguments of
      # SideTest.
      Pair = Struct.new(:kind, :a, :b, :sides, keyword_init: true)

      # One comparison of a bisection. `kind` is :ends, :search or :confirm; `a` and `b` the names
      # of the two points; `verdict` that of B: good, bad, skipped or undecided in a search, else
      # slower, faster, equivalent, undecided, invalid; or interrupted. `effect` and `interval` are
      # as in its verdict, `differences` its cohorts' log differences, `bias` how far they may be
      # off in common, `measured_s` the time that counts against the budget, `seconds` all of its
      # time, `run` its key in the store, `finding` why it was skipped or not decided.
      class Step < Struct.new(:kind, :a, :b, :verdict, :cohorts, :measured_s, :seconds, :effect,
                              :interval, :differences, :bias, :state, :run, :finding, :index,
                              keyword_init: true)
        SIDES = { first: "good", second: "bad", invalid: "skipped" }.freeze
        INTERRUPTED = "interrupted"

        #: (Symbol, Analysis::Run, a: String, b: String, index: Integer, seconds: Float) -> Bisect::Search::Step
        def self.of(kind, run, a:, b:, index:, seconds:)
          comparison = run.result
          verdict = comparison.verdict
          new(kind:, a:, b:, index:, seconds:, verdict: verdict(kind, run), effect: verdict.effect,
              interval: verdict.low && [verdict.low, verdict.high],
              differences: comparison.differences(comparison.metric),
              bias: comparison.looks.last&.own_bias || Stats::Bias.of(0.0),
              cohorts: comparison.pairs.size, measured_s: comparison.pairs.sum(&:seconds).to_f,
              state: comparison.state, run: run.stored.key, finding: verdict.findings.first).freeze
        end

        def self.verdict(kind, run)
          return INTERRUPTED if run.state == INTERRUPTED
          return run.result.verdict.outcome.to_s unless kind == :search

          SIDES.fetch(run.result.state, "undecided")
        end
        private_class_method :verdict
      end

      # Binary search in a line of points, 0 the good end and `last` the bad one, by what is known
      # of the points between: pure. It avoids points that can't be measured (`skipped`): the next
      # point is the nearest to the middle that may be tried.
      class Search
        # Indices: `good` of the last point known to be good, `bad` of the first known to be bad.
        attr_reader :good, :bad

        # known: { index => :good | :bad | :skipped } for the points between.
        #: (Integer, ?Hash[Integer, Symbol]) -> void
        def initialize(last, known = {})
          @known = known
          @good = [0, *indices(:good)].max
          @bad = [last, *indices(:bad)].min
          freeze
        end

        # The next point to compare; nil if none is left.
        #: () -> Integer?
        def next = askable.min_by { |index| [(index - ((good + bad) / 2.0)).abs, index] }

        # The possible culprits: a single one if it is found.
        #: () -> Range[Integer]
        def suspects = (good + 1)..bad

        #: () -> bool
        def found? = suspects.one?

        # The most steps still needed if no point is skipped from here on.
        #: () -> Integer
        def steps_left = askable.size.bit_length

        private

        def indices(answer) = @known.filter_map { |index, one| index if one == answer }

        def askable = ((good + 1)...bad).reject { |index| @known.key?(index) }
      end

      # last: index of the bad end of the line, whose good end is 0.
      #: (Integer, Array[Bisect::Search::Step]) -> void
      def initialize(last, steps)
        @last = last
        @ends, *rest = steps
        @steps = steps
        @searched, @others = rest.partition { |step| step.kind == :search }
        @known = {}
        @spent = 0.0 # part of ALPHA
        @searched.each { |step| learn(step) }
      end

      # The next pair; nil when the bisection is over.
      #: () -> Bisect::Search::Pair?
      def pair
        return if outcome
        return Pair.new(kind: :ends, a: 0, b: @last) unless @ends

        index = search.next
        return Pair.new(kind: :search, a: 0, b: index, sides:) if index

        Pair.new(kind: :confirm, a: search.good, b: search.bad)
      end

      # The outcome as in Bisect::Bisection::Result; nil while there is a comparison to come.
      #: () -> String?
      def outcome
        return unless @ends
        return Step::INTERRUPTED if @steps.last.verdict == Step::INTERRUPTED
        return "none" if %w[faster equivalent].include?(@ends.verdict) || @ends.state == :precise
        return @ends.verdict unless @ends.verdict == "slower"
        return "undecided" if @searched.any? { |step| step.verdict == "undecided" }

        confirmed unless search.next
      end

      #: () -> Bisect::Search::Search
      def search = @search ||= Search.new(@last, @known)

      private

      def learn(step)
        @spent += share unless step.verdict == "skipped"
        @known = { **@known, step.index => step.verdict.to_sym }
        @search = nil
      end

      # The outcome after the search; it is over from the start between two neighbours.
      def confirmed
        return "found" if @last == 1
        return unless (step = @others.last)

        outcome = CONFIRMED.fetch(step.verdict, "contradicted")
        outcome == "found" && !search.found? ? "range" : outcome
      end

      # An equal part of the remaining chance of error for each step still to come and for one in
      # reserve: so any number of steps, however many points are skipped, stays within ALPHA.
      def share = (ALPHA - @spent) / (search.steps_left + 1)

      def sides
        noise = Stats::NoisePool.of(@steps.map(&:differences))
        { difference: Stats::Center.mean(@ends.differences), bias_of_difference: @ends.bias.to_h,
          noise: noise.to_h, alpha: share }
      end
    end
  end
end
