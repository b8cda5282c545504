# frozen_string_literal: true

module Mohs
  class App
    class Bundle
      # Explains, from the output of Bundler and the compiler, why a bundle could not be made and
      # what to do.
      module Failure
        # Characters of each line that are examined.
        READ = 1000

        # A line that reports something missing ("checking for pg_config... no").
        MISSING = /\bno$|not found|missing|no such file|can't find|could not|unable to find/i

        # [pattern, what is missing, the Debian package that has it]. The first match wins.
        PACKAGES = [
          [/can't find header files for ruby|fatal error: ruby\.h/, "Ruby's headers", "ruby-dev"],
          [/pg_config|libpq-fe\.h/, "pg_config", "libpq-dev"],
          [/mysql_config|mysqlclient|mysql\.h/, "mysql_config", "default-libmysqlclient-dev"],
          [/sqlite3\.h|sqlite3 is missing|libsqlite3/, "sqlite3.h", "libsqlite3-dev"],
          [%r{libxml2?(?:/| is missing|\.h)|xmlversion\.h}, "libxml2", "libxml2-dev libxslt1-dev"],
          [/yaml\.h|libyaml/, "yaml.h", "libyaml-dev"],
          [/ffi\.h|libffi/, "ffi.h", "libffi-dev"],
          [%r{openssl/\w+\.h|OpenSSL library could not}, "OpenSSL's headers", "libssl-dev"],
          [/zlib\.h|zlib is missing/, "zlib.h", "zlib1g-dev"],
          [%r{curl/curl\.h|curl-config}, "curl.h", "libcurl4-openssl-dev"],
          [/\b(?:make|gcc|cc|[gc]\+\+): (?:command )?not found|No such file or directory - make/,
           "a compiler", "build-essential"],
        ].freeze

        INSTALLING = /An error occurred while installing (\S+) \(([^)]+)\)/
        MISSING_HEADER = /fatal error: (\S+): No such file/
        NEEDS_RUBY = /(?<![\w.-])([\w.-]{1,100})-(\d[\w.-]{0,100})\ requires\ ruby\ version
                      \ ([^\n]+?),\ which\ is\ incompatible/xi
        # Either the application's own gemspec requires another Ruby, or all versions of a gem do.
        EVERY_NEEDS_RUBY = /every\ version\ of\ (\S+)\ depends\ on\ Ruby\ ([^\n]+)\n
                            (?m:.*)current\ Ruby\ version\ is/xi
        NETWORK = /Could\ not\ reach\ host\ (\S+?)\.?\ |Could\ not\ fetch\ specs\ from\ (\S+)|
                   Network\ error\ while\ fetching|Retrying.*getaddrinfo/x
        PASSWORD = /(?:Authentication is required for|Bad username or password for) (\S+?)\.?$/
        UNMERGED = /lockfile contains merge conflicts/
        GEMFILE = /There was an error (?:parsing|evaluating) `[^`]+`: (.+)/
        # What a Gemfile names and is not there: a file, the folder of a gem, that of its gemspec.
        MISSING_PATH = /No\ such\ file\ or\ directory\ @\ \w{1,40}\ -\ ([^\n]+)|
                        The\ path\ `([^`\n]+)`\ does\ not\ exist|
                        There\ are\ no\ gemspecs\ at\ ([^\n]+)/x
        # What Bundler adds to such a line.
        NO_PATH = /\.? Bundler cannot.*/
        NOT_FOUND = /^(Could not find gem .+|Could not find \S+ in .+|.* could not be found in .+)$/
        CONFLICT = /could not find compatible versions[^\n]*\n+((?:.+\n?){1,4})/i
        CONCLUSION = /So, because Gemfile depends on\s+(\S+)\s/
        # "/opt/x/installer.rb:844:in", wrapped by Bundler before the method's name; in JRuby also
        # "org/jruby/RubyKernel.java:1725:in `loop'" and "try_do at /opt/x/mkmf.rb:456".
        BACKTRACE = %r{\A\s*(?:(?:/|org/)\S+:\d+:in\b.*|\S.*\ at\ (?:/|org/)\S+:\d+|
                       [`'][^']+')\s*\z}x
        # Bundler itself has crashed and asks for a bug report: the exception and its backtrace are
        # between fences.
        CRASHED = /^-+ ERROR REPORT TEMPLATE -+\s+```\s*\n(?<error>[^\n]+)/
        FENCE = /\A(?:```|\s*from\s.*)\z/
        LAST_LINES = 30
        FULL = "No space left on device"

        # Codes of reasons that are about the version of the Ruby: another may do.
        OF_THIS_RUBY = %w[gem_requires_ruby lock_does_not_fit].freeze

        # Codes of reasons that hold for every Ruby on this machine.
        OF_ANY_RUBY = %w[credentials_missing disk_full gemfile_broken gems_not_fetched
                         lock_unmerged].freeze

        # How many gems of a lock to name; the rest are counted.
        NAMED = 3

        #: (String, Rubies::Ruby) -> Reason
        def self.explain(log, ruby)
          log = brief(log).join
          build(log, ruby) || resolution(log, ruby) || source(log) || crash(log) ||
            unknown(log.lines.map(&:strip).grep_v(FENCE).reject(&:empty?).last)
        end

        # Did Bundler itself crash? On TruffleRuby it sometimes does when it unpacks several gems in
        # parallel.
        #: (String) -> bool
        def self.crashed?(log) = log.match?(CRASHED)

        # Locked versions that don't work on this Ruby, as [name, locked version, version now]: the
        # user has to choose others.
        #: (Array[[String, String, String]], Rubies::Ruby) -> Reason
        def self.moved(gems, ruby)
          locked(gems.map { |name, locked, now| "#{name} #{locked} (Bundler chose #{now})" }, ruby)
        end

        # The same, but found before anything is installed: [name, locked version, required Ruby].
        #: (Array[[String, String, String]], Rubies::Ruby) -> Reason
        def self.unfit(gems, ruby)
          locked(gems.map { |name, locked, need| "#{name} #{locked} requires Ruby #{need}" }, ruby)
        end

        # The last relevant lines, without backtraces through RubyGems, which would push out the
        # compiler's output.
        #: (String) -> String
        def self.tail(log) = brief(log).grep_v(BACKTRACE).last(LAST_LINES).join

        # Will it fail in the same way whatever is installed on this machine?
        #: (String, Rubies::Ruby) -> bool
        def self.for_good?(log, ruby)
          !extensions?(ruby) && log.match?(INSTALLING) && !log.include?(FULL)
        end

        # What the Gemfile needs and is not there, if it belongs outside `dir`, the folder of the
        # application: its path, else nil.
        #: (String, String) -> String?
        def self.outside(log, dir)
          named = brief(log).join.match(MISSING_PATH)&.captures&.compact&.first or return
          path = File.expand_path(named.sub(NO_PATH, ""), dir)
          path unless path.start_with?("#{dir}/")
        end

        def self.crash(log)
          error = log.match(CRASHED)&.[](:error)&.strip or return
          Reason.new(summary: "Bundler itself broke down, twice: #{error}", code: "bundler_crashed",
                     values: { line: error }, remedy: "Try again: it may not happen the next time.")
        end

        def self.unknown(line)
          Reason.new(summary: line || "Bundler printed nothing", code: "bundle_failed",
                     values: { line: })
        end

        # The log's lines, cut to a length that the patterns can scan quickly.
        def self.brief(log)
          log.lines.map { |line| line.length > READ ? "#{line[0, READ]}\n" : line }
        end

        def self.locked(gems, ruby)
          named = Wording.few(gems, NAMED)
          Reason.new(summary: "the Gemfile.lock does not work on #{ruby.name}: #{named}",
                     remedy: "Use another Gemfile, or update the lock.",
                     code: "lock_does_not_fit", values: { gems: })
        end

        def self.build(log, ruby)
          name, version = log.match(INSTALLING)&.captures
          return nil unless name

          gem = "#{name}-#{version}"
          if log.include?(FULL)
            return Reason.new(summary: "#{gem}: the disk is full", code: "disk_full")
          end

          why, remedy = extensions?(ruby) ? cause(log) : no_extensions(ruby.engine)
          Reason.new(summary: "#{gem} does not build on #{ruby.name}: #{why}", remedy:,
                     code: "gem_not_built", values: { gem:, why: })
        end

        def self.extensions?(ruby) = Rubies::Engines.named(ruby.engine)::C_EXTENSIONS

        # [why, what to do], like #cause.
        def self.no_extensions(engine)
          ["it is an extension in C, which #{engine} does not load",
           "Name what it is to have instead in the Gemfile, with platforms: :#{engine}."]
        end

        def self.cause(log)
          missing = log.lines.grep(MISSING).join
          _, what, package = PACKAGES.find { |pattern, _, _| missing.match?(pattern) }
          return ["#{what} not found", "apt-get install #{package}"] if what

          header = log[MISSING_HEADER, 1]
          header ? "#{header} not found" : (log[/^.*: error: .*/] || "see the log").strip
        end

        def self.resolution(log, ruby)
          needs = log.match(NEEDS_RUBY)
          return needs_ruby("#{needs[1]}-#{needs[2]}", needs[3], ruby) if needs

          every = log.match(EVERY_NEEDS_RUBY)
          return needs_ruby(every[1], every[2], ruby) if every

          adapter = adapter(log, ruby)
          return adapter if adapter

          text = (log[CONFLICT, 1] || log[NOT_FOUND, 1])&.split&.join(" ")
          text && Reason.new(summary: text, code: "gems_not_resolved", values: { line: text })
        end

        # For a gem that only this engine has: the resolver lists all of its versions.
        def self.adapter(log, ruby)
          names = Rubies::Engines.named(ruby.engine)::SUBSTITUTES.values.map(&:first)
          gem = log[CONCLUSION, 1]
          return unless names.include?(gem)

          Reason.new(summary: "no version of #{gem} fits this Rails", code: "no_adapter",
                     values: { gem: }, remedy: "Use a Gemfile with a Rails that it follows: its " \
                                               "versions are Rails' own, 72.1 for 7.2.")
        end

        def self.needs_ruby(gem, version, ruby)
          Reason.new(summary: "#{gem} requires Ruby #{version}, this is #{ruby.language}",
                     code: "gem_requires_ruby", values: { gem:, version: })
        end

        def self.source(log)
          if (host = log[PASSWORD, 1])
            return Reason.new(summary: "#{host} needs credentials", code: "credentials_missing",
                              values: { host: }, remedy: "bundle config #{host} USER:PASS")
          end
          if (network = log.match(NETWORK))
            from = network.captures.compact.map { |one| " from #{one}" }.first
            return Reason.new(summary: "no gems could be fetched#{from}", code: "gems_not_fetched",
                              remedy: "Is there a network?")
          end
          if log.match?(UNMERGED)
            return Reason.new(summary: "the Gemfile.lock has merge conflicts",
                              code: "lock_unmerged",
                              remedy: "Resolve the lines of <<<<<<< and >>>>>>>.")
          end

          broken = log[GEMFILE, 1]
          broken && Reason.new(summary: "the Gemfile cannot be read: #{broken}",
                               code: "gemfile_broken", values: { line: broken })
        end
        private_class_method :brief, :crash, :unknown, :locked, :build, :extensions?,
                             :no_extensions, :cause, :resolution, :adapter, :needs_ruby, :source
      end
    end
  end
end
