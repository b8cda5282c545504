# frozen_string_literal: true

require "pathname"

module Mohs
  class Study
    # Finds the parts of the application that a notation names: a commit, a Gemfile, a server
    # configuration. A commit is stored by its full id, so that a resumed run measures the same code
    # although the branch has moved. A missing part is a mistake (UsageError); a commit without an
    # application refuses its variant.
    class Origin
      # Where to look for files that may be named, to list them.
      NEAR = "{,config/,config/*/,gemfiles/}*"
      CONFIG = %r{\A[^/]+\.rb\z|\Aconfig/(?:[^/]*puma[^/]*|puma/[^/]+)\.rb\z}

      #: (App, ?repository: App::Repository) -> void
      def initialize(app, repository: App::Repository.new(app.dir))
        @app = app
        @repository = repository
      end

      #: (Study::Notation) -> { revision: { typed: String, commit: String }?, gemfile: String?, config: String?, refusal: Reason? }
      def call(notation)
        typed = notation.revision
        commit = typed && @repository.commit(typed.delete_prefix("@"))
        files = commit ? @repository.files(commit) : near
        { revision: commit && { typed:, commit: }, refusal: commit && refusal(typed, files),
          gemfile: there(notation.gemfile, typed, files, App::Folder::GEMFILE),
          config: there(notation.config, typed, files, CONFIG) }
      end

      # Is this the name of a commit of the application?
      #: (String) -> bool
      def commit?(name) = @repository.commit?(name)

      private

      def near = Dir.glob(NEAR, ::File::FNM_DOTMATCH, base: @app.dir)

      def refusal(typed, files)
        return if files.include?("config.ru")

        Reason.new(summary: "no config.ru at #{typed}: no application to measure",
                   code: "no_application", values: { revision: typed })
      end

      def there(path, typed, files, likes)
        return path if path.nil? || found?(path, typed, files)

        at = typed ? "#{@app.name} at #{typed}" : @app.dir
        similar = files.grep(likes).sort
        others = similar.empty? ? "There are no others." : "There: #{similar.join(', ')}."
        hint = Suggest.hint(path, similar, otherwise: "")
        raise UsageError, ["no #{path} in #{at}.", hint, others].reject(&:empty?).join(" ")
      end

      # An absolute path is outside the commit.
      def found?(path, typed, files)
        return files.include?(Pathname.new(path).cleanpath.to_s) if typed && !path.start_with?("/")

        ::File.file?(::File.expand_path(path, @app.dir))
      end
    end
  end
end
