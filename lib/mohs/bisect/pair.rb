# frozen_string_literal: true

module Mohs
  class Bisect
    # Measures two points as `mohs compare` would, each time as a run of its own in the store.
    class Pair
      #: (laboratory: Laboratory, declaration: Hash[Symbol, untyped], ?on_event: Proc, ?argv: Array[String]) -> void
      def initialize(laboratory:, declaration:, on_event: ->(*) {}, argv: [])
        @laboratory = laboratory
        @declaration = declaration
        @on_event = on_event
        @argv = argv
        @count = -1
      end

      # The run that compared them. Each has its own order, also where a seed was given.
      #: (Bisect::Point, Bisect::Point, Hash[Symbol, untyped], Numeric?) -> Analysis::Run
      def call(first, second, comparison, budget_s)
        @count += 1
        seed = @declaration[:seed] && (@declaration[:seed] + @count)
        study = @laboratory.prepare({ **@declaration, seed:, comparison:, budget_s:, variants:
          [first, second].map { |point| [nil, point.notation] } })
        @laboratory.measure(study, @laboratory.plan(study), on_event: @on_event, argv: @argv)
      end
    end
  end
end
