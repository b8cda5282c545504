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
        parser.on("--scenario FILE", "what each client does (see mohs docs scenario)") do |path|
          @path = path
        end
      end

      #: () -> bool
      def given? = !@path.nil?

      # The file's name.
      #: () -> String
      def file = File.basename(@path)

      # Raises UsageError if other options can't be combined with it.
      #: (requests: CLI::RequestOptions, peer: String?, limit: Load::Limit?, open_loop: CLI::OpenLoop, batches: bool) -> void
      def check(requests:, peer:, limit:, open_loop:, batches:)
        return unless given?
        raise UsageError, "--scenario needs the driver of mohs: leave out --driver." if peer
        raise UsageError, "--scenario excludes requests: they are in its file." if requests.to_a
        raise UsageError, "--scenario excludes --find-rate." if limit
        raise UsageError, "--scenario excludes --batches: its steps are reported." if batches
        raise UsageError, "--scenario: connections (-c) are clients, so --max-connections has no " \
                          "meaning, and --rate takes one number or a ramp." if
          open_loop.max_connections || open_loop.stages.size > 1
      end

      # Loads the scenario for that server.
      #: (LoadRun::Server) -> Load::Scenario
      def load(server)
        raise UsageError, "#{server.path}: with --scenario the paths are in its file." unless
          server.path == "/"

        Load::Scenario::File.load(File.expand_path(@path, @context.dir))
      end
    end
  end
end
