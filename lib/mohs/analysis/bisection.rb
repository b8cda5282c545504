# frozen_string_literal: true

module Mohs
  module Analysis
    # What the steps of a bisection say so far: what has to be compared next, and what came of it.
    # Pure. First the ends are compared: where the second is not slower beyond chance, there is
    # nothing to be found. Then a binary search; each step asks on which side of half the ends'
    # difference a point lies (Stats::Sides), with the noise of all comparisons so far. At last the
    # point found is compared with the one before it.
    class Bisection
      # The chance that any step goes to the wrong side.
      ALPHA = 0.05

      CONFIRMED = {
        "slower" => "found", "undecided" => "unconfirmed", "invalid" => "unconfirmed",
      }.freeze

      # Points `a` and `b` of the line to be compared; in a search what Stats::Sides is asked.
      Question = Struct.new(:kind, :a, :b, :sides, keyword_init: true)

      # last: index of the bad end of the line, whose good end is 0.
      #: (Integer, Array[Analysis::Bisection::Step]) -> void
      def initialize(last, steps)
        @last = last
        @ends, *rest = steps
        @steps = steps
        @searched, @others = rest.partition { |step| step.kind == :search }
        @known = {}
        @spent = 0.0 # of ALPHA
        @searched.each { |step| learn(step) }
      end

      # Nil when it is over.
      #: () -> Analysis::Bisection::Question?
      def question
        return if outcome
        return Question.new(kind: :ends, a: 0, b: @last) unless @ends

        index = search.next
        return Question.new(kind: :search, a: 0, b: index, sides:) if index

        Question.new(kind: :confirm, a: search.good, b: search.bad)
      end

      # As Bisect::Result has it; nil while a comparison is to come.
      #: () -> String?
      def outcome
        return unless @ends
        return Step::INTERRUPTED if @steps.last.verdict == Step::INTERRUPTED
        return "none" if %w[faster equivalent].include?(@ends.verdict) || @ends.state == :precise
        return @ends.verdict unless @ends.verdict == "slower"
        return "undecided" if @searched.any? { |step| step.verdict == "undecided" }

        confirmed unless search.next
      end

      #: () -> Analysis::Bisection::Search
      def search = @search ||= Search.new(@last, @known)

      private

      def learn(step)
        @spent += share unless step.verdict == "skipped"
        @known = { **@known, step.index => step.verdict.to_sym }
        @search = nil
      end

      # Two neighbours from the start: that was it.
      def confirmed
        return "found" if @last == 1
        return unless (step = @others.last)

        outcome = CONFIRMED.fetch(step.verdict, "contradicted")
        outcome == "found" && !search.found? ? "range" : outcome
      end

      # Of what is left of the chance to be wrong, an equal part for each step still to come and one
      # kept: so any number of steps, however many points are skipped, stays within ALPHA.
      def share = (ALPHA - @spent) / (search.steps_left + 1)

      def sides
        noise = Stats::NoisePool.of(@steps.map(&:differences))
        { difference: Stats::Center.mean(@ends.differences), noise: noise.to_h, alpha: share }
      end
    end
  end
end
