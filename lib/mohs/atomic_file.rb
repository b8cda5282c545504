# frozen_string_literal: true

require "securerandom"

module Mohs
  # A file that appears complete or not at all: it is written beside its destination, under a name
  # that nobody can know beforehand, and moved there at the end. It keeps the mode and the owner of
  # the file that it replaces. A link is followed, unless it belongs to another user.
  class AtomicFile
    # Opens neither a file that exists already nor what a link leads to.
    FRESH = File::WRONLY | File::CREAT | File::EXCL | File::NOFOLLOW | File::BINARY

    # For a class whose files are opened, written, finished and closed.
    module AtOnce
      # Replaces the file at `path` by `text`. Raises whatever opening it raises.
      #: (String, String) -> void
      def write(path, text)
        file = new(path)
        file.write(text)
        file.finish
      ensure
        file&.close
      end
    end

    extend AtOnce

    # Opens the temporary file, so that it is known beforehand whether it can be written. Raises
    # SystemCallError if it can't.
    #: (String) -> void
    def initialize(path)
      @path = PathSafety.resolve(path)
      old = File.lstat(@path) if File.file?(@path)
      old = nil if old&.symlink? # left there meanwhile; it is replaced, not followed
      @temporary = "#{@path}.#{SecureRandom.hex(6)}.part"
      @io = File.open(@temporary, FRESH, old ? 0o600 : 0o666)
      resemble(old) if old
    end

    #: (*String) -> void
    def write(*texts) = @io.write(*texts)

    # Moves it to its destination.
    #: () -> void
    def finish
      @io.close
      File.rename(@temporary, @path)
      @temporary = nil
    end

    # Cleans up in any case: an unfinished file leaves nothing behind, even on a full disk, where
    # closing it fails.
    #: () -> void
    def close
      @io.close
    rescue SystemCallError
      nil # the file is given up
    ensure
      File.unlink(@temporary) if @temporary && File.exist?(@temporary)
    end

    private

    # Only root can give a file away; a file that is not the old owner's must not have that owner's
    # privileges, so setuid and setgid bits are dropped.
    def resemble(old)
      @io.chown(old.uid, old.gid)
    rescue Errno::EPERM
      nil
    ensure
      @io.chmod(old.mode & 0o777)
    end
  end
end
