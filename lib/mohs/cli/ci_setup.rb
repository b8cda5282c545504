# frozen_string_literal: true

require "shellwords"

module Mohs
  class CLI
    # What `mohs gate --init` writes: the file of a CI service, in the repository's folder. It never
    # overwrites a file.
    class CiSetup
      NAME = "name pages and limits: as gates of study.yml (mohs docs gates), or by --get and " \
             "--gate in the file"
      TRY = "try it here first"

      # service: as typed; nil: the service that the repository uses. words: arguments of the
      # command that the file runs.
      #: (App, repository: App::Repository, ?service: String?, ?words: Array[String]) -> void
      def initialize(app, repository:, service: nil, words: [])
        @words = words
        @top, folder = places(app.dir, repository)
        @service = Mohs::Gate::CiFile.service(service, top: @top)
        @file = Mohs::Gate::CiFile.new(@service, app:, folder:, words:)
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
      def to_s
        command = Shellwords.join(["mohs", "gate", *@words, "--dry-run"])
        lines = ["written: #{path}", *@file.left, *(NAME if @words.empty?), "#{TRY}: #{command}"]
        lines.map { |line| "#{line}\n" }.join
      end

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
        raise UsageError, "#{path} already exists, and mohs does not overwrite it. Move it " \
                          "away to see what mohs would write."
      end
    end
  end
end
