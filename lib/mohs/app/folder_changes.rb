# frozen_string_literal: true

require "find"

module Mohs
  class App
    # What changes in an application's folder while it is measured. mohs only reads there; an
    # application may write (a database, a cache), and whoever works in it does.
    class FolderChanges
      # Not an application's to write while it serves.
      SKIPPED = %w[.git node_modules].freeze

      # Files of a folder that is looked at; of a larger one nothing is known.
      MOST_FILES = 100_000

      # Changes that are kept, the largest.
      MOST = 20

      # mohs's own files may be below the application's folder.
      #: (String, ?ours: Array[String]) -> void
      def initialize(dir, ours: [Folders.cache, Folders.data, Folders.state])
        @dir = dir
        @ours = ours
        @before = listing
      end

      # Since it was made, the largest first: [{ path:, change: "new" | "changed" | "removed",
      # bytes: that it grew by }]; nil if the folder is too large.
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

      # { path below the folder => [size, time of its last change] }; nil if there are too many.
      def listing
        files = {}
        Find.find(@dir) do |path|
          Find.prune if SKIPPED.include?(File.basename(path)) || @ours.include?(path)
          stat = File.lstat(path)
          files[path.delete_prefix("#{@dir}/")] = [stat.size, stat.mtime] unless stat.directory?
          return nil if files.size > MOST_FILES
        rescue SystemCallError
          next # removed meanwhile, or not readable
        end
        files
      end

      def change(path, before, now)
        return if before == now

        kind = before ? "changed" : "new"
        kind = "removed" unless now
        bytes = [now, before].map { |state| state ? state.first : 0 }.reduce(:-)
        { path: path.scrub("?").gsub(/[^[:print:]]|\p{Cf}/, "?"), change: kind, bytes: }
      end
    end
  end
end
