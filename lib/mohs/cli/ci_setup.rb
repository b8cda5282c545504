# frozen_string_literal: true

module Mohs
  class CLI
    # What `mohs gate --init` writes: the file of a CI service, in the repository's folder. It never
    # overwrites a file.
    class CiSetup
      LAST = ["name pages and limits: as gates of study.yml (mohs docs gates), or by --get and " \
              "--gate in the file",
              "try it here first: mohs gate --dry-run"].freeze

      # service: as typed; nil: the service that the repository uses.
      #: (App, repository: App::Repository, ?service: String?) -> void
      def initialize(app, repository:, service: nil)
        @top, folder = places(app.dir, repository)
        @service = Gating::CiFile.service(service, top: @top)
        @file = Gating::CiFile.new(@service, app:, folder:)
      end

      # Writes the file. Raises UsageError if the file exists.
      #: () -> void
      def write
        refuse if File.exist?(path) || File.symlink?(path)

        FileUtils.mkdir_p(File.dirname(path))
        OutputFile.write(path, @file.text)
      end

      # In the form of docs/json.md.
      #: () -> Hash[Symbol, untyped]
      def to_h = { init: @service, file: path, left: @file.left }

      #: () -> String
      def to_s = ["written: #{path}", *@file.left, *LAST].map { |line| "#{line}\n" }.join

      private

      def path = File.join(@top, @file.path)

      # The repository's folder, and the application's relative to it; without a repository the
      # application's folder.
      def places(dir, repository)
        prefix = repository.place.last.chomp("/")
        [dir.delete_suffix("/#{prefix}"), prefix]
      rescue EnvironmentError
        [dir, ""]
      end

      def refuse
        raise UsageError, "#{path} is there already; mohs overwrites nothing. What it would " \
                          "write: docs/ci.md"
      end
    end
  end
end
