# frozen_string_literal: true

module Mohs
  class CLI
    # A file that is there whole or not at all: it is written beside its place and moved there at
    # the end. Anything but a plain file (a pipe, /dev/null) is written directly.
    class OutputFile
      # Their links lead to open files, which must be kept.
      DEVICES = %r{\A/(?:dev|proc)/}

      # Opens it, so that it is known beforehand whether it can be written. Raises UsageError.
      #: (String) -> void
      def initialize(path)
        there = File.exist?(path)
        refuse(path, "it is a folder") if File.directory?(path)
        refuse(path, "it is write-protected") if there && !File.writable?(path)
        device = path.match?(DEVICES) || (there && !File.file?(path))
        @path = there && !device ? File.realpath(path) : path
        @temporary = "#{@path}.#{::Process.pid}.part" unless device
        @io = File.open(@temporary || @path, "wb")
      rescue SystemCallError => error
        refuse(path, error.message.split(" @ ").first)
      end

      #: (*String) -> void
      def write(*texts) = @io.write(*texts)

      # Moves it to its place.
      #: () -> void
      def finish
        @io.close
        File.rename(@temporary, @path) if @temporary
        @temporary = nil
      end

      # Cleans up in any case: an unfinished file leaves nothing behind.
      #: () -> void
      def close
        @io.close
        File.unlink(@temporary) if @temporary && File.exist?(@temporary)
      end

      private

      def refuse(path, why)
        raise UsageError, "#{path} can't be written: #{why}. Choose a file that you may write."
      end
    end
  end
end
