# frozen_string_literal: true

module Mohs
  module Servers
    # The contract of a server. A member says, on its class:
    #
    #     GEMS          { gem => version requirement } that must be in the bundle; the server's own
    #                   comes first, if it is a gem, and stays as the application declares it
    #     CAPABILITIES  processes, threads: more than one can be had; fibers: serves connections by
    #                   fibers; keep_alive: keeps connections; unix: listens on a unix socket;
    #                   preload: loads the application before it forks where that is asked for;
    #                   refork: forks its workers anew from a warm one where that is asked for;
    #                   those that it has
    #     ENGINES       the only engines that it runs on, by RUBY_ENGINE; nil: on all (that fork, if
    #                   it is FORKED)
    #     BELOW         the first Ruby (its language's version) that it no longer runs on; nil: none
    #     FORKED        serves from forked processes alone, so runs on engines with fork only
    #     SERVING       how its process tells how many threads take requests (Probes::Inside): a
    #                   Regexp of their names, or a Ruby expression that gives the number; nil if
    #                   they can't be told
    #     ALWAYS_PRELOADS  loads the application before it forks, asked or not
    #     PACKAGE       what has to be installed with the system, if it is no gem: a file of it, and
    #                   Debian's package that has the file; else nil
    #     RELEASE       how its process tells the server's version, if that is no gem's: a Ruby
    #                   expression
    #     FOR_TESTS     not offered to people
    #     STOP_SIGNAL   the one that lets requests under way be answered, if any does
    #     DRAINS        whether it does answer them; a Verification sees it, as the next three
    #     ENDS          ends by that signal, with all its processes
    #     RESTARTS      can listen on the same port again at once
    #     REPORTS       does not serve an application that raises when loaded, and logs the error
    #     LOGS          what it writes of its log beside its output: names of files in its folder
    #     THREADS       how many unless told; nil if the number is not ours to set
    #     POOL_EXTRA    threads of its pool that take no requests
    #     OPTIONS       those of its own command that set them, { processes: [..], threads: [..] }:
    #                   people type them in a variant
    #     CONFIGURABLE  takes a configuration file of the person's, but for the address
    #     OWN_FILES     where an application has its configuration, relative to its folder, the
    #                   first that exists; none if its command line has all settings
    #
    # and on an instance `#launch -> Launch`. The environment (RACK_ENV=production above all, which
    # also keeps access logs off) is the application's, not the server's: launch adds to it only
    # what is the server's own. What a person writes for the same processes, threads and preloading
    # are `#own_lines`, of the file, and `#own_words`, of the command line; launch uses them too.
    class Base
      extend Family::Member

      NOTHING = { processes: false, threads: false, fibers: false, keep_alive: false, unix: false,
                  preload: false, refork: false }.freeze
      OPTIONS = {}.freeze
      CONFIGURABLE = false
      OWN_FILES = [].freeze
      ENGINES = nil
      BELOW = nil
      POOL_EXTRA = 0
      FORKED = false
      PACKAGE = nil
      SERVING = nil
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
        # With the engines that it runs on.
        #: () -> Hash[Symbol, untyped]
        def capabilities = { **NOTHING, **self::CAPABILITIES, engines: engines.map(&:ruby_engine) }

        # Its own, which says its version; nil if it is no gem.
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

        # What to write for one request at a time in each process, as safe as serving gets for an
        # application that shares state between threads: "puma:2x1". Puma instead of a server that
        # can't, or that goes on to another request where one waits (fibers); nil if these settings
        # are that already.
        #: (processes: Integer?, threads: Integer?, forks: bool) -> String?
        def one_at_a_time(processes:, threads:, forks:)
          able = self::CAPABILITIES[:threads] && !self::CAPABILITIES[:fibers]
          return if threads == 1 && !self::CAPABILITIES[:fibers]

          count = forks ? [processes.to_i, 2].max : 1
          "#{able ? label : 'puma'}:#{count}x1"
        end

        # What a person writes so that the server, started without mohs, has these settings. `app`,
        # if given, decides between several files that the server would look for; `version` is that
        # of the server's gem.
        #: (processes: Integer, threads: Integer?, ?preload: bool, ?refork: bool, ?env: Hash[String, String?], ?version: String?, ?app: App?) -> OwnSettings
        def own_settings(processes:, threads:, preload: false, refork: false, env: {}, version: nil,
                         app: nil)
          server = new(Settings.new(processes:, threads:, preload:, refork:, version:), app:)
          OwnSettings.new(file: server.own_file, lines: server.own_lines, argv: server.own_words,
                          env:)
        end

        # Is this Ruby too new for it?
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

      # The file with the server's settings in the application: the one that is there, else the
      # usual one; nil if there is none for this server.
      #: () -> String?
      def own_file = present_file || self.class::OWN_FILES.last

      # Lines of that file.
      #: () -> Array[String]
      def own_lines = []

      # Words of its command line.
      #: () -> Array[String]
      def own_words = []

      # Why these settings are impossible under `ruby`, nil if they are possible.
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

      def refused(what, text, **values)
        label = self.class.label
        text && Reason.new(summary: "#{label}: #{text}", code: "server_#{what}",
                           values: { server: label, **values })
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

      # The workers of a server that forks: their process title, and the log line of each once it
      # serves.
      def workers(title, ready_line = nil)
        { expected_processes: settings.processes, worker_pattern: title, ready_line: }
      end

      # The same of a server that has workers only where there is more than one process. Does its
      # first process serve beside them?
      def cluster(title, ready_line = nil, root_serves: true)
        settings.processes > 1 ? { **workers(title, ready_line), root_serves: } : {}
      end

      # A server that rackup starts by the handler of its name, which `library` defines.
      def rackup(library, *options, gem: "rack", **launch)
        args = ["-r", library, "-s", self.class.label, *listen(host: "-o"), *options, "config.ru"]
        Launch.new(gem:, executable: "rackup", args:, **launch)
      end

      # The Ruby with which the file of a Java server begins: it loads these of Debian's jars.
      def servlet(jars)
        paths = jars.map { |name| "/usr/share/java/#{name}.jar" }
        [*paths, SERVLET].map { |path| "require #{path.dump}\n" }.join
      end

      # A generated configuration file, by its name on the command line.
      def config_path = File.join(settings.folder, "#{self.class.label}.rb")

      # The path of a unix socket, or host and port.
      def address = settings.bind.unix || "#{settings.bind.host}:#{settings.bind.port}"

      def url(scheme = "http") = "#{settings.bind.unix ? 'unix' : scheme}://#{address}"

      # The same as options of a command.
      def listen(host: "-a", unix: "-S")
        bind = settings.bind
        bind.unix ? [unix, bind.unix] : [host, bind.host, "-p", bind.port.to_s]
      end
    end
  end
end
