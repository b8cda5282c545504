# frozen_string_literal: true

module Mohs
  class Trial
    # The setup of a server that is already running: there is an address and nothing to start. Its
    # settings, and what it serves, are up to the user.
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

      # Its environment is not known.
      #: () -> Array[String]
      def all_flags = flags

      # It need not serve the same application as the others.
      #: () -> Array[App::Check]
      def checks = []

      # It has its own secret.
      #: () -> nil
      def secret_files = nil

      # Its variables are not known.
      #: (Reason?) -> Reason?
      def complete(reason) = reason

      # The server uses the services that it has.
      #: () -> Array[String]
      def services = []

      #: () -> nil
      def expected_jit = nil

      # mohs does not decide how it is started.
      #: () -> nil
      def one_at_a_time = nil

      #: () -> Hash[String, String]
      def versions = {}

      # It is the same process throughout, on any core.
      #: () -> Array[Analysis::Finding]
      def notes = [Analysis::Finding.note("already_running", url: variant.url)]
    end
  end
end
