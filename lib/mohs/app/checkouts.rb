# frozen_string_literal: true

require "fileutils"

module Mohs
  class App
    # Folders that were created from a repository and can be created again, each under a key derived
    # from its content. Folders unused for long are deleted when a new one is created.
    class Checkouts
      # The file written last in each folder. It contains the folder's size in bytes; its
      # modification time is the time of the last use.
      STAMP = "made"
      # A folder unused for longer than this is deleted.
      AGE_S = 14 * 24 * 3600
      # Beyond this total size, the least recently used folders are deleted first, except those that
      # a run in progress may be using.
      LIMIT_BYTES = 2 * (1024**3)
      IN_USE_S = 24 * 3600

      #: (String, ?limit_bytes: Integer) -> void
      def initialize(cache_dir, limit_bytes: LIMIT_BYTES)
        @folder = File.join(cache_dir, "revisions")
        @limit_bytes = limit_bytes
      end

      # Path of the folder with that key; the block fills it if it does not exist yet. Other users
      # can't read it, since it may contain keys and passwords.
      #: (String) { (String) -> void } -> String
      def fetch(key, &)
        FileUtils.mkdir_p(@folder, mode: 0o700)
        place = File.join(@folder, key)
        locked do
          make(place, &) unless File.file?(stamp(place))
          FileUtils.touch(stamp(place))
        end
        place
      end

      private

      def stamp(place) = File.join(place, STAMP)

      # Admits one mohs process at a time.
      def locked
        File.open(File.join(@folder, ".lock"), "w") do |lock|
          lock.flock(File::LOCK_EX)
          yield
        end
      end

      # If mohs is killed here, it leaves a folder without a stamp.
      def make(place)
        sweep
        FileUtils.mkdir_p(place)
        yield place
        File.write(stamp(place), bytes(place).to_s)
      ensure
        FileUtils.rm_rf(place) unless File.file?(stamp(place))
      end

      def bytes(place)
        Dir.glob("**/*", File::FNM_DOTMATCH, base: place)
           .map { |path| File.lstat(File.join(place, path)) }.select(&:file?).sum(&:size)
      end

      def sweep
        places = Dir.children(@folder).map { |name| File.join(@folder, name) }
        whole, half = places.select { |place| File.directory?(place) }
                            .partition { |place| File.file?(stamp(place)) }
        FileUtils.rm_rf(half + unused(whole))
      end

      def unused(places)
        kept = 0
        places.sort_by { |place| -File.mtime(stamp(place)).to_f }.select do |place|
          kept += File.read(stamp(place)).to_i
          idle_s = Time.now - File.mtime(stamp(place))
          idle_s > AGE_S || (kept > @limit_bytes && idle_s > IN_USE_S)
        end
      end
    end
  end
end
