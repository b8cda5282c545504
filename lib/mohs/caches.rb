# frozen_string_literal: true

require "fileutils"
require "securerandom"

module Mohs
  # What mohs keeps for speed and can create again: below Folders.cache the gems of each Ruby, the
  # bundles of applications, checkouts of commits and so on; and what a killed mohs left in the
  # temporary folder. The file system tells when something was last used, to within a day (if it is
  # mounted with noatime, when it was written).
  class Caches
    # kind: its folder in the cache, or "scratch". used_ms: nil without files.
    Entry = Struct.new(:kind, :name, :path, :bytes, :used_ms, keyword_init: true) do
      include Value
    end

    SCRATCH = "scratch"
    # The kinds whose entries depend on each other: a bundle is usable only as long as the gems
    # named in its manifest exist.
    GEMS = "gems"
    BUNDLES = "bundles"
    MANIFEST = "manifest.json"

    BLOCK_BYTES = 512 # stat(2)

    # The process that holds it is installing.
    LOCK = ".lock"

    # Flag of open(2), in Linux: the time of the last use stays unchanged.
    NOATIME = defined?(File::NOATIME) ? File::NOATIME : 0
    private_constant :NOATIME

    # scratch: the paths that Process::ScratchFolder.abandoned names.
    #: (String, scratch: Array[String], ?clock: Module) -> void
    def initialize(folder, scratch:, clock: Clock)
      @folder = folder
      @scratch = scratch
      @clock = clock
    end

    # All entries, by kind, the largest first.
    #: () -> Array[Caches::Entry]
    def entries
      @entries ||= [*cached, *@scratch.map { |path| entry(SCRATCH, path) }]
                   .sort_by { |one| [one.kind, -one.bytes, one.name] }
    end

    # Entries that nothing has used for this many seconds, and bundles whose gems are among them.
    #: (Numeric) -> Array[Caches::Entry]
    def unused(age_s)
      before = @clock.real_ms - (age_s * 1000)
      old = entries.select { |one| one.kind == SCRATCH || (one.used_ms && one.used_ms < before) }
      stores = old.select { |one| one.kind == GEMS }.map { |one| "#{one.path}/" }
      old | entries.select { |one| one.kind == BUNDLES && needs?(one, stores) }
    end

    # Removes entries, except those that have been used since, are being installed into, or are
    # needed: gems of a bundle that stays. Bundles are removed first, and each folder in one step,
    # so that an interruption leaves no bundle without its gems, and no partial folder. Returns the
    # entries that are gone.
    #: (Array[Caches::Entry]) -> Array[Caches::Entry]
    def remove(entries)
      bundles, others = entries.partition { |one| one.kind == BUNDLES }
      gone = (bundles + others).select { |one| removed?(one) }
      entries & gone
    end

    private

    # A folder that contains only folders has an entry for each of them; any other folder is one
    # entry. Files (facts about Rubies and servers) are small and stay.
    def cached
      folders(@folder).flat_map do |top|
        inside = folders(top)
        loose = children(top).any? { |path| !inside.include?(path) && File.basename(path) != LOCK }
        (loose ? [top] : inside).map { |path| entry(File.basename(top), path) }
      end
    end

    def entry(kind, path)
      files = files(path)
      used = files.map { |stat| [stat.atime, stat.mtime].max }.max
      Entry.new(kind:, name: File.basename(path), path:, used_ms: used && (used.to_f * 1000).to_i,
                bytes: files.sum { |stat| stat.blocks.to_i * BLOCK_BYTES })
    end

    # The stats of all files below it; links are not followed.
    def files(path)
      stat = File.lstat(path)
      return [stat] unless stat.directory?

      children(path).flat_map { |child| files(child) }
    rescue SystemCallError
      [] # gone meanwhile
    end

    def folders(path) = children(path).select { |child| File.lstat(child).directory? }

    def children(path)
      Dir.children(path).sort.map { |name| File.join(path, name) }
    rescue SystemCallError
      []
    end

    # stores: paths with a trailing slash.
    def needs?(bundle, stores)
      manifest = unnoticed(File.join(bundle.path, MANIFEST))
      stores.any? { |store| manifest.include?(store.b) }
    rescue SystemCallError
      false
    end

    # Reads a file without changing the time of its last use.
    def unnoticed(path)
      File.open(path, File::RDONLY | File::BINARY | NOATIME, &:read)
    rescue Errno::EPERM # the file of another user
      File.binread(path)
    end

    def removed?(one)
      return Process::ScratchFolder.discard(one.path) if one.kind == SCRATCH

      locked([one.path, File.dirname(one.path)]) do
        next false if entry(one.kind, one.path).used_ms != one.used_ms || needed?(one)

        away = "#{one.path}.#{SecureRandom.hex(4)}.removed"
        File.rename(one.path, away)
        FileUtils.rm_rf(away)
        true
      end
    rescue SystemCallError
      false # another mohs was quicker, or it may not be moved
    end

    # Whether a bundle that exists now needs it.
    def needed?(one)
      one.kind == GEMS && folders(File.join(@folder, BUNDLES)).any? do |path|
        needs?(Entry.new(path:), ["#{one.path}/"])
      end
    end

    # Yields with the locks of these folders held, if they have one; false if another process holds
    # one.
    def locked(folders, &)
      return yield if folders.empty?

      first, *rest = folders
      held = begin
        File.open(File.join(first, LOCK))
      rescue SystemCallError
        nil # no such file
      end
      return locked(rest, &) unless held

      held.flock(File::LOCK_EX | File::LOCK_NB) ? locked(rest, &) : false
    ensure
      held&.close
    end
  end
end
