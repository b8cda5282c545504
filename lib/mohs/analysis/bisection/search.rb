# frozen_string_literal: true

module Mohs
  module Analysis
    class Bisection
      # Binary search in a line of points, 0 the good end and `last` the bad one, by what is known
      # of the points between: pure. A point that can't be measured (`skipped`) is gone round: the
      # next is the nearest to the middle that may be asked.
      class Search
        # Indices: `good` the last known to be good, `bad` the first known to be bad.
        attr_reader :good, :bad

        # known: { index => :good | :bad | :skipped } of the points between.
        #: (Integer, ?Hash[Integer, Symbol]) -> void
        def initialize(last, known = {})
          @known = known
          @good = [0, *indices(:good)].max
          @bad = [last, *indices(:bad)].min
          freeze
        end

        # The point to be asked; nil when nothing is left to ask.
        #: () -> Integer?
        def next
          askable.min_by { |index| [(index - ((good + bad) / 2.0)).abs, index] }
        end

        # Those among which the culprit is: one where it is found.
        #: () -> Range[Integer]
        def suspects = (good + 1)..bad

        #: () -> bool
        def found? = suspects.one?

        # Answers that are still needed, at most, if no point is skipped from here on.
        #: () -> Integer
        def steps_left = askable.size.bit_length

        private

        def indices(answer) = @known.filter_map { |index, one| index if one == answer }

        def askable = ((good + 1)...bad).reject { |index| @known.key?(index) }
      end
    end
  end
end
