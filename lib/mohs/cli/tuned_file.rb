# frozen_string_literal: true

module Mohs
  class CLI
    # The new file for the lines of the setting that a tuning recommends (--write): named when the
    # tuning begins, written when it is finished, which may be after `mohs resume`.
    class TunedFile
      # Absolute.
      #: () -> String
      attr_reader :path

      # path: absolute. typed: what the user called it.
      #: (String, tell: ^(String) -> void, ?typed: String) -> void
      def initialize(path, tell:, typed: path)
        @path = path
        @typed = typed
        @tell = tell
      end

      # Raises UsageError if it is there, since files of the application stay as they are, or if it
      # can't be written.
      #: () -> void
      def verify
        refuse_existing
        OutputFile.new(@path).close
      end

      # Writes what the tuning's document recommends, or says why there is nothing to write.
      #: (Hash[Symbol, untyped]) -> void
      def write(document)
        return unless document[:state] == "finished"

        use = document.dig(:recommendation, :to_use)
        return @tell.call("nothing to write: #{lack(document)}") unless use && use[:file]

        refuse_existing
        OutputFile.write(@path, use[:text])
        undecided = " (undecided, see above)" unless document[:recommendation][:sure]
        @tell.call("written: #{@typed}#{undecided}")
      end

      private

      def refuse_existing
        return unless File.exist?(@path) || File.symlink?(@path)

        raise UsageError, "--write #{@typed}: #{@path} is there already; name a new file, and " \
                          "compare the two."
      end

      def lack(document)
        picked = document[:recommendation] or return "no setting is recommended"
        return "the application's file already has this setting" unless picked[:to_use]

        "this server takes its settings on the command line"
      end
    end
  end
end
