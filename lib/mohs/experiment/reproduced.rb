# frozen_string_literal: true

module Mohs
  class Experiment
    # A run of a published study: the document with its claims.
    module Reproduced
      module_function

      #: (Analysis::Run, Mohs::Repro::Publication, Store) -> Hash[Symbol, untyped]
      def document(run, publication, store)
        tests = Mohs::Repro::Order.tests(run.stored)
        shares = shares(run, store)
        claims = Mohs::Repro::Order.claims(run.stored)
        judgements = Mohs::Repro::Judge.new(publication, tests, run, shares:, claims:).call
        Mohs::Repro::Document.new(run, publication, judgements, shares:).document
      end

      # The document of any run: with claims, if it reproduces a study that can be read.
      #: (Analysis::Run, Store, ?servers: Module) -> Hash[Symbol, untyped]
      def document_of(run, store, servers: Servers)
        publication = readable(run, servers)
        publication ? document(run, publication, store) : Report::Model.build(run)
      end

      # The publication that a run reproduces, nil if there is none. Raises UsageError or StudyError
      # if it can no longer be read.
      #: (Analysis::Run, servers: Module) -> Mohs::Repro::Publication?
      def publication(run, servers:)
        order = Mohs::Repro::Order.of(run.stored) or return
        Mohs::Repro::File.load(File.dirname(order.fetch(:file)), servers:)
      end

      def readable(run, servers)
        publication(run, servers:)
      rescue UsageError, StudyError
        nil # its files are gone or have changed: the measurements are shown all the same
      end
      private_class_method :readable

      # For a run that took profiles.
      def shares(run, store)
        run.profile_shares(profiles: Profiles.of(store, run)) if run.stored.study.profile
      end
      private_class_method :shares
    end
  end
end
