# frozen_string_literal: true

module Mohs
  module Compare
    # Comparisons that are measured one after another, each as a separate run in the store.
    class Series
      # The Study of the last comparison; nil before the first.
      attr_reader :study

      # declaration: what the studies have in common.
      #: (experiment: untyped, declaration: Hash[Symbol, untyped], ?on_event: Proc, ?invocation: Invocation?) -> void
      def initialize(experiment:, declaration:, on_event: ->(*) {}, invocation: nil)
        @experiment = experiment
        @declaration = declaration
        @on_event = on_event
        @invocation = invocation
        @count = -1
      end

      private

      # The next study, which has these members besides. Each has its own order, even if a seed was
      # given.
      def study_of(**members)
        @count += 1
        seed = @declaration[:seed] && (@declaration[:seed] + @count)
        @study = @experiment.prepare({ **@declaration, seed:, **members })
      end

      # The Analysis::Run of the last study.
      def measured
        @experiment.measure(@study, @experiment.plan(@study), on_event: @on_event,
                                                              invocation: @invocation)
      end
    end
  end
end
