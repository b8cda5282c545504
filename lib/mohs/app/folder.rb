# frozen_string_literal: true

require "pathname"

module Mohs
  class App
    # Reads an application's folder. Nothing in it is executed: its Gemfile, database.yml and
    # config.ru are read as text, because their values may need an environment that only its
    # servers have.
    module Folder
      # Names of Gemfiles: Gemfile.next (next_rails, Bundler's own advice), Gemfile_next (bootboot),
      # gemfiles/rails_8.gemfile (Appraisal), gems.rb; but not of locks.
      GEMFILE = %r{(?:\A|/)(?:Gemfile(?![^/]*\.lock\z)[^/]*|[^/]+\.gemfile|gems\.rb)\z}

      # A gem in another folder, as in `gem "shop", path: "../shop"`: its name and the folder. One
      # that is indented may depend on a condition.
      PATH_GEM = /^gem[\s(]+["']([\w.-]+)["'][^#\n]*\bpath(?::|["']?\s*=>)\s*["']([^"']+)["']/

      # What Ruby skips in a config.ru.
      COMMENT = /^=begin\b.*?^=end\b[^\n]*|^__END__$.*|^\s*#[^\n]*/m

      module_function

      # The application in `dir`, with its usual Gemfile or the given one, relative to `dir`. Raises
      # UsageError if there is no application. file: the study file that names the folder, if no
      # option does.
      #: (String, ?gemfile: String?, ?file: String?) -> App
      def load(dir, gemfile: nil, file: nil)
        dir = File.expand_path(dir)
        config_ru = File.join(dir, "config.ru")
        raise UsageError, missing(dir, file) unless File.file?(config_ru)
        raise UsageError, unwritten(config_ru) if unwritten?(config_ru)

        gemfile = gemfile ? File.expand_path(gemfile, dir) : usual_gemfile(dir)
        checks = ChecksFile.load(File.join(dir, "checks.yml"))
        App.new(
          name: File.basename(File.realpath(dir)), dir:, gemfile:, lock: lock(gemfile),
          own_jit: OwnJit.in(dir), notes: notes(config_ru), **checks, **described(dir, gemfile),
          **stored(dir, gemfile),
        )
      end

      # Is there an application in `dir`?
      #: (String) -> bool
      def app?(dir) = File.file?(File.join(dir, "config.ru"))

      # The versions of the gems in the lockfile of its usual Gemfile, by name; {} without one.
      #: (String) -> Hash[String, String]
      def gems(dir) = locked(usual_gemfile(dir))

      # Names of gems among which its clients of databases are: those of `gems`; [] without a
      # lockfile, or if the Gemfile reads config/database.yml, as Redmine's does, to choose its
      # database's client.
      #: (String) -> Array[String]
      def clients(dir)
        gemfile = usual_gemfile(dir)
        return [] if gemfile && read(gemfile).include?(File.basename(Need::DATABASE))

        gems(dir).keys
      end

      def locked(gemfile) = Bundle::Lockfile.versions(read(lock(gemfile)))

      def usual_gemfile(dir) = first_file(dir, "Gemfile", "gems.rb")

      def missing(dir, file)
        named = file ? "app in #{file}" : "--app DIR"
        return "no such folder: #{dir} (#{file ? settable(dir, file) : "#{named} names yours"})" \
          unless File.directory?(dir)

        below = Dir[File.join(dir, "*", "config.ru")].first&.then { |path| File.dirname(path) }
        return "no config.ru in #{dir}. One level down: " \
               "#{file ? "app: #{below} in #{file}" : "--app #{below}"}" if below
        return "no config.ru in #{dir}, which #{named} names. Every Rack application has one." \
          if file

        "no config.ru in #{dir}. Every Rack application has one (Rails: run Rails.application). " \
          "Go to your application's folder, or name it: --app DIR"
      end

      # A template of which nothing but comments is there yet: it would fail in the server's words,
      # after all gems have been installed.
      def unwritten?(config_ru)
        text = read(config_ru)
        !text.strip.empty? && text.gsub(COMMENT, "").strip.empty?
      end

      def unwritten(config_ru)
        "#{config_ru} has only comments: it runs no application. Write the line that does (run " \
          "MyApp), as the application's manual says, or name another folder: --app DIR"
      end

      # A bundled application is not found by its name alone.
      def settable(dir, file)
        bundled = File.join(Mohs.root, "apps", File.basename(dir))
        ["set app: in #{file} to your application's folder",
         *("the bundled #{File.basename(dir)} is #{bundled}" if app?(bundled))].join("; ")
      end

      def described(dir, gemfile)
        text = read(gemfile)
        gemspecs = gemspecs(dir, text)
        files = { gemfile: text, lock: read(lock(gemfile)),
                  ruby_version: read(File.join(dir, ".ruby-version")) }
        ruby, ruby_source = wanted_ruby(dir, **files)
        gems = [text, *gemspecs.values].join("\n")
        { rails: Framework.rails?(gemfile: gems, lock: files[:lock]), ruby:, ruby_source:,
          ruby_requirements: RubyRequirement.all(gemspecs:, **files.except(:lock)) }
      end

      # Version managers look in the folders above, too, but only the repository's files are the
      # application's: those above it belong to this machine.
      def wanted_ruby(dir, **files)
        here = WantedRuby.find(**version_files(dir), **files)
        return here if here.any?

        above(dir).each do |folder|
          ruby, name = WantedRuby.find(**version_files(folder))
          return [ruby, relative(File.join(folder, name), dir)] if ruby
        end
        here
      end

      def version_files(dir)
        { ruby_version: read(File.join(dir, ".ruby-version")),
          tool_versions: read(File.join(dir, ".tool-versions")),
          mise: read(first_file(dir, "mise.toml", ".mise.toml")) }
      end

      # The folders of the repository that contain `dir`, the nearest first. A work tree's .git is a
      # file.
      def above(dir)
        folders = Pathname(dir).ascend.map(&:to_s)
        root = folders.index { |folder| File.exist?(File.join(folder, ".git")) }
        root ? folders[1..root] : []
      end

      def relative(path, dir) = Pathname(path).relative_path_from(dir).to_s

      # { file name => text } of the gemspecs that the Gemfile refers to.
      def gemspecs(dir, gemfile_text)
        own = gemfile_text.match?(/^\s*gemspec\b/) ? Dir[File.join(dir, "*.gemspec")].sort : []
        others = gemfile_text.scan(PATH_GEM).map do |name, folder|
          File.expand_path(File.join(folder, "#{name}.gemspec"), dir)
        end
        paths = [*own, *others.select { |path| File.file?(path) }]
        paths.to_h { |path| [relative(path, dir), read(path)] }
      end

      def lock(gemfile)
        return unless gemfile

        path = gemfile.end_with?("gems.rb") ? gemfile.sub(/rb\z/, "locked") : "#{gemfile}.lock"
        path if File.file?(path)
      end

      # Its database, and the services that it asks for.
      def stored(dir, gemfile)
        database = Database.read(dir)
        { database:, needs: Need.all(dir, database:, gems: locked(gemfile).keys) }
      end

      # rackup reads options from a first line like `#\ -p 4567 -E development`; servers that mohs
      # starts get their own options.
      def notes(config_ru)
        options = read(config_ru)[/\A#\\(.+)$/, 1]
        options ? [Note.of("rackup_options", options: options.strip)] : []
      end

      def first_file(dir, *names)
        names.map { |name| File.join(dir, name) }.find { |path| File.file?(path) }
      end

      def read(path)
        path && File.file?(path) ? File.read(path, encoding: "UTF-8").scrub : ""
      end

      private_class_method :locked, :usual_gemfile, :missing, :unwritten?, :unwritten, :settable,
                           :described, :wanted_ruby, :version_files, :above, :relative, :gemspecs,
                           :lock, :stored, :notes, :first_file, :read
    end
  end
end
