# frozen_string_literal: true

module Mohs
  module Gate
    # The file with which a CI service runs `mohs gate` for an application, generated from the
    # templates in ci/, which docs/ci.md shows.
    class CiFile
      TEMPLATES = ::File.join(__dir__, "ci")

      # For each service: the path where the service, or the file that includes it, expects the
      # file; the file that shows that a project uses the service; and what is left for the user to
      # do.
      SERVICES = {
        "github" => { path: ".github/workflows/mohs.yml", sign: ".github", left: [] },
        "gitlab" => {
          path: ".gitlab/mohs.yml", sign: ".gitlab-ci.yml",
          left: ["include it in .gitlab-ci.yml: include: [{local: .gitlab/mohs.yml}]",
                 "for comments set the masked variable MOHS_TOKEN to a project access token " \
                 "(role Reporter, scope api)"],
        },
        "buildkite" => {
          path: ".buildkite/mohs.yml", sign: ".buildkite",
          left: ["add a step: command: buildkite-agent pipeline upload .buildkite/mohs.yml"],
        },
      }.freeze

      # A step that makes the database, as a comment: the user knows which rows the pages need.
      DATABASE_STEP = {
        "github" => "      # - name: Database, with the rows that the pages need\n" \
                    "      #   run: %s\n",
        "gitlab" => "    # The database, with the rows that the pages need:\n    # - %s\n",
        "buildkite" => "      # The database, with the rows that the pages need:\n      # %s\n",
      }.freeze
      PREPARE = "bundle install && RAILS_ENV=production SECRET_KEY_BASE=unused bin/rails db:prepare"

      # The service for a project that shows none.
      USUAL = "github"

      # Files in which setup-ruby finds the version by itself.
      VERSION_FILES = %w[.ruby-version .tool-versions].freeze

      # The Ruby for a project that names none with a Docker image, and the oldest Ruby that mohs
      # runs on.
      RUBY, LEAST = "3.4", "3.1"
      VERSION = /\A\d+\.\d+(?:\.\d+)?\z/

      # What services replace in a command before a shell sees it, and how it is written instead
      # (nil: it can't be).
      REPLACED = { "github" => ["${{", nil], "buildkite" => ["$", "$$"] }.freeze

      # A folder that needs quotes neither in YAML nor in a shell.
      PLAIN = %r{\A[\w./-]*\z}
      PLAIN_WORD = %r{\A[\w./:=@,+-]+\z}

      # The service that the user named ("github"); nil: the one that the files of `top` show.
      # Raises UsageError.
      #: (String?, top: String) -> String
      def self.service(name, top:)
        return name if SERVICES.key?(name)
        raise UsageError, unknown(name) if name

        shown = SERVICES.find { |_, service| ::File.exist?(::File.join(top, service[:sign])) }
        shown ? shown.first : USUAL
      end

      def self.unknown(name)
        "no file for #{name.inspect}. #{Suggest.hint(name, SERVICES.keys)}"
      end
      private_class_method :unknown

      # folder: the application's, relative to the repository's ("": the same). words: arguments of
      # the command.
      #: (String, app: App, ?folder: String, ?words: Array[String]) -> void
      def initialize(service, app:, folder: "", words: [])
        @service = service
        @app = app
        @options = words.map { |word| " #{quoted(word)}" }.join
        @folder = folder.chomp("/")
        return if @folder.match?(PLAIN)

        raise UsageError, "the folder #{@folder.inspect} needs quotes in #{path}: write it by " \
                          "hand (docs/ci.md)."
      end

      # Relative to the repository's folder.
      #: () -> String
      def path = SERVICES.fetch(@service).fetch(:path)

      #: () -> String
      def text
        template = ::File.read(::File.join(TEMPLATES, "#{@service}.yml"), encoding: "UTF-8")
        lines = { **public_send(@service), database: database_step(DATABASE_STEP.fetch(@service)) }
        template.gsub(/^\{\{(\w+)\}\}\n/) { lines.fetch(::Regexp.last_match(1).to_sym).to_s }
                .gsub("{{image}}", "ruby:#{version}").gsub("{{options}}") { @options }
      end

      # What the user still has to do, in lines.
      #: () -> Array[String]
      def left
        needs = @app.needs.map do |need|
          "#{need.by} asks for #{need.service}: install it on the runner (mohs docs services), " \
            "or set its address"
        end
        [*SERVICES.fetch(@service).fetch(:left), *needs, *database, *older, *guessed]
      end

      # Lines of the templates, nil if there is nothing to insert.
      #: () -> Hash[Symbol, String?]
      def github
        { folder: below("    defaults:\n      run:\n        working-directory: %s\n"),
          ruby: setup_ruby }
      end

      #: () -> Hash[Symbol, String?]
      def gitlab = { folder: below("    - cd %s\n") }

      #: () -> Hash[Symbol, String?]
      def buildkite = { folder: below("      cd %s\n") }

      private

      # Single quotes: a reader knows them from every workflow.
      def quoted(word)
        text = word.match?(PLAIN_WORD) ? word : "'#{word.gsub("'") { %q('\\'') }}'"
        sign, instead = REPLACED[@service]
        return text unless sign && text.include?(sign)

        instead or raise UsageError, "#{word.inspect} would be replaced by the service: write " \
                                     "#{path} by hand (docs/ci.md)."
        text.gsub(sign) { instead }
      end

      def below(line) = (format(line, @folder) unless @folder.empty?)

      # setup-ruby looks for the version in the repository's folder.
      def setup_ruby
        inputs = []
        inputs << "working-directory: #{@folder}" unless @folder.empty?
        named = VERSION_FILES.include?(@app.ruby_source) && !old?
        inputs << "ruby-version: \"#{version}\"" unless named
        "        with:\n#{inputs.map { |line| "          #{line}\n" }.join}" if inputs.any?
      end

      # If a page needs rows that are missing, neither revision can serve it.
      def database
        return unless database?

        ["make the application's database in a step before mohs gate, which is a comment in " \
         "#{path}, with the rows that the pages need: both revisions get a copy of its SQLite " \
         "files, or share the server's"]
      end

      def database?
        ::File.exist?(::File.join(@app.dir, App::Need::DATABASE)) || database_template
      end

      def database_step(line)
        copy = "cp #{database_template} #{App::Need::DATABASE} && " if database_template
        format(line, "#{copy}#{PREPARE}") if database?
      end

      # Where there is a template, git has no database.yml.
      def database_template
        return @database_template if defined?(@database_template)

        @database_template = App::Database.template(@app.dir)
      end

      def guessed
        return if @app.ruby.to_s.match?(VERSION)

        ["no file of the project names a Ruby: #{path} has #{RUBY}; change it if that is not yours"]
      end

      # mohs runs on one Ruby and measures on another.
      def older
        return unless old?

        ["mohs needs Ruby #{LEAST} or newer: install #{@app.ruby} beside #{RUBY}, which runs mohs"]
      end

      def version = !@app.ruby.to_s.match?(VERSION) || old? ? RUBY : @app.ruby

      def old?
        given = @app.ruby.to_s
        given.match?(VERSION) && Gem::Version.new(given) < Gem::Version.new(LEAST)
      end
    end
  end
end
