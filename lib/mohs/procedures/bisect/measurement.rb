# frozen_string_literal: true

module Mohs
  module Bisect
    # Measures two points like `mohs compare`, each time as a separate run in the store.
    class Measurement < Compare::Series
      # The run that compared them.
      #: (Bisect::Point, Bisect::Point, Hash[Symbol, untyped], Numeric?) -> Analysis::Run
      def call(first, second, comparison, budget_s)
        study_of(comparison:, budget_s:,
                 variants: [first, second].map { |point| [nil, point.notation] })
        measured
      end
    end
  end
end
