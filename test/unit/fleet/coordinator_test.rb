# frozen_string_literal: true

require "test_helper"

class FleetCoordinatorTest < Mohs::TestCase
  # Hosts in this process: each cohort that is handed out is measured by the block.
  class Hosts
    attr_reader :submitted, :withdrawn
    # Ids of cohorts whose jobs have ended, once; and queues that nobody works on any more.
    attr_accessor :ended, :left
    # Ids of cohorts that a host works on, whatever the store knows of it.
    attr_accessor :begun

    def initialize(store, &act)
      @store = store
      @act = act
      @submitted = []
    end

    def submit(ids, queue:)
      ids.each do |id|
        @submitted << [id, queue]
        @act.call(@store, id)
      end
    end

    def withdraw(ids) = @withdrawn = ids

    def recall(ids) = ids - begun.to_a

    def gone(ids)
      @ended, ended = [], @ended.to_a
      ids & ended
    end

    def working(names)
      return names - left.to_a if left

      @store.hosts(within_s: Mohs::Store::Host::SILENT_S).any? ? names : []
    end
  end

  A, B = %w[a b].map { |name| Mohs::Fleet.queue_of(name) }

  DONE = lambda do |store, id|
    token = "a:1:2"
    attempt = store.begin_attempt(id, host: "a", token:)
    store.claim(id, token)
    trial = store.start_trial(id, "a")
    store.finish_trial(trial, { state: "measured", boot_ns: 1 })
    store.finish_cohort(id, "done", token:)
    store.end_attempt(attempt, "done")
  end

  def setup
    @dir = Dir.mktmpdir("mohs-test")
    @store = Mohs::Store.open(File.join(@dir, "mohs.db"))
  end

  def teardown
    @store.close
    FileUtils.rm_rf(@dir)
  end

  def measure(rounds: 3, &act)
    cohorts = Array.new(rounds) do |index|
      { round: index + 1, position: index, baseline: "a", variants: %w[a b] }
    end
    study = { app: "/srv/shop", requests: [], env: {}, baseline: "a",
              variants: [{ name: "a", env: {} }, { name: "b", env: {} }] }
    @run = @store.create_run(study:, plan: { seed: 1, rounds:, dropped: [], cohorts: },
                             fingerprint: {}, provenance: {})
    @hosts = Hosts.new(@store, &(act || DONE))
    @events = []
    coordinator = Mohs::Fleet::Coordinator.new(store: @store, run_id: @run.id, queue: @hosts,
                                       names: [A, B],
                                       on_event: ->(name, facts) { @events << [name, facts] })
    looking(coordinator)
    coordinator.call
  end

  LOOKS = 50

  # Where it would wait until it looks at the store again, the next step happens.
  def looking(coordinator)
    looks = 0
    @steps = steps = []
    coordinator.define_singleton_method(:sleep) do |_|
      raise "it waits in vain" if (looks += 1) > LOOKS

      steps.shift&.call
    end
  end

  test "all cohorts are handed out at once, in turn to each queue, and followed to their ends" do
    measured = measure

    assert_equal "finished", measured.state
    assert_equal [A, A, B], @hosts.submitted.map(&:last)
    finished = @events.select { |name, _| name == :cohort_finished }.map(&:last)
    assert_equal [[0, "a"], [1, "a"], [2, "a"]],
                 (finished.map { |facts| facts.values_at(:cohort, :host) })
    assert_equal @hosts.submitted.map(&:first).sort, @hosts.withdrawn.sort
  end

  test "a cohort that was parked ends the wait, and is no result" do
    measured = measure(rounds: 1) do |store, id|
      store.claim(id, "a:1:2")
      store.finish_cohort(id, "failed", token: "a:1:2", host: { parked: [] })
    end

    assert_equal "finished", measured.state
    assert_empty measured.stored.trials
  end

  test "a cohort whose job is gone is taken back and handed out once more, a done one is not" do
    died = false
    measured = measure(rounds: 2) do |store, id|
      next DONE.call(store, id) if died || @hosts.submitted.size > 1

      died = true
      store.claim(id, "gone:1:2")
      @hosts.ended = [id, id + 1]
    end

    assert_equal ["finished", %w[done done]],
                 [measured.state, @store.cohorts(@run.id).map(&:state)]
    first, second = @store.cohorts(@run.id).map(&:id)
    assert_equal [first, second, first], @hosts.submitted.map(&:first)
  end

  # A host begins to measure it.
  def begin_on(store, id, host)
    attempt = store.begin_attempt(id, host:, token: "#{host}:1:2")
    store.claim(id, "#{host}:1:2")
    attempt
  end

  # A host takes it over from another.
  def again(store, id, host)
    store.transaction do
      store.take_back(id)
      begin_on(store, id, host)
    end
  end

  # Each step follows a look at the store.
  def in_steps(*steps) = @steps.push(-> {}, *steps)

  def after_two_looks(&step) = in_steps(-> {}, step)

  def events(name) = @events.select { |one, _| one == name }.map(&:last)

  test "a host that does not finish a cohort is reported, and the next one has it" do
    measure(rounds: 1) do |store, id|
      begun = begin_on(store, id, "b")
      in_steps(-> { store.end_attempt(begun, "failed", reason: "no space left") },
               -> { store.take_back(id) }, -> { begin_on(store, id, "a") },
               -> { again(store, id, "b") },
               -> { store.finish_cohort(id, "done", token: "b:1:2") })
    end

    left = events(:host_left).map { |facts| facts.values_at(:host, :round, :reason) }
    assert_equal [["b", 1, "no space left"], ["a", 1, nil]], left
    assert_equal %w[b a b], events(:cohort_started).map { |facts| facts[:host] }
    assert_equal 1, events(:cohort_finished).size
  end

  test "another host may take a cohort over between two looks" do
    measure(rounds: 1) do |store, id|
      begin_on(store, id, "b")
      in_steps(-> { again(store, id, "a") },
               -> { store.finish_cohort(id, "done", token: "a:1:2") })
    end

    assert_equal [%w[b], %w[b a]], [events(:host_left).map { |facts| facts[:host] },
                                    events(:cohort_started).map { |facts| facts[:host] }]
  end

  test "what was bound to a host that is gone is handed to the others" do
    measured = measure do |store, id|
      next DONE.call(store, id) unless @hosts.submitted.last.last == B

      store.claim(id, "b:1:2")
      @hosts.left = [B]
    end

    assert_equal ["finished", %w[done] * 3],
                 [measured.state, @store.cohorts(@run.id).map(&:state)]
    assert_equal [A, A, B, A], @hosts.submitted.map(&:last)
  end

  test "a host that is late keeps what its session holds, and other hosts get what it lets go" do
    measured = measure do |store, id|
      next DONE.call(store, id) unless @hosts.submitted.last.last == B

      store.claim(id, "b:1:2")
      @hosts.begun, @hosts.left = [id], [B]
      after_two_looks do
        @kept = store.cohort(id).token
        @hosts.begun = []
      end
    end

    assert_equal ["b:1:2", "finished"], [@kept, measured.state]
    assert_equal [A, A, B, A], @hosts.submitted.map(&:last)
  end

  test "a host that was late finishes its cohort" do
    measured = measure do |store, id|
      next DONE.call(store, id) unless @hosts.submitted.last.last == B

      @hosts.begun, @hosts.left = [id], [B]
      after_two_looks do
        DONE.call(store, id)
        @hosts.left = []
      end
    end

    assert_equal "finished", measured.state
    assert_equal [A, A, B], @hosts.submitted.map(&:last)
  end

  test "a host that comes back gets its cohorts again" do
    measured = measure do |store, id|
      case @hosts.submitted.map(&:last)
      when [A, A, B] then @hosts.left = [B]
      when [A, A, B, A] then @hosts.left = []
      else DONE.call(store, id)
      end
    end

    assert_equal "finished", measured.state
    assert_equal [A, A, B, A, B], @hosts.submitted.map(&:last)
  end

  test "a host that comes back gets none that another one has begun" do
    measured = measure do |store, id|
      case @hosts.submitted.map(&:last)
      when [A, A, B] then @hosts.left = [B]
      when [A, A, B, A]
        @hosts.begun = [id] # its host boots: the store says that it is queued
        @hosts.left = []
        after_two_looks { DONE.call(store, id) }
      else DONE.call(store, id)
      end
    end

    assert_equal "finished", measured.state
    assert_equal [A, A, B, A], @hosts.submitted.map(&:last)
  end

  # A host begins a cohort between two looks at the store, and is done a moment later.
  BETWEEN = Module.new do
    def given_up(run_id)
      @begun ||= cohorts(run_id).first.tap { |cohort| claim(cohort.id, "a:1:2") }
      super
    end

    def hosts(**)
      finish_cohort(@begun.id, "done", token: "a:1:2") if cohort(@begun.id).running?
      super
    end
  end

  test "a cohort that is begun between two looks is waited for" do
    @store.singleton_class.prepend(BETWEEN)
    measured = measure(rounds: 1) { flunk "it was taken already" }

    assert_equal ["finished", %w[done]],
                 [measured.state, @store.cohorts(@run.id).map(&:state)]
  end

  test "it says once that no host is there any more" do
    measure(rounds: 1) do |store, id|
      after_two_looks { DONE.call(store, id) }
    end

    silent = @events.select { |name, _| name == :fleet_silent }.map(&:last)
    assert_equal [{ version: Mohs::VERSION, hosts: %w[a b] }], silent
    assert_equal "the fleet has no active host left: waiting for mohs " \
                 "#{Mohs::VERSION} on a, b (mohs worker)",
                 Mohs::Report::Render.text("fleet_silent", **silent.first)
    assert_includes Mohs::Report::Render.text("fleet_silent", version: "1", hosts: []),
                    "waiting for one with mohs 1 (mohs worker)"
  end

  test "a queue that refuses a cohort ends the run, and what was handed out is withdrawn" do
    error = assert_raises(Mohs::EnvironmentError) do
      measure(rounds: 2) { raise Mohs::EnvironmentError, "Slurm: sbatch failed: no account" }
    end

    assert_equal "Slurm: sbatch failed: no account", error.message
    assert_equal @store.cohorts(@run.id).map(&:id).first(1), @hosts.withdrawn
  end

  test "Ctrl-C takes back what nobody has begun, and leaves the run to be resumed" do
    measured = measure(rounds: 2) { raise Interrupt }

    assert_equal "interrupted", measured.state
    assert_equal %w[queued queued], @store.cohorts(@run.id).map(&:state)
  end

  test "after Ctrl-C the cohorts are named that hosts go on with" do
    measure(rounds: 4) do |store, id|
      host = %w[b a silent][@hosts.submitted.size - 1] or raise Interrupt
      begin_on(store, id, host)
      store.beside { |database| database[:cohorts].where(id:).update(heartbeat_ms: 1) } if
        host == "silent"
    end

    assert_equal [{ cohorts: 2, hosts: %w[a b], key: @run.key }], events(:fleet_unfinished)
  end

  # A store and its queue in one: two hosts measure what is handed out, and finish one cohort
  # whenever time passes. The block makes the result, of so many finished cohorts; `asked` has how
  # many were handed out and unfinished whenever some were handed out.
  class Growing
    HOSTS = [A, B].freeze

    attr_reader :done, :submitted, :asked, :planned_after, :withdrawn

    def initialize(done: 0, submitted: [], &rows)
      @rows = rows
      @done = done
      @submitted = submitted
      @asked = []
    end

    def result(_run, **)
      report = @rows.call(@done)
      report[:cohorts].each_with_index do |cohort, position|
        cohort.update(id: position, state: state(position))
        cohort[:trials] = [] if position >= @done
      end
      Mohs::Stored.run(report)
    end

    def state(position)
      return "done" if position < @done

      @submitted.include?(position) && position < @done + HOSTS.size ? "running" : "queued"
    end

    def submit(ids, **)
      @submitted += ids
      @asked << (@submitted.size - @done)
    end

    # Time passes.
    def pass = @done += 1

    def replan(_run, plan)
      @planned_after = [@done, plan.cohorts.size]
      raise Interrupt
    end

    def cohorts(run) = result(run).cohorts
    def withdraw(ids) = @withdrawn = ids
    def working(names) = names
    def gone(_ids) = []
    def attempts(_id) = []
    def given_up(_run) = []
    def release_stale(*) = nil
    def keep_look(*) = nil
    def finish_run(*) = nil
  end

  def follow(growing)
    coordinator = Mohs::Fleet::Coordinator.new(store: growing, run_id: 1, queue: growing,
                                               names: Growing::HOSTS)
    coordinator.define_singleton_method(:sleep) { |_| growing.pass }
    coordinator.call
  end

  # B is faster by a tenth.
  DIFFERENCES = Array.new(30) { |index| 0.1 + (0.005 * ((-1)**index)) }.freeze

  test "cohorts of a comparison are handed out as hosts become free, until it is decided" do
    growing = Growing.new do |done|
      CompareResult.new(DIFFERENCES.first(done), planned: 30, state: "running").to_h
    end
    comparison = follow(growing).result

    assert_predicate comparison, :over?
    assert_equal Growing::HOSTS.size + Mohs::Fleet::Coordinator::AHEAD, growing.asked.max
    assert_operator growing.submitted.size, :<, 30
    assert_equal growing.submitted, growing.withdrawn
  end

  test "a tuning's next round is planned once its last one is measured" do
    speeds = { "yours" => 1000.0, "1x1" => 700.0, "2x3" => 1300.0 }
    growing = Growing.new do |_done|
      SampleTuning.new(speeds, rounds: 3, shapes: { "yours" => [nil, nil] }, boot_sd: 0.02).to_h
    end
    follow(growing)

    assert_equal [0, 1, 2], growing.submitted.sort
    assert_equal 3, growing.planned_after.first
    assert_operator growing.planned_after.last, :>, 3
  end
end
