# frozen_string_literal: true

require "test_helper"

class FleetWorkerTest < Mohs::TestCase
  include Mohs::StoreHelper
  include Mohs::Screens

  # The golden file of its sentences (Screens#assert_said).
  SAID = "said-fleet"

  Worker = Mohs::Fleet::Worker

  test "a session notices soon that its host or network is gone, and keeps what its URL says" do
    plain = parameters("postgres://lab@db/lab")
    assert_equal({ keepalives: 1, keepalives_idle: 5, keepalives_interval: 2, keepalives_count: 3,
                   tcp_user_timeout: 7000, host: "db", user: "lab", dbname: "lab" }, plain)
    given = parameters("postgres:///lab?host=/tmp/x&keepalives_idle=60&sslmode=require")
    assert_equal ["/tmp/x", "60", 2, "require"],
                 given.values_at(:host, :keepalives_idle, :keepalives_interval, :sslmode)
  end

  def parameters(url, env = {})
    Mohs::Store::Connection.parameters(Mohs::Store::Location.new(url, env))
  end

  test "the server watches its side, unless the environment says otherwise" do
    env = { "PGOPTIONS" => "-c tcp_keepalives_idle=60" }
    Worker.enable_server_keepalives(env)

    assert_equal "-c tcp_keepalives_idle=5 -c tcp_keepalives_interval=2 " \
                 "-c tcp_keepalives_count=3 -c tcp_user_timeout=7000 " \
                 "-c tcp_keepalives_idle=60", env["PGOPTIONS"]
  end

  test "the server watches the sessions of a run's process, whose servers get no such option" do
    [{}, { "PGOPTIONS" => "-c search_path=lab" }].each do |given|
      env = { **given, **Worker.run_environment(given) }.compact
      options = parameters("postgres://db/lab", env)

      assert_equal [Worker::OF_SERVER, *given.values].join(" "), options[:options]
      assert_equal 5, options[:keepalives_idle]
      assert_equal given, Mohs::Process::Environment.clean(env)
    end
    refute parameters("postgres://db/lab").key?(:options)
    assert_equal "#{Worker::OF_SERVER} -c search_path=lab",
                 parameters("postgres://db/lab?options=-c%20search_path%3Dlab",
                            Worker.run_environment({}).compact)[:options]
  end

  test "it works on the queue of its host and on that of its kind" do
    with_files do |dir|
      store = Mohs::Store.open(File.join(dir, "mohs.db"))
      worker = Worker.new(store:, url: "", name: "a")
      kind = Mohs::Fleet.queue_of_kind(Mohs::Probes::Host.fingerprint)

      assert_equal ["host_a@#{Mohs::VERSION}", kind], worker.queues
      error = assert_raises(Mohs::EnvironmentError) { worker.call { nil } }
      assert_includes error.message, "MOHS_DATABASE_URL=postgres://"
      assert_empty store.hosts
    ensure
      store&.close
    end
  end

  # The process of a run, as the worker sees it: what the test wants of each cohort, and of its end.
  Double = Struct.new(:run_id, :answer, :ending) do
    def measure(cohort_id) = answer.call(cohort_id)
    def alive? = true
    def give_back = nil
    def close = ending.call
  end

  # Yields a worker of a host, its store and the number of a cohort; answer, ending: of its
  # processes; start: called before one of them starts. What it says is in @said.
  def with_worker(answer, ending: -> {}, start: -> {}, cohorts: 1)
    with_files do |dir|
      store = Mohs::Store.open(File.join(dir, "mohs.db"))
      run = create_run(store, cohorts:)
      made = lambda do |run_id, **|
        start.call
        Double.new(run_id, answer, ending)
      end
      worker = Worker.new(store:, url: "", name: "a", tell: (@said = []).method(:<<))
      Mohs::Fleet::RunProcess.stub(:new, made) do
        yield worker, store, store.cohorts(run.id).first.id
      end
    ensure
      store&.close
    end
  end

  test "a process that ends before it has begun an attempt counts as one, and three are enough" do
    with_worker(->(id) { raise Mohs::Error, "cohort #{id}: exit 4: HOME" }) do |worker, store, id|
      3.times { assert_raises(Mohs::Error) { worker.measure(id) } }
      worker.measure(id)

      assert_equal [%w[a failed]] * 3, store.attempts(id).map { |one| [one.host, one.outcome] }
      assert_equal "failed", store.cohort(id).state
      assert_equal "cohort #{id}: exit 4: HOME", store.cohort(id).host[:parked].last[:reason]
    end
  end

  test "an error of the store before anything is measured is told once, and counts as a try" do
    with_worker(->(_) { flunk "it was measured" }) do |worker, store, id|
      full = ->(_) { raise Mohs::StoreError, "the store x cannot grow: the disk is full." }
      store.stub(:take_back, full) do
        4.times { assert_raises(Mohs::StoreError) { worker.measure(id) } }
      end

      assert_equal ["cohort #{id}: the store x cannot grow: the disk is full."], @said
      assert_equal [["failed", "the store x cannot grow: the disk is full."]] * 3,
                   store.attempts(id).map { |one| [one.outcome, one.reason] }
      worker.measure(id)
      assert_equal "failed", store.cohort(id).state, "it is given up once the store allows it"
    end
  end

  test "an error of the store that all cohorts have is told once, until the store takes one" do
    with_worker(->(_) { "done" }, cohorts: 2) do |worker, store, id|
      other = store.cohorts(store.cohort(id).run_id).last.id
      full = ->(_) { raise Mohs::StoreError, "the disk is full" }
      failing = lambda do
        store.stub(:take_back, full) do
          [id, other].each { |one| assert_raises(Mohs::StoreError) { worker.measure(one) } }
        end
      end

      failing.call
      store.stub(:claim_of, nil) { worker.measure(id) }
      failing.call
      told = ["cohort #{id}: the disk is full", "cohort #{id}: over"]
      assert_equal told, @said, "a cohort that needs nothing written says nothing of the store"
      worker.measure(other)
      failing.call
      assert_equal [*told, "cohort #{other}: done", told.first], @said
    end
  end

  test "a store that can't even take the failed try is told as well, with the first error" do
    with_worker(->(_) { flunk "it was measured" }) do |worker, store, id|
      broken = ->(*, **) { raise Mohs::StoreError, "no attempt" }
      store.stub(:claim_of, ->(_) { raise Mohs::StoreError, "no claim" }) do
        store.stub(:begin_attempt, broken) do
          error = assert_raises(Mohs::StoreError) { worker.measure(id) }
          assert_equal "no claim", error.message
        end
      end

      assert_equal ["cohort #{id}: no claim"], @said
    end
  end

  test "a cohort that failed here is left to hosts of the kind that have not tried it" do
    with_worker(->(id) { raise Mohs::Error, "cohort #{id}: disk full" }) do |worker, store, id|
      own, kind = worker.queues
      join = lambda do |name, queues|
        store.see_host(name, fingerprint: {}, queues:, cohort: nil, version: Mohs::VERSION,
                             token: "#{name}:1:2")
      end
      join.call("c", ["host_c", "fp_other"])
      2.times { assert_raises(Mohs::Error) { worker.measure(id, queue: kind) } }
      join.call("b", ["host_b", kind])
      left = assert_raises(Mohs::Error) { worker.measure(id, queue: kind) }

      assert_equal ["cohort #{id} is left to b: it failed here", 2],
                   [left.message, store.attempts(id).size]
      assert_raises(Mohs::Error) { worker.measure(id, queue: own) }
      assert_equal 3, store.attempts(id).size, "one that is bound to this host is not left"
    end
  end

  test "a cohort that was tried often enough is parked here, not left to one that would park it" do
    with_worker(->(_) { flunk "it was measured" }) do |worker, store, id|
      %w[a b c].each do |host|
        attempt = store.begin_attempt(id, host:, token: "#{host}:1:2")
        store.end_attempt(attempt, "failed", reason: "disk full")
      end
      store.see_host("d", fingerprint: {}, queues: ["host_d", worker.queues.last], cohort: nil,
                          version: Mohs::VERSION, token: "d:1:2")
      worker.measure(id, queue: worker.queues.last)

      assert_equal "failed", store.cohort(id).state
    end
  end

  # It may hold the machine, or disturb what is measured next. Its attempt counts all the same.
  test "a worker that can't kill a process ends with what is to be done" do
    stuck = -> { raise Mohs::EnvironmentError, "process 7 can't be killed" }
    died = ->(id) { raise Mohs::Error, "cohort #{id}: no answer" }
    with_worker(died, ending: stuck) do |worker, store, id|
      working = Thread.new do
        Thread.current.report_on_exception = false
        worker.instance_variable_set(:@working, Thread.current)
        sleep
      end
      Thread.pass until working.stop?
      assert_raises(Mohs::EnvironmentError) { worker.measure(id) }

      error = assert_raises(Mohs::EnvironmentError) { working.join(5) }
      assert_said(error.message)
      assert_equal [["failed", "cohort #{id}: no answer"]],
                   store.attempts(id).map { |one| [one.outcome, one.reason] }
    end
  end

  test "a worker that stops starts no process for a job that comes late" do
    with_worker(nil, start: -> { flunk "it was started" }) do |worker, store, id|
      stop(worker)
      assert_raises(Mohs::Error) { worker.measure(id) }

      assert_empty store.attempts(id)
      assert_predicate store.cohort(id), :queued?
    end
  end

  test "a process that starts while its worker stops gets no cohort, and is closed" do
    ends = []
    worker = nil
    measured = ->(_) { flunk "it was measured" }
    with_worker(measured, ending: -> { ends << 1 }, start: -> { stop(worker) }) do |own, store, id|
      worker = own
      assert_raises(Mohs::Error) { worker.measure(id) }

      assert_equal [1], ends
      assert_empty store.attempts(id)
    end
  end

  def stop(worker) = worker.send(:stop, nil, Thread.new { nil })

  test "a process that ends because the worker stops is no failed attempt" do
    worker = nil
    stopped = lambda do |_id|
      stop(worker)
      raise Mohs::Error, "exit 143"
    end
    with_worker(stopped) do |own, store, id|
      worker = own
      assert_raises(Mohs::Error) { worker.measure(id) }

      assert_empty store.attempts(id)
      assert_predicate store.cohort(id), :queued?
    end
  end

  # The worker's thread, so many seconds after the process had work last.
  def idle_for(seconds, worker)
    now = worker.instance_variable_get(:@idle_ns) + (seconds * 1e9).to_i
    Mohs::Clock.stub(:mono_ns, now) { worker.send(:show_life) }
  end

  test "a process without work ends after a minute, and not while it measures" do
    ends = []
    worker = nil
    busy = lambda do |_id|
      Thread.new { idle_for(2 * Worker::IDLE_S, worker) if ends.empty? && @again }.join
      "done"
    end
    with_worker(busy, ending: -> { ends << 1 }) do |own, _store, id|
      worker = own
      worker.measure(id)
      @again = true
      worker.measure(id)
      assert_empty ends
      counts = [0, 1, 2].map do |more|
        idle_for(Worker::IDLE_S + more, worker)
        ends.size
      end

      assert_equal [0, 1, 1], counts
    end
  end

  test "a host whose process can't be killed says so, and goes on to show that it lives" do
    stuck = -> { raise Mohs::EnvironmentError, "process 7 can't be killed" }
    with_worker(->(_) { "done" }, ending: stuck) do |worker, store, id|
      worker.measure(id)
      store.forget_host("a")
      idle_for(Worker::IDLE_S + 1, worker)

      assert_said(@said.last)
      assert_equal ["a"], store.hosts.map(&:name)
    end
  end

  test "an attempt that its process has begun is not counted twice" do
    store = nil
    died = lambda do |id|
      store.begin_attempt(id, host: "a", token: "a:1:2")
      raise Mohs::Error, "cohort #{id}: killed by SIGKILL"
    end
    with_worker(died) do |worker, own, id|
      store = own
      assert_raises(Mohs::Error) { worker.measure(id) }

      assert_equal [nil], store.attempts(id).map(&:outcome)
    end
  end
end
