# frozen_string_literal: true

require "test_helper"

# What the store holds after a cohort, however it went. No server runs here: the session ends every
# trial by itself.
class ExecutionTest < Mohs::TestCase
  include Mohs::StoreHelper
  include Mohs::Screens

  # The golden file of its sentences (Screens#assert_said).
  SAID = "said-cohort"

  # Ends each trial as refused; before that it does what the test wants.
  class Session
    class << self
      attr_accessor :during
    end

    attr_reader :trials, :seed, :spec, :recorded, :layout, :driver, :pass, :cut_warm_ups

    def initialize(trials:, seed:, spec:, recorded:, layout:, pass:, cut_warm_ups:,
                   driver: nil, **)
      @trials, @seed, @spec, @recorded = trials, seed, spec, recorded
      @layout, @driver, @pass = layout, driver, pass
      @cut_warm_ups = cut_warm_ups
    end

    def call
      self.class.during&.call(self)
      error = Mohs::TrialError.new("too old", code: "old", state: :refused, log_tail: "boom")
      @trials.each { |trial| trial.end_as(error) }
    end
  end

  Unbuildable = Struct.new(:ready?, :result) do
    def expected_s = 1
    def done_s = 0

    def under_way = []
    def install = yield("building nio4r").then { result }
  end

  # Plays the agent of a machine that load comes from.
  Agent = Struct.new(:from, :closed) do
    def reserve = yield({ pid: 12, user: "ann", machine: "lab@b" })
    def driver = :far
    def listen = "10.0.0.2"
    def facts = { host: from.host, listen: }
    def close = self.closed = true
  end

  # Beats a hundred times a second.
  class Hasty < Mohs::Cohort::Execution
    private

    def wait(stop) = !stop.wait_readable(0.01).nil?
  end

  # As Trial::Setups, for an application without gems but those of the variants named.
  class Setups
    def initialize(bundles = {}) = @bundles = bundles

    def for(study, variant, random: Random.new(1))
      app = Mohs::App.new(name: "x", dir: study.app)
      Mohs::Trial::Setup.new(study:, variant:, app:, bundle: @bundles[variant.name], random:,
                             shell: {}, ruby: Mohs::FakeRubies.ruby(variant.ruby))
    end
  end

  def setup
    @folder = Dir.mktmpdir("mohs-execution")
    @url = File.join(@folder, "mohs.db")
    @store = open_store
  end

  def teardown
    Session.during = nil
    close_stores
    FileUtils.rm_rf(@folder)
  end

  test "every variant has a row that says how it ended, and the cohort is done" do
    run = create(%w[a b])

    assert execute(run)
    assert_equal [%w[a refused], %w[b refused]], outcomes(run)
    reason, log = trials(@store, run[:id]).first.to_h.values_at(:reason, :log_tail)
    assert_equal [true, "boom"], [reason.summary.start_with?("too old"), log]
    cohort = cohort(run)
    assert_equal "done", cohort[:state]
    assert_equal %i[against apart foreign_cpu_share steal_share], cohort[:host].keys.sort
  end

  test "its procedure says whether the warm-ups of a cohort are cut for its time" do
    compare = Mohs::Compare::Rules.new(candidate: "b")
    { compare => [true, false], Mohs::Rounds::Rules.new => [true, true] }.each do |rules, expected|
      run, cut = create(%w[a b], cohorts: 2, rules:), []
      Session.during = ->(session) { cut << session.cut_warm_ups }
      2.times { |index| execute(run, index) }

      assert_equal expected, cut
    end
  end

  test "load from another machine takes no core, and the cohort knows where it came from" do
    run = create(%w[a], load_from: Mohs::Study::LoadFrom.parse("lab@b"))
    agents, seen, said = [], nil, []
    Session.during = ->(session) { seen = [session.driver, session.layout.elsewhere] }

    assert execute(run, agents: ->(from) { Agent.new(from).tap { |agent| agents << agent } },
                        emit: ->(**facts) { said << facts })
    assert_includes said, { stage: :wait, holder: 12, user: "ann", machine: "lab@b" }
    assert_equal [[:far, true], [true]], [seen, agents.map(&:closed)]
    assert_equal({ host: "lab@b", listen: "10.0.0.2", round_trip: nil },
                 cohort(run)[:host][:load_from])
  end

  test "without that machine the cohort waits, and its agent is not left behind" do
    run = create(%w[a], load_from: Mohs::Study::LoadFrom.parse("lab@b"))
    agent = Agent.new
    gone = ->(_) { raise Mohs::EnvironmentError, "no load from lab@b" }
    Session.during = ->(_) { raise Mohs::EnvironmentError, "the connection ended" }

    assert_raises(Mohs::EnvironmentError) { execute(run, agents: gone) }
    assert_raises(Mohs::EnvironmentError) { execute(run, agents: ->(_) { agent }) }
    assert_equal ["queued", true], [cohort(run)[:state], agent.closed]
  end

  test "who can't be served is a row with the reason, and nothing of it is booted" do
    run = create(%w[a b c], refused: { "b" => "needs Java 21" })
    reason = Mohs::Reason.parse("cc")
    failed = Mohs::App::Bundle::Result.new(state: :failed, reason:, log_tail: "gone")
    report = []
    Session.during = ->(session) { @booted = session.trials.map(&:name) }
    setups = Setups.new({ "c" => Unbuildable.new(false, failed) })
    execute(run, setups:, emit: ->(stage:, **) { report << stage })

    assert_equal [%w[a], %i[install installed]], [@booted, report]
    facts = trials(@store, run[:id]).map { |row| [row.variant, row.reason.summary, row.log_tail] }
    assert_equal [["b", "needs Java 21", "class file 65.0"], %w[c cc gone]], facts.sort.drop(1)
  end

  # A machine that is busy: whoever wants it waits.
  class BusyMachine
    attr_reader :asked, :passed_s

    def initialize = @asked = 0

    def hold(wait:, still: nil)
      @asked += 1
      yield
    end

    def pass(wait:, still: nil)
      before_ns = Mohs::Clock.mono_ns
      wait.call(Mohs::Process::MachineName::Holder.new(name: "x", pid: 12))
      sleep 0.05
      @passed_s = (Mohs::Clock.mono_ns - before_ns) / 1e9
    end
  end

  test "where every variant is refused, nobody waits for the machine" do
    lock = BusyMachine.new
    agents = ->(_) { flunk }
    run = create(%w[a b], refused: { "a" => "no gems", "b" => "no gems" },
                          load_from: Mohs::Study::LoadFrom.parse("lab@b"))

    assert execute(run, lock:, agents:)
    assert_equal [0, [%w[a refused], %w[b refused]], "done"],
                 [lock.asked, outcomes(run), cohort(run)[:state]]
    execute(create(%w[a b], refused: { "b" => "no gems" }), lock:)
    assert_equal 1, lock.asked
  end

  test "between two searches others have their turn, which does not count" do
    run = create(%w[a])
    said = []
    Session.during = ->(session) { session.pass.call }
    lock = BusyMachine.new
    execute(run, lock:, emit: ->(**facts) { said << facts })

    assert_equal [{ stage: :wait, holder: 12, user: nil }], said
    host = cohort(run)[:host]
    assert_waited lock, host[:waited_s]
    whole_s = (cohort(run).finished_ms - cohort(run).started_ms) / 1000.0
    assert_in_delta whole_s - host[:waited_s], cohort(run).seconds, 1e-6
    refute_includes host, :queued
    assert_in_delta host[:waited_s], cohort(run).waiting_s, 1e-6
  end

  # One that another mohs has for a while.
  class TakenMachine < BusyMachine
    def hold(wait:, **)
      before_ns = Mohs::Clock.mono_ns
      wait.call(nil)
      sleep 0.05
      @passed_s = (Mohs::Clock.mono_ns - before_ns) / 1e9
      yield
    end
  end

  test "the wait for the machine is kept, as it is no part of the announced time" do
    run = create(%w[a])
    execute(run, lock: lock = TakenMachine.new)

    assert_waited lock, cohort(run).waiting_s
    assert_in_delta cohort(run).waiting_s, cohort(run)[:host].dig(:queued, :seconds), 1e-6
  end

  # What it took from outside, to the millisecond; a busy machine adds to that.
  def assert_waited(lock, seconds)
    allowed = (lock.passed_s - 0.001)..(lock.passed_s + 1)
    assert_includes allowed, seconds
  end

  # One that is not handed back.
  class KeptMachine < BusyMachine
    def pass(**)
      super
      raise Mohs::EnvironmentError, "process 12 of nobody has kept this machine for itself"
    end
  end

  test "a machine that is not handed back was waited for all the same, and the rest is written" do
    run = create(%w[a])
    Session.during = ->(session) do
      assert_raises(Mohs::EnvironmentError) { session.pass.call }
    end
    assert execute(run, lock: lock = KeptMachine.new)
    assert_equal "done", cohort(run)[:state]
    assert_waited lock, cohort(run)[:host][:waited_s]
  end

  test "on a machine that is not handed back, no null server is loaded" do
    [[KeptMachine, []], [BusyMachine, [:loaded]]].each do |kind, loads|
      seen = []
      headroom = Class.new(Mohs::Cohort::HeadroomProbe) {
        define_method(:call) { |*, **| (seen << :loaded) && 9e9 }
      }.new
      Session.during = ->(session) do
        session.pass.call
      rescue Mohs::EnvironmentError
        nil # as the real one
      end

      assert execute(create(%w[a]), lock: kind.new, headroom:)
      assert_equal loads, seen
    end
  end

  test "the turn is kept while load comes from another machine, which is reserved" do
    run = create(%w[a], load_from: Mohs::Study::LoadFrom.parse("lab@b"))
    said = []
    Session.during = ->(session) { session.pass.call }
    execute(run, lock: BusyMachine.new, agents: ->(from) { Agent.new(from) },
                 emit: ->(**facts) { said << facts })

    assert_equal(%w[lab@b], said.map { |facts| facts[:machine] })
    refute_includes cohort(run)[:host], :waited_s
  end

  test "what Bundler says of a secret that the person gave is masked" do
    run = create(%w[a c], env: { "GEMS_TOKEN" => "s3cr3t" })
    reason = Mohs::Reason.parse("https://s3cr3t@gems.example is away")
    failed = Mohs::App::Bundle::Result.new(state: :failed, reason:, log_tail: "with s3cr3t")
    execute(run, setups: Setups.new({ "c" => Unbuildable.new(false, failed) }))

    facts = trials(@store, run[:id]).map { |row| [row.variant, row.reason.summary, row.log_tail] }
    assert_includes facts, ["c", "https://[secret]@gems.example is away", "with [secret]"]
  end

  test "who could not be served in a cohort is not tried again in this run, but in the next" do
    run = create(%w[a b], cohorts: 2)
    execute(run)
    Session.during = ->(session) { @booted = session.trials.map(&:name) }
    execute(run, 1)

    assert_empty @booted
    assert_equal %w[done done], @store.cohorts(run[:id]).map { |row| row[:state] }
    execute(create(%w[a b]))
    assert_equal %w[a b], @booted
  end

  test "who stands in for a baseline that did not boot joins the later cohorts" do
    run = create(%w[base a b], groups: [%w[base a], %w[base b]])
    execute(run)
    measure(run, "a")
    Session.during = ->(session) { @spec, @booted = session.spec, session.trials.map(&:name) }
    execute(run, 1)

    assert_equal ["a", %w[a b], [%w[base a b]]], [@spec.baseline, @booted, @spec.blocks]
  end

  test "for one that the person named nobody joins, nor where nobody is left to be compared" do
    Session.during = ->(session) { @booted = session.trials.map(&:name) }
    [[true, %w[base b], %w[b]], [false, %w[base], []]]
      .each do |named, second, booted|
        run = create(%w[base a b], groups: [%w[base a], second], named:)
        execute(run)
        measure(run, "a")
        execute(run, 1)

        assert_equal booted, @booted
      end
  end

  test "one of two takes the cohort; the other touches nothing" do
    run = create(%w[a])
    Session.during = ->(_) { @second = execute(run, store: open_store) }

    assert execute(run)
    refute @second
    assert_equal 1, trials(@store, run[:id]).size
  end

  [Interrupt, NoMethodError].each do |kind|
    test "after #{kind} the cohort waits to be run again, its trials are lost, its folder gone" do
      run = create(%w[a])
      Session.during = lambda do |session|
        @scratch = session.trials.first.instance_variable_get(:@folder)
        raise kind
      end

      assert_raises(kind) { execute(run) }
      assert_equal ["queued", nil], cohort(run).to_h.values_at(:state, :token)
      assert_equal [%w[a lost]], outcomes(run)
      refute_path_exists @scratch
      refute(Thread.list.any? { |thread| thread.name == "heartbeat" })

      Session.during = nil
      assert execute(run)
      assert_equal [%w[a lost], %w[a refused]], outcomes(run)
    end
  end

  test "while load runs it shows life, and the store is free for others" do
    run = create(%w[a])
    beats = []
    Session.during = lambda do |_|
      20.times do
        beats << cohort(run, open_store)[:heartbeat_ms]
        sleep 0.01
      end
    end
    execute(run, kind: Hasty)

    assert_operator beats.uniq.size, :>, 2
    assert_equal beats.sort, beats
  end

  test "without a descriptor for its heartbeat it says so, and the cohort waits" do
    run = create(%w[a])
    IO.stub(:pipe, -> { raise Errno::EMFILE }) do
      assert_raises(Errno::EMFILE) { execute(run) }
    end
    assert_equal "queued", cohort(run)[:state]
  end

  test "a heartbeat that the store refuses once is made up for" do
    run = create(%w[a])
    beats = 0
    refusing = @store.dup
    refusing.define_singleton_method(:heartbeat) do |*|
      raise Mohs::StoreError, "locked" if (beats += 1) == 1

      true
    end
    Session.during = ->(_) { 1000.times { beats > 2 || sleep(0.005) } }

    assert execute(run, store: refusing, kind: Hasty)
    assert_equal "done", cohort(run)[:state]
  end

  test "who was taken for dead writes nothing over what another measured" do
    run = create(%w[a])
    Session.during = lambda do |_|
      assert_equal [cohort(run)[:id]], @store.release_stale(run[:id]) { true }
      assert @store.claim(cohort(run)[:id], "elsewhere:1:1")
      @store.finish_trial(@store.start_trial(cohort(run)[:id], "a"), { state: "invalid" })
    end

    error = assert_raises(Mohs::StoreError) { execute(run) }
    assert_said(error.message)
    assert_equal [%w[a lost], %w[a invalid]], outcomes(run)
    assert_equal %w[running elsewhere:1:1], cohort(run).to_h.values_at(:state, :token)
  end

  test "the same run draws the same environments again, its cohorts others" do
    run = create(%w[a], cohorts: 2)
    seeds = []
    Session.during = ->(session) { (seeds << session.seed) && raise(Interrupt) }
    3.times { assert_raises(Interrupt) { execute(run) } }
    assert_raises(Interrupt) { execute(run, 1) }

    assert_equal [7, 7, 7, 8], seeds
  end

  # The numbers of servers that warmed up at once in each session of a run of three cohorts, of
  # which b is disturbed in the first; what was told; what the store has.
  def disturbed(flawless:)
    run = create(%w[a b c], cohorts: 3)
    at_once, said = [], []
    failed = { "b" => { reason: nil, errors: { "timeout" => 2 } } }
    Session.during = lambda do |session|
      at_once << session.layout.lanes.size
      living_once(session.trials[1]) if flawless && at_once.size == 2
      raise Mohs::Cohort::Session::Disturbed.new(failed) if at_once.size == 1
    end
    execute(run, emit: ->(**facts) { said << facts })
    @store.instance_variable_get(:@database)[:trials].update(state: "failed") # all are still tried
    execute(run, 1)
    trials = @store.instance_variable_get(:@database)[:trials]
    trials.update(state: Sequel.case({ { variant: "b" } => "invalid" }, "failed"))
    execute(run, 2)
    [at_once, said, cohort(run).warmed_alone, outcomes(run)]
  end

  # Says once that it has not ended. Its warm-up lost a connection as a request was sent.
  def living_once(trial)
    asked = 0
    trial.define_singleton_method(:over?) { (asked += 1) > 1 }
    errors = { "reset_between_requests" => 1 }
    result = Mohs::Load::StepResult.new(sent: 9, good: 8, errors:, connections: { asked: 2 })
    trial.define_singleton_method(:samples) { [Mohs::Trial::Sample.new(result:)] }
  end

  test "a server that only failed beside others is measured alone, and so are all from then on" do
    skip "there is one core" if Mohs::Process::CpuSet.available.size < 2
    at_once, said, kept, outcomes = disturbed(flawless: true)

    assert_equal [[2, 1, 1, 1], [{ stage: :alone, variants: %w[b] }]], [at_once, said]
    assert_equal [{ variant: "b", errors: { timeout: 2 }, reason: nil, flawless: true }], kept
    assert_equal 3 + 3 + 2, outcomes.size, "one row for each"
  end

  test "one that fails alone, too, is what keeps the others apart" do
    skip "there is one core" if Mohs::Process::CpuSet.available.size < 2
    at_once, _, kept, = disturbed(flawless: false)

    found = { variant: "b", errors: { timeout: 2 }, reason: nil, flawless: false }
    assert_equal [[2, 1, 1, 2], [found]], [at_once, kept]
  end

  test "of a cold start the session is told whom this round has recorded" do
    seen = []
    Session.during = ->(session) { seen << session.recorded }
    [Mohs::Study::ColdStart.new(batches: 10, requests: 1), nil].each do |cold_start|
      run = create(%w[a b c d], groups: [%w[a b], %w[a c], %w[a d]], rounds: [1, 1, 2], cold_start:)
      execute(run)
      measure(run, "a")
      [1, 2].each { |index| execute(run, index) }
    end

    assert_equal [[], ["a"], [], [], [], []], seen
  end

  private

  def execute(run, index = 0, store: @store, kind: Mohs::Cohort::Execution, **options)
    id = store.cohorts(run[:id])[index][:id]
    kind.new(store:, cohort_id: id, setups: Setups.new, session: Session,
             lock: Mohs::FreeMachine.new, **options).call
  end

  def outcomes(run) = trials(@store, run[:id]).map { |row| [row.variant, row.state] }

  def cohort(run, store = @store) = store.cohorts(run[:id]).first

  # As if that one had gone well in the run's first cohort.
  def measure(run, name)
    rows = @store.instance_variable_get(:@database)[:trials].where(variant: name)
    facts = JSON.generate(warm_up: { batches: [] })
    assert_equal 1, rows.where(cohort_id: cohort(run)[:id]).update(state: "measured", facts:)
  end

  def create(names, cohorts: 1, groups: [names] * cohorts, refused: {}, named: false,
             env: {}, rounds: (1..), cold_start: nil, load_from: nil, **others)
    variants = names.map { |name| variant(name, refused[name]) }
    study = Mohs::Study.new(app: @folder, requests: [Mohs::App::Request.build(path: "/")],
                            variants:, baseline: names.first, baseline_named: named, env:,
                            cold_start:, load_from:, **others)
    specs = groups.zip(rounds).each_with_index.map do |(group, round), position|
      Mohs::Plan::CohortSpec.new(round:, position:, baseline: names.first,
                                 variants: group, blocks: [group], estimate_s: 1)
    end
    plan = Mohs::Plan.new(seed: 7, rounds: groups.size, cohorts: specs, estimate_s: 1, dropped: [])
    @store.create_run(study:, plan:, fingerprint: {}, provenance: {})
  end

  # Each with a Ruby, and so a bundle, of its own.
  def variant(name, refusal)
    Mohs::Study::Variant.new(name:, ruby: "3.4.5-#{name}", engine: "ruby", flags: [], env: {},
                             server: "mock", processes: 1, threads: 1,
                             refusal: Mohs::Reason.parse(refusal),
                             refusal_log: ("class file 65.0" if refusal))
  end
end
