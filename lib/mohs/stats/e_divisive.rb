# frozen_string_literal: true

module Mohs
  module Stats
    # Change points of a history by E-divisive (Matteson and James, J. Am. Stat. Assoc. 109, 2014):
    # the best split of all segments is kept if shuffling the values within the segments rarely
    # gives one as good, and then the search is repeated. It splits whole segments, as does
    # MongoDB's use of it for performance histories (Daly et al., ICPE 2020). No assumption about
    # the distribution, but the values must be independent: ratios to a fixed reference measured in
    # the same session, as logarithms; never absolute figures, whose changes are the host's.
    class EDivisive
      ALPHA = 0.05
      PERMUTATIONS = 199
      # Values on each side of a change: with fewer, a single odd session would look like a change.
      FEWEST = 3

      # random: makes the permutations; a seed repeats them. alpha: chance that any change is found
      # in a history without one.
      #: (Array[Numeric], random: Random, ?alpha: Float, ?permutations: Integer) -> Array[Stats::ChangePoint]
      def self.call(values, random:, alpha: ALPHA, permutations: PERMUTATIONS)
        new(values, random, alpha, permutations).call
      end

      #: (Array[Numeric], Random, Float, Integer) -> void
      def initialize(values, random, alpha, permutations)
        @values = values
        @random = random
        @permutations = permutations
        # This many permutations as good as the observation make it chance.
        @allowed = (alpha * (permutations + 1)).floor
        @segments = [Segment.new(0, values)]
      end

      #: () -> Array[Stats::ChangePoint]
      def call
        found = {}
        while (segment = @segments.select(&:best).max_by(&:score))
          p = p(segment.score) or break
          found[segment.split] = p
          @segments = (@segments - [segment]) + segment.halves
        end
        ChangePoint.all(@values, found)
      end

      # Values from index `start` of the history on, and their best split.
      class Segment
        #: (Integer, Array[Numeric]) -> void
        def initialize(start, values)
          @start = start
          @values = values
          @energy = Energy.new(values)
        end

        #: () -> [Integer, Float]?
        def best = @best ||= @energy.best(fewest: FEWEST)

        #: () -> Float
        def score = best[1]

        # Index in the whole history.
        #: () -> Integer
        def split = @start + best[0]

        #: () -> [Segment, Segment]
        def halves
          [Segment.new(@start, @values[0...best[0]]), Segment.new(split, @values[best[0]..])]
        end

        # The score of the same values in another order.
        #: (Random) -> Float
        def shuffled_score(random)
          return -Float::INFINITY unless best

          @energy.best(fewest: FEWEST, order: @values.each_index.to_a.shuffle(random:))[1]
        end
      end
      private_constant :Segment

      private

      # Chance of a best split this good without a change; nil as soon as it is known to be too
      # large (Besag and Clifford, Biometrika 78, 1991).
      def p(score)
        as_good = 1
        @permutations.times do
          return if as_good > @allowed

          as_good += 1 if @segments.map { |segment| segment.shuffled_score(@random) }.max >= score
        end
        as_good.fdiv(@permutations + 1) if as_good <= @allowed
      end
    end
  end
end
