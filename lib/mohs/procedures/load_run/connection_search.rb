# frozen_string_literal: true

module Mohs
  class LoadRun
    # Searches for the highest number of connections with which a limit is kept: says how many to
    # try next and takes what came of it. Pure: no clock, no driver.
    #
    # It doubles the number until a load misses the limit, and then halves the range, on a scale of
    # logarithms. One load may miss or keep the limit by chance: a number counts as missed after two
    # loads that did, and the number that is found has been tried twice; where two loads disagree, a
    # third decides.
    class ConnectionSearch
      FIRST = 100
      # The search ends when the lowest number that missed is at most so much higher than the
      # highest that did not.
      PRECISION = 0.05
      # Loads that agree, for a number to be certain.
      CERTAIN = 2

      # most: connections that can be made here.
      #: (?first: Integer, most: Integer) -> void
      def initialize(most:, first: FIRST)
        @first = [first, most].min
        @most = most
        @loads = Hash.new { |loads, count| loads[count] = [] }
      end

      # How many connections to try next; nil if the search is over.
      #: () -> Integer?
      def next
        return @last if @last && verdict(@last).nil?
        return missed ? lower : higher unless kept && missed
        return between if missed > [kept * (1 + PRECISION), kept + 1].max

        kept unless certain?(kept)
      end

      # A load of so many connections kept the limit, or did not.
      #: (Integer, kept: bool) -> void
      def add(connections, kept:)
        @last = connections
        @loads[connections] << kept
      end

      # The highest number that keeps the limit, of those below the lowest that does not; nil: none.
      #: () -> Integer?
      def kept
        of(true).reject { |count| missed && count > missed }.max
      end

      # The lowest number that does not keep it; nil: none.
      #: () -> Integer?
      def missed = of(false).min

      private

      def of(verdict) = @loads.keys.select { |count| verdict(count) == verdict }

      # true: the limit is kept, as far as is known; nil: another load has to decide.
      def verdict(count)
        kept, missed = @loads[count].partition(&:itself).map(&:size)
        return kept > missed if [kept, missed].max >= CERTAIN

        true if missed.zero?
      end

      def certain?(count) = @loads[count].count(true) >= CERTAIN

      def higher
        return @first unless kept
        return [2 * kept, @most].min if kept < @most

        kept unless certain?(kept)
      end

      def lower = (missed / 2 if missed > 1)

      def between = Math.sqrt(kept * missed).round.clamp(kept + 1, missed - 1)
    end
  end
end
