# frozen_string_literal: true

module Mohs
  module Tune
    # How the closed-loop rate of a number of processes grows with the threads of each, by the
    # rounds of the race. Pure.
    class Scaling
      # Two are a step (Tune::Recommendation::Step), not a curve.
      FEWEST_LEVELS = 3

      # With fewer rounds a curve can't be told from the variation between boots.
      FEWEST_ROUNDS = Stats::Interval::FEWEST

      # A number of threads with its `rate`, a Stats::Interval over rounds, and the rate that was
      # predicted for it, nil if unknown.
      Level = Struct.new(:threads, :rate, :predicted_per_s, keyword_init: true) { include Value }

      attr_reader :processes

      # rounds: { threads => requests/s } of each, without levels that the round did not have.
      # demand: what a request needs, nil if unknown.
      #: (Array[Hash[Integer, Float]], processes: Integer, demand: Tune::Demand?) -> void
      def initialize(rounds, processes:, demand:)
        @all = rounds
        @processes = processes
        @demand = demand
      end

      # Are there enough levels, measured together in enough rounds?
      #: () -> bool
      def enough? = known.size >= FEWEST_LEVELS && rounds.size >= FEWEST_ROUNDS

      #: () -> Array[Tune::Scaling::Level]
      def levels
        known.map do |threads|
          Level.new(threads:, predicted_per_s: @demand&.at_most(processes, threads),
                    rate: Stats::Interval.of_positive(rounds.map { |round| round[threads] }))
        end
      end

      private

      # Levels are compared within rounds, so each has to be in all rounds that are used. A level
      # that the race dropped late is kept, at the cost of the rounds after that.
      def known
        @known ||= @all.flat_map(&:keys).tally.sort
                       .filter_map { |threads, count| threads if count >= FEWEST_ROUNDS }
      end

      def rounds = @rounds ||= @all.select { |round| known.all? { |threads| round[threads] } }
    end
  end
end
