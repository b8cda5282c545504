# frozen_string_literal: true

require "digest"
require "fileutils"
require "json"

module Mohs
  class App
    # The gems of one application under one Ruby with one server: a folder in the cache with its own
    # Gemfile and lock, made from the application's, which are not changed. The gems themselves are
    # in a store for each Ruby, which all its bundles share, and in copies of gems that this Ruby
    # already had (docs/adr/0010).
    class Bundle
      # `state`: :ok, or :failed with its Reason; `log_tail`: the last output of Bundler and the
      # compiler; `seconds` that it took, including resolving unless that was done before, alone;
      # `notes`: what the user should know about a bundle that is :ok.
      Result = Struct.new(:state, :reason, :log_tail, :seconds, :notes, keyword_init: true) do
        #: () -> bool
        def ok? = state == :ok
      end

      # Part of every bundle's key: a bundle composed differently is another bundle.
      FORMAT = 1

      # The lock of the bundle's Gemfile, whatever the application's is called.
      LOCK = "Gemfile.lock"

      # What Bundler's part reports of an installation before it begins.
      TO_DO = %i[fetch copy precompiled].freeze

      # The remedy if the Gemfile names a file that did not come with the folder.
      OUTSIDE = "it is outside the folder that was sent: --in-place measures each host's own copy"

      # Digits of the digest that distinguishes the copies for different applications.
      DIGITS = 12

      # Digits of the digest that distinguishes different ways to compile.
      BUILD_DIGITS = 6

      # packed: the application's folder is a copy that was sent here (App::Pack).
      #: (app: App, ruby: Rubies::Ruby, ?server_gems: Hash[String, String], ?cache_dir: String, ?env: Hash[String, String], ?spawner: Process::Spawner, ?packed: bool) -> void
      def initialize(app:, ruby:, server_gems: {}, cache_dir: Folders.cache, env: ENV.to_h,
                     spawner: nil, packed: false)
        @app = app
        @packed = packed
        @ruby = ruby
        @server_gems = server_gems
        @cache_dir = cache_dir
        @env = env
        @builds = Rubies::Engines.of(ruby).gem_builds
        @given = Settings.given(dir: app.dir, env:) { |path| read(path) }
        @settings = Settings.compose(@given)
        store = ["#{ruby.name}-#{ruby.digest[0, 12]}", *built].join("-")
        @store = File.join(cache_dir, "gems", store)
        @spawner = spawner || Process::Spawner.new(base_env: Process::Environment.clean(env))
        @own_rubygems = OwnRubygems.new(ruby:, folder: cache_dir)
      end

      # Whether it is installed already; starts no process.
      #: () -> bool
      def ready? = @own_rubygems.ready? && !manifest.nil?

      # Does the application lock the version of each gem? If not, gems are resolved anew.
      #: () -> bool
      def locked? = !@app.lock.nil?

      # Finds out, within seconds and before anything is compiled, which gems are needed and whether
      # this Ruby can use them. `install` does this too if necessary. Each step is yielded. Problems
      # with the gems are reported as a Result, never as an exception.
      #: () ?{ (String) -> void } -> Result
      def resolve(&progress)
        attempt(progress) { |report| hopeless || resolved(report) }
      end

      # Installs what is missing. Yields each step ("installing for 2.7.4: nio4r 2.7.5 (1 of 12)");
      # otherwise like `resolve`.
      #: () ?{ (String) -> void } -> Result
      def install(&progress)
        attempt(progress) { |report| hopeless || resolved(report) || build(report) }
      end

      # What `install` has to do, as names of gems: those to `fetch` and perhaps compile, of these
      # the `precompiled`, and those to `copy` from where this Ruby has them. nil before `resolve`.
      #: () -> { fetch: Array[String], copy: Array[String], precompiled: Array[String] }?
      attr_reader :outstanding

      # Roughly how many seconds installing will take; 0 if it is installed. Estimated from the
      # application's lock before `resolve`.
      #: () -> Numeric
      def expected_s
        return 0 if ready?
        return Effort.seconds(**@outstanding) if @outstanding

        lock = read(@app.lock)
        locked = Lockfile.versions(lock)
        return Effort::UNKNOWN_S if locked.empty?

        copy, fetch = locked.partition { |gem, version| seen?("#{gem}-#{version}") }
        Effort.seconds(fetch: fetch.map(&:first), copy: copy.map(&:first),
                       precompiled: Lockfile.precompiled(lock))
      end

      # How many seconds of `expected_s` are done during installation.
      #: () -> Numeric
      def done_s
        done = @installer&.done.to_a
        return 0 if done.empty? || @outstanding.nil?

        Effort.seconds(**@outstanding, fetch: done)
      end

      # The gems that are compiled now: how many seconds of `expected_s` each is, and how many of
      # them have passed, each with its share of the cores.
      #: () -> Array[[Numeric, Numeric]]
      def under_way
        compiling = @outstanding ? @installer&.compiling.to_h : {}
        compiling.map { |gem, seconds| Effort.under_way(gem, seconds) }
      end

      # The variables with which a server finds its gems, given that it requires `bundler/setup`.
      # Frozen: a boot must not resolve again.
      #: () -> Hash[String, String]
      def env = { **base_env, "BUNDLE_FROZEN" => "true" }

      # Path of the executable `name` of one of the gems, to be run by Ruby.
      #: (String) -> String
      def executable(name)
        manifest!.executable(name) ||
          raise(EnvironmentError, "no gem in the bundle of #{@app.name} for #{@ruby.name} has an " \
                                  "executable #{name}: add its gem to the Gemfile")
      end

      # Every gem's version.
      #: () -> Hash[String, String]
      def versions = manifest!.versions

      # The version of one gem; nil if it is not in the bundle, or if the bundle is not installed.
      #: (String?) -> String?
      def version(gem) = manifest&.versions&.[](gem)

      # What the user should know about the bundle.
      #: () -> Array[App::Note]
      def notes
        [ruby_line, *replaced, *limited].compact
      end

      # What a person types before a command in the application's folder to run it with these gems,
      # under this Ruby; nil if the bundle is not installed, or serves a copy of that folder.
      #: () -> String?
      def wrapper = (Wrapper.command(folder) if ready? && @app.dir == @app.origin)

      # The bundle's folder, with its Gemfile, lock and log.
      #: () -> String
      def folder = @folder ||= File.join(@cache_dir, "bundles", key)

      private

      def ruby_line
        @app.gemfile && Gemfile.note(read(@app.gemfile), @ruby, @app.ruby_requirements)
      end

      def key
        parts = [FORMAT, @app.dir, @ruby.digest, @ruby.gem_platform, gemfile, read(@app.gemfile),
                 read(@app.lock), Settings.dump(@settings), *Settings.environment(@settings),
                 @own_rubygems.env, *limits, *built, *read_by_gemfile]
        Digest::SHA256.hexdigest(parts.join("\0"))[0, 20]
      end

      # The files of the application that its Gemfile names: it may read them to choose gems, as
      # Redmine's does with the adapters in config/database.yml.
      def read_by_gemfile
        names = read(@app.gemfile).scan(/["']([^"'\n\0]+)["']/).flatten.uniq
        names.map { |name| File.join(@app.dir, name) }.select { |path| File.file?(path) }
             .map { |path| read(path) }
      end

      def gemfile(limits: {})
        Gemfile.compose(@app.gemfile, @server_gems, substitutes:, limits:)
      end

      # For Rails only: other frameworks need other adapters.
      def substitutes
        @app.rails? ? Rubies::Engines.named(@ruby.engine)::SUBSTITUTES : {}
      end

      def limits = @limits ||= Rubies::Engines.of(@ruby).gem_limits

      # Gems are installed into GEM_HOME; gems in GEM_PATH take precedence.
      def base_env
        { "BUNDLE_GEMFILE" => file("Gemfile"), "BUNDLE_APP_CONFIG" => file("config"),
          "BUNDLE_USER_CACHE" => File.join(@cache_dir, "bundler"),
          "BUNDLE_USER_CONFIG" => file("config/user"), # does not exist: @settings has the user's
          "GEM_HOME" => File.join(@store, scope), "GEM_PATH" => copies, **@own_rubygems.env }
      end

      # The name of the folder for the gems of each kind of Ruby, as in vendor/bundle. The ABI of a
      # Ruby without a shared library ends in "-static", the folder's name does not.
      def scope = File.join(@ruby.engine, @ruby.gem_abi.to_s.delete_suffix("-static"))

      # Only for an estimate: whether the gem is usable turns out when it is copied.
      def seen?(gem)
        [File.join(@store, scope), copies, *homes, *others].any? do |home|
          File.file?(File.join(home, "specifications", "#{gem}.gemspec"))
        end
      end

      # Notes on gems that this engine has instead of others: the substitutes in the bundle that the
      # application's own Gemfile does not name.
      def replaced
        now = Lockfile.versions(read(file(LOCK)))
        substitutes.filter_map do |gem, (instead, _)|
          next if !now.key?(instead) || named?(instead)

          Note.of("gem_substituted", gem:, instead: "#{instead} #{now[instead]}",
                                     engine: @ruby.engine)
        end
      end

      def named?(gem) = read(@app.gemfile).include?(gem)

      # Notes on gems that the application locks at a version that this Ruby can't load.
      def limited
        before, now = [@app.lock, file(LOCK)].map { |lock| Lockfile.versions(read(lock)) }
        limits.keys.filter_map do |gem|
          version, instead = before[gem], now[gem]
          next if version.nil? || instead.nil? || version == instead

          Note.of("gem_limited", gem:, version:, instead:, ruby: @ruby.name)
        end
      end

      # Variables for inside/bundle.rb.
      def installed
        { "MOHS_GEMS" => [*homes, *others].join(":"), "MOHS_OTHERS" => others.join(":"),
          "MOHS_COPIES" => copies, "MOHS_COMPILED" => @builds.keys.join(":") }
      end

      # Distinguishes the gems of one Ruby that are compiled in different ways, by this Ruby's needs
      # or the user's settings; nil if all are compiled as usual.
      def built
        builds = { **@builds, **Settings.flags(@settings) }
        Digest::SHA256.hexdigest(JSON.generate(builds))[0, BUILD_DIGITS] unless builds.empty?
      end

      # Variables for compilers. Any bundle of the store may be the first to install a gem, so every
      # bundle has these variables, whichever server it is for.
      def compiling = @builds.values.reduce({}, :merge)

      # The folder of copied gems, shared by all commits of an application.
      def copies
        own = Digest::SHA256.hexdigest(@app.origin)[0, DIGITS]
        File.join(@store, "applications", own)
      end

      # The folders of gems copied for other checkouts of the application, which have the same
      # Gemfile and lock.
      def others
        return [] unless @app.lock

        @others ||= begin
          all = File.dirname(copies)
          marks = Dir.glob("*/#{mark}", base: all)
          marks.map { |path| File.join(all, path.delete_suffix("/#{mark}")) } - [copies]
        end
      end

      # A file in a folder of copied gems that says for which lock they are.
      def mark
        locked = [@app.gemfile, @app.lock].map { |path| read(path) }
        File.join("locks", Digest::SHA256.hexdigest(locked.join("\0")))
      end

      # The block returns nil, or the Reason for the failure.
      def attempt(progress)
        progress ||= proc {}
        started = Clock.mono_ns
        reason = locked(progress) { yield progress unless ready? } unless ready?
        Result.new(state: reason ? :failed : :ok, reason:,
                   log_tail: reason && Failure.tail(printed), notes:,
                   seconds: ((Clock.mono_ns - started) / 1e9).round(1)).freeze
      end

      # Admits one installation per store at a time, by any mohs.
      def locked(progress, &)
        FileUtils.mkdir_p(@store)
        Turn.new(File.join(@store, ".lock"), app: @app.name).take(progress, &)
      end

      # nil, or the reason for the failure. Another mohs may have removed what this one resolved.
      def resolved(progress)
        return if @outstanding && File.file?(file(LOCK))

        progress.call("installing for #{@ruby.name}: resolving #{@app.name}")
        prepare
        if (output = @own_rubygems.install)
          File.write(log, output)
          why = Failure.explain(printed, @ruby)
          return Reason.new(**why.to_h, summary: "RubyGems #{@own_rubygems.version} could not " \
                                                 "be fetched: #{why.summary}")
        end
        step("lock", progress) || limit(progress)
      end

      # nil, or the reason for the failure. A Gemfile that limits a gem also adds it, so gems are
      # limited only once it is known that they are in the bundle. Nothing has been installed yet.
      def limit(progress)
        beyond = Lockfile.beyond(read(file(LOCK)), @roots, limits)
        return if beyond.empty?

        File.write(file("Gemfile"), gemfile(limits: beyond))
        @outstanding = nil
        step("lock", progress)
      end

      # Folders other than its own that may contain gems of this Ruby: the application's own bundle,
      # and those named by the user's shell.
      def homes
        mine = Settings.paths(@given, @app.origin)
        shell = [*@env["GEM_PATH"].to_s.split(":"), *@env["GEM_HOME"]]
        mine.map { |path| File.join(path, scope) } + shell
      end

      # nil, or the reason for the failure.
      def build(progress) = step("install", progress) || finish

      def prepare
        FileUtils.rm_rf(folder)
        FileUtils.mkdir_p(file("config"))
        File.write(file("Gemfile"), gemfile)
        File.write(file(LOCK), Lockfile.copy(read(@app.lock), @app.dir)) if @app.lock
        settings = Settings.dump(@settings)
        File.write(file("config/config"), settings, perm: 0o600) # it may hold credentials
        File.write(log, "", perm: 0o600) # so may what is printed
      end

      # Locking comes first, to find gems that this Ruby can't use before anything is compiled.
      # Installing may still choose other versions, so both results are checked. Returns nil, or the
      # reason for the failure.
      def step(action, progress)
        env = { **base_env, **Settings.environment(@settings), **installed, **compiling }
        @installer = Installer.new(ruby: @ruby, env:, shell: @env, settings: @settings, log:,
                                   dir: @app.dir, spawner: @spawner,
                                   gems: @outstanding&.fetch(:fetch)&.size)
        return failed unless installed_by_bundler?(action, progress)

        found = JSON.parse(read(report), symbolize_names: true)
        @roots = found.fetch(:roots)
        moved = Lockfile.moved(read(@app.lock), read(file(LOCK)), @roots).reject do |name, *|
          limits.key?(name)
        end
        return Failure.moved(moved, @ruby) unless moved.empty?

        unfit(found).tap { |reason| @outstanding ||= found.slice(*TO_DO) unless reason }
      end

      # Bundler is run once more if it crashes.
      def installed_by_bundler?(action, progress)
        return true if @installer.call(action, report, &progress)
        return false unless Failure.crashed?(printed)

        File.write(log, "")
        @installer.call(action, report, &progress)
      end

      # nil, or the reason if installed gems can't be used here. The result is kept: it would be the
      # same tomorrow.
      def unfit(found)
        needed = Lockfile.reach(read(file(LOCK)), found.fetch(:roots))
        gems = found.fetch(:unfit, []).select { |name, *| needed.include?(name) }
        return if gems.empty?

        give_up(unfit: gems)
        Failure.unfit(gems, @ruby)
      end

      # What fails in the same way each time, perhaps after minutes, is not tried again. Without a
      # lock, the gems may resolve differently tomorrow.
      def failed
        give_up if @app.lock && Failure.for_good?(printed, @ruby)
        explained
      end

      def explained
        output = printed
        why = Failure.explain(output, @ruby, lock: read(file(LOCK)))
        return why unless @packed && Failure.outside(output, @app.dir)

        Reason.new(**why.to_h, remedy: OUTSIDE)
      end

      # Keeps facts, not sentences, since another version of mohs may word them differently: the
      # gems that this Ruby can't use; null if the log says everything.
      def give_up(unfit: nil) = File.write(file("hopeless"), JSON.generate({ unfit: }))

      # nil, or the reason for the failure.
      def hopeless
        gems = JSON.parse(read(file("hopeless")), symbolize_names: true).fetch(:unfit)
        gems ? Failure.unfit(gems, @ruby) : explained
      rescue JSON::ParserError
        nil # not given up, or by an old mohs that kept sentences
      end

      def finish
        File.write(file(LOCK), Lockfile.installed(read(file(LOCK))))
        mark_copies if @app.lock && File.directory?(copies)
        Wrapper.write(folder, ruby: @ruby, env:)
        Manifest.write(report:, path: file("manifest.json"))
        nil
      end

      def mark_copies
        path = File.join(copies, mark)
        FileUtils.mkdir_p(File.dirname(path))
        FileUtils.touch(path)
      end

      def manifest = @manifest ||= Manifest.load(file("manifest.json"))

      def manifest!
        manifest ||
          raise(EnvironmentError,
                "the bundle of #{@app.name} for #{@ruby.name} is not installed: call install")
      end

      def file(name) = File.join(folder, name)

      def log = file("install.log")

      # The log as it may be shown and stored: without credentials, neither those of the settings
      # nor any that an address contains. Resolving may add addresses to the lock.
      def printed = Addresses.mask(Secrets::Redaction.new(credentials).call(read(log)))

      def credentials
        own = read(@app.gemfile)
        texts = [own, read(@app.lock), read(file(LOCK)), *@settings.values]
        [*Settings.credentials(@settings), *Addresses.secrets(texts.join("\n")),
         *Secrets.in_environment(@env.slice(*own.scan(/\w+/)))]
      end

      def report = file("report.json")

      def read(path)
        path && File.file?(path) ? File.read(path, encoding: Encoding::UTF_8).scrub("?") : ""
      end
    end
  end
end
