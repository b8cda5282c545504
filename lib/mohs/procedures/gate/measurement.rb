# frozen_string_literal: true

module Mohs
  module Gate
    # Compares one page of two revisions like `mohs compare`, each time as a separate run in the
    # store.
    class Measurement
      BASE = "base"
      HEAD = "head"

      # The last Study that was measured; nil before the first.
      attr_reader :study

      # revisions: the older and the newer one ("@1a2b3c"; nil: the folder as it is). on: what both
      # are measured on. declaration: of the studies, without variants and requests.
      #: (experiment: untyped, declaration: Hash[Symbol, untyped], revisions: [String?, String?], ?on: Study::Notation, ?on_event: Proc, ?invocation: Invocation?) -> void
      def initialize(experiment:, declaration:, revisions:, on: Study::Notation.new,
                     on_event: ->(*) {}, invocation: nil)
        @experiment = experiment
        @declaration = declaration
        @variants = [BASE, HEAD].zip(revisions).map do |label, revision|
          [nil, Study::Notation.new(**on.to_h, label:, revision:)]
        end
        @on_event = on_event
        @invocation = invocation
        @count = -1
      end

      # The study of one page. Each study has its own order, even if a seed was given.
      #: (Gate::Page, Hash[Symbol, untyped], Numeric) -> Study
      def prepare(page, comparison, budget_s)
        @count += 1
        seed = @declaration[:seed] && (@declaration[:seed] + @count)
        @study = @experiment.prepare({ **@declaration, seed:, comparison:, budget_s:,
                                       requests: [page.request], variants: @variants })
        refused = @study.variants.find(&:refusal)
        raise UsageError, "#{page.name}: #{refused.refusal_text}" if refused

        @study
      end

      # The Analysis::Run that compared the page. Raises UsageError if one of the revisions can't be
      # measured.
      #: (Gate::Page, Hash[Symbol, untyped], Numeric) -> untyped
      def call(page, comparison, budget_s)
        study = prepare(page, comparison, budget_s)
        @experiment.measure(study, @experiment.plan(study), on_event: @on_event,
                                                            invocation: @invocation)
      end
    end
  end
end
