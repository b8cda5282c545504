# frozen_string_literal: true

module Mohs
  class CLI
    # The argument of commands about an existing result: the key of a run, the newest run without
    # one, or the file of a load's recording (mohs load --raw).
    module RunOrRecording
      KEY = /\A\h+\z/ # of a run; a file with such a name is ./NAME

      private

      # For a run whose result is more than its table; of any other it changes nothing.
      def table(parser)
        parser.on("--table", "a run's table alone, whatever else it was measured for") do
          @table = true
        end
      end

      def file?
        name = arguments.first or return false
        !name.match?(KEY) && (name.include?("/") || File.file?(path))
      end

      def path = File.expand_path(arguments.first, context.dir)

      # The load in the file.
      def load
        @load ||= begin
          import = Report::Proposal.to("import", arguments.first)
          raise UsageError, "#{arguments.first} is a run: #{import}" if
            Store::ArchiveReader.archive?(path)

          Exporters::RecordingFile.read(path)
        end
      end

      # The run in the store.
      def stored(store) = Runner.result(store, arguments.first)
    end
  end
end
