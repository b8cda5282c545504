# frozen_string_literal: true

require "digest"

module Mohs
  class Trial
    # Everything needed to boot one trial, resolved from names: which Ruby, which server, which
    # bundle, what environment. Data and decisions only; Trial has the effects.
    class Setup
      # The layout of the environment block changes results by several per cent (Mytkowicz 2009), so
      # each boot gets a different amount of padding in it.
      PADDING_BYTES = 4096

      # Where a JIT is turned on by Rails' initializers (of a release, or of its repository), or by
      # who knows what.
      BY_RAILS = %r{\A(?:railties-|rails-\h+/railties/|\z)}

      # The log of a Rails application, in the trial's folder.
      APP_LOG = "application.log"

      # Variables that ask for settings that are attested.
      TUNING = Rubies::Engines::Cruby::PRINTED.keys.freeze

      # Digits of the digest that distinguishes the caches of applications.
      DIGITS = 12

      # Loaded by the application's processes, to redirect the Rails log to the trial's folder.
      RAILS_LOG = File.expand_path("../inside/rails_log.rb", __dir__)

      # Loaded if jobs are measured: JOBS_PAGE by the server, for the page, JOBS by the worker.
      JOBS_PAGE, JOBS = %w[jobs_page jobs].map do |name|
        File.expand_path("../inside/#{name}.rb", __dir__)
      end

      # Loaded when the databases are prepared, to leave the application's schema file unchanged.
      RAILS_SCHEMA = File.expand_path("../inside/rails_schema.rb", __dir__)

      # Name of an application's database in a private service; named databases append their own
      # names.
      DATABASE = "mohs"

      attr_reader :variant, :ruby, :app, :bundle, :extension

      # shell: the environment that mohs itself was started in. extension: for this Ruby.
      #: (study: Study, variant: Study::Variant, app: App?, ruby: Rubies::Ruby?, bundle: App::Bundle?, ?random: Random, ?shell: Hash[String, String], ?extension: Probes::Extension?) -> void
      def initialize(study:, variant:, app:, ruby:, bundle:, random: Random.new, shell: ENV.to_h,
                     extension: (Probes::Extension.new(ruby:, env: shell) if ruby))
        @study = study
        @variant = variant
        @app = app
        @ruby = ruby
        @bundle = bundle
        @shell = shell
        @extension = extension
        @padding = "." * random.rand(PADDING_BYTES)
      end

      # The class of its trials.
      #: () -> Class
      def trial_class = Trial

      #: () -> String
      def engine = @ruby.engine

      # The script that its processes load first, to attest them. extension: the path of its
      # compiled extension.
      #: (?extension: String?) -> String
      def inside(extension: nil)
        Probes::Inside.script(engine: Rubies::Engines.named(engine), server: server_class,
                              extension:, profile: profiled?, block_jit: !own_jit?)
      end

      # Whether stack samples are taken.
      #: () -> bool
      def profiled? = @study.profile ? true : false

      #: () -> Array[App::Request]
      def requests = @study.requests_of(@variant)

      # Options of its interpreter, as typed.
      #: () -> Array[String]
      def flags = @variant.flags

      # With those that its environment has for the interpreter: either may set a JIT's threshold.
      #: () -> Array[String]
      def all_flags = Rubies::Engines.of(@ruby).flags_of(flags, asked)

      # May the application turn a JIT on by itself?
      #: () -> bool
      def own_jit? = @variant.own_jit

      # Are new workers forked from one that has served?
      #: () -> bool
      def reforks? = @variant.refork

      # Who signs in to the server; nil: nobody.
      #: () -> Study::Credentials?
      def login = @study.login

      # What clients do instead of the requests once these have been answered; nil: nothing else.
      #: () -> Load::Scenario?
      def scenario
        file = @study.scenario or return
        @scenario ||= file.verify || Load::Scenario::File.load(file.path)
      end

      # The jobs whose batches are its requests; nil if pages are measured.
      #: () -> Study::Jobs?
      def jobs = @study.jobs

      # The streams that are measured; nil if responses are.
      #: () -> Study::Streams?
      def streams = @study.streams

      # How its responses are read before the load: options of Http::Client.
      #: () -> Hash[Symbol, untyped]
      def reading = { redact: redaction, streams: }

      # The request that is sent until the server is ready. Jobs may need a worker, which is started
      # then.
      #: () -> App::Request
      def first_request = jobs ? jobs.inquiry : requests.first

      # What the application demands of any server before it is measured.
      #: () -> Array[App::Check]
      def checks = @app.checks

      # As App::Environment.secret_files.
      #: () -> Array[String]?
      def secret_files = App::Environment.secret_files(@app, env: @shell.merge(asked))

      # The reason why its server, its response or its preparation failed, with what the folder of
      # the application and the study say about it: all variables that it lacks, the template of a
      # file, what compiles an asset besides preparing its databases, or where it limits the rate.
      # What is to be typed is typed for this variant's Ruby and gems.
      #: (Reason?) -> Reason?
      def complete(reason)
        reason = App::KnownErrors.wrapped(reason, @bundle)
        reason = App::FetchedVariables.complete(reason, dir: @app.dir, env: @shell.merge(asked))
        reason = App::Uncompiled.complete(reason, prepare: @study.prepare, databases: databases?)
        reason = App::RateLimit.complete(reason, dir: @app.dir)
        App::Untemplated.complete(reason, dir: @app.dir)
      end

      #: (Servers::Bind, String) -> Servers::Launch
      def launch(bind, folder) = server(bind, folder).launch

      # Names of the private services that its server gets: those of the study and of the variant,
      # except those whose address the user gives.
      #: () -> Array[String]
      def services
        names = @study.services.to_a.map { |one| one.fetch(:name) } | @variant.services
        names.reject { |name| asked.key?(Services.fetch(name)::VARIABLE) }
      end

      # Whether the services are reached by TCP.
      #: () -> bool
      def tcp? = @study.jdbc?

      # The names of the application's databases in these services.
      #: () -> Array[String]
      def databases
        [DATABASE, *@app.database&.others.to_a.map { |name| "#{DATABASE}_#{name}" }]
      end

      # Whether a command of the user's, or a task of the application, fills its databases.
      #: () -> bool
      def prepares? = (!@study.prepare.nil? || task?) && databases?

      # Whether that task is the application's own, which also creates the databases.
      #: () -> bool
      def creates_databases? = @study.prepare.nil? && prepares?

      # How long the run may take; nil: no limit.
      #: () -> Numeric?
      def budget_s = @study.rules.to_h[:budget_s]

      # As in Study.
      #: () -> String
      def prepared_by = @study.prepared_by

      # The command of this task, or the user's own, under this variant's Ruby and bundle. beside:
      # variables of its services.
      #: (String, Hash[String, String]) -> Process::Command
      def preparation(folder, beside)
        env = surroundings(folder, beside).merge("DISABLE_DATABASE_ENVIRONMENT_CHECK" => "1")
        requires = [*("bundler/setup" if @bundle), RAILS_LOG, RAILS_SCHEMA]
        return own_preparation(requires, env) if @study.prepare

        @ruby.command(requires:, chdir: @app.dir, env:, script: executable("rake"),
                      args: [Study::PREPARE])
      end

      # Files to write before the server starts: { path => text }. If a separate program starts the
      # application's Ruby, this includes the script for it. beside: variables of its services.
      #: (Servers::Launch, String, ?Hash[String, String]) -> Hash[String, String]
      def files(launch, folder, beside = {})
        return launch.files unless launch.ruby_file

        launch.files.merge(launch.ruby_file => server_command(launch, folder, beside).to_script)
      end

      # The server's command under this variant's Ruby, flags, bundle and environment, with the
      # variables of its services.
      #: (Servers::Launch, String, ?Hash[String, String]) -> Process::Command
      def command(launch, folder, beside = {})
        if launch.ruby_file
          return Process::Command.new(argv: [launch.executable, *launch.args], chdir: @app.dir,
                                      env: { "TMPDIR" => folder, **launch.env })
        end

        script = launch.gem ? executable(launch.executable) : launch.executable
        server_command(launch, folder, beside, script:, args: launch.args)
      end

      # The class of the front; nil if there is none.
      #: () -> singleton(Fronts::Base)?
      def front = @variant.front && Fronts.fetch(@variant.front)

      # bind, upstream: where the front and the server listen. folder: the front's. cores: the
      # trial's.
      #: (bind: Servers::Bind, upstream: Servers::Bind, folder: String, cores: Integer) -> Fronts::Launch
      def front_launch(**given) = front.new(Fronts::Settings.new(connections:, **given)).launch

      # The front's command. If the front comes from a gem, it is a script that any Ruby may run:
      # the variant's flags and environment don't reach it.
      #: (Fronts::Launch, String) -> Process::Command
      def front_command(launch, folder)
        given = { args: launch.args, env: launch.env, chdir: folder }
        return @ruby.command(script: executable(launch.executable), **given) if launch.gem

        Process::Command.new(argv: [launch.executable, *launch.args], **given.except(:args))
      end

      # Variables of its processes: the folder of the batches of jobs, and how long a batch may
      # take.
      #: (String) -> Hash[String, String]
      def jobs_env(folder)
        return {} unless jobs

        { "MOHS_JOBS" => File.join(folder, "jobs"), "MOHS_JOBS_LIMIT_S" => jobs.limit_s.to_s }
      end

      # The command of the worker that runs its jobs, built like the server's (`command`): the first
      # word is an executable of the bundle, or a Ruby file in the application's folder.
      #: (String, ?Hash[String, String]) -> Process::Command
      def worker_command(folder, beside = {})
        name, *args = jobs.program
        script = jobs.file ? File.expand_path(name, @app.dir) : executable(name)
        ruby_command(JOBS, folder, beside, script:, args:)
      end

      # Why the worker has no command, as far as that is known before a boot; for an executable,
      # only once the bundle is installed. nil if no reason is known.
      #: () -> Reason?
      def no_worker
        executable(jobs.program.first) if jobs&.worker && !jobs.file && @bundle&.ready?
        nil
      rescue TrialError => error
        error.reason
      end

      # Logs that are written in addition to the server's output: the server's own, that of Rails,
      # and the one in the application's folder, if the application sets its log itself.
      #: (String) -> Array[String]
      def own_logs(folder)
        [*[*server_class::LOGS, APP_LOG].map { |name| File.join(folder, name) },
         File.join(@app.dir, App::OwnLog::RAILS)]
      end

      # Notes for the user about the application as it is served here.
      #: () -> Array[Analysis::Finding]
      def notes
        env = @shell.merge(asked)
        notes = [*@app.notes, *@bundle&.notes,
                 *App::Environment.notes(@app, env:, cookie: cookie?),
                 @app.database&.shortage(@variant.threads, env:)]
        notes.compact.map { |note| Analysis::Finding.note(note.code, **note.values) } + exposed +
          service_notes(env)
      end

      # What its JIT saves in its TMPDIR and prints to this log; nil if it saves nothing.
      #: (String, String) -> Probes::SavedCode?
      def saved_code(folder, log)
        engine = Rubies::Engines.named(self.engine)
        return unless engine.saves_code?(flags)

        Probes::SavedCode.new(temporary(folder), log: (log if engine.logs_code?(flags)))
      end

      # Masks the user's secrets: a server may log its environment or quote a request.
      #: () -> Secrets::Redaction
      def redaction
        @redaction ||= Secrets::Redaction.new([*@study.secrets, *scenario&.secrets])
      end

      # Versions of the gems that serve, for provenance: differences between Rubies must be visible.
      #: () -> Hash[String, String]
      def versions
        return {} unless @bundle

        @bundle.versions.slice(*@variant.gems(@ruby).keys, "rack", "rails", "railties")
      end

      # The JIT that the attestation must report; nil if none is declared.
      #: () -> String?
      def expected_jit = expected[:jit]

      # What the attestation must report: { jit: "yjit", mn_threads: true }. A JIT that no flag asks
      # for is off, unless the variant leaves it to the application.
      #: () -> Hash[Symbol, untyped]
      def expected
        engine = Rubies::Engines.of(@ruby)
        none = { jit: engine.class::NO_JIT } if engine.class::JITS.any? && !own_jit?
        { **none.to_h, **engine.expects(flags, asked) }
      end

      # The flags and variables that ask for these settings, as the user would write them.
      #: () -> String
      def asked_by
        engine = Rubies::Engines.named(self.engine)
        variables = asked.select { |name, _| [engine::OPTIONS, *TUNING].include?(name) }
        [*flags, *variables.map { |name, value| "#{name}=#{value}" }].join(" ")
      end

      # The JIT that the application turns on, or would have turned on: { jit:, where: }, from what
      # its processes report. If Rails does it, the line of the application that has it do so; nil
      # if that is not known.
      #: (Hash[Symbol, untyped]) -> { jit: String, where: String? }?
      def jit_by_app(facts)
        found = facts[:jit_by_app] || ({ jit: facts[:jit] } if by_app?(facts[:jit])) or return
        called = found[:where]
        called = @app.own_jit.where if called.to_s.match?(BY_RAILS) && @app.own_jit
        { jit: found[:jit], where: called }
      end

      # Did the user name the variants?
      #: () -> bool
      def named? = @study.named ? true : false

      # What its processes must do once the application is loaded ("compact").
      #: () -> Array[String]
      def preparations = @variant.preparations

      # Whether these preparations run before the server forks, so that its workers share the
      # result. Otherwise they run in each process.
      #: () -> bool
      def prepared_before_fork?
        own = @variant.config || @study.own_config
        forks = @variant.processes.to_i > 1
        @variant.preload || (server_class::ALWAYS_PRELOADS && forks && !own)
      end

      # The flags of the variant that appear in the command line of its process.
      #: (Array[String]) -> Array[String]
      def attested_flags(words)
        engine = Rubies::Engines.of(@ruby)
        flags.select { |flag| engine.started_with?(flag, words) }
      end

      # The libraries that the user asked to preload. Raises EnvironmentError if an allocator
      # given by name is not installed.
      #: () -> Array[String]
      def preloaded = Process::Allocators.words(preload.values.first)

      # Variables of the variant that the allocator with this name does not read.
      #: (String) -> Array[String]
      def ignored_by(allocator) = Process::Allocators.foreign(@variant.env.keys, allocator)

      # A server, as written in a variant, that runs the application in processes with one request
      # at a time in each; nil if this setup does that already.
      #: () -> String?
      def one_at_a_time
        server_class.one_at_a_time(processes: @variant.processes, threads: @variant.threads,
                                   forks: Rubies::Engines.named(engine)::FORKS)
      end

      #: () -> String
      def stop_signal = server_class.stop_signal

      # What the study holds equal; nil if nothing.
      #: () -> Hash[Symbol, Integer?]?
      def held = @study.hold&.to_h

      #: () -> Integer
      def connections = @study.connections_of(@variant)

      # Whether it gets as many connections as keep its threads busy.
      #: () -> bool
      def fills_threads? = @study.procedure.loading.fills_threads?

      # How many these are, for a server with so many processes and threads; nil if these are not
      # known.
      #: (processes: Integer?, threads: Integer?) -> Integer?
      def busy_connections(...) = @study.procedure.loading.busy_connections(...)

      # Requests per second that fall due; nil: closed loop.
      #: () -> Integer?
      def rate = @variant.rate

      # As in Load::Target.
      #: () -> Symbol
      def keep_alive = @variant.close ? :asked : :on

      private

      # Does a JIT run that only the application can have turned on?
      def by_app?(jit)
        engine = Rubies::Engines.of(@ruby)
        own_jit? && engine.class::JITS.include?(jit) &&
          engine.expects_jit(flags, asked).nil?
      end

      def exposed
        return [] if front.nil? || front::LOOPBACK

        [Analysis::Finding.note("front_exposed", front: front.label)]
      end

      # Services that mohs started because the application asks for them; and services that are not
      # private, whose data the load reads and writes.
      def service_notes(env)
        started = @study.services.to_a.select { |one| one[:by] && services.include?(one[:name]) }
        started.map { |one| Analysis::Finding.note("service_started", **one.slice(:name, :by)) } +
          own_services(env)
      end

      def own_services(env)
        wanted = @app.needs.map(&:service)
        Services.offered.filter_map do |member|
          name = member.label
          next if services.include?(name)

          url = (wanted.include?(name) ? env : asked)[member::VARIABLE].to_s
          next unless member.url?(url)

          where = url[%r{\A[^:]+://(?:[^@/]*@)?([^?]*)}, 1]
          Analysis::Finding.note("service_own", name:, variable: member::VARIABLE, where:)
        end
      end

      def server_command(launch, folder, beside, **script)
        bundled = launch.gem || launch.ruby_file
        ruby_command((JOBS_PAGE if jobs), folder, beside, bundled:, env: launch.env, **script)
      end

      # own: the file of mohs that it loads; nil: none.
      def ruby_command(own, folder, beside, bundled: true, env: {}, **script)
        @ruby.command(
          flags:, env: environment(folder, beside).merge(env),
          requires: bundled ? ["bundler/setup", *(RAILS_LOG if @app.rails?), *own] : [],
          chdir: @app.dir, **script
        )
      end

      # A missing executable is the result of its variant; the other variants of the cohort go on.
      def executable(name)
        @bundle.executable(name)
      rescue EnvironmentError => error
        raise TrialError.new(error.message, state: :refused, code: "no_command",
                                            values: { text: error.message })
      end

      def server_class = Servers.fetch(@variant.server)

      def server(bind, folder)
        settings = Servers::Settings.new(
          processes: @variant.processes, threads: @variant.threads, preload: @variant.preload,
          refork: @variant.refork, own_config: @study.own_config, config: @variant.config, bind:,
          folder:, version: @bundle&.version(server_class.gem)
        )
        server_class.new(settings, app: @app)
      end

      # The files loaded first are in the trial's folder: RUBYOPT is split at spaces, and the path
      # of mohs's own folder may contain some. Temporary files that the server leaves behind are
      # removed with the trial's folder.
      def environment(folder, beside)
        attest = "-r#{File.join(folder, Probes::Inside::FILE)}"
        surroundings(folder, beside).merge(
          "MOHS_INSIDE" => File.join(folder, "inside"), "MOHS_PADDING" => @padding,
          "MOHS_BEFORE_FORK" => (preparations.join(" ") if prepared_before_fork?),
          "RUBYOPT" => [attest, asked["RUBYOPT"]].compact.join(" "),
          "TMPDIR" => temporary(folder), **jobs_env(folder)
        )
      end

      def task? = @app.rails? && !@bundle.nil? && File.file?(File.join(@app.dir, "Rakefile"))

      def databases? = services.any? { |name| Services.fetch(name)::DATABASES }

      # A shell that finds the bundle's executables first, then this Ruby's, and whose processes
      # require what the task's does.
      def own_preparation(requires, env)
        env = @ruby.command(env:).env
        folders = App::Bundle::Wrapper.folders(@ruby, env["GEM_HOME"])
        path = [*folders, *(env["PATH"] || @shell["PATH"])].join(":")
        options = [*requires.map { |name| "-r#{name}" }, env["RUBYOPT"]].compact.join(" ")
        Process::Command.new(argv: ["sh", "-c", @study.prepare], chdir: @app.dir,
                             env: env.merge("PATH" => path, "RUBYOPT" => options))
      end

      def temporary(folder) = asked.fetch("TMPDIR", folder)

      # The environment of every process that runs the application.
      def surroundings(folder, beside)
        bundled = @bundle ? @bundle.env : {}
        libraries = [bundled["RUBYLIB"], asked["RUBYLIB"]].compact
        App::Environment.for(@app, threads: @variant.threads, env: @shell.merge(asked)).merge(
          beside, asked, preload, bundled, rails(folder),
          "RUBYLIB" => (libraries.join(":") if libraries.any?)
        )
      end

      # What Rails would write into the application's folder goes elsewhere: its log, and bootsnap's
      # cache, which the next boot reuses.
      def rails(folder)
        return {} unless @app.rails?

        own = Digest::SHA256.hexdigest(@app.dir)[0, DIGITS]
        cache = @shell.merge(asked)["BOOTSNAP_CACHE_DIR"] ||
                File.join(Folders.cache(@shell), "bootsnap", own)
        { "MOHS_APP_LOG" => File.join(folder, APP_LOG), "BOOTSNAP_CACHE_DIR" => cache }
      end

      # Whether clients send a cookie that the user wrote down.
      def cookie?
        [*requests, *checks.map(&:request), *scenario&.steps].any? do |request|
          request.headers.keys.any? { |name| name.casecmp?("Cookie") }
        end
      end

      def preload
        asked.slice("LD_PRELOAD").transform_values { |value| Process::Allocators.preload(value) }
      end

      # The user's variables, for all servers and for this variant.
      def asked = @study.env.merge(@variant.env)
    end
  end
end
