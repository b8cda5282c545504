# frozen_string_literal: true

module Mohs
  class CLI
    # A file that the user names: an AtomicFile or, if it is not a plain file (a pipe, /dev/null), a
    # file written directly.
    class OutputFile
      extend AtomicFile::AtOnce

      # Links below these paths lead to open files, which must be kept.
      OPEN_FILES = %r{\A/(?:proc/|dev/(?:fd/|std(?:in|out|err)\z))}
      # Opens only what exists, and no link that was put there meanwhile.
      DEVICE = File::WRONLY | File::NOFOLLOW | File::BINARY

      # Opens the file, so that it is known beforehand whether it can be written. Raises UsageError.
      #: (String) -> void
      def initialize(path)
        real = PathSafety.resolve(path)
        there = File.exist?(path)
        refuse(path, "it is a folder") if File.directory?(path)
        refuse(path, "it is write-protected") if there && !File.writable?(path)
        @device = open_file(path) || (File.open(real, DEVICE) if there && !File.file?(path))
        @file = AtomicFile.new(path) unless @device
      rescue SystemCallError => error
        refuse(path, Error.system(error))
      end

      #: (*String) -> void
      def write(*texts) = (@device || @file).write(*texts)

      # Moves the file to its place.
      #: () -> void
      def finish
        @device ? @device.close : @file.finish
      end

      # Always cleans up: an unfinished file leaves nothing behind.
      #: () -> void
      def close = (@device || @file).close

      private

      def open_file(path)
        File.open(path, "wb") if path.match?(OPEN_FILES)
      end

      def refuse(path, why)
        raise UsageError, "#{path} can't be written: #{why}. Choose a file that you may write."
      end
    end
  end
end
