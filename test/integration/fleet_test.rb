# frozen_string_literal: true

require "test_helper"
require "open3"
require "shellwords"
require "support/postgres"

# Runs measured by workers, each a process of its own as on a host of its own, through a PostgreSQL
# that they share.
class FleetTest < Mohs::TestCase
  include Mohs::Leftovers

  APP = { "config.ru" => "run ->(_) { [200, {}, [\"Hello\"]] }\n" }.freeze
  MOCK = "#{RUBY_VERSION}, mock".freeze
  LIMIT_S = 300

  def setup
    missing = Mohs::PostgresCluster.missing
    skip missing if missing

    @dir = Dir.mktmpdir("mohs-fleet")
    APP.each { |path, text| File.write(File.join(@dir, path), text) }
    @env = { "MOHS_DATABASE_URL" => Mohs::PostgresCluster.shared.empty_database }
    @workers = {}
  end

  def teardown
    @workers.to_h.each_value { |pid| finish(pid) }
    @store&.close
    FileUtils.rm_rf(@dir) if @dir
  end

  # The clock of a host that is an hour ahead.
  AHEAD_MS = 3_600_000
  AHEAD = <<~RUBY.freeze
    Process.singleton_class.prepend(Module.new do
      def clock_gettime(id, unit = :float_second)
        return super unless id == Process::CLOCK_REALTIME

        ahead = { millisecond: #{AHEAD_MS}, nanosecond: #{AHEAD_MS * 1_000_000} }
        super + ahead.fetch(unit, #{AHEAD_MS / 1000})
      end
    end)
  RUBY

  def command(folder = @dir, within: [], **env)
    Mohs::MohsCommand.new(folder, within:, env: { **@env, **env.transform_keys(&:to_s) })
  end

  def work(name, **options)
    folder = File.join(@dir, "host-#{name}")
    Dir.mkdir(folder)
    worker = command(folder, **options)
    pid = worker.start("worker", "--name", name, "--noisy")
    await("#{name} is there") { worker.output.include?("#{name}: waiting for work") }
    @workers[name] = pid
    pid
  end

  # Its children end with it.
  def finish(pid)
    ::Process.kill("KILL", pid)
    ::Process.wait(pid)
  rescue Errno::ESRCH, Errno::ECHILD
    nil
  end

  def ended?(pid)
    ::Process.wait(pid, ::Process::WNOHANG)
  rescue Errno::ECHILD
    true
  end

  def await(what)
    deadline = Mohs::Clock.deadline(LIMIT_S)
    until yield
      flunk "#{what}: not within #{LIMIT_S} s" if Mohs::Clock.mono_ns > deadline
      sleep 0.1
    end
  end

  VARIANTS = ["--variant", MOCK, "--variant", "b::#{MOCK}, A=1", "--json"].freeze
  ARGUMENTS = [*VARIANTS, "--fleet"].freeze
  ROUNDS = 4

  def store = @store ||= Mohs::Store.open(@env.fetch("MOHS_DATABASE_URL"))

  # Attempts of the only run so far.
  def attempts
    store.runs.flat_map { |run| store.cohorts(run.id) }
         .flat_map { |cohort| store.attempts(cohort.id) }
  end

  # Each round is one cohort.
  def asked(*launcher, rounds: ROUNDS)
    person = command
    person.start("run", "--app", @dir, *ARGUMENTS, *launcher, "--rounds", rounds.to_s)
    person
  end

  # Each cohort counts once: whatever tries there were, its trials were measured on one host.
  def assert_once(document, rounds: ROUNDS)
    run = store.result(store.run(document[:run]).id)
    assert_equal %w[done] * rounds, run.cohorts.map(&:state)
    run.cohorts.each do |cohort|
      measured = cohort.trials.select(&:measured?)
      assert_equal %w[a b], measured.map { |one| one.variant == "b" ? "b" : "a" }.sort
      assert_equal 1, store.attempts(cohort.id).count { |one| one.outcome == "done" }
    end
  end

  test "cohorts of a run are measured by the workers, each once, and hosts say what they do" do
    %w[a b].each { |name| work(name) }
    result = asked(rounds: 3).finish(LIMIT_S)
    hosts = command.call("hosts", "--json").json[:hosts]

    assert_ran result.status, result.err
    assert_equal "finished", result.json[:state]
    assert_once result.json, rounds: 3
    assert_equal [%w[a waits], %w[b waits]], hosts.map { |one| one.values_at(:name, :state) }
    assert_equal %w[a b], attempts.map(&:host).uniq.sort
    note = result.json[:notes].find { |one| one[:name] == "fleet" }
    assert_match(/\Ameasured on a \(\d cohorts?\), b \(\d cohorts?\); .*sent/,
                 note[:text])
  end

  test "a job that a host has begun is not recalled, and a host of another version is none" do
    queue = Mohs::Fleet::Queue.new(store)
    queue.submit([1, 2], queue: "host_a")
    worker = PG.connect(@env.fetch("MOHS_DATABASE_URL"))
    worker.exec("SELECT pg_advisory_lock(id) FROM que_jobs WHERE args->>0 = '1'")

    assert_equal [[2], []], Array.new(2) { queue.recall([1, 2]) }
    jobs = worker.exec("SELECT args->>0 FROM que_jobs").values
    assert_equal [["1"]], jobs
    ["0", Mohs::VERSION].each do |version|
      store.see_host("a", fingerprint: {}, queues: %w[host_a], cohort: nil, version:,
                          token: "a:1:2")
      assert_equal version == Mohs::VERSION, queue.working(%w[host_a host_b]).any?
    end
  ensure
    worker&.close
  end

  slow_test "the application reaches a host as it was when it was asked for" do
    work("a")
    app = File.join(@dir, "shop")
    Dir.mkdir(app)
    APP.each { |path, text| File.write(File.join(app, path), text) }
    person = command
    person.start("run", "--app", app, *ARGUMENTS, "--rounds", "2")
    await("it is handed out") { store.runs.any? }
    File.rename(app, "#{app}.gone")
    result = person.finish(LIMIT_S)

    assert_equal "finished", result.json[:state], result.err
    assert_once result.json, rounds: 2
    assert_equal 1, attempts.map(&:token).uniq.size # one process measures both
    note = result.json[:notes].find { |one| one[:name] == "fleet" }
    assert_match(/\Ameasured on a \(2 cohorts\); .*sent \(1 file\)\z/, note[:text])
  end

  slow_test "a worker that is killed leaves no server, and another host measures its cohort anew" do
    work("a")
    person = asked
    await("a has begun a trial") { store.runs.any? { |run| store.result(run.id).trials.any? } }
    ::Process.kill("KILL", @workers.fetch("a").tap { work("b") })
    result = person.finish(LIMIT_S)

    assert_equal "finished", result.json[:state], result.err
    assert_once result.json
    died = attempts.select(&:open?)
    assert_equal ["a"], died.map(&:host)
    assert_match(/^a .*round 1: .*again /, result.err)
    assert_equal 1, result.json[:rows].first[:failures].count { |one| one[:state] == "lost" }
  end

  slow_test "a worker whose session is ended stops, and another takes over" do
    %w[a b].each { |name| work(name) }
    person = asked
    await("somebody measures") { attempts.any?(&:open?) }
    store.beside do |database|
      pids = database[:que_lockers].select_order_map(:pid)
      database.get(Sequel.function(:pg_terminate_backend, pids.first))
    end
    result = person.finish(LIMIT_S)

    assert_equal "finished", result.json[:state], result.err
    assert_once result.json
  end

  slow_test "a host whose clock is an hour ahead is judged by the database's" do
    file = File.join(@dir, "ahead.rb")
    File.write(file, AHEAD)
    work("a", RUBYOPT: "-r#{file}")
    document = asked.finish(LIMIT_S).json

    assert_equal "finished", document[:state]
    assert_once document
    assert(attempts.all? { |one| one.ended_ms < Mohs::Clock.real_ms + 60_000 })
    assert_operator store.hosts.first.silent_s, :<, 10
  end

  slow_test "Ctrl-C at the worker gives its cohort back" do
    pid = work("a")
    person = asked
    await("a measures") { attempts.any?(&:open?) }
    ::Process.kill("INT", pid)
    await("it was given back") { attempts.none?(&:open?) }
    work("b")
    result = person.finish(LIMIT_S)

    assert_equal "finished", result.json[:state], result.err
    assert_includes attempts.map { |one| [one.host, one.outcome] }, %w[a given_back]
    assert_once result.json
  end

  slow_test "what a host has begun when the person presses Ctrl-C is finished, and said to be" do
    work("a")
    person = command
    pid = person.start("run", "--app", @dir, *ARGUMENTS, "--rounds", "4")
    await("a measures") { store.runs.any? { |run| store.cohorts(run.id).any?(&:running?) } }
    ::Process.kill("INT", pid)
    result = person.finish(LIMIT_S)
    await("a has finished") { attempts.none?(&:open?) }

    assert_match(/^1 cohort .* on a, .*: mohs show /, result.err)
    states = store.cohorts(store.runs.first.id).map(&:state)
    assert_equal %w[queued done], states.sort.reverse.uniq
  end

  # Seconds after which another host has a cohort whose host can't be reached: 5 + 3 * 2 of the
  # keepalives, a poll, and some for a busy machine.
  PULLED_S = 25

  slow_test "a host whose cable is pulled stops, and another takes its cohort over" do
    missing = Mohs::NetworkNamespace.missing
    skip missing if missing

    far = Mohs::NetworkNamespace.new
    cluster = Mohs::PostgresCluster.at(Mohs::NetworkNamespace::ADDRESS)
    @env = { "MOHS_DATABASE_URL" => cluster.empty_database }
    pid = work("a", within: far.within, MOHS_DATABASE_URL: cluster.remote_url)
    person = asked(rounds: 1)
    await("a measures") { attempts.any?(&:open?) }
    work("b")
    far.pull
    pulled_ns = Mohs::Clock.mono_ns
    await("b measures") { attempts.any? { |one| one.host == "b" } }
    assert_operator (Mohs::Clock.mono_ns - pulled_ns) / 1e9, :<, PULLED_S
    await("a has ended") { ended?(pid) }
    result = person.finish(LIMIT_S)

    assert_equal "finished", result.json[:state], result.err
    assert_once result.json, rounds: 1
  ensure
    @store&.close
    @store = nil
    @workers.to_h.each_value { |one| finish(one) }
    cluster&.stop
    far&.remove
  end

  PAGE = File.join(Mohs.root, "docs/fleet.md")
  # A command of the page, with the prompt that says where.
  LINE = /^(?<machine>db|a|b|me)\$ +(?<command>.+)$/

  # Each machine is a network namespace. What is measured there needs no network: mohs on this
  # machine, the first that installs, shares the cache.
  slow_test "docs/fleet.md leads from two machines to a table, in ten commands" do
    missing = Mohs::NetworkNamespace.missing
    skip missing if missing

    commands = File.read(PAGE, encoding: "UTF-8").scan(LINE)
    assert_equal 10, commands.size
    far = %w[a b].each_with_index.to_h { |name, index| [name, Mohs::NetworkNamespace.new(index)] }
    cluster = Mohs::PostgresCluster.at(Mohs::NetworkNamespace::ADDRESS)
    @env = {}
    said = commands.map { |machine, line| follow(machine, line, cluster, far[machine]) }
    hosts, table, shown, explained = said.last(4)

    assert_match(/^a +waits .*^b +waits /m, hosts)
    assert_match(/^hosts +\S.*puma:1x[13]: \w+ on \d of 2 hosts/, table)
    assert_equal table[/^variant.*?\n\n/m], shown[/^variant.*?\n\n/m]
    assert_match(/^fleet +measured on a \(\d+ cohorts?\), b /, table)
    assert_includes explained, "CPU"
  ensure
    @workers.to_h.each_value { |one| finish(one) }
    cluster&.stop
    far.to_h.each_value(&:remove)
  end

  # What a line prints. A database of the cluster is there already; workers don't look whether this
  # machine is quiet.
  def follow(machine, line, cluster, far)
    words = Shellwords.split(line)
    case words.shift
    when "createdb" then cluster.empty_database
    when "export"
      assert_equal "MOHS_DATABASE_URL=postgres://mohs@db.example/lab", words.first
      (@urls ||= {})[machine] = cluster.remote_url
    when "mohs" then obey(machine, words, far)
    end
  end

  def obey(machine, words, far)
    url = { MOHS_DATABASE_URL: @urls.fetch(machine) }
    return work(machine, within: far.within, **url) if words.first == "worker"

    app = File.join(Mohs.root, "apps/hello")
    result = command(**url).call(*words, *(["--app", app] if words.first == "run"),
                                 limit_s: LIMIT_S)
    assert_ran result.status, result.err
    result.out
  end

  [{}, { "ignore_startup_parameters" => "options" }].each do |options|
    slow_test "a pooler that can't hold a session is refused, with #{options.size} options" do
      missing = Mohs::PgBouncer.missing
      skip missing if missing

      pooler = Mohs::PgBouncer.new(Dir.mktmpdir("mohs-pgbouncer"), options:,
                                   database: Mohs::PostgresCluster.shared.folder)
      worker = command(@dir, MOHS_DATABASE_URL: pooler.url)
      refused = worker.call("worker", "--noisy", "--name", "a")

      assert_equal 4, refused.status.exitstatus, refused.err
      assert_match(/\(pgbouncer\) .*: .*address/,
                   refused.err)
    ensure
      pooler&.stop
    end
  end

  slow_test "a second worker of one name is refused while the first one lives" do
    first = work("a")
    second = command.call("worker", "--name", "a", "--noisy")
    assert_equal 4, second.status.exitstatus
    assert_includes second.err, "host named a"

    finish(first)
    FileUtils.rm_rf(File.join(@dir, "host-a"))
    work("a") # its process is gone, so it need not be silent for long
  end

  test "a command of Slurm that is not there is an error that names it" do
    error = assert_raises(Mohs::EnvironmentError) { Mohs::Fleet::Slurm.call("mohs-no-command") }
    assert_match(/\ASlurm: mohs-no-command failed: \S/, error.message)
  end

  # Yields a cluster that the person's commands reach.
  def with_slurm
    missing = Mohs::SlurmCluster.missing
    skip missing if missing

    cluster = Mohs::SlurmCluster.new
    @env.update(cluster.env)
    yield cluster
  ensure
    cluster&.stop
  end

  # n1 failed, n2 is busy, then gone.
  slow_test "a job without the node that failed may have it once the others are gone" do
    with_slurm do |cluster|
      blocker = Open3.capture2(cluster.env, "sbatch", "--parsable", "--exclusive", "--nodelist=n2",
                               "--output=/dev/null", "--wrap=sleep 600").first.to_i
      seen = lambda do |job, form|
        Open3.capture2(cluster.env, "squeue", "-h", "-j", job.to_s, "-o", form).first.strip
      end
      await("n2 is busy") { seen.call(blocker, "%T") == "RUNNING" }
      within_env(cluster.env) do
        slurm = Mohs::Fleet::Slurm.new(run: "7kq2", logs: File.join(@dir, "logs"),
                                       failed: ->(_) { %w[n1] })
        slurm.submit([1], queue: Mohs::Fleet::Slurm::Place.new)
        job = slurm.instance_variable_get(:@jobs).fetch(1)
        await("it waits for n2") { seen.call(job, "%r") == "Resources" }
        assert_equal "n1", seen.call(job, "%x")
        cluster.break("n2")
        await("it may have n1") do
          slurm.gone([1])
          seen.call(job, "%x") != "n1"
        end
      end
    end
  end

  def within_env(changes)
    before = ENV.to_h.slice(*changes.keys)
    ENV.update(changes)
    yield
  ensure
    changes.each_key { |name| ENV[name] = before[name] }
  end

  # Slurm finds it to be gone after its timeout, and starts jobs of it again two minutes later.
  slow_test "a cohort whose node in Slurm dies is measured on another" do
    with_slurm do |cluster|
      person = asked("slurm", rounds: 2)
      await("a node measures") { attempts.any?(&:open?) }
      node = attempts.find(&:open?).host
      cluster.break(node)
      result = person.finish(LIMIT_S)

      assert_equal "finished", result.json[:state], result.err
      assert_once result.json, rounds: 2
      assert_equal [node], attempts.select(&:open?).map(&:host)
      assert_operator result.json[:host][:fingerprint][:cores], :>, 0
    end
  end

  slow_test "a cohort whose process dies on a node of Slurm is submitted again" do
    with_slurm do |cluster|
      person = asked("slurm", "--same-host", "n2", rounds: 1)
      await("n2 measures") { attempts.any?(&:open?) }
      cluster.processes("n2").each { |pid| ::Process.kill("KILL", pid) }
      result = person.finish(LIMIT_S)

      assert_equal "finished", result.json[:state], result.err
      assert_once result.json, rounds: 1
      assert_equal [["n2", nil], %w[n2 done]], attempts.map { |one| [one.host, one.outcome] }
    end
  end

  test "without a host, or without a store that hosts share, it says what to do" do
    alone = command.call("run", "--app", @dir, *ARGUMENTS)
    assert_equal 4, alone.status.exitstatus
    assert_includes alone.err, "start mohs worker"

    own = Mohs::MohsCommand.new(@dir).call("worker", "--noisy")
    assert_equal 4, own.status.exitstatus
    assert_includes own.err, "MOHS_DATABASE_URL=postgres://"
  end
end
