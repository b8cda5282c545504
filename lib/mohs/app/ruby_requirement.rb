# frozen_string_literal: true

module Mohs
  class App
    # Which Rubies an application's files allow, read as text. `text` is the requirement as written
    # and `file` where it is written, `there` the version in the .ruby-version or the variable that
    # it refers to; `versions` and `engine_versions` are requirements in RubyGems' notation;
    # `engine` is a RUBY_ENGINE (nil: any).
    class RubyRequirement < Struct.new(:text, :file, :versions, :engine, :engine_versions,
                                       :there, keyword_init: true)
      include Value

      # Where a Gemfile's own requirement is written.
      FILE = "the Gemfile"

      # `ruby "3.4.5"`, `ruby "~> 3.2"`, `ruby file: ".ruby-version"`
      DIRECTIVE = /^\s*(ruby[\s(].*?)\s*(?:#.*)?$/
      VERSION = /\G[\s(\[]*["']([^"']+)["'],?/
      ENGINE = /engine(?::|["']?\s*=>)\s*["'](\w+)["']/
      ENGINE_VERSION = /engine_version(?::|["']?\s*=>)\s*["']([^"']+)["']/
      FROM_FILE = /\.ruby-version\b/
      # `ruby ENV["X"] || ">= 3.4.3"`, `ruby ENV.fetch("X", "3.4.5")`, with the default in a block;
      # not `ENV["X"] ? "3.4.5" : "3.1.2"`, whose value is no version.
      VARIABLE = /\A[\s(]*ENV(?:\[|\.fetch\()\s*["'](?<name>\w+)["']\s*
                  (?:[\])][\s)]*\z|(?:\]\s*\|\||,|\)\s*\{)\s*(?:["'](?<default>[^"']+)["'])?)/x
      GEMSPEC = /\.(required_ruby_version)\s*=\s*(?:Gem::Requirement\.new)?\s*(.+?)\s*(?:#.*)?$/
      # "3.1" stands for every 3.1.x, "3.1.2" for that version alone.
      MINOR = /\A=?\s*(\d+\.\d+)\z/
      EXACT = /\A=?\s*(\d+\.\d+)\.\d+\z/

      class << self
        # The requirements of an application; each text is a file's, "" if there is no such file;
        # `env` is the environment of the user's shell. A directive that only Ruby can evaluate is
        # not among them: the version that Bundler recorded in the lock is the one it was made with,
        # which restricts nothing.
        #: (?gemfile: String, ?gemspecs: Hash[String, String], ?ruby_version: String, ?env: Hash[String, String]) -> Array[RubyRequirement]
        def all(gemfile: "", gemspecs: {}, ruby_version: "", env: ENV.to_h)
          line = gemfile[DIRECTIVE, 1]
          own = line && directive(line, ruby_version:, env:)
          [own, *gemspecs.map { |file, text| gemspec(file, text) }].compact
        end

        private

        # The requirement in a line of the Gemfile; nil if only Ruby can evaluate it.
        def directive(line, ruby_version:, env:)
          given = line.delete_prefix("ruby")
          versions = literal(given)
          there, default = elsewhere(given, ruby_version:, env:) if versions.empty?
          versions = [*(there || default)] if versions.empty?
          build(text: line, there:, file: FILE, versions:, engine: line[ENGINE, 1],
                engine_versions: [line[ENGINE_VERSION, 1]].compact)
        end

        # The version that a line refers to instead of naming it, and what it takes without one.
        def elsewhere(line, ruby_version:, env:)
          name, default = line.match(VARIABLE)&.values_at(:name, :default)
          there = ruby_version[/\d+\.\d[\w.]*/] if line.match?(FROM_FILE)
          [env[name] || there, default]
        end

        def gemspec(file, text)
          match = GEMSPEC.match(text) or return
          build(text: "#{match[1]} #{match[2]}", file:, versions: literal(match[2]))
        end

        def literal(text) = text.scan(VERSION).flatten

        # nil if RubyGems can't parse it, or if there is no version.
        def build(versions:, engine_versions: [], **facts)
          versions = versions.map { |version| version.sub(MINOR, '~> \1.0') }
          return if versions.empty?

          [versions, engine_versions].each { |all| Gem::Requirement.new(all) }
          new(versions:, engine_versions:, **facts)
        rescue ArgumentError
          nil
        end
      end

      #: (Rubies::Ruby) -> bool
      def allows?(ruby)
        return false if engine && engine != ruby.engine
        return false unless engine_versions.to_a.empty? || fits?(engine_versions, ruby.version)

        fits?(versions, ruby.language)
      end

      # Does it name one version, and this is another of the same minor version? Such a Ruby stands
      # in for the named one, as it does for that of a .ruby-version.
      #: (Rubies::Ruby) -> bool
      def near?(ruby)
        return false if enforced? || !engine_versions.to_a.empty?
        return false unless (engine || Rubies::Engines::REFERENCE) == ruby.engine

        minor = versions.size == 1 && versions.first[EXACT, 1]
        minor ? fits?(["~> #{minor}.0"], ruby.language) : false
      end

      # The version that it begins with: that named first.
      #: () -> Gem::Version
      def version = Gem::Requirement.new(versions).requirements.first.last

      # Does Bundler reject other Rubies? The Gemfile's own line is ignored in a bundle made by mohs
      # (Bundle::Gemfile).
      #: () -> bool
      def enforced? = file != FILE

      # As shown to the user.
      #: () -> String
      def to_s = "#{text}#{" (#{there})" if there} in #{file}"

      private

      def fits?(requirements, version)
        Gem::Requirement.new(requirements).satisfied_by?(Gem::Version.new(version))
      rescue ArgumentError
        false # a version that RubyGems can't parse
      end
    end
  end
end
