# frozen_string_literal: true

require "test_helper"

# A trial's life with real servers, up to the first load: booted from a bundle, attested, checked,
# stopped.
class TrialIntegrationTest < Mohs::TestCase
  # What a trial must not inherit from the mohs that starts it.
  SHELL = ENV.to_h.merge("BUNDLE_GEMFILE" => "/nowhere/Gemfile", "RUBYOPT" => "-rnowhere",
                         "RUBYLIB" => "/nowhere").freeze

  [["0", 1, 1], ["1", 1, 2], ["2", 2, 3]].each do |written, workers, processes|
    test "the application's own configuration with workers #{written} is honoured and attested" do
      live("own_config", "puma:1x5", own_config: true, env: { "OWN_WORKERS" => written }) do |trial|
        facts = trial.attested

        assert_equal [workers, processes, 2], facts.values_at(:workers, :processes, :threads)
        assert_equal [workers, []], [trial.declared_workers, facts[:unattested]]
      end
    end
  end

  test "a pidfile that the application's own configuration names is left as it is" do
    with_files("server.pid" => "4711") do |folder|
      path = File.join(folder, "server.pid")
      env = { "OWN_WORKERS" => "0", "OWN_PIDFILE" => path }
      live("own_config", "puma", own_config: true, env:) do |trial|
        assert_equal "4711", File.read(path)
        assert_predicate trial.pids, :any?
      end

      assert_equal "4711", File.read(path)
    end
  end

  test "workers forked from a preloaded application answer for themselves" do
    env = { "OWN_WORKERS" => "2", "OWN_PRELOAD" => "1" }
    live("own_config", "puma", own_config: true, env:, flags: ["--yjit"]) do |trial|
      assert_equal [2, 2, "yjit", true],
                   trial.attested.values_at(:workers, :threads, :jit, :preload)
    end
  end

  test "a server on a unix socket is asked, attested and loaded there, and takes no port" do
    live("rack2", "puma:2x3", unix: true, preload: true) do |trial|
      assert_equal ["unix", 2, 3, true, []],
                   trial.attested.values_at(:socket, :workers, :threads, :preload, :unattested)
      target = trial.target
      assert_equal [nil, nil, true], [target.host, target.port, File.socket?(target.unix)]
      driver = Mohs::Drivers.fetch("native").new(targets: [target])
      result = driver.run([Mohs::Load::Step.new(targets: [0], count: 20)]).first
      assert_equal [20, {}], [result.good, result.errors]
    ensure
      driver&.close
    end
  end

  test "a configuration file that a variant names is honoured and attested" do
    config = { config: "config/puma.rb", processes: nil, threads: nil }
    live("own_config", "puma", env: { "OWN_WORKERS" => "2" }, **config) do |trial|
      assert_equal [2, 2, false, []],
                   trial.attested.values_at(:workers, :threads, :preload, :unattested)
      assert_equal 2, trial.declared_workers
    end
  end

  test "without being asked for, the application's own configuration is not read" do
    live("own_config", "puma:2x3", env: { "OWN_WORKERS" => "nonsense" }) do |trial|
      assert_equal [2, 3], trial.attested.values_at(:workers, :threads)
    end
  end

  test "rack 2 is served by WEBrick through rackup 1" do
    live("rack2", "webrick") do |trial|
      versions = trial.setup.versions.values_at("rack", "rackup")
      assert_equal(%w[2. 1.], versions.map { |version| version[0, 2] })
      assert_match(/\A2\./, trial.attested.dig(:gems, "rack"))
      assert_equal ["threads"], trial.attested[:unattested]
    end
  end

  test "GC variables and the person's RUBYOPT reach the server, and nothing of the shell's" do
    env = { "RUBY_GC_HEAP_GROWTH_FACTOR" => "1.1", "RUBYOPT" => "-W:no-deprecated --yjit",
            "RUBYLIB" => "/of/theirs" }
    live("rack2", "puma", env:) do |trial|
      facts = trial.attested

      assert_equal({ "RUBY_GC_HEAP_GROWTH_FACTOR" => "1.1" }, facts.dig(:gc, :variables))
      assert_equal "yjit", facts[:jit]
      assert_match(%r{attest\.rb -W:no-deprecated --yjit\z}, facts.dig(:variables, "RUBYOPT"))
      assert_match(%r{(\A|:)/of/theirs\z}, facts.dig(:variables, "RUBYLIB"))
      refute_match(/nowhere/, facts.to_s)
    end
  end

  { "jemalloc" => { "MALLOC_CONF" => "narenas:2" },
    "tcmalloc" => { "TCMALLOC_MAX_TOTAL_THREAD_CACHE_BYTES" => "33554432" } }.each do |name, env|
    test "#{name}, preloaded by its name, is attested by what is mapped" do
      live("rack2", "puma:2x2", env: { "LD_PRELOAD" => name, **env }) do |trial|
        variables = trial.attested[:variables]

        assert_equal name, trial.attested[:malloc]
        assert_match(%r{\A/.*lib#{name}\S*\.so\.\d\z}, variables["LD_PRELOAD"])
        assert_equal env, variables.slice(*env.keys)
      end
    end
  end

  test "a variable that the server's allocator does not read makes its variant invalid" do
    with_setup("rack2", "puma", env: { "MALLOC_CONF" => "narenas:2" }) do |setup|
      within(setup) do |booted|
        error = assert_raises(Mohs::TrialError) { ready(booted) }
        assert_equal [:invalid, "malloc_ignores"], [error.state, error.reason.code]
        assert_match(/\AMALLOC_CONF: .*glibc\z/, error.message)
      end
    end
  end

  { "before the workers are forked" => true, "in each worker" => false }.each do |place, preload|
    test "a heap is compacted #{place}, once and before the load" do
      live("rack2", "puma:2x2", preload:, compact: true) do |trial|
        facts = trial.attested

        assert_equal [%w[compact], 2], [facts[:prepared], facts.dig(:gc, :stat, :compact_count)]
      end
    end
  end

  test "an allocator that is not there is only asked for, never attested" do
    with_setup("rack2", "puma", env: { "LD_PRELOAD" => "/nowhere/libjemalloc.so.2" }) do |setup|
      trial = within(setup) do |booted|
        error = assert_raises(Mohs::TrialError) { ready(booted) }
        assert_match(/\Alibjemalloc.so.2 .*mapped .*process \d+$/, error.message)
      end

      assert_equal "glibc", trial.attested[:malloc]
    end
  end

  test "a server whose JIT is another than the declared one ends before it is asked more" do
    with_setup("rack2", "puma", flags: ["--yjit"]) do |setup|
      def setup.expected = { jit: "rjit" }
      trial = within(setup) do |booted|
        error = assert_raises(Mohs::TrialError) { ready(booted) }
        assert_equal :invalid, error.state
        assert_match(/\A--yjit .*JIT is yjit\z/, error.message)
      end

      assert_nil trial.answers
    end
  end

  private

  def live(app, server, **options)
    with_setup(app, server, **options) do |setup|
      within(setup) do |trial|
        ready(trial)
        yield trial
      end
    end
  end

  def with_setup(app, server, own_config: false, env: {}, flags: [], **origin)
    dir = File.join(Mohs.root, "test/fixtures/apps", app)
    name, numbers = Mohs::Servers.parse(server).partition { |key, _| key == :name }.map(&:to_h)
    variant = Mohs::Study::Variant.new(name: "it", ruby: RbConfig.ruby, engine: "ruby", flags:,
                                       env:, server: name[:name], **numbers, **origin)
    study = Mohs::Study.new(app: dir, requests: [Mohs::App::Request.build(path: "/")],
                            variants: [variant], own_config:, env: {})
    env = SHELL.merge("XDG_CACHE_HOME" => Mohs::AppProcess::CACHE)
    setup = Mohs::Trial::Setups.new(env:).for(study, variant)
    installed = setup.bundle.install
    assert_predicate installed, :ok?, installed.log_tail
    yield setup
  end

  test "a server that is moved takes its threads with it" do
    first, second = Mohs::Process::CpuSet.available
    skip "there is one core" unless second
    with_setup("rack2", "puma:1x2") do |setup|
      within(setup) do |trial|
        trial.move([second])
        ready(trial)
        trial.move([first])
        tasks = trial.pids.flat_map { |pid| Dir.children("/proc/#{pid}/task").map(&:to_i) }

        assert_operator tasks.size, :>, 2
        assert_equal [[first]], tasks.map { |task| Mohs::Core.affinity(task) }.uniq
        [Errno::EPERM, Errno::EINVAL].each { |error| refused(error) { trial.move([second]) } }
      end
    end
  end

  # As for a process of another user, or one that a cpuset keeps elsewhere.
  def refused(error, &)
    Mohs::Core.stub(:set_affinity, ->(*) { raise error }) do
      assert_equal "not_moved", assert_raises(Mohs::TrialError, &).reason.code
    end
  end

  # Takes a while to return what it has started.
  class SlowSpawner < Mohs::Process::Spawner
    def started = @started ||= Thread::Queue.new
    def spawn(*, **) = super.tap { (started << true) && sleep(0.5) }
  end

  test "one that is given up while it is started is known, so that it can be stopped" do
    with_setup("rack2", "puma:1x2") do |setup|
      with_files do |folder|
        spawner = SlowSpawner.new
        place = Mohs::Cohort::Layout::Place.new(worker: 0)
        trial = Mohs::Trial.new(id: 1, setup:, folder:, place:, spawner:)
        thread = Thread.new { trial.boot }
        spawner.started.pop
        thread.kill.join

        assert_predicate trial.child, :alive?
      ensure
        trial&.stop
        refute_predicate trial.child, :alive?
      end
    end
  end

  # Whatever becomes of it, no process and no port is left.
  def within(setup)
    with_files do |folder|
      place = Mohs::Cohort::Layout::Place.new(worker: 0)
      trial = Mohs::Trial.new(id: 1, setup:, folder:, place:, spawner: Mohs::Process::Spawner.new)
      yield trial
      pids = trial.pids
      trial.stop
      assert_empty(pids.select { |pid| File.exist?("/proc/#{pid}") })
      trial
    ensure
      trial&.stop
    end
  end

  def ready(trial)
    trial.boot
    trial.attest
    trial.check
  end
end
