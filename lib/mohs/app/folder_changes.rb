# frozen_string_literal: true

require "find"

module Mohs
  class App
    # What changes in an application's folder while it is measured. mohs only reads there, but the
    # application may write (a database, a cache), and so may people who work in the folder.
    class FolderChanges
      # Folders that an application does not write to while it serves.
      SKIPPED = %w[.git node_modules].freeze

      # Most files that a folder may have; larger folders are not examined.
      MOST_FILES = 100_000

      # How many changes to keep, the largest first.
      MOST = 20

      # ours: mohs's own folders, which may be below the application's.
      #: (String, ?ours: Array[String]) -> void
      def initialize(dir, ours: [Folders.cache, Folders.data, Folders.state])
        @dir = dir
        @ours = ours
        @before = listing
        @by = {}
      end

      # Calls the block; what has changed when it ends is `by` this, unless it changes again.
      #: [T] (String) { () -> T } -> T
      def during(by)
        before = listing
        yield
      ensure
        now = listing
        changed(before, now).each { |path| @by[path] = [by, now[path]] } if before && now
      end

      # Changes since this object was created, largest first: [{ path:, change: "new" | "changed" |
      # "removed", bytes: growth in size, by: what it is by (`during`), if that is known }]; nil if
      # the folder is too large.
      #: () -> Array[{ path: String, change: String, bytes: Integer, by: String? }]?
      def call
        now = listing
        return unless @before && now

        changes = changed(@before, now).map { |path| change(path, @before[path], now[path]) }
        changes.sort_by { |one| [-one[:bytes].abs, one[:path]] }.first(MOST)
      end

      private

      # { path below the folder => [size, modification time] }; nil if there are too many files.
      def listing
        files = {}
        Find.find(@dir) do |path|
          Find.prune if SKIPPED.include?(File.basename(path)) || @ours.include?(path)
          stat = File.lstat(path)
          files[path.delete_prefix("#{@dir}/")] = [stat.size, stat.mtime] unless stat.directory?
          return nil if files.size > MOST_FILES
        rescue SystemCallError
          next # removed meanwhile, or unreadable
        end
        files
      end

      def changed(before, now)
        (before.keys | now.keys).reject { |path| before[path] == now[path] }
      end

      def change(path, before, now)
        kind = before ? "changed" : "new"
        kind = "removed" unless now
        bytes = [now, before].map { |state| state ? state.first : 0 }.reduce(:-)
        by, state = @by[path]
        { path: Printable.name(path), change: kind, bytes:, by: (by if state == now) }
      end
    end
  end
end
