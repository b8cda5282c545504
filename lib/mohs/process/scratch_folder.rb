# frozen_string_literal: true

require "fileutils"
require "tmpdir"

module Mohs
  module Process
    # A temporary folder for the life of a block. A locked file inside marks it as ours: the kernel
    # drops the lock with its process, so that what a killed mohs has left behind can be recognized,
    # and nothing else is taken for it.
    module ScratchFolder
      # An earlier mohs removes all that begins with "mohs-" and a digit.
      PREFIX = "mohs-t"
      # As Dir.mktmpdir names it.
      FORM = /\A#{PREFIX}\d{8}-\d+-[0-9a-z]+\z/
      MARKER = ".mohs-scratch"

      # Where they are made if TMPDIR is not fit for them.
      FALLBACK = "/tmp"

      # A folder that something still writes into is emptied so many times.
      TRIES = 3

      class << self
        # Short names: a unix socket's path has room for 107 bytes. Without spaces, which would end
        # a path in RUBYOPT.
        #: [T] (?parent: String) { (String) -> T } -> T
        def with(parent: place.first)
          sweep(parent)
          folder = Dir.mktmpdir(PREFIX, parent)
          marked(folder) { yield folder }
        ensure
          clear(folder) if folder
        end

        # Where they are made, and a note for the person if that is not the temporary folder `asked`
        # for. What is in them runs as us: code for servers, their configuration, what compilers
        # write. So nobody else may be able to put another folder in their place, as the owner of a
        # TMPDIR could that su or sudo -E has kept. Raises EnvironmentError if neither is safe.
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

        # Paths of those that a killed mohs left, which the next one removes.
        #: (?parent: String) -> Array[String]
        def abandoned(parent: place.first)
          left(parent).select { |folder| unlocked(folder) { true } }
        end

        # Removes one that a killed mohs left. Is it gone? One that a mohs has taken stays.
        #: (String) -> bool
        def discard(folder)
          unlocked(folder) { clear(folder) }
          !File.exist?(folder)
        end

        private

        def fault(folder)
          weak = PathWalk.weakness(folder)
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

        # Not through a link, nor what belongs to somebody else or is in use.
        def unlocked(folder)
          return unless [folder, File.join(folder, MARKER)].all? { |path| own?(path) }

          File.open(File.join(folder, MARKER), File::RDWR | File::NOFOLLOW) do |marker|
            yield if marker.flock(File::LOCK_EX | File::LOCK_NB)
          end
        rescue SystemCallError
          nil # another mohs was quicker
        end

        # What a server that ends removes or adds meanwhile is no failure. The marker goes last: the
        # next mohs finds by it what could not be removed.
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
