# frozen_string_literal: true

module Mohs
  class CLI
    # The new file for what a measurement recommends (--write): named when the run begins, written
    # when it is finished, which may be after `mohs resume`.
    class NewFile
      # Absolute.
      #: () -> String
      attr_reader :path

      # path: absolute. contents: what the file gets from the document of the run
      # (Mohs::Procedure#contents). typed: what the user called it.
      #: (String, contents: ^(Hash[Symbol, untyped]) -> Mohs::Procedure::Contents, tell: ^(String) -> void, ?typed: String) -> void
      def initialize(path, contents:, tell:, typed: path)
        @path = path
        @contents = contents
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

      # Writes what the document of a finished run recommends, or says why there is nothing to
      # write.
      #: (Hash[Symbol, untyped]) -> void
      def write(document)
        return unless document[:state] == "finished"

        contents = @contents.call(document)
        return @tell.call("nothing to write: #{contents.lack}") unless contents.text

        refuse_existing
        OutputFile.write(@path, contents.text)
        undecided = " (undecided, see above)" unless contents.sure
        @tell.call("written: #{@typed}#{undecided}")
      end

      private

      def refuse_existing
        return unless File.exist?(@path) || File.symlink?(@path)

        raise UsageError, "--write #{@typed}: #{@path} is there already; name a new file, and " \
                          "compare the two."
      end
    end
  end
end
