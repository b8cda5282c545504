# frozen_string_literal: true

module Mohs
  module Servers
    # The contract of a server. A member defines on its class:
    #
    #     GEMS          { gem => version requirement } that must be in the bundle; the server's own
    #                   comes first, if it is a gem, and stays as the application declares it
    #     OLD_GEMS      { a Ruby (language version) => the GEMS before it }; none: the same for all
    #     CAPABILITIES  those that it has, of: processes, threads: supports more than one; fibers:
    #                   serves connections by fibers; keep_alive: keeps connections open; unix:
    #                   listens on a unix socket; preload: can load the application before it
    #                   forks; refork: can fork new workers from a warm one
    #     ENGINES       the only engines that it runs on, by RUBY_ENGINE; nil: all (with fork, if
    #                   it is FORKED)
    #     BELOW         the first Ruby (language version) that it no longer runs on; nil: none
    #     FORKED        serves only from forked processes, so it needs an engine with fork
    #     SERVING       how its process reports the number of threads that take requests
    #                   (Probes::Inside): a Regexp for their names, or a Ruby expression that
    #                   returns the number; nil if it is unknown
    #     NAMELESS      such an expression, if no thread has such a name; nil if there is none
    #     ALWAYS_PRELOADS  always loads the application before it forks
    #     PACKAGE       what has to be installed system-wide, if it is not a gem: one of its files,
    #                   and Debian's package that contains it; else nil
    #     RELEASE       how its process reports the server's version, if that is not a gem's: a
    #                   Ruby expression
    #     FOR_TESTS     not offered to users
    #     STOP_SIGNAL   the signal after which it still answers requests in progress, if any does
    #     DRAINS        whether it does answer them; a Verification checks this and the next three
    #     ENDS          exits on that signal, with all its processes
    #     RESTARTS      can listen on the same port again immediately
    #     REPORTS       does not serve an application that raises while loading, and logs the error
    #     LOGS          names of log files that it writes in its folder besides its output
    #     THREADS       default number of threads; nil if mohs can't set the number
    #     POOL_EXTRA    threads of its pool that take no requests
    #     OPTIONS       options of its own command that set these numbers, { processes: [..],
    #                   threads: [..] }: people type them in a variant
    #     CONFIGURABLE  accepts a configuration file of the user's, except for the address
    #     OWN_FILES     where an application has its configuration, relative to its folder; the
    #                   first that exists is used; none if its command line has all settings
    #
    # and on an instance `#launch -> Launch`. The environment (above all RACK_ENV=production, which
    # also keeps access logs off) is the application's, not the server's: launch adds only the
    # server's own variables. `#own_lines` (of the file) and `#own_words` (of the command line) are
    # what a user writes to get the same processes, threads and preloading; launch uses them too.
    class Base
      extend Family::Member

      NOTHING = { processes: false, threads: false, fibers: false, keep_alive: false, unix: false,
                  preload: false, refork: false }.freeze
      OPTIONS = {}.freeze
      OLD_GEMS = {}.freeze
      CONFIGURABLE = false
      OWN_FILES = [].freeze
      ENGINES = nil
      BELOW = nil
      POOL_EXTRA = 0
      FORKED = false
      PACKAGE = nil
      SERVING = nil
      NAMELESS = nil
      RELEASE = nil
      ALWAYS_PRELOADS = false
      DRAINS = true
      ENDS = true
      RESTARTS = true
      REPORTS = true
      LOGS = [].freeze
      FOR_TESTS = false
      SERVLET = File.expand_path("../inside/servlet.rb", __dir__)
      NUMBERS = /\A(?<processes>[1-9]\d{0,3})(?:x(?<threads>[1-9]\d{0,3}))?\z/

      class << self
        # Does a configuration file with this text load the application before the server forks, as
        # far as its text tells? Its log says what it does (Launch#preloaded?).
        # version: of the server; nil: the newest.
        #: (String, ?version: String?) -> bool
        def preloads?(_text, **_options) = false

        # Includes the engines that it runs on.
        #: () -> Hash[Symbol, untyped]
        def capabilities = { **NOTHING, **self::CAPABILITIES, engines: engines.map(&:ruby_engine) }

        # The gems that it needs under this Ruby.
        #: (Rubies::Ruby) -> Hash[String, String]
        def gems_for(ruby)
          language = Gem::Version.new(ruby.language)
          self::OLD_GEMS.find { |first, _| language < Gem::Version.new(first) }&.last || self::GEMS
        end

        # The server's own gem, which determines its version; nil if it is not a gem.
        #: () -> String?
        def gem = self::RELEASE ? nil : self::GEMS.keys.first

        #: () -> String
        def stop_signal = self::STOP_SIGNAL

        # "2x5", "2" or nil: processes, then threads of each.
        #: (String?) -> { processes: Integer, threads: Integer? }
        def parse(text)
          return { processes: 1, threads: self::THREADS } if text.nil?

          match = NUMBERS.match(text)
          hint = "write #{label}:2 or #{label}:2x5 (processes x threads)"
          raise UsageError, "#{label}:#{text}: #{hint}" unless match

          { processes: match[:processes].to_i, threads: match[:threads]&.to_i || self::THREADS }
        end

        # What to write for one request at a time in each process ("puma:2x1"), the safest way to
        # serve an application that shares state between threads. Suggests Puma in place of a server
        # that can't do this, or that switches to another request while one waits (fibers); nil if
        # these settings already do this.
        #: (processes: Integer?, threads: Integer?, forks: bool) -> String?
        def one_at_a_time(processes:, threads:, forks:)
          able = self::CAPABILITIES[:threads] && !self::CAPABILITIES[:fibers]
          return if threads == 1 && !self::CAPABILITIES[:fibers]

          count = forks ? [processes.to_i, 2].max : 1
          "#{able ? label : 'puma'}:#{count}x1"
        end

        # What to write so that the server, started without mohs, has these settings. `app`, if
        # given, decides between several files that the server would look for; `version` is the
        # version of the server's gem.
        #: (processes: Integer, threads: Integer?, ?preload: bool, ?refork: bool, ?env: Hash[String, String?], ?version: String?, ?app: App?) -> OwnSettings
        def own_settings(processes:, threads:, preload: false, refork: false, env: {}, version: nil,
                         app: nil)
          server = new(Settings.new(processes:, threads:, preload:, refork:, version:), app:)
          OwnSettings.new(file: server.own_file, lines: server.own_lines, argv: server.own_words,
                          env:)
        end

        # Is this Ruby too new for the server?
        #: (Rubies::Ruby) -> bool
        def outgrown?(ruby)
          !self::BELOW.nil? && Gem::Version.new(ruby.language) >= Gem::Version.new(self::BELOW)
        end

        private

        def engines
          Rubies::Engines.offered.select do |engine|
            (engine::FORKS || !self::FORKED) &&
              (self::ENGINES.nil? || self::ENGINES.include?(engine.ruby_engine))
          end
        end
      end

      attr_reader :settings, :app

      #: (Settings, app: App?) -> void
      def initialize(settings, app:)
        @settings = settings
        @app = app
      end

      #: () -> Hash[Symbol, untyped]
      def capabilities = self.class.capabilities

      # The file with the server's settings in the application: the existing one, else the usual
      # one; nil if this server has none.
      #: () -> String?
      def own_file = present_file || self.class::OWN_FILES.last

      # Lines of that file.
      #: () -> Array[String]
      def own_lines = []

      # Words of its command line.
      #: () -> Array[String]
      def own_words = []

      # Why these settings are impossible under `ruby`, nil if they are possible. The reason has the
      # server as a value; its summary follows the server's name.
      #: (Rubies::Ruby) -> Reason?
      def refusal(ruby)
        numbers = settings.to_h.slice(:processes, :threads)
        refused("command", refused_package) ||
          refused("engine", refused_engine(ruby), engine: ruby.engine) ||
          refused("config", refused_config, config: settings.config) ||
          refused("numbers", refused_numbers, **numbers) ||
          refused("preload", refused_preload, config: settings.config, **numbers) ||
          refused("refork", refused_refork) ||
          refused("unix", refused_unix, **numbers)
      end

      private

      def refused(what, summary, **values)
        summary && Reason.new(summary:, code: "server_#{what}",
                              values: { server: self.class.label, **values })
      end

      def refused_package
        file, package = self.class::PACKAGE
        return if file.nil? || File.file?(file)

        "#{file} is not installed: apt-get install #{package}"
      end

      def refused_engine(ruby)
        engines = capabilities.fetch(:engines)
        return "does not run on #{ruby.engine}" unless engines.include?(ruby.engine)
        return "runs on Ruby before #{self.class::BELOW} only, #{ruby.name} is #{ruby.language}" \
          if self.class.outgrown?(ruby)
        return nil if [nil, 1].include?(settings.processes) || forks?(ruby)

        "more than one process needs fork, which #{ruby.engine} lacks"
      end

      def forks?(ruby) = Rubies::Engines.named(ruby.engine)::FORKS

      def refused_config
        return if settings.config.nil? || self.class::CONFIGURABLE

        "takes no configuration file here: #{settings.config} can't be served with its address " \
          "replaced"
      end

      def refused_numbers
        return if settings.config
        return "runs in one process" if settings.processes > 1 && !capabilities.fetch(:processes)
        return nil if capabilities.fetch(:threads) || settings.threads == self.class::THREADS

        "has no number of threads to set"
      end

      def refused_preload
        return unless settings.preload
        return "can't load the application before it forks" unless capabilities.fetch(:preload)

        "#{settings.config} says whether the application is preloaded" if settings.config
      end

      def refused_refork
        "can't fork its workers anew" if settings.refork && !capabilities.fetch(:refork)
      end

      def refused_unix
        "can't listen on a unix socket" if settings.bind&.unix && !capabilities.fetch(:unix)
      end

      def present_file
        self.class::OWN_FILES.find { |path| File.exist?(File.join(app.dir, path)) } if app
      end

      # For a server that forks: its workers' process title, and the line that each logs once it
      # serves.
      def workers(title, ready_line = nil)
        { expected_processes: settings.processes, worker_pattern: title, ready_line: }
      end

      # The same for a server that has workers only if there is more than one process. root_serves:
      # the first process serves too.
      def cluster(title, ready_line = nil, root_serves: true)
        settings.processes > 1 ? { **workers(title, ready_line), root_serves: } : {}
      end

      # A server that rackup starts with the handler of the server's name, which `library` defines.
      def rackup(library, *options, gem: "rack", **launch)
        args = ["-r", library, "-s", self.class.label, *listen(host: "-o"), *options, "config.ru"]
        Launch.new(gem:, executable: "rackup", args:, **launch)
      end

      # The Ruby code at the beginning of a Java server's file: it loads the given jars of Debian.
      def servlet(jars)
        paths = jars.map { |name| "/usr/share/java/#{name}.jar" }
        [*paths, SERVLET].map { |path| "require #{path.dump}\n" }.join
      end

      # Path of a generated configuration file, for the command line.
      def config_path = File.join(settings.folder, "#{self.class.label}.rb")

      # The path of a unix socket, or host and port.
      def address = settings.bind.unix || "#{settings.bind.host}:#{settings.bind.port}"

      def url(scheme = "http") = "#{settings.bind.unix ? 'unix' : scheme}://#{address}"

      # The address as command-line options.
      def listen(host: "-a", unix: "-S")
        bind = settings.bind
        bind.unix ? [unix, bind.unix] : [host, bind.host, "-p", bind.port.to_s]
      end
    end
  end
end
