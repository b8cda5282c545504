# frozen_string_literal: true

module Mohs
  class Experiment
    # What a run was measured for, as a document (Procedure#answer).
    module Answer
      module_function

      # That of any run; the document of its figures if the other can't be made any more, since
      # files that it takes are gone or have changed.
      #: (Analysis::Run, Store, ?servers: Module) -> Hash[Symbol, untyped]
      def document(run, store, servers: Servers)
        own(run, servers:) { store } || Report::Model.build(run)
      rescue UsageError, StudyError
        Report::Model.build(run)
      end

      # nil if that is the document of the run's figures. The block returns the store if it is
      # needed. Raises UsageError or StudyError.
      #: (Analysis::Run, servers: Module) { () -> Store } -> Hash[Symbol, untyped]?
      def own(run, servers:)
        profiles, points = -> { Profiles.of(yield, run) }, ->(name) { yield.points(name) }
        run.stored.study.procedure.answer(run, servers:, profiles:, points:)
      end
    end
  end
end
