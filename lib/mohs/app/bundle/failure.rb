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

        # The package that belongs to one Ruby, and gems that a Ruby may have brought along.
        RUBY_PACKAGE = "ruby-dev"
        RUBY_GEMS = %w[fiddle openssl psych zlib].freeze

        # [pattern, what is missing, the Debian package that has it]. The first match wins.
        PACKAGES = [
          [/can't find header files for ruby|fatal error: ruby\.h/, "Ruby's headers", RUBY_PACKAGE],
          [/pg_config|libpq-fe\.h/, "pg_config", "libpq-dev"],
          [/mysql_config|mysqlclient|mysql\.h/, "mysql_config", "default-libmysqlclient-dev"],
          [/sqlite3\.h|sqlite3 is missing|libsqlite3/, "sqlite3.h", "libsqlite3-dev"],
          [%r{libxml2?(?:/| is missing|\.h)|xmlversion\.h}, "libxml2", "libxml2-dev libxslt1-dev"],
          [/yaml\.h|libyaml/, "yaml.h", "libyaml-dev"],
          [/ffi\.h|libffi/, "ffi.h", "libffi-dev"],
          [%r{openssl/\w+\.h|OpenSSL library could not}, "OpenSSL's headers", "libssl-dev"],
          [/zlib\.h|zlib is missing/, "zlib.h", "zlib1g-dev"],
          [%r{curl/curl\.h|curl-config}, "curl.h", "libcurl4-openssl-dev"],
          [/ImageMagick library|MagickWand|Magick-config/, "ImageMagick", "libmagickwand-dev"],
          [/\b(?:make|gcc|cc|[gc]\+\+): (?:command )?not found|No such file or directory - make/,
           "a compiler", "build-essential"],
        ].freeze

        INSTALLING = /An error occurred while installing (\S+) \(([^)]+)\)/
        MISSING_HEADER = /fatal error: (\S+): No such file/
        # A compiler's words about the code: the Ruby's version may be to blame.
        COMPILER = /^.*: error: .*/
        # A gem's own words if it can't be built: "ERROR: Can't install RMagick 7.2.0."
        COMPLAINT = /^\W*ERROR: (?!Failed to build)(.+)/
        NEEDS_RUBY = /(?<![\w.-])([\w.-]{1,100})-(\d[\w.-]{0,100})\ requires\ ruby\ version
                      \ ([^\n]+?),\ which\ is\ incompatible/xi
        # Either the application's own gemspec requires another Ruby, or all versions of a gem that
        # the Gemfile accepts do.
        ALL_NEED_RUBY = /Because (?:every version of )?([^\n]{1,200}?) depends on Ruby ([^\n]+)\n/
        THIS_RUBY = "current Ruby version is"
        # The same, by Bundler before 2.4.
        LISTED_RUBY = /requirements\ for\ the\ Ruby[^\w\n]{1,9}version:\n\s*In\ Gemfile:\n\s*
                       ([^\n]+?)(?:\ was\ resolved\ to[^\n]*)?\n\s*Ruby[^\w\n(]{1,9}\(([^)\n]+)\)/x
        # What a Gemfile names and is not there: a file, the folder of a gem, that of its gemspec.
        MISSING_PATH = /No\ such\ file\ or\ directory\ @\ \w{1,40}\ -\ (?<path>[^\n]+)|
                        The\ path\ `(?<path>[^`\n]+)`\ does\ not\ exist|
                        There\ are\ no\ gemspecs\ at\ (?<folder>[^\n]+)/x
        # What Bundler and Ruby add to such a line.
        NO_PATH = /\.? Bundler cannot.*| \(Errno::\w+\)\s*\z/
        GEMFILE = /There was an error (?:parsing|evaluating) `[^`]+`:\s+([^\s\[][^\n]*)/
        # The line of the Gemfile, behind such an error.
        LINE = /^\s*#\s+from\s.*?Gemfile\S*?:(\d+)$/
        # The object that evaluates a Gemfile, before a constant's name.
        EVALUATOR = /#<Class:#<Bundler::Dsl:0x\h+>>::/
        CONCLUSION = /So, because Gemfile depends on\s+(\S+)\s/
        # "/opt/x/installer.rb:844:in", wrapped by Bundler before the method's name; in JRuby also
        # "org/jruby/RubyKernel.java:1725:in `loop'" and "try_do at /opt/x/mkmf.rb:456".
        BACKTRACE = %r{\A\s*(?:(?:/|org/)\S+:\d+:in\b.*|\S.*\ at\ (?:/|org/)\S+:\d+|
                       [`'][^']+')\s*\z}x
        # Bundler itself has crashed and asks for a bug report: the exception and its backtrace are
        # between fences.
        CRASHED = /^-+ ERROR REPORT TEMPLATE -+\s+```\s*\n(?<error>[^\n]+)/
        # What Bundler prints on its way.
        PROGRESS = /\A(?:Writing lockfile|Fetching|Resolving|Installing|Using|Copying|Retrying)\b/
        LAST_LINES = 30

        # The width to which Bundler wraps its messages.
        WIDTH = 80

        # What a source, the lock or a gemspec lacks. The first match wins.
        SOURCES = [
          KnownErrors::Trouble.new(
            name: "credentials missing",
            pattern: /Authentication is required for (?<host>\S+?)\.?\s/,
            says: "{host} needs credentials", remedy: "bundle config {host} USER:PASS",
          ),
          KnownErrors::Trouble.new(
            name: "credentials refused",
            pattern: /(?:Bad\ username\ or\ password|token\ could\ not\ be\ authenticated)
                      \ for\ (?<host>\S+?)\.?\s/x,
            says: "{host} refuses the credentials", remedy: "bundle config {host} USER:PASS",
          ),
          KnownErrors::Trouble.new(
            name: "repository not fetched",
            pattern: /Git\ error:\ command\ `git\ [^`\n]*?
                      (?<url>\w{2,20}:[^`\s]+|[^@\s`]{1,80}@[^`\s]+)[^\n]*\n+
                      fatal:\ (?:unable\ to\ access\ \S+\ )?(?<why>[^\n]+)/x,
            says: "the git repository {url} can't be fetched: {why}",
            remedy: "Check the network, and that this user may read it",
          ),
          KnownErrors::Trouble.new(
            name: "gems not fetched",
            pattern: /Could\ not\ reach\ host\ (?<host>\S+?)\.?\ |
                      Could\ not\ fetch\ specs\ from\ (?<host>\S+)/x,
            says: "no gems could be fetched from {host}",
            remedy: "Check the network, and that the server is up",
          ),
          KnownErrors::Trouble.new(
            name: "gems not fetched",
            pattern: /Network error while fetching|Retrying.*getaddrinfo/,
            says: "no gems could be fetched",
            remedy: "Check the network, and that the server is up",
          ),
          KnownErrors::Trouble.new(
            name: "lock unmerged", pattern: /contains merge\s+conflicts/,
            says: "the Gemfile.lock has merge conflicts",
            remedy: "Resolve the lines of <<<<<<< and >>>>>>>.",
          ),
          KnownErrors::Trouble.new(
            name: "locked gem gone",
            pattern: /bundle is locked to (?<gem>\S+) \((?<version>[^)\s]+)\).* no longer be found/,
            says: "the Gemfile.lock names {gem} {version}, which its source no longer has",
            remedy: "bundle update {gem}",
          ),
          KnownErrors::Trouble.new(
            name: "checksum wrong",
            pattern: /found mismatched checksums[^\n]*\n(?<gem>\S+) \((?<version>[^)\s]+)\)/,
            says: "{gem} {version} is not the file whose checksum the Gemfile.lock has",
            remedy: "Find out why; if it may differ, remove its line from CHECKSUMS in the lock.",
          ),
          KnownErrors::Trouble.new(
            name: "gemspec broken",
            pattern: /error\ while\ loading\ `(?<gemspec>[^`\n]+)`:
                      \ (?<line>[^\n]+?)(?:\.\ Bundler\ cannot[^\n]*)?$/x,
            says: "{gemspec} cannot be read: {line}",
          ),
        ].freeze

        # Codes of reasons that are about the version of the Ruby: another may do.
        OF_THIS_RUBY = %w[gem_requires_ruby lock_does_not_fit].freeze

        # Codes of reasons that hold for every Ruby on this machine.
        OF_ANY_RUBY = %w[checksum_wrong credentials_missing credentials_refused disk_full
                         gemfile_broken gemfile_path_missing gems_not_fetched gemspec_broken
                         lock_unmerged locked_gem_gone repository_not_fetched].freeze

        # How many gems of a lock to name; the rest are counted.
        NAMED = 3

        # lock: that of the bundle, as far as it is known.
        #: (String, Rubies::Ruby, ?lock: String) -> Reason
        def self.explain(log, ruby, lock: "")
          log = brief(log).join
          text = unwrapped(log)
          build(log, ruby, lock) || full(log) || resolution(text, ruby) || source(text) ||
            gemfile(text) || crash(log) || unknown(log_excerpt(text))
        end

        # Would every other Ruby of this machine (of the same engine) fail for this reason?
        #: (Reason) -> bool
        def self.of_any_ruby?(reason)
          OF_ANY_RUBY.include?(reason.code) || reason.values.fetch(:any_ruby, false)
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
          !extensions?(ruby) && log.match?(INSTALLING) && !log.match?(LogExcerpt::DISK_FULL)
        end

        # What the Gemfile needs and is not there, if it belongs outside `dir`, the folder of the
        # application: its path, else nil.
        #: (String, String) -> String?
        def self.outside(log, dir)
          found = unwrapped(brief(log).join).match(MISSING_PATH) or return
          path = File.expand_path(missing_path(found), dir)
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

        # The last paragraph if it is short: its last line alone may be advice.
        def self.log_excerpt(text)
          exception = LogExcerpt.reason(text)
          paragraph = text.split(/\n\s*\n/).last.to_s.lines.map(&:strip).grep_v(PROGRESS)
          return exception unless exception && paragraph.last == exception

          whole = paragraph.join(" ")
          whole.length > Printable::FACT ? exception : whole
        end

        # Bundler breaks its messages where the next word would not fit.
        def self.unwrapped(log)
          [*log.lines, ""].each_cons(2).map { |line, following|
            text = line.chomp
            word = following[/\A\S+/]
            wrapped = word && text.length <= WIDTH && text.length + 1 + word.length > WIDTH
            wrapped ? "#{text} " : line
          }.join
        end

        def self.missing_path(found) = (found[:path] || found[:folder]).sub(NO_PATH, "")

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

        def self.build(log, ruby, lock)
          name, version = log.match(INSTALLING)&.captures
          return nil unless name

          gem = "#{name}-#{version}"
          return full(log, gem) if log.match?(LogExcerpt::DISK_FULL)

          return no_extensions(gem, ruby) unless extensions?(ruby)

          why, package = cause(log)
          any_ruby = of_system?(package, name, lock) && !log.match?(COMPILER)
          Reason.new(summary: "#{gem} does not build#{" on #{ruby.name}" unless any_ruby}: #{why}",
                     remedy: package && "apt-get install #{package}", code: "gem_not_built",
                     values: { gem:, why:, **(any_ruby ? { any_ruby: } : {}) })
        end

        # Does each Ruby need this package to have the gem? Not if the package belongs to a Ruby, if
        # Rubies bring the gem along, or if it is there precompiled, as it may be for another.
        def self.of_system?(package, name, lock)
          ![nil, RUBY_PACKAGE].include?(package) && !RUBY_GEMS.include?(name) &&
            !Lockfile.precompiled(lock).include?(name)
        end

        def self.full(log, gem = nil)
          return unless log.match?(LogExcerpt::DISK_FULL)

          Reason.new(summary: [*gem, "the disk is full"].join(": "), code: "disk_full")
        end

        def self.extensions?(ruby) = Rubies::Engines.named(ruby.engine)::C_EXTENSIONS

        def self.no_extensions(gem, ruby)
          why = "it is an extension in C, which #{ruby.engine} does not load"
          Reason.new(summary: "#{gem} does not build on #{ruby.name}: #{why}",
                     remedy: "Name what it is to have instead in the Gemfile, with platforms: " \
                             ":#{ruby.engine}.",
                     code: "gem_not_built", values: { gem:, why: })
        end

        # Why it was not compiled, and the package that is missing, if that is known.
        def self.cause(log)
          missing = log.lines.grep(MISSING).join
          _, what, package = PACKAGES.find { |pattern, _, _| missing.match?(pattern) }
          return ["#{what} not found", package] if what

          header = log[MISSING_HEADER, 1]
          return "#{header} not found" if header

          (log[COMPILER] || Printable.call(log)[COMPLAINT, 1] || "see the log").strip
        end

        def self.resolution(log, ruby)
          needs = log.match(NEEDS_RUBY)
          return needs_ruby("#{needs[1]}-#{needs[2]}", needs[3], ruby) if needs

          all = (log.match(ALL_NEED_RUBY) if log.include?(THIS_RUBY)) || log.match(LISTED_RUBY)
          return needs_ruby(all[1], all[2], ruby) if all

          adapter = adapter(log, ruby)
          return adapter if adapter

          text = Conflict.sentence(log)
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

        # The other bound is often that of one precompiled platform.
        def self.needs_ruby(gem, version, ruby)
          missed = version.split(", ").reject { |bound| met?(bound, ruby) }
          version = missed.join(", ") if missed.any?
          Reason.new(summary: "#{gem} requires Ruby #{version}, this is #{ruby.language}",
                     code: "gem_requires_ruby", values: { gem:, version: })
        end

        def self.met?(bound, ruby)
          Gem::Requirement.new(bound).satisfied_by?(Gem::Version.new(ruby.language))
        rescue ArgumentError # neither of them need be a version
          false
        end

        def self.source(text) = KnownErrors.find(SOURCES, text)

        def self.gemfile(text)
          found = text.match(MISSING_PATH)
          return absent(found) if found

          broken = text[GEMFILE, 1] or return
          line = text[LINE, 1]
          what = "#{fault(broken, text)}#{" (line #{line})" if line}"
          Reason.new(summary: "the Gemfile cannot be read: #{what}", code: "gemfile_broken",
                     values: { line: what })
        end

        def self.absent(found)
          path = missing_path(found)
          summary = "the Gemfile needs #{path}, which does not exist"
          summary = "the Gemfile needs a gemspec, and #{path} has none" if found[:folder]
          Reason.new(summary:, code: "gemfile_path_missing", values: { path: })
        end

        # Prism's message is a drawing of the code.
        def self.fault(broken, text)
          what = broken.sub(NO_PATH, "").sub(/ -\s+\d+ \|.*/, "").gsub(EVALUATOR, "")
          remark = text.lines.filter_map { |line| LogExcerpt::REMARK.match(line)&.[](:what) }.first
          Printable.cut([what, *(remark if broken != what)].join(": "))
        end
        private_class_method :log_excerpt, :unwrapped, :missing_path, :brief, :crash, :unknown,
                             :locked, :build, :of_system?, :full, :extensions?, :no_extensions,
                             :cause, :resolution, :adapter, :needs_ruby, :met?, :source, :gemfile,
                             :absent, :fault
      end
    end
  end
end
