# frozen_string_literal: true

require "test_helper"
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
    await("#{name} is there") { worker.output.include?("waiting for cohorts") }
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

  ARGUMENTS = ["--variant", MOCK, "--variant", "b::#{MOCK}, A=1", "--fleet", "--json"].freeze
  ROUNDS = 4

  def store = @store ||= Mohs::Store.open(@env.fetch("MOHS_DATABASE_URL"))

  # Attempts of the only run so far.
  def attempts = store.runs.flat_map { |one| store.attempts_of(one.id) }

  # Each round is one cohort.
  def asked(rounds: ROUNDS)
    person = command
    person.start("run", "--app", @dir, *ARGUMENTS, "--rounds", rounds.to_s)
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
    result = asked.finish(LIMIT_S)
    hosts = command.call("hosts", "--json").json[:hosts]

    assert_equal [0, "finished"], [result.status.exitstatus, result.json[:state]], result.err
    assert_once result.json
    assert_equal [%w[a waits], %w[b waits]], hosts.map { |one| one.values_at(:name, :state) }
    assert_equal %w[a b], attempts.map(&:host).uniq.sort
    note = result.json[:notes].find { |one| one[:name] == "fleet" }
    assert_match(/\Ameasured on a \(\d cohorts?\), b \(\d cohorts?\)\z/, note[:text])
  end

  slow_test "a worker that is killed leaves no server, and another host measures its cohort anew" do
    work("a")
    person = asked
    await("a measures") { attempts.any? { |one| one.host == "a" && one.open? } }
    sleep 0.5
    ::Process.kill("KILL", @workers.fetch("a").tap { work("b") })
    result = person.finish(LIMIT_S)

    assert_equal "finished", result.json[:state], result.err
    assert_once result.json
    died = attempts.select(&:open?)
    assert_equal ["a"], died.map(&:host)
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
    ahead_ms = attempts.map(&:clock_ms)
    assert(ahead_ms.all? { |one| (one - AHEAD_MS).abs < 60_000 }, ahead_ms.inspect)
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

  [{}, { "ignore_startup_parameters" => "options" }].each do |options|
    slow_test "a pooler that can't hold a session is refused, with #{options.size} options" do
      missing = Mohs::PgBouncer.missing
      skip missing if missing

      pooler = Mohs::PgBouncer.new(Dir.mktmpdir("mohs-pgbouncer"), options:,
                                   database: Mohs::PostgresCluster.shared.folder)
      worker = command(@dir, MOHS_DATABASE_URL: pooler.url)
      refused = worker.call("worker", "--noisy", "--name", "a")

      assert_equal 4, refused.status.exitstatus, refused.err
      assert_match(/a pooler \(pgbouncer\) .*: give workers the address of the database itself/,
                   refused.err)
    ensure
      pooler&.stop
    end
  end

  slow_test "a second worker of one name is refused while the first one lives" do
    first = work("a")
    second = command.call("worker", "--name", "a", "--noisy")
    assert_equal 4, second.status.exitstatus
    assert_includes second.err, "a host named a is in the fleet already"

    finish(first)
    FileUtils.rm_rf(File.join(@dir, "host-a"))
    work("a") # its process is gone, so it need not be silent for long
  end

  test "without a host, or without a store that hosts share, it says what to do" do
    alone = command.call("run", "--app", @dir, *ARGUMENTS)
    assert_equal 4, alone.status.exitstatus
    assert_includes alone.err, "no host of the fleet is there: start mohs worker on one"

    own = Mohs::MohsCommand.new(@dir).call("worker", "--noisy")
    assert_equal 4, own.status.exitstatus
    assert_includes own.err, "MOHS_DATABASE_URL=postgres://"
  end
end
