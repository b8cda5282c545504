# frozen_string_literal: true

module Mohs
  module Cohort
    # Memory is compared at equal requests, never at equal time (method, section 4): a server that
    # answered more has allocated more. So those that answered fewer go on for a while.
    class Level
      # No server is loaded for longer than this to have answered as many as another.
      MOST_S = 1

      #: (Array[Trial::Life]) -> void
      def initialize(lives)
        @lives = lives
        most = lives.map(&:sent).max
        @wanted = lives.to_h do |life|
          [life, [most, life.sent + (life.warm_up.rate * MOST_S).ceil].min]
        end
      end

      # Who goes on together, on different cores, and for how many requests: each turn is the last
      # of one at least. Nobody, and nil, where all have answered enough.
      #: () -> [Array[Trial::Life], Integer?]
      def turn
        behind = @lives.select { |life| missing(life).positive? }.uniq(&:worker)
        [behind, behind.map { |life| missing(life) }.min]
      end

      private

      def missing(life) = @wanted.fetch(life) - life.sent
    end
  end
end
