# frozen_string_literal: true

require "fileutils"

module Mohs
  # What mohs keeps to be quicker and can make again: below Folders.cache the gems of each Ruby, the
  # bundles of applications, checkouts of commits and so on; and what a mohs that was killed left in
  # the temporary folder. When something was last used, the file system says, to a day (mounted
  # with noatime, when it was written).
  class Caches
    # `kind` its folder in the cache, or "scratch"; `used_ms` nil without files.
    Entry = Struct.new(:kind, :name, :path, :bytes, :used_ms, keyword_init: true) do
      include Value
    end

    SCRATCH = "scratch"
    # Whose entries need each other: a bundle is of use as long as the gems are there that its
    # manifest names.
    GEMS = "gems"
    BUNDLES = "bundles"
    MANIFEST = "manifest.json"

    BLOCK_BYTES = 512 # stat(2)

    # Whoever holds it is installing.
    LOCK = ".lock"

    #: (String, ?scratch: Array[String], ?clock: Module) -> void
    def initialize(folder, scratch: Process::ScratchFolder.abandoned, clock: Clock)
      @folder = folder
      @scratch = scratch
      @clock = clock
    end

    # All of them, by kind and the largest first.
    #: () -> Array[Caches::Entry]
    def entries
      @entries ||= [*cached, *@scratch.map { |path| entry(SCRATCH, path) }]
                   .sort_by { |one| [one.kind, -one.bytes, one.name] }
    end

    # Those that nothing has used for so long, and bundles whose gems are among these.
    #: (Numeric) -> Array[Caches::Entry]
    def unused(age_s)
      before = @clock.real_ms - (age_s * 1000)
      old = entries.select { |one| one.kind == SCRATCH || (one.used_ms && one.used_ms < before) }
      stores = old.select { |one| one.kind == GEMS }.map { |one| "#{one.path}/" }
      old | entries.select { |one| one.kind == BUNDLES && needs?(one, stores) }
    end

    # Removes them, but for those that somebody is installing into. Those that are gone.
    #: (Array[Caches::Entry]) -> Array[Caches::Entry]
    def remove(entries)
      entries.select do |one|
        folders = [one.path, File.dirname(one.path)]
        next if folders.any? { |folder| locked?(File.join(folder, LOCK)) }

        FileUtils.rm_rf(one.path)
        !File.exist?(one.path)
      end
    end

    private

    # A folder of folders has an entry for each of these, any other is one itself. Files, facts
    # about Rubies and servers, are small and stay.
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

    def needs?(bundle, stores)
      manifest = File.read(File.join(bundle.path, MANIFEST), encoding: "BINARY")
      stores.any? { |store| manifest.include?(store.b) }
    rescue SystemCallError
      false
    end

    def locked?(path)
      File.open(path) { |file| !file.flock(File::LOCK_EX | File::LOCK_NB) }
    rescue SystemCallError
      false # no such file
    end
  end
end
