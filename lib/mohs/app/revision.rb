# frozen_string_literal: true

require "digest"
require "fileutils"

module Mohs
  class App
    # The application at a commit, in its own folder below the cache: a small repository that
    # borrows the objects of the user's. `git worktree add` would leave an entry in the user's
    # repository; `git archive` leaves out what .gitattributes says, and gemspecs could not ask git
    # for their files.
    #
    # Files that an application needs but that are not in git are copied from its folder in their
    # present state (copied, so that the measured servers do not write to the user's database).
    # Other such files are left behind, and notes report it.
    class Revision
      # Keys and variables; configuration that is not committed; SQLite databases with their
      # journals; locks and Bundler's settings; precompiled assets.
      CARRIED = %w[
        .env .env.* config/*.key config/credentials/*.key
        config/*.yml config/settings/*.yml config/environments/*.yml
        *.sqlite3* db/*.sqlite3* storage/*.sqlite3*
        Gemfile*.lock gemfiles/*.lock Gemfile.local gems.locked .bundle/config
        public/assets/** public/packs/** public/vite/** app/assets/builds/**
      ].freeze
      # Larger files are left behind, with a note: they would be copied for each commit.
      LARGEST_BYTES = 512 * 1024 * 1024
      # Folders needed by Puma's pidfile and Rails' log.
      WRITTEN = %w[log tmp/pids].freeze
      # How many of the copied files a note names.
      NAMED = 6

      # dir: the application's folder; typed: "@main"; commit: its full id.
      #: (dir: String, typed: String, commit: String, ?cache_dir: String, ?repository: App::Repository) -> void
      def initialize(dir:, typed:, commit:, cache_dir: Folders.cache,
                     repository: Repository.new(dir))
        @dir = dir
        @typed = typed
        @commit = commit
        @checkouts = Checkouts.new(cache_dir)
        @repository = repository
      end

      # The application, checked out on first use.
      #: (?gemfile: String?) -> App
      def app(gemfile: nil)
        app = Folder.load(folder, gemfile:)
        App.new(**app.to_h, notes: [*app.notes, *notes], origin: @dir)
      end

      # The application's folder in the checkout.
      #: () -> String
      def folder
        name, prefix = @repository.place
        @top ||= File.join(@checkouts.fetch(key) { |place| make(File.join(place, name), prefix) },
                           name)
        File.join(@top, prefix).chomp("/")
      end

      private

      # Changed files get another checkout, so that nothing is replaced under a running server.
      def key
        files = carried.map do |path|
          File.stat(source(path)).then { |at| [path, at.size, at.mtime.to_r] }
        end
        Digest::SHA256.hexdigest([File.realpath(@dir), @commit, *files].join("\0"))[0, 20]
      end

      def make(top, prefix)
        @repository.check_out(@commit, top)
        here = File.join(top, prefix)
        carried.each { |path| carry(source(path), File.join(here, path)) }
        folders = WRITTEN.select { |path| File.directory?(source(path)) }
        folders.each { |path| FileUtils.mkdir_p(File.join(here, path)) }
      end

      # Committed files take precedence.
      def carry(from, to)
        return if File.exist?(to)

        FileUtils.mkdir_p(File.dirname(to))
        FileUtils.cp(from, to, preserve: true)
      end

      def source(path) = File.join(@dir, path)

      def carried = found.first

      # The files to copy, and the files that are too large.
      def found
        @found ||= @repository.untracked(CARRIED).select { |path| File.file?(source(path)) }.sort
                              .partition { |path| File.size(source(path)) <= LARGEST_BYTES }
      end

      def notes = [copied, *left_behind, uncommitted, submodules].compact

      def copied
        Note.of("checked_out", typed: @typed, commit: @commit[0, 12], copied: carried.first(NAMED),
                               of: carried.size)
      end

      def left_behind
        found.last.map { |path| Note.of("too_large_to_copy", typed: @typed, path:) }
      end

      # Users may think that HEAD includes uncommitted changes.
      def uncommitted
        return if @repository.commit("HEAD") != @commit

        count = @repository.changes
        Note.of("changes_left", typed: @typed, files: count) if count.positive?
      end

      def submodules
        Note.of("submodules_left", typed: @typed) if File.file?(File.join(@top, ".gitmodules"))
      end
    end
  end
end
