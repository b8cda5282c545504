# frozen_string_literal: true

module Mohs
  module Cohort
    # Memory is compared at equal requests, never at equal time (method, section 4): a server that
    # answered more has allocated more. So those that answered fewer go on for a while.
    class Equalizer
      # No server is loaded for longer than this to have answered as many as another.
      MOST_S = 1

      #: (Array[Trial]) -> void
      def initialize(trials)
        @trials = trials
        most = trials.map(&:sent).max
        @wanted = trials.to_h do |trial|
          [trial, [most, trial.sent + (trial.warm_up.rate * MOST_S).ceil].min]
        end
      end

      # Who goes on together, on different cores, and for how many requests: each turn is the last
      # of one at least. Nobody, and nil, where all have answered enough.
      #: () -> [Array[Trial], Integer?]
      def turn
        behind = @trials.select { |trial| missing(trial).positive? }.uniq(&:worker)
        [behind, behind.map { |trial| missing(trial) }.min]
      end

      private

      def missing(trial) = @wanted.fetch(trial) - trial.sent
    end
  end
end
