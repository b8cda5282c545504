# frozen_string_literal: true

module Mohs
  class CLI
    # The option --scenario of `mohs load`, and what it excludes.
    class ScenarioOption
      #: (CLI::Context) -> void
      def initialize(context)
        @context = context
      end

      #: (OptionParser) -> void
      def define(parser)
        parser.on("--scenario FILE", "what clients do: mohs docs scenario") { |path| @path = path }
      end

      #: () -> bool
      def given? = !@path.nil?

      # The file's name.
      #: () -> String
      def file = File.basename(@path)

      # Raises UsageError where what else was typed can't go with it.
      #: (requests: CLI::RequestOptions, peer: String?, limit: Load::Limit?, open_loop: CLI::OpenLoop, batches: bool) -> void
      def check(requests:, peer:, limit:, open_loop:, batches:)
        return unless given?
        raise UsageError, "--driver excludes --scenario: only mohs can follow one." if peer
        raise UsageError, "--scenario excludes requests: they stand in its file." if requests.to_a
        raise UsageError, "--scenario excludes --find-rate: it has no rate of its own." if limit
        raise UsageError, "--scenario excludes --batches: it is told by its steps." if batches
        raise UsageError, "--scenario: its clients are the connections (-c), and --rate one " \
                          "number or a ramp." if
          open_loop.max_connections || open_loop.stages.size > 1
      end

      # The scenario, for that server.
      #: (Load::Server) -> Load::Scenario
      def load(server)
        raise UsageError, "#{server.path}: with --scenario the paths stand in its file." unless
          server.path == "/"

        Load::Scenario::File.load(File.expand_path(@path, @context.dir))
      end
    end
  end
end
