# frozen_string_literal: true

module Mohs
  module Bisect
    # Measures two points like `mohs compare`, each time as a separate run in the store.
    class Measurement
      # The last Study that was measured; nil before the first.
      attr_reader :study

      #: (experiment: Experiment, declaration: Hash[Symbol, untyped], ?on_event: Proc, ?invocation: Invocation?) -> void
      def initialize(experiment:, declaration:, on_event: ->(*) {}, invocation: nil)
        @experiment = experiment
        @declaration = declaration
        @on_event = on_event
        @invocation = invocation
        @count = -1
      end

      # The run that compared them. Each run has its own order, even if a seed was given.
      #: (Bisect::Point, Bisect::Point, Hash[Symbol, untyped], Numeric?) -> Analysis::Run
      def call(first, second, comparison, budget_s)
        @count += 1
        seed = @declaration[:seed] && (@declaration[:seed] + @count)
        variants = [first, second].map { |point| [nil, point.notation] }
        @study = @experiment.prepare({ **@declaration, seed:, comparison:, budget_s:, variants: })
        @experiment.measure(@study, @experiment.plan(@study), on_event: @on_event,
                                                              invocation: @invocation)
      end
    end
  end
end
