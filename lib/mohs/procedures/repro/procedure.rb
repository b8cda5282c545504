# frozen_string_literal: true

module Mohs
  module Repro
    # Measures rounds, as `mohs run` does. Their document is the same; the answer is a document of
    # the published claims.
    class Procedure < Rounds::Procedure
      # The document of the run's claims. Raises UsageError or StudyError if the publication can no
      # longer be read.
      #: (Analysis::Run, servers: Module, profiles: ^() -> Hash[Integer, Profile], **untyped) -> Hash[Symbol, untyped]
      def answer(run, servers:, profiles:, **)
        publication = File.load(::File.dirname(order.fetch(:file)), servers:)
        Document.of(run, publication, profiles:)
      end

      # The files of the publication; nil in a forged run, which names none.
      #: (Store) -> Hash[String, Time]?
      def version(_store)
        file = @study.rules.file
        File.version(::File.dirname(file)) if file.is_a?(String)
      end

      # Its subject is the publication.
      #: () -> String?
      def command = nil

      #: () -> String
      def repeats = order[:name]

      #: (**untyped) -> Report::Proposal
      def again(**settings) = CommandLine.proposal(order, **settings)

      # The publication chose the variants: one that can't be measured is no mistake, and its claims
      # are about any of them, so they need no baseline.
      #: () -> bool
      def strict? = false

      private

      def order = Order.of(@study)
    end
  end
end
