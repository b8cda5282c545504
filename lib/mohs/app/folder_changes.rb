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
      end

      # Changes since this object was created, largest first: [{ path:, change: "new" | "changed" |
      # "removed", bytes: growth in size }]; nil if the folder is too large.
      #: () -> Array[{ path: String, change: String, bytes: Integer }]?
      def call
        now = listing
        return unless @before && now

        changes = (@before.keys | now.keys).filter_map do |path|
          change(path, @before[path], now[path])
        end
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

      def change(path, before, now)
        return if before == now

        kind = before ? "changed" : "new"
        kind = "removed" unless now
        bytes = [now, before].map { |state| state ? state.first : 0 }.reduce(:-)
        { path: Printable.name(path), change: kind, bytes: }
      end
    end
  end
end
