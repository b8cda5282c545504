# frozen_string_literal: true

require "fileutils"
require "tmpdir"

module Mohs
  module Process
    # A temporary folder for the duration of a block. A locked file inside marks it: the kernel
    # releases the lock when its process ends, so that folders left behind by a killed mohs can be
    # recognised, and nothing else is mistaken for one.
    module ScratchFolder
      PREFIX = "mohs-t"
      # As Dir.mktmpdir names them.
      FORM = /\A#{PREFIX}\d{8}-\d+-[0-9a-z]+\z/
      MARKER = ".mohs-scratch"

      # Where folders are made if TMPDIR is unsuitable.
      FALLBACK = "/tmp"

      # Attempts to empty a folder that something still writes into.
      TRIES = 3

      class << self
        # Names are short, since a unix socket's path holds at most 107 bytes, and without spaces,
        # which would end a path in RUBYOPT.
        #: [T] (?parent: String) { (String) -> T } -> T
        def with(parent: place.first)
          sweep(parent)
          folder = Dir.mktmpdir(PREFIX, parent)
          marked(folder) { yield folder }
        ensure
          clear(folder) if folder
        end

        # The folder in which they are made, and a note for the user if it is not `asked`, the
        # temporary folder. What is in scratch folders runs as our user: code for servers, their
        # configuration, what compilers write. So nobody else may be able to replace one, as the
        # owner of a TMPDIR kept by su or sudo -E could. Raises EnvironmentError if neither folder
        # is safe.
        #: (?asked: String, ?fallback: String) -> [String, String?]
        def place(asked: Dir.tmpdir, fallback: FALLBACK)
          asked = fallback if asked.match?(/\s/)
          fault = fault(asked) or return [asked, nil]
          other = fault(fallback)
          why = "mohs keeps temporary files only where nobody else can lead it elsewhere"
          raise EnvironmentError, "#{[fault, other].uniq.join(', and ')}: #{why}. " \
                                  "Set TMPDIR to another folder." if other

          [fallback, "#{fault}: #{why}, so in #{fallback} instead of #{asked}."]
        end

        # Paths of the folders that a killed mohs left; the next mohs removes them.
        #: (parent: String) -> Array[String]
        def abandoned(parent:)
          left(parent).select { |folder| unlocked(folder) { true } }
        end

        # Removes a folder that a killed mohs left. Whether it is gone; a folder in use by a mohs
        # stays.
        #: (String) -> bool
        def discard(folder)
          unlocked(folder) { clear(folder) }
          !File.exist?(folder)
        end

        private

        def fault(folder)
          weak = PathSafety.weakness(folder)
          return weak.join(" is ") if weak

          "#{folder} can't be written" unless File.writable?(folder)
        end

        def marked(folder)
          mode = File::RDWR | File::CREAT | File::EXCL
          File.open(File.join(folder, MARKER), mode, 0o600) do |marker|
            marker.flock(File::LOCK_EX)
            yield
          end
        end

        def sweep(parent) = left(parent).each { |folder| unlocked(folder) { clear(folder) } }

        def left(parent) = Dir.children(parent).grep(FORM).map { |name| File.join(parent, name) }

        # Yields unless the folder is a link, belongs to another user or is in use.
        def unlocked(folder)
          return unless [folder, File.join(folder, MARKER)].all? { |path| own?(path) }

          File.open(File.join(folder, MARKER), File::RDWR | File::NOFOLLOW) do |marker|
            yield if marker.flock(File::LOCK_EX | File::LOCK_NB)
          end
        rescue SystemCallError
          nil # another mohs was quicker
        end

        # It is not a failure if a server that is ending removes or adds files meanwhile. The marker
        # goes last: by it the next mohs finds what could not be removed.
        def clear(folder)
          TRIES.times do
            rest = Dir.children(folder) - [MARKER]
            rest.each { |name| FileUtils.remove_entry(File.join(folder, name), true) }
            next if (Dir.children(folder) - [MARKER]).any?

            return FileUtils.remove_entry(folder)
          end
        rescue SystemCallError
          nil # another mohs was quicker
        end

        def own?(path)
          stat = File.lstat(path)
          stat.owned? && !stat.symlink?
        end
      end
    end
  end
end
