# frozen_string_literal: true

module Mohs
  class CLI
    # A file that the person names: a WholeFile, unless it is anything but a plain file (a pipe,
    # /dev/null), which is written directly.
    class OutputFile
      extend WholeFile::AtOnce

      # Their links lead to open files, which must be kept.
      OPEN_FILES = %r{\A/(?:proc/|dev/(?:fd/|std(?:in|out|err)\z))}
      # Only what is there, and no link left there meanwhile.
      DEVICE = File::WRONLY | File::NOFOLLOW | File::BINARY

      # Opens it, so that it is known beforehand whether it can be written. Raises UsageError.
      #: (String) -> void
      def initialize(path)
        real = PathWalk.resolve(path)
        there = File.exist?(path)
        refuse(path, "it is a folder") if File.directory?(path)
        refuse(path, "it is write-protected") if there && !File.writable?(path)
        @device = open_file(path) || (File.open(real, DEVICE) if there && !File.file?(path))
        @file = WholeFile.new(path) unless @device
      rescue SystemCallError => error
        refuse(path, error.message.split(" @ ").first)
      end

      #: (*String) -> void
      def write(*texts) = (@device || @file).write(*texts)

      # Moves it to its place.
      #: () -> void
      def finish
        @device ? @device.close : @file.finish
      end

      # Cleans up in any case: an unfinished file leaves nothing behind.
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
