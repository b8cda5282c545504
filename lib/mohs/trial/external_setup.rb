# frozen_string_literal: true

module Mohs
  class Trial
    # Of a server that already runs: there is an address and nothing to start. What its settings
    # are, and what it serves, is the person's to know.
    class ExternalSetup < Setup
      #: (study: Study, variant: Study::Variant) -> void
      def initialize(study:, variant:)
        super(study:, variant:, app: nil, ruby: nil, bundle: nil)
      end

      #: () -> Servers::Bind
      def bind
        url = Study::ServerUrl.parse(variant.url)
        Servers::Bind.new(host: url.host, port: url.port)
      end

      #: () -> Class
      def trial_class = ExternalServer

      #: () -> String
      def engine = variant.engine

      # The application that the others serve need not be its own.
      #: () -> Array[App::Check]
      def checks = []

      #: () -> nil
      def expected_jit = nil

      #: () -> Hash[String, String]
      def versions = {}

      # It is one process all along, on any core.
      #: () -> Array[String]
      def notes
        ["#{variant.url} was running already: not booted anew each round, so its interval speaks " \
         "of this one process; not bound to the cores that the others had; settings unknown"]
      end
    end
  end
end
