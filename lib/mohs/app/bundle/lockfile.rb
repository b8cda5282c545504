# frozen_string_literal: true

module Mohs
  class App
    class Bundle
      # The application's Gemfile.lock as a starting point: locked gems stay locked.
      module Lockfile
        # Sections that would make Bundler fetch another Bundler, or reject this Ruby.
        DROPPED = /^(?:BUNDLED WITH|RUBY VERSION)\n(?:[ \t]+.*\n?)*\n?/

        # The digests of gem files, which Bundler compares when it installs. From 2.7 on, a frozen
        # Bundler refuses a lock that lacks one of them, as it lacks those of gems that were left
        # out or copied if their server does not tell.
        CHECKSUMS = /^CHECKSUMS\n(?:[ \t]+.*\n?)*\n?/
        PATH_REMOTE = /^PATH\n  remote: (.+)$/

        # "    nokogiri (1.15.7-x86_64-linux)": four spaces for a gem, six for a dependency.
        # A lock may have the line ends of Windows.
        GEM = /^ {4}(\S+) \(([^)\s-]+)(?:-[^)]+)?\)\r?$/

        # "    nokogiri (1.15.7-x86_64-linux-gnu)"
        PRECOMPILED = /^ {4}(\S+) \([^)\s-]+-[^)]*linux[^)]*\)$/

        # Written by Bundler if the Gemfile has a directive.
        RUBY = /^RUBY[ ]VERSION\r?\n[ ]+ruby[ ](?<version>\d[\d.]*\d)\S*
                (?:[ ]\((?<engine>\w+)[ ](?<engine_version>\S+)\))?/x

        NEED = /^ {6}([^\s!]+)/

        # `text` for a bundle in another folder: paths relative to `dir`, the application's folder,
        # become absolute.
        #: (String, String) -> String
        def self.copy(text, dir)
          unix = text.gsub("\r\n", "\n").gsub(DROPPED, "")
          unix.gsub(PATH_REMOTE) do
            "PATH\n  remote: #{File.expand_path(Regexp.last_match(1), dir)}"
          end
        end

        # `text` as a server needs it, once its gems are installed.
        #: (String) -> String
        def self.installed(text) = text.sub(CHECKSUMS, "")

        # The version of each gem, without its platform.
        #: (String) -> Hash[String, String]
        def self.versions(text) = text.scan(GEM).to_h

        # The Ruby of the lock; nil if it names none. engine: nil for CRuby.
        #: (String) -> { version: String, engine: String?, engine_version: String? }?
        def self.ruby(text) = RUBY.match(text)&.named_captures&.transform_keys(&:to_sym)

        # Gems of which the lock names a file that is compiled already. It may be for other Rubies.
        #: (String) -> Array[String]
        def self.precompiled(text) = text.scan(PRECOMPILED).flatten

        # [name, locked version, version now] of gems whose version differs from the lock, among
        # `roots` and their dependencies: if other versions were used silently, a different
        # application would be measured. Other gems, such as a linter, do not matter.
        #: (String, String, Array[String]) -> Array[[String, String, String]]
        def self.moved(before, after, roots)
          now = versions(after).slice(*reach(after, roots))
          versions(before).filter_map do |name, version|
            [name, version, now[name]] if now.fetch(name, version) != version
          end
        end

        # `roots` and all their dependencies.
        #: (String, Array[String]) -> Array[String]
        def self.reach(text, roots)
          needs = needs(text)
          reached = []
          waiting = roots.dup
          while (name = waiting.pop)
            next if reached.include?(name)

            reached << name
            waiting.concat(needs.fetch(name, []))
          end
          reached
        end

        # The `limits`, { gem => requirement }, that `roots` or their dependencies exceed.
        #: (String, Array[String], Hash[String, String]) -> Hash[String, String]
        def self.beyond(text, roots, limits)
          now = versions(text).slice(*reach(text, roots))
          limits.select do |name, requirement|
            now.key?(name) && !Gem::Requirement.new(requirement).satisfied_by?(
              Gem::Version.new(now.fetch(name)),
            )
          end
        end

        def self.needs(text)
          text.lines.slice_before(GEM).to_h do |lines|
            [lines.first[GEM, 1], lines.drop(1).filter_map { |line| line[NEED, 1] }]
          end
        end
        private_class_method :needs
      end
    end
  end
end
