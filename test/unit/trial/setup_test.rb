# frozen_string_literal: true

require "test_helper"

# What a trial starts, as data: nothing is spawned here.
class TrialSetupTest < Mohs::TestCase
  FOLDER = "/scratch/7"
  BIND = Mohs::Servers::Bind.new(host: "127.0.0.1", port: 20_001).freeze

  # Installed, by its own word.
  class Bundle
    def initialize(env) = @env = env
    def env = { "BUNDLE_GEMFILE" => "/bundle/Gemfile", **@env }
    def executable(name) = "/bundle/bin/#{name}"
    def notes = []
    def wrapper = "sh /bundle/run"
    def version(gem) = versions[gem]

    def versions
      { "puma" => "8.0.2", "rack" => "3.2.1", "rake" => "13.0.1", "thruster" => "0.1.22" }
    end
  end

  ENGINES = { "ruby" => "3.4.5", "jruby" => "10.0.2.0", "truffleruby" => "25.0.0" }.freeze

  ENGINES.each do |engine, version|
    test "on #{engine} Bundler is set up before the server's executable, behind the flags" do
      command = command(engine:, version:, flags: ["--a"])

      assert_equal ["/rubies/#{version}/bin/ruby", "--a", "-rbundler/setup", "/bundle/bin/puma",
                    "-C", "#{FOLDER}/puma.rb", "config.ru"], command.argv
      assert_equal "/bundle/Gemfile", command.env["BUNDLE_GEMFILE"]
      assert_equal "/apps/a b", command.chdir
    end
  end

  %w[puma unicorn falcon webrick mock].each do |server|
    test "#{server} is told where to listen and to answer questions, and that this is production" do
      command = command(server:, env: { "OWN" => "1" })

      assert_includes [*command.argv, *@launch.files.values].join(" "), "20001"
      assert_equal ["production", "1", "#{FOLDER}/inside", "-r#{FOLDER}/attest.rb"],
                   command.env.values_at("RACK_ENV", "OWN", "MOHS_INSIDE", "RUBYOPT")
      assert(@launch.files.keys.all? { |path| path.start_with?("#{FOLDER}/") })
    end
  end

  test "without a flag no JIT is expected, unless the application decides" do
    assert_equal({ jit: "off" }, setup.expected)
    assert_equal({ jit: "yjit" }, setup(flags: ["--yjit"]).expected)
    assert_equal({ jit: "yjit" }, setup(env: { "RUBY_YJIT_ENABLE" => "1" }).expected)
    assert_empty setup(own_jit: true).expected
    assert_empty setup(engine: "jruby", version: "10.0.2.0").expected
    assert_includes setup.inside, "BLOCK_JIT = true"
    assert_includes setup(own_jit: true).inside, "BLOCK_JIT = false"
  end

  test "where the application turns its JIT on: the line that calls, else the one that is set" do
    by_app = lambda do |found, jit: "off", **options|
      own = Mohs::App::OwnJit.new(jit: "yjit", where: "config/application.rb:24")
      setup(**options, own:).jit_by_app({ jit:, jit_by_app: found })
    end

    assert_equal({ jit: "yjit", where: "a.rb:3" }, by_app.call({ jit: "yjit", where: "a.rb:3" }))
    assert_equal({ jit: "yjit", where: "config/application.rb:24" },
                 by_app.call({ jit: "yjit", where: "railties-8.1.3/lib/rails.rb:3" }))
    assert_equal({ jit: "yjit", where: "config/application.rb:24" },
                 by_app.call({ jit: "yjit", where: "rails-2a2db1e8d6d1/railties/lib/a.rb:3" }))
    fast = { jit: "zjit", where: "fast-1.0/lib/fast.rb:2" }
    assert_equal fast, by_app.call(fast)
    assert_nil by_app.call(nil)
    assert_equal({ jit: "yjit", where: "config/application.rb:24" },
                 by_app.call(nil, jit: "yjit", own_jit: true))
    assert_nil by_app.call(nil, jit: "yjit", flags: ["--yjit"], own_jit: true)
  end

  test "a load of its own takes precedence over that of the study" do
    own = setup(connections: 6, get: "/own", close: true)

    assert_equal [6, ["GET /own"], :asked],
                 [own.connections, own.requests.map(&:to_s), own.keep_alive]
    assert_equal [4, ["GET /"], :on],
                 [setup.connections, setup.requests.map(&:to_s), setup.keep_alive]
  end

  test "a server without gems needs no bundle and starts from mohs itself" do
    command = command(server: "mock", bundle: nil)

    assert_equal ["/rubies/3.4.5/bin/ruby", Mohs::Servers::Mock::SCRIPT], command.argv.first(2)
    refute_includes command.env.keys, "BUNDLE_GEMFILE"
    assert_equal({}, setup(server: "mock", bundle: nil).versions)
  end

  test "what a server leaves behind is in the trial's folder, unless the person says where" do
    result = [%w[--mjit], %w[--yjit]].map { |flags| command(flags:).env["TMPDIR"] }

    assert_equal [FOLDER, FOLDER], result
    assert_equal "/own", command(flags: ["--mjit"], env: { "TMPDIR" => "/own" }).env["TMPDIR"]
  end

  test "what MJIT saves is looked for where it is left, its times in the log if it prints them" do
    with_files("own/x" => "", "log" => "") do |folder|
      own = { "TMPDIR" => "#{folder}/own" }
      flags = [%w[--mjit], %w[--mjit-save-temps], %w[--mjit-save-temps --mjit-verbose=1]]
      none, quiet, told = flags.map do |each|
        setup(flags: each).saved_code(folder, "#{folder}/log")
      end

      assert_nil none
      assert_equal %i[methods pieces code_bytes], quiet.read.keys
      assert_equal 0, told.read[:compile_ns]
      assert setup(flags: flags[1], env: own).saved_code("/nowhere", "/nowhere/log").read
    end
  end

  test "so is what a program of its own does, whose application has the person's" do
    one = setup(server: "passenger", env: { "TMPDIR" => "/own" })
    launch = one.launch(BIND, FOLDER)

    assert_equal({ "TMPDIR" => FOLDER, "PASSENGER_INSTANCE_REGISTRY_DIR" => FOLDER },
                 one.command(launch, FOLDER).env)
    assert_match(%r{TMPDIR=/own\b}, one.files(launch, FOLDER).fetch(launch.ruby_file))
  end

  test "Passenger's sockets stay out of a folder whose path is too long for them" do
    one = setup(server: "passenger")
    folders = [62, 63].map { |bytes| "/#{'é' * 20}".ljust(bytes - 20, "x") }
    result = folders.map do |folder|
      one.command(one.launch(BIND, folder), folder).env["PASSENGER_INSTANCE_REGISTRY_DIR"]
    end

    assert_equal [folders.first, "/tmp"], result
  end

  test "nothing of the environment that mohs was started in is passed on by name" do
    shell = { "RUBYOPT" => "-rbundler/setup", "BUNDLE_GEMFILE" => "/mohs/Gemfile",
              "MOHS_DATABASE_URL" => "postgres://secret@x", "RUBYLIB" => "/mohs/lib",
              "GEM_HOME" => "/mohs/gems", "OTHER" => "x" }
    result = command(shell:).env

    assert_equal ["/bundle/Gemfile", nil, nil],
                 result.values_at("BUNDLE_GEMFILE", "GEM_HOME", "RUBYLIB")
    refute_match(/mohs.(lib|gems|Gemfile)|secret|OTHER/, result.to_s)
  end

  test "no variable that Ruby splits at spaces names a folder of mohs or of the application" do
    assert_equal ["-r#{FOLDER}/attest.rb"], command.env.fetch("RUBYOPT").split
  end

  test "the flags of its environment come before its own" do
    options = { flags: ["--yjit"], env: { "RUBYOPT" => "-W0 --yjit-call-threshold=60" } }

    assert_equal %w[-W0 --yjit-call-threshold=60 --yjit], setup(**options).all_flags
  end

  test "the person's RUBYOPT and RUBYLIB stand behind those that a boot needs" do
    bundle = Bundle.new({ "RUBYLIB" => "/own/rubygems" })
    result = command(bundle:, env: { "RUBYOPT" => "-W0", "RUBYLIB" => "/theirs" }).env

    assert_equal ["-r#{FOLDER}/attest.rb -W0", "/own/rubygems:/theirs"],
                 result.values_at("RUBYOPT", "RUBYLIB")
  end

  test "the variant's variables beat the study's, the bundle's both, and all of them the Ruby's" do
    result = command(study_env: { "A" => "study", "B" => "study", "JAVA_HOME" => "/jdk/theirs" },
                   env: { "B" => "variant", "BUNDLE_GEMFILE" => "/theirs" },
                   launch_env: { "JAVA_HOME" => "/jdk/21", "JAVA_OPTS" => "-x" }).env

    assert_equal %w[study variant /bundle/Gemfile /jdk/theirs -x],
                 result.values_at("A", "B", "BUNDLE_GEMFILE", "JAVA_HOME", "JAVA_OPTS")
  end

  test "RACK_ENV is production unless the person says otherwise, threads size the pool" do
    assert_equal(%w[staging production 3], command(env: { "RACK_ENV" => "staging" }, threads: 3)
      .env.values_at("RACK_ENV", "RAILS_ENV", "RAILS_MAX_THREADS"))
  end

  test "the size of the environment differs from boot to boot, and is the same for the same seed" do
    sizes = Array.new(40) { |seed| padding(seed) }

    assert_equal sizes, (Array.new(40) { |seed| padding(seed) })
    assert_operator sizes.uniq.size, :>, 35
    assert_operator sizes.minmax.reduce { |least, most| most - least }, :>, 2048
    assert_operator sizes.max, :<, Mohs::Trial::Setup::PADDING_BYTES
  end

  test "what Rails writes into its folder goes elsewhere, and of others nothing is changed" do
    command = command(rails: true, shell: { "XDG_CACHE_HOME" => "/cache" })
    hook = "-r#{File.join(Mohs.root, 'lib/mohs/inside/rails_log.rb')}"

    assert_equal ["-rbundler/setup", hook], command.argv.grep(/\A-r/)
    assert_equal "#{FOLDER}/application.log", command.env["MOHS_APP_LOG"]
    assert_match(%r{\A/cache/mohs/bootsnap/\h{12}\z}, command.env["BOOTSNAP_CACHE_DIR"])
    assert_equal ["#{FOLDER}/application.log", "/apps/a b/log/production.log"],
                 setup(rails: true).own_logs(FOLDER)
    refute_includes command().argv.join(" "), "rails_log"
    refute_includes command().env.keys, "MOHS_APP_LOG"
  end

  test "the person's own cache of bootsnap is used" do
    shell = { "BOOTSNAP_CACHE_DIR" => "/theirs" }

    assert_equal "/theirs", command(rails: true, shell:).env["BOOTSNAP_CACHE_DIR"]
    env = command(rails: true, shell:, env: { "BOOTSNAP_CACHE_DIR" => "/asked" }).env
    assert_equal "/asked", env["BOOTSNAP_CACHE_DIR"]
  end

  test "a variant's options reach the server's settings" do
    launch = ->(**options) { setup(**options).launch(BIND, FOLDER).files.values.join }

    assert_match(/^preload_app!$/, launch.call(preload: true, processes: 2))
    assert_match(/^preload_app! false$/, launch.call(processes: 2))
    assert_includes launch.call(server: "pitchfork", refork: true), "refork_after ["
    refute_includes launch.call(server: "pitchfork"), "refork_after"
  end

  test "what is to be done before workers are forked is told to the process that forks them" do
    orders = lambda do |**options|
      options = { compact: true, warmup: true, threads: 1, **options }
      [setup(**options).prepared_before_fork?, command(**options).env["MOHS_BEFORE_FORK"]]
    end
    assert_equal [true, "compact warmup"], orders.call(preload: true, processes: 2)
    assert_equal [false, nil], orders.call(processes: 2)
    assert_equal [true, "compact warmup"], orders.call(server: "pitchfork", processes: 2)
    assert_equal [false, nil], orders.call(server: "pitchfork", processes: 1)
    assert_equal %w[compact], setup(compact: true).preparations
    assert_empty setup.preparations
  end

  test "versions are those of what serves, and no others" do
    assert_equal({ "puma" => "8.0.2", "rack" => "3.2.1" }, setup.versions)
  end

  test "a front's program is started without anything of the variant's" do
    one = setup(front: "nginx", flags: %w[--yjit], env: { "LD_PRELOAD" => "x" })
    command = front_command(one)

    assert_match(%r{/nginx\z}, command.argv.first)
    assert_equal [{}, "/scratch/7/front"], [command.env, command.chdir]
    text = one.front_launch(**FRONT).files.values.join
    assert_match(/keepalive #{one.connections};/, text)
    assert_nil setup.front
  end

  test "a front of a gem is started by the variant's Ruby, which only gives way to its program" do
    one = setup(front: "thruster", flags: %w[--yjit], env: { "LD_PRELOAD" => "x" })
    command = front_command(one)

    assert_equal ["/rubies/3.4.5/bin/ruby", "/bundle/bin/thrust", "sleep", "infinity"],
                 command.argv
    assert_empty command.env.keys.grep_v(/\A(?:THRUSTER_|TLS_DOMAIN)/)
    assert_equal({ "puma" => "8.0.2", "thruster" => "0.1.22", "rack" => "3.2.1" }, one.versions)
  end

  test "a front that others can reach is noted" do
    codes = ["nginx", "thruster", nil].map { |front| setup(front:).notes.map(&:code) }

    assert_equal [[], %w[front_exposed], []], codes.map { |all| all.grep(/\Afront/) }
  end

  test "a bundle without the front's executable refuses the variant" do
    bundle = Bundle.new({})
    def bundle.executable(name) = raise(Mohs::EnvironmentError, "no #{name}")
    error = assert_raises(Mohs::TrialError) { front_command(setup(front: "thruster", bundle:)) }

    assert_equal [:refused, "no_command", "no thrust"],
                 [error.state, error.reason.code, error.message]
  end

  INSIDE = File.join(Mohs.root, "lib/mohs/inside").freeze

  test "where jobs are measured the server loads the page, and is asked for its queue first" do
    one = setup(jobs: Mohs::Study::Jobs.parse(limit: "5s"))
    command = one.command(one.launch(BIND, FOLDER), FOLDER)

    assert_equal ["-rbundler/setup", "-r#{INSIDE}/jobs_page.rb"], command.argv.grep(/\A-r/)
    assert_equal ["#{FOLDER}/jobs", "5.0"],
                 command.env.values_at("MOHS_JOBS", "MOHS_JOBS_LIMIT_S")
    assert_equal "GET /.mohs/jobs?count=0", one.first_request.to_s
    assert_equal [[], "GET /"], [command().argv.grep(/jobs/), setup.first_request.to_s]
    refute_includes command().env, "MOHS_JOBS"
  end

  { "sidekiq -c 5" => ["/bundle/bin/sidekiq", "-c", "5"],
    "bundle exec sidekiq" => ["/bundle/bin/sidekiq"],
    "bundle exec ruby work.rb 'a b'" => ["/apps/a b/work.rb", "a b"],
    "bin/jobs start" => ["/apps/a b/bin/jobs", "start"],
    "/opt/own/worker" => ["/opt/own/worker"] }.each do |worker, words|
    test "the worker `#{worker}` has the server's Ruby, flags, bundle, environment and services" do
      one = setup(jobs: Mohs::Study::Jobs.parse(worker:), flags: ["--yjit"], env: { "OWN" => "1" })
      command = one.worker_command(FOLDER, { "REDIS_URL" => "redis://private" })

      assert_equal ["/rubies/3.4.5/bin/ruby", "--yjit", "-rbundler/setup", "-r#{INSIDE}/jobs.rb",
                    *words], command.argv
      assert_equal ["/bundle/Gemfile", "1", "redis://private", "#{FOLDER}/jobs", "/apps/a b"],
                   [*command.env.values_at("BUNDLE_GEMFILE", "OWN", "REDIS_URL", "MOHS_JOBS"),
                    command.chdir]
    end
  end

  test "a worker that no gem of the bundle has is the variant's own result" do
    bundle = Bundle.new({})
    def bundle.executable(name) = raise(Mohs::EnvironmentError, "no #{name}")
    one = setup(jobs: Mohs::Study::Jobs.parse(worker: "sidekiq"), bundle:)
    error = assert_raises(Mohs::TrialError) { one.worker_command(FOLDER) }

    assert_equal [:refused, "no_command", "no sidekiq"],
                 [error.state, error.reason.code, error.message]
  end

  test "before a boot a worker is known to be missing once the bundle is installed" do
    ready, found = true, nil
    bundle = Bundle.new({})
    bundle.define_singleton_method(:ready?) { ready }
    bundle.define_singleton_method(:executable) { |name| found || raise(Mohs::EnvironmentError, "no #{name}") }
    reason = lambda do |worker|
      setup(jobs: Mohs::Study::Jobs.parse(worker:), bundle:).no_worker
    end

    assert_equal ["no_command", "no sidekiq"],
                 reason.call("bundle exec sidekiq").to_h.values_at(:code, :summary)
    assert_equal [nil, nil], [reason.call("bin/jobs"), reason.call(nil)]
    ready = false
    assert_nil reason.call("sidekiq")
    ready, found = true, "/bundle/bin/sidekiq"
    assert_nil reason.call("sidekiq")
    assert_nil setup(bundle:).no_worker
  end

  test "variables of its services lead the server to them, and the person's own take precedence" do
    beside = { "DATABASE_URL" => "postgresql://private", "REDIS_URL" => "redis://private" }
    one = setup(study_env: { "REDIS_URL" => "redis://own" })
    command = one.command(one.launch(BIND, FOLDER), FOLDER, beside)

    assert_equal ["postgresql://private", "redis://own"],
                 command.env.values_at("DATABASE_URL", "REDIS_URL")
  end

  test "it has the services of the study and its own, but those whose address the person gives" do
    asked = [{ name: "redis", by: nil }]
    assert_equal %w[redis postgresql], setup(asked:, services: %w[postgresql redis]).services
    assert_equal [], setup.services
    assert_equal %w[redis], setup(asked:, services: %w[postgresql],
                                  env: { "DATABASE_URL" => "sqlite3:x" }).services
    assert_equal %w[redis], setup(asked:, shell: { "REDIS_URL" => "redis://x" }).services
  end

  test "a Rails application with a Rakefile fills its databases by its own task" do
    with_files("Rakefile" => "") do |dir|
      one = setup(asked: [{ name: "postgresql", by: nil }], dir:, rails: true,
                  shell: { "XDG_CACHE_HOME" => dir }, flags: ["--yjit"])
      assert_predicate one, :prepares?
      assert_predicate one, :creates_databases?
      command = one.preparation(FOLDER, { "DATABASE_URL" => "postgresql://private" })

      assert_equal ["/bundle/bin/rake", "db:prepare"], command.argv.last(2)
      assert_equal [dir, "postgresql://private", "production", "1", nil, nil],
                   [command.chdir, *command.env.values_at(
                     "DATABASE_URL", "RAILS_ENV", "DISABLE_DATABASE_ENVIRONMENT_CHECK", "RUBYOPT",
                     "MOHS_INSIDE"
                   )]
      assert_equal "#{FOLDER}/application.log", command.env["MOHS_APP_LOG"]
      [{ asked: [{ name: "redis", by: nil }] }, { rails: false }, { dir: "/nowhere" },
       { bundle: nil }].each do |change|
        usual = { asked: [{ name: "postgresql", by: nil }], dir:, rails: true }
        refute_predicate setup(**usual, **change), :prepares?
      end
    end
  end

  test "an application's databases have names of their own" do
    assert_equal %w[mohs], setup.databases
    text = "production: {primary: {adapter: postgresql}, cache: {adapter: postgresql}}"
    assert_equal %w[mohs mohs_cache], setup(database: Mohs::App::Database.parse(text)).databases
  end

  test "a service that the application asked for is noted, as is one that is the person's own" do
    database = Mohs::App::Need.new(service: "postgresql", by: "config/database.yml", variables: [])
    note = ->(**options) { setup(**options).notes.map { |one| [one.code, one.values] } }

    assert_equal [["service_started", { name: "postgresql", by: "config/database.yml" }]],
                 note.call(asked: [{ name: "postgresql", by: "config/database.yml" }],
                           needs: [database])
    assert_empty note.call(asked: [{ name: "postgresql", by: nil }], needs: [database])
    own = "postgresql://me:hunter2@db.example:5433/shop?sslmode=off"
    found = [["service_own", { name: "postgresql", variable: "DATABASE_URL",
                               where: "db.example:5433/shop" }]]
    assert_equal found, note.call(study_env: { "DATABASE_URL" => own })
    assert_equal found, note.call(shell: { "DATABASE_URL" => own }, needs: [database])
    assert_empty note.call(shell: { "DATABASE_URL" => own })
    assert_empty note.call(study_env: { "DATABASE_URL" => "sqlite3:x" })
  end

  { "puma" => "TERM", "unicorn" => "QUIT", "webrick" => "INT" }.each do |server, signal|
    test "#{server} is stopped by #{signal}" do
      assert_equal signal, setup(server:).stop_signal
    end
  end

  test "a cookie can't be read with a temporary secret, which is noted" do
    cookie = Mohs::App::Request.build(path: "/", headers: { "cookie" => "a=b" })
    note = lambda do |**options|
      setup(rails: true, **options).notes.map { |one| Mohs::Report::Render.call(one) }
    end

    assert_match(/\ASECRET_KEY_BASE .*cookie .*--env SECRET_KEY_BASE=/,
note.call(requests: [cookie]).join)
    assert_match(/\ASECRET_KEY_BASE (?!.*cookie).*--env SECRET_KEY_BASE=/, note.call.join)
    assert_empty note.call(requests: [cookie], study_env: { "SECRET_KEY_BASE" => "x" })
  end

  test "the files with the application's own secret matter if it gets a temporary one" do
    files = ->(**options) { setup(rails: true, **options).secret_files }

    assert_equal [[], nil, nil], [files.call, files.call(env: { "SECRET_KEY_BASE" => "x" }),
                                  files.call(rails: false)]
  end

  private

  test "a variable that is missing is named with the others of the folder that are not set" do
    Dir.mktmpdir do |dir|
      FileUtils.mkdir(File.join(dir, "config"))
      File.write(File.join(dir, "config/application.rb"),
                 %w[KEY SHELL ASKED SALT].map { |name| "ENV.fetch('#{name}')\n" }.join)
      reason = Mohs::Reason.new(summary: "it needs the variable KEY", remedy: "--env KEY=...",
                                code: "variable_missing", values: { variable: "KEY" })
      one = setup(dir:, shell: { "SHELL" => "x" }, study_env: { "ASKED" => "x" })

      assert_equal %w[KEY SALT], one.complete(reason).remedy.scan(/--env (\w+)=/).flatten
    end
  end

  test "an asset is compiled as the databases are prepared, if mohs prepares them" do
    reason = Mohs::App::KnownErrors.explain(log: "asset 'a.css' was not found")
    remedy = ->(**options) { setup(prepare: "bin/fill", **options).complete(reason).remedy }

    assert_equal "--prepare \"bin/fill && bin/rails assets:precompile\"",
                 remedy.call(asked: [{ name: "postgresql", by: nil }])
    refute_includes remedy.call(asked: [{ name: "redis", by: nil }]), "--prepare"
  end

  test "what prepares a database is typed for the variant's Ruby and gems" do
    reason = Mohs::App::KnownErrors.explain(log: "Could not find table 'posts'")
    remedy = ->(**options) { setup(**options).complete(reason).remedy }

    assert_match(%r{: sh /bundle/run bin/rails db:prepare \(add}, remedy.call)
    assert_equal reason.remedy, remedy.call(bundle: nil)
  end

  test "a limit on the rate is looked for in the application's folder" do
    with_files("lib/a.rb" => "throttle(1)") do |dir|
      limited = Mohs::Reason.new(code: "error_status", values: { status: 429 })
      assert_equal "lib/a.rb", setup(dir:).complete(limited).values.dig(:limit, :file)
    end
  end

  def padding(seed) = command(random: Random.new(seed)).env.fetch("MOHS_PADDING").size

  FRONT = { bind: Mohs::Servers::Bind.new(host: "127.0.0.1", port: 20_002), upstream: BIND,
            folder: "#{FOLDER}/front", cores: 2 }.freeze

  # The services' databases belong to mohs: what fills them is a shell of the user's.
  test "the user's own command fills them in its place, under the same Ruby and gems" do
    one = setup(asked: [{ name: "postgresql", by: nil }], rails: false,
                bundle: Bundle.new({ "GEM_HOME" => "/gems" }), prepare: "bin/fill || true",
                shell: { "PATH" => "/usr/bin" }, dir: "/apps/shop")
    assert_predicate one, :prepares?
    refute_predicate one, :creates_databases?, "it finds them, empty"
    command = one.preparation(FOLDER, { "DATABASE_URL" => "postgresql://private" })

    assert_equal ["sh", "-c", "bin/fill || true"], command.argv
    assert_equal ["/apps/shop", "postgresql://private", "1"],
                 [command.chdir, *command.env.values_at("DATABASE_URL",
                                                        "DISABLE_DATABASE_ENVIRONMENT_CHECK")]
    assert_match(%r{\A/gems/bin:/.+:/usr/bin\z}, command.env["PATH"])
    assert_match(%r{\A-rbundler/setup -r/.+rails_log}, command.env["RUBYOPT"])
    refute_predicate setup(asked: [{ name: "redis", by: nil }], prepare: "x"), :prepares?
  end

  def front_command(one) = one.front_command(one.front_launch(**FRONT), "#{FOLDER}/front")

  def command(**options)
    one = setup(**options)
    @launch = one.launch(BIND, FOLDER)
    one.command(@launch, FOLDER)
  end

  def setup(engine: "ruby", version: "3.4.5", server: "puma", flags: [], env: {}, study_env: {},
            threads: 5, launch_env: nil, requests: [Mohs::App::Request.build(path: "/")],
            bundle: Bundle.new({}), random: Random.new(1), shell: {}, preload: false,
            rails: false, services: [], asked: nil, needs: [], dir: "/apps/a b",
            database: nil, processes: 1, jobs: nil, own: nil, prepare: nil, **preparations)
    variant = Mohs::Study::Variant.new(name: "it", ruby: version, engine:, flags:, server:,
                                       processes:, threads:, env:, preload:, services:,
                                       **preparations)
    study = Mohs::Study.new(app: dir, requests:, variants: [variant], env: study_env,
                            services: asked, jobs:, prepare:)
    app = Mohs::App.new(name: "a b", dir:, checks: [], notes: [], rails:, needs:, database:,
                        own_jit: own)
    Mohs::Trial::Setup.new(study:, variant:, app:, bundle:, random:, shell:,
                           ruby: Mohs::FakeRubies.ruby(version, engine:, launch_env:))
  end
end
