# frozen_string_literal: true

require "test_helper"

class SessionTest < Mohs::TestCase
  Trial = Mohs::TrialDouble

  # One that the watchdog takes back after the third look at it.
  class Shield
    attr_reader :calls

    def initialize(trials) = (@trials, @calls, @left = trials, [], 3)
    def up(supervisors) = @calls << [:up, supervisors, @trials.map { |trial| trial.calls.last }]
    def down(driver: :none) = @calls << [:down, driver]
    def sched_class = @calls.any? && (@left -= 1) >= 0 ? 2 : 0
  end

  # Keeps how it was told to stand for each run.
  class ShieldedDriver < Mohs::Drivers::Mock
    class << self
      attr_accessor :given
    end

    def sched_class=(number)
      (self.class.given ||= []) << number
    end

    def sched_class = 2
  end

  LAST_LOAD = ->(trial) { trial.take({ outcome: "found" }) }

  # Keeps the steps that it was told to run.
  class LoggingDriver < Mohs::Drivers::Mock
    class << self
      attr_accessor :steps
    end

    def run(steps)
      self.class.steps.concat(steps)
      super
    end
  end

  STAGES = %i[boot attest check warming warmed attest_warm measuring measured finish stop].freeze

  test "a trial goes through its stages and is loaded, warm-up first" do
    trial = through(Trial.new("a")).first

    assert_equal STAGES, trial.calls
    assert_equal [nil, 0], trial.samples.map(&:block).uniq.first(2)
    assert_equal trial.recording.size, trial.sent
  end

  test "the procedure's last load is of each trial alone, behind the blocks" do
    trials = [Trial.new("a"), Trial.new("b", fails: { measure: "died" }), Trial.new("c")]
    measured = []
    last_load = lambda do |trial|
      measured << trials.map { |one| one.samples.count(&:block) }.min
      assert_includes trial.calls, :measured
      trial.take({ of: trial.name })
    end
    stages = []
    through(*trials, last_load:, pass: -> { stages << [:pass, nil] },
                     emit: ->(stage:, variant: nil, **) { stages << [stage, variant] })

    assert_equal [%i[last_load pass last_load]], [stages.map(&:first).grep(/last|pass/)]
    assert_equal [%w[a c], 2], [trials.filter_map { |one| one.found&.fetch(:of) }, measured.size]
    assert_predicate measured.min, :positive?
    assert_operator stages.index([:last_load, "c"]), :<, stages.index([:finish, "a"])
  end

  test "slices end with the time that a run has left for them, and a block is measured at least" do
    late, early, free = [0, 3600, nil].map do |left_s|
      deadline_ns = left_s && Mohs::Clock.deadline(left_s)
      through(Trial.new("a"), deadline_ns:).first.samples.filter_map(&:block)
    end

    assert_equal [[0, 0], free], [late, early]
  end

  test "a warm-up ends with that time, too, if warm-ups are to be cut for it" do
    cut, usual = [true, false].map do |cut_warm_ups|
      through(Trial.new("a"), deadline_ns: Mohs::Clock.mono_ns, cut_warm_ups:).first
    end

    assert_equal %i[short warm], [cut, usual].map { |trial| trial.warm_up.outcome }
  end

  test "slices are cut for the end that a cohort should have, its warm-up is not" do
    short, long = [0, 3600].map do |aim_s|
      trial = Trial.new("a")
      blocks = through(trial, aim_ns: Mohs::Clock.deadline(aim_s)).first.samples.filter_map(&:block)
      [blocks, trial.calls.count(:warm_up)]
    end

    assert_equal [0, 0], short.first
    assert_operator long.first.size, :>, 2
    assert_equal short.last, long.last
  end

  test "where connections wait for a thread all are hung up" do
    LoggingDriver.steps = []
    session([Trial.new("a", workers: 1)], driver: LoggingDriver).call # two connections
    slices = LoggingDriver.steps.select(&:duration_ns)

    assert LoggingDriver.steps.all?(&:hang_up)
    assert_equal [1_000_000], slices.map(&:edge_ns).uniq, "a turn of two requests of 0.5 ms"
  end

  # Keeps the options that it was made with.
  class OptionsDriver < Mohs::Drivers::Mock
    class << self
      attr_accessor :given
    end

    def initialize(**options)
      self.class.given = options
      super
    end
  end

  test "in a closed loop each request in flight may wait for its turn" do
    given = [[], [5]].map do |rates|
      session([Trial.new("a", rate: rates.first)], driver: OptionsDriver, rates:).call
      OptionsDriver.given[:drain_s]
    end

    assert_equal [60, nil], given
  end

  test "where each connection may have a thread none is hung up, and slices have edges" do
    LoggingDriver.steps = []
    session([Trial.new("a")], driver: LoggingDriver).call
    slices = LoggingDriver.steps.select(&:duration_ns)

    assert LoggingDriver.steps.none?(&:hang_up)
    assert slices.none?(&:warm_up)
    assert_operator slices.map(&:edge_ns).min, :>, 0
  end

  # Keeps its steps, and the CPU times that it was told its processes spend in the first of them;
  # in all others they are even. A step whose connections stay lasts longer by wait_ns.
  class UnevenDriver < LoggingDriver
    class << self
      attr_accessor :spent, :aside, :wait_ns
    end

    def run(steps)
      super.map do |result|
        changes = self.class.spent.shift || {}
        changes = { processes_cpu_ns: changes } if changes.is_a?(Array)
        wall_ns = result.wall_ns + (steps[result.step].hang_up ? 0 : self.class.wait_ns)
        Mohs::Load::StepResult.from_h({ **result.to_h, wall_ns:, **changes })
      end
    end

    def sets_aside? = true
    def set_aside(result) = self.class.aside << result.step
  end

  def unevenly(trial, spent, wait_ns: 0, **options)
    UnevenDriver.steps = []
    UnevenDriver.wait_ns = wait_ns
    UnevenDriver.spent = spent
    UnevenDriver.aside = []
    session([trial], driver: UnevenDriver, **options).call
    UnevenDriver.steps
  end

  ALONE = [200_000_000, 1_000_000].freeze
  EVENLY = [110_000_000, 100_000_000].freeze

  # Works on one request at a time, has two connections, and two processes.
  def crowded(**options) = two_processes(Trial.new("b", workers: 1, **options))

  def two_processes(trial)
    def trial.lasting = [1, 2]
    def trial.workers = lasting
    trial
  end

  # With a server whose threads wait for connections that have nothing more to send.
  def waiting(trial, spent = [], **options)
    unevenly(trial, spent, wait_ns: 200_000_000, **options)
  end

  test "of a server whose threads are unknown, a load shows whether connections wait" do
    closed, open, *others = waiting(trial = Trial.new("a", threads: nil))

    assert_equal [[2, true], [2, false]], ([closed, open].map { |step| [step.count, step.hang_up] })
    assert others.all?(&:hang_up)
    assert trial.crowded
    assert_equal trial.samples.size, others.size + 2
    assert_equal [2_000_000], others.select(&:duration_ns).map(&:edge_ns).uniq,
                 "two bunches of two requests"
  end

  test "a server without such waits keeps its connections, though its threads are unknown" do
    _, *others = unevenly(trial = Trial.new("a", threads: nil), [])

    assert others.none?(&:hang_up)
    assert_nil trial.crowded
    assert_operator others.select(&:duration_ns).map(&:edge_ns).min, :>, 0
  end

  test "where threads are known, and in an open loop, no load is spent on that" do
    each = [Trial.new("a"), Trial.new("a", threads: nil, rate: 500)].zip([[], [500]])
    steps = each.map { |trial, rates| waiting(trial, rates:) }

    assert_equal [true, true], steps.map { |all| all.none?(&:hang_up) }
  end

  test "a cold start is recorded before a load shows whether connections wait" do
    cold_start = Mohs::Study::ColdStart.new(batches: 2, requests: 10)
    steps = waiting(Trial.new("a", threads: nil), cold_start:)
    found = steps.index(&:hang_up)

    assert_equal 20, steps.first(found).sum(&:count)
    assert steps.drop(found + 2).all?(&:hang_up)
  end

  test "slices of such a server are repeated as well" do
    new = -> { two_processes(Trial.new("b", threads: nil)) }
    found = waiting(new.call).index { |step| !step.warm_up }
    waiting(trial = new.call, [*[EVENLY] * found, ALONE, ALONE])

    assert_equal %i[repeated repeated], trial.calls.grep(/repeated|uneven/)
  end

  test "connections are opened again until no process of a server lacks some" do
    warm = unevenly(Trial.new("a", workers: 2), []).index { |step| step.duration_ns }
    steps = unevenly(Trial.new("a", workers: 2), [*[EVENLY] * warm, ALONE, ALONE, EVENLY])
    tried = steps.select { |step| step.warm_up && (step.duration_ns || step.hang_up) }

    again = [[300_000_000, false]] # once it is warm
    assert_equal [[300_000_000, false], [nil, true], [300_000_000, false], *again],
                 tried.map { |step| [step.duration_ns, step.hang_up] }
  end

  test "they are opened again while it warms up if a process gets too few requests, thrice" do
    even, once, ever = [[], [EVENLY, ALONE, EVENLY], [EVENLY, *[ALONE] * 500]].map do |spent|
      steps = unevenly(Trial.new("a", workers: 2), spent)
      steps.first(steps.index { |step| !step.warm_up }).count(&:duration_ns)
    end

    assert_equal even + 1, once
    assert_operator ever, :>, once
    before, after = 3, 3
    assert_equal before + (3 * 3) + after, ever
  end

  test "a step of a warm-up begins no request after what its warm-up may take" do
    limits = unevenly(Trial.new("a"), []).select { |step| step.warm_up && step.count }
                                         .filter_map(&:limit_ns)

    refute_empty limits
    assert_operator limits.max, :<=, 32_000_000_000
    assert_equal limits.sort.reverse, limits
  end

  test "where a worker is replaced the warm-up begins again" do
    kept, replaced = [false, true].map do |replace|
      trial = Trial.new("a", workers: 2)
      trial.define_singleton_method(:workers) { replace && samples.size > 9 ? [1, 3] : [1, 2] }
      trial.define_singleton_method(:lasting) { workers }
      unevenly(trial, [])
      trial.samples.reject(&:block).sum { |one| one.result.good } - trial.warm_up.requests
    end

    assert_operator replaced, :>=, kept + 10, "what was served by then"
  end

  # Has two connections, and two processes with a thread each; of them, one has accepted so many.
  def counted(most)
    trial = Trial.new("a", workers: 2)
    trial.define_singleton_method(:count_connections) do |count|
      raise ArgumentError, count.to_s unless count == 2

      samples.any? && (of_one = most.shift) ? [2 - of_one, of_one] : nil # none is open before
    end
    trial
  end

  test "where each connection has a thread those of each process are counted until all have one" do
    first = unevenly(counted([1, 1]), []).index { |step| !step.warm_up }
    most = [2, 2, 1, 1, 2]
    opened, *steps = unevenly(counted(most), [])

    assert_equal [2], most, "not counted any more"
    assert_equal [2, false], [opened.count, opened.hang_up]
    assert_equal [[2, true], [2, false]] * 2, steps.first(4).map { |one| [one.count, one.hang_up] }
    refute steps[first + 3].warm_up
  end

  test "after the batches of a cold start they are counted, too" do
    cold_start = Mohs::Study::ColdStart.new(batches: 3, requests: 40)
    steps = unevenly(counted([2, 1, 1]), [], cold_start:)

    assert_equal [40, 40, 40, 2, 2, 2], steps.first(6).map(&:count)
    assert_equal [true, false], steps[4, 2].map(&:hang_up)
  end

  test "a server whose new workers got other connections than the old has them opened again" do
    first = unevenly(counted([1, 1]), []).index { |step| !step.warm_up }
    steps = unevenly(counted([1, 2, 1]), [])

    assert_equal [[2, true], [2, false]], steps[first, 2].map { |one| [one.count, one.hang_up] }
    refute steps[first + 2].warm_up
  end

  test "connections that never have a thread each are measured as they are" do
    first = unevenly(counted([1, 1]), []).index { |step| !step.warm_up }
    steps = unevenly(counted([2] * 99), [])

    # Before the warm-up and after it, 19 times again; then a load shows that both work.
    assert_equal first + (2 * ((2 * 19) + 1)), steps.take_while(&:warm_up).size
  end

  test "a slice whose new connections left a process without any is set aside and repeated" do
    even = Trial.new("a", workers: 1)
    warm = unevenly(even, []).index { |step| !step.warm_up }
    steps = unevenly(trial = crowded, [*[EVENLY] * warm, ALONE, ALONE])

    assert_equal even.samples.count(&:block), trial.samples.count(&:block)
    assert_equal [0, 1], UnevenDriver.aside
    assert_equal even.samples.size + 2, steps.size
    assert_equal %i[repeated repeated], trial.calls.grep(/repeated|uneven/)
  end

  test "a trial that stays uneven is measured as it is, and nothing of it is repeated any more" do
    unevenly(trial = crowded, [ALONE] * 10_000)
    measured = trial.samples.count(&:block)

    assert_operator measured, :>, 2
    assert_equal measured, trial.calls.count(:unevenly_loaded)
    assert_equal [0, 1] * 3, UnevenDriver.aside, "both slices of the first block, three times"
  end

  { "whose process stood still for a time" => { processes_cpu_ns: [200_000_000, 40_000_000] },
    "whose requests failed" => { processes_cpu_ns: ALONE, errors: { "timeout" => 3 } },
    "without a response for long" => { processes_cpu_ns: ALONE, outage: { from_ns: 0, ns: 9 } },
    "whose server is gone" => { processes_cpu_ns: ALONE, gone: true } }.each do |kind, changes|
    test "a slice #{kind} is measured, since that is what it shows" do
      unevenly(trial = crowded, [changes] * 10_000)

      assert_empty UnevenDriver.aside
      assert_includes trial.calls, :unevenly_loaded
    end
  end

  # A server that computed all the time, of which its drain took half.
  class BusyDriver < LoggingDriver
    def run(steps)
      super.map do |result|
        good = (result.wall_ns / 20_000_000) + 1
        Mohs::Load::StepResult.from_h(
          { **result.to_h, good:, wall_ns: good * 20_000_000, loaded_ns: good * 10_000_000,
                           cpu_ns: good * 20_000_000, loaded_cpu_ns: good * 10_000_000,
                           processes_cpu_ns: [good * 20_000_000] },
        )
      end
    end
  end

  test "the rate of a slice in which Ruby computed most of the time is by its CPU time" do
    BusyDriver.steps = []
    trials = [Trial.new("a"), Trial.new("b", rate: 50), Trial.new("c")]
    def (trials.last).attested = { **super, engine: "jruby" }
    full = trials.map do |trial|
      session([trial], driver: BusyDriver, rates: [*trial.rate]).call
      trial.samples.select(&:block).map { |one| one.result.span_ns == one.result.wall_ns }.uniq
    end

    assert_equal [[true], [false], [false]], full
  end

  # Others took its core for a part of every second load. Its threads waited, which its kernel tells
  # at best.
  class SharedDriver < BusyDriver
    def run(steps)
      super.each_with_index.map do |result, at|
        loaded_cpu_ns = at.odd? ? result.loaded_cpu_ns * 7 / 10 : result.loaded_cpu_ns
        Mohs::Load::StepResult.from_h({ **result.to_h, loaded_cpu_ns: })
      end
    end
  end

  test "the slices of a server have their rates by one rule, whatever each of them measured" do
    BusyDriver.steps = SharedDriver.steps = []
    session([trial = Trial.new("a")], driver: SharedDriver).call
    paces = trial.samples.select(&:block).map do |one|
      one.result.wall_ns.fdiv(one.result.span_ns).round(2)
    end

    assert_equal [0.7, 1.0], paces.uniq.sort
  end

  test "a server that waited for its core has its rate by CPU time" do
    BusyDriver.steps = SharedDriver.steps = []
    trial = Trial.new("a")
    def trial.core_wait_ns = 10**12
    driver = Class.new(SharedDriver) do
      def run(steps)
        super.map { |one| one.class.from_h({ **one.to_h, loaded_cpu_ns: one.loaded_ns / 3 }) }
      end
    end
    driver.steps = []
    session([trial], driver:).call
    spans = trial.samples.select(&:block).map { |one| one.result.span_ns.fdiv(one.result.wall_ns) }

    assert_equal [3.0], spans.map { |one| one.round(2) }.uniq
  end

  test "the CPU time of a server that computes at rest does not tell its rate" do
    BusyDriver.steps = []
    trial = Trial.new("a")
    def trial.lasting = [Process.pid]
    thread = Thread.new { loop { Integer.sqrt(1) } }
    session([trial], driver: BusyDriver).call
    results = trial.samples.select(&:block).map(&:result)

    assert_equal [false], results.map { |one| one.span_ns == one.wall_ns }.uniq
  ensure
    thread.kill.join
  end

  test "nothing is repeated where each request has its connection, and in an open loop" do
    close = crowded
    def close.target = Mohs::Load::Target.new(name: "b", connections: 2, keep_alive: :asked)
    rated = crowded(rate: 500)
    [[close, []], [rated, [500]]].each do |trial, rates|
      unevenly(trial, [ALONE] * 10_000, rates:)

      assert_empty UnevenDriver.aside
      refute_includes trial.calls, :unevenly_loaded, "chance decides"
    end
    assert UnevenDriver.steps.reject(&:warm_up).none?(&:hang_up), "connections stay in an open loop"
  end

  test "a trial that breaks down in its last load ends, and the others have theirs" do
    trials = [Trial.new("a", fails: { take: "stopped answering" }), Trial.new("b")]
    through(*trials, last_load: LAST_LOAD)

    assert_equal ["failed", nil], trials.map { |one| one.outcome&.fetch(:state) }
    assert_equal [false, true], trials.map { |one| one.calls.include?(:finish) }
    refute_nil trials.last.found
  end

  test "whoever keeps the machine between two last loads costs only those that remain" do
    trials = %w[a b c d].map { |name| Trial.new(name) }
    passes = 0
    pass = -> { raise Mohs::EnvironmentError, "nobody keeps it" if (passes += 1) == 2 }
    through(*trials, last_load: LAST_LOAD, pass:)

    ends = trials.map { |one| one.outcome && [one.outcome[:state], one.outcome[:reason].code] }
    assert_equal [nil, nil, %w[lost machine_kept], %w[lost machine_kept]], ends
    assert_equal [true, true, false, false], trials.map { |one| one.calls.include?(:finish) }
    assert_equal [2, 4], [trials.count(&:found), trials.count(&:recording)]
    assert_equal 2, passes
  end

  test "an environment that the last load itself lacks is still an error" do
    lacking = ->(_trial) { raise Mohs::EnvironmentError, "the connection ended" }
    assert_raises(Mohs::EnvironmentError) { through(Trial.new("a"), last_load: lacking) }
  end

  test "all services are up before the first server boots, and one that fails ends its own trial" do
    events = []
    emit = ->(stage:, variant: nil, **) { events << [stage, variant] }
    a, b, c = through(Trial.new("a", services: true), Trial.new("b"),
                      Trial.new("c", services: true, fails: { start_services: "no room" }), emit:)

    assert_equal [[:services, "a"], [:services, "c"], [:ended, "c"], [:boot, "a"], [:boot, "b"]],
                 events.first(5)
    assert_equal [:start_services, *STAGES], a.calls - [:match_b]
    assert_equal %i[start_services stop], c.calls
    refute_includes b.calls, :start_services
  end

  test "answers are held against those to the same requests alone, the baseline's if it has them" do
    a, b, c, d = through(Trial.new("a"), Trial.new("b", requests: [1]), Trial.new("c"),
                         Trial.new("d", requests: [1]))

    assert_equal [[], [], [:match_a], [:match_b]],
                 [a, b, c, d].map { |one| one.calls.grep(/match/) }
  end

  test "trials take turns in mirrored blocks, as long each" do
    a, b = through(Trial.new("a"), Trial.new("b"))
    positions = [a, b].map do |trial|
      trial.samples.filter_map { |sample| sample.position if sample.block&.zero? }
    end

    assert_equal [[0, 3], [1, 2]], positions
    assert_equal a.samples.count(&:block), b.samples.count(&:block)
    assert_includes b.calls, :match_a
  end

  test "each trial is read once behind each block, when all have been loaded" do
    trials = through(Trial.new("a"), Trial.new("b"))

    trials.each do |trial|
      blocks = trial.samples.map(&:block).chunk(&:itself)
      behind = blocks.map { |block, steps| [block, steps.size] }
      assert_equal behind.map(&:first), trial.readings.map(&:first)
      warm_up = trial.samples.count { |sample| sample.block.nil? }
      assert_equal [warm_up + 2, warm_up + 4], trial.readings.map(&:last).first(2)
    end
  end

  test "the clients of a scenario log in before the warm-up, each trial's on its own target" do
    scenario = Mohs::Load::Scenario.new(variables: {}, steps: [], actions: [], login: :some)
    plain, a, bad = through(Trial.new("plain"), Trial.new("a", scenario:),
                            Trial.new("bad", scenario:, fails: { log_in: "wrong password" }))

    assert_equal %i[check match_plain log_in_1 warming warmed],
                 a.calls[a.calls.index(:check), 5]
    refute(plain.calls.any? { |call| call.to_s.start_with?("log_in") })
    assert_equal "wrong password", bad.outcome[:reason].summary
    assert_nil bad.warm_up
    assert(a.samples.any?(&:block))
  end

  test "at a rate, fewer connections than processes are new ones in each step of a warm-up" do
    found = [[4, 500], [4, nil], [2, 500]].map do |workers, rate|
      LoggingDriver.steps = []
      through(Trial.new("a", workers:, rate:), driver: LoggingDriver, rates: [*rate])
      LoggingDriver.steps.select(&:warm_up).last(2).map(&:hang_up)
    end

    assert_equal [[true, true], [false, false], [false, false]], found
  end

  test "at a rate of its own a trial's requests fall due at the same moments as others' of it" do
    LoggingDriver.steps = []
    plain, a, b = through(Trial.new("plain"), Trial.new("a", rate: 500),
                          Trial.new("b", rate: 500), driver: LoggingDriver, rates: [500])
    closed, *rated = [0, 1, 2].map { |target| measured_steps(target).map(&:arrivals) }

    assert_equal [nil], closed.uniq
    assert_equal(*rated)
    assert_equal [[:poisson, 500]], rated.first.map { |one| [one.kind, one.rate_per_s] }.uniq
    assert_equal rated.first.size, rated.first.map(&:seed).uniq.size, "other ones in each slice"
    assert_equal [500_000_000], measured_steps(0).map(&:duration_ns).uniq
    assert_equal [[nil, nil], [nil, true], [nil, true]],
                 ([plain, a, b].map { |one| offered(one) })
  end

  test "a scenario without a login begins at once" do
    scenario = Mohs::Load::Scenario.new(variables: {}, steps: [], actions: [], login: nil)
    one = through(Trial.new("one", scenario:)).first

    assert_equal STAGES, one.calls
  end

  test "a server that has stopped answering is not read again" do
    bad, good = through(Trial.new("bad", fails: { measure: "died" }), Trial.new("good"))

    assert_empty bad.readings
    assert_operator good.readings.size, :>, 1
  end

  %i[boot attest check].each do |stage|
    test "a server that fails at #{stage} ends alone" do
      bad, good = through(Trial.new("bad", fails: { stage => "broken" }), Trial.new("good"))

      reason = Mohs::Reason.new(summary: "broken", code: "told")
      assert_equal({ state: "failed", reason: }, bad.outcome)
      assert_empty bad.samples
      assert_equal [nil, STAGES], [good.outcome, good.calls]
    end
  end

  test "a server that fails in warm-up is not measured" do
    bad, good = through(Trial.new("bad", fails: { warm: "died" }), Trial.new("good"))

    assert_equal "died", bad.outcome[:reason].summary
    assert_equal [nil], bad.samples.map(&:block).uniq
    assert good.samples.any?(&:block)
  end

  test "a server that stops answering costs one block, and its requests are kept" do
    bad, good = through(Trial.new("bad", fails: { measure: "died" }), Trial.new("good"))

    assert_equal [0], bad.samples.filter_map(&:block).uniq
    assert_operator good.samples.filter_map(&:block).uniq.size, :>, 1
    assert_equal bad.recording.size, bad.sent
  end

  test "whatever happens, all are stopped and mohs is back on all its cores" do
    before = Mohs::Process::CpuSet.available
    trials = [Trial.new("a"), Trial.new("b")]
    def (trials.last).check = raise(Interrupt)

    assert_raises(Interrupt) { session(trials).call }
    assert(trials.all? { |trial| trial.calls.last == :hurry }, "somebody waits")
    assert_equal before, Mohs::Process::CpuSet.available
  end

  test "a signal that comes while servers are stopped waits until all are" do
    trials = [Trial.new("a"), Trial.new("b")]
    def (trials.first).stop(**) = super.tap { Thread.main.raise(Interrupt) && sleep(0.1) }

    assert_raises(Interrupt) { session(trials).call }
    assert_equal([:stop] * 2, trials.map { |trial| trial.calls.last })
  end

  test "what is measured is shielded, what warms up is not" do
    trials = [Trial.new("a"), Trial.new("b")]
    shield = Shield.new(trials)
    ShieldedDriver.given = nil
    session(trials, shield:, driver: ShieldedDriver).call

    assert_equal [:up, [7, 7], %i[attest_warm attest_warm]], shield.calls.first
    assert_equal [[:down, 2], [:down, :none]], shield.calls.drop(1)
    assert_equal [0, 2, 0], ShieldedDriver.given.chunk(&:itself).map(&:first)
  end

  # Keeps which processes it was to watch.
  class WatchingDriver < Mohs::Drivers::Mock
    class << self
      attr_accessor :given
    end

    def watch(index, pids)
      (self.class.given ||= []) << pids
      super
    end
  end

  test "CPU time is that of the workers that a server has when it is warm" do
    trial = Trial.new("a")
    def trial.lasting = [samples.empty? ? 1 : 2]
    WatchingDriver.given = nil
    session([trial], driver: WatchingDriver).call

    assert_equal [[1], [2]], WatchingDriver.given.uniq
  end

  test "the shield is taken back whatever happens" do
    trials = [Trial.new("a")]
    def (trials.first).finish = raise(Interrupt)
    shield = Shield.new(trials)

    assert_raises(Interrupt) { session(trials, shield:).call }
    assert_equal :down, shield.calls.last.first
  end

  test "who watches is told each stage" do
    result = []
    through(Trial.new("a"), emit: ->(**stage) { result << stage[:stage] })

    assert_equal %i[boot attest check warm outlook measure finish], result.uniq
  end

  test "who watches is told the rate of a warm-up, and when a compiler is waited for" do
    result = []
    trial = Trial.new("a")
    def trial.attested = { jit: "mjit" }
    def trial.pids = []
    through(trial, emit: ->(**stage) { result << stage })

    assert_equal 0, result.find { |stage| stage[:stage] == :warm }[:requests]
    last = result.reverse.find { |stage| stage[:stage] == :warm }
    assert_in_delta trial.warm_up.rate, last[:per_s]
    assert_equal [{ variant: "a", stage: :settle }], result.select { |one| one[:stage] == :settle }
  end

  test "a warm-up ends when its time is up, and the server is measured as it is" do
    hurried, = through(Trial.new("a"), warm_up_s: 0.001)
    usual, = through(Trial.new("a"))

    assert_equal [:short, :warm], [hurried, usual].map { |trial| trial.warm_up.outcome }
    assert(hurried.samples.any?(&:block))
  end

  test "if a server is warm by its cold start, the measurement follows its batches" do
    cold_start = Mohs::Study::ColdStart.new(batches: 12, requests: 100)
    a, b = through(Trial.new("a"), Trial.new("b"), cold_start:)

    [a, b].each do |trial|
      first = trial.samples.take_while { |sample| sample.block.nil? }
      assert_equal [100] * 12, first.map { |sample| sample.result.sent }
      assert_equal 0, trial.samples[12].block
      assert_equal 12, trial.warm_up.batches(trial.recording).size
    end
  end

  test "a server that is not shown to be warm by its cold start is loaded further" do
    cold_start = Mohs::Study::ColdStart.new(batches: 3, requests: 40)
    trial, = through(Trial.new("a"), cold_start:)
    sent = trial.samples.take_while { |sample| sample.block.nil? }.map { |one| one.result.sent }

    assert_equal [40] * 3, sent.first(3)
    assert_operator sent.sum, :>=, (3 * 40) + Mohs::Trial::WarmUp::Needed::FEWEST
    assert_equal [:warm, 3], [trial.warm_up.outcome, trial.warm_up.batches(trial.recording).size]
  end

  test "what the JIT has compiled is read before a cold start and behind each batch, at rest" do
    cold_start = Mohs::Study::ColdStart.new(batches: 3, requests: 40)
    a, b = through(Trial.new("a"), Trial.new("b"), cold_start:, recorded: ["b"])

    assert_equal({ methods: 0 }, a.warm_up.compiled[:jit_at_start])
    assert_equal [1, 2, 3],
                 a.warm_up.batches(a.recording).map { |batch| batch.dig(:jit, :methods) }
    refute_respond_to b.warm_up, :read
  end

  test "one that dies in the last batch leaves no time to share among those that are cold" do
    cold_start = Mohs::Study::ColdStart.new(batches: 1, requests: 40)
    trial, = through(Trial.new("bad", fails: { warm: "died" }), cold_start:,
                                                               deadline_ns: Mohs::Clock.mono_ns)

    assert_equal "died", trial.outcome[:reason].to_s
  end

  test "a server that dies in its cold start is not asked any more" do
    cold_start = Mohs::Study::ColdStart.new(batches: 3, requests: 40)
    bad, = through(Trial.new("bad", fails: { warm: "died" }), Trial.new("good"), cold_start:)

    assert_nil bad.warm_up.batches(bad.recording).first[:jit]
  end

  test "who was recorded in this round already is warmed up as ever" do
    cold_start = Mohs::Study::ColdStart.new(batches: 3, requests: 40)
    a, b = through(Trial.new("a"), Trial.new("b"), cold_start:, recorded: ["a"])

    assert_equal [Mohs::Trial::WarmUp, Mohs::Trial::Batches], [a, b].map { |one| one.warm_up.class }
  end

  private

  def measured_steps(target)
    LoggingDriver.steps.select { |step| step.targets == [target] && !step.warm_up }
  end

  # Of its warm-up and of its measured slices: did requests fall due?
  def offered(trial)
    trial.samples.partition { |one| one.block.nil? }.map do |samples|
      samples.map { |one| one.result.offered&.positive? }.uniq.then { |(first, *)| first }
    end
  end

  def through(*trials, **options)
    session(trials, **options).call
    trials
  end

  # Keeps how many of all do the same at the same time.
  class Crowd < Mohs::TrialDouble
    class << self
      attr_accessor :inside, :most
    end

    %i[boot attest check].each do |stage|
      define_method(stage) do
        Crowd.inside += 1
        sleep 0.01
        Crowd.most = [Crowd.most, Crowd.inside].max
        Crowd.inside -= 1
        super()
      end
    end
  end

  def lanes(names) = Mohs::Cohort::Layout.for("apart", names, cpus: [0, 1], wave_size: 2)

  def in_waves(*trials, driver: LoggingDriver, **options)
    driver.steps = []
    stages = []
    Crowd.inside = Crowd.most = 0
    session(trials, layout: lanes(trials.map(&:name)), driver:,
                    emit: ->(**facts) { stages << facts }, **options).call
    [trials, stages]
  end

  test "servers with a core each get warm at once, but boot and are measured one at a time" do
    trials, stages = in_waves(*%w[a b c].map { |name| Crowd.new(name) })
    warm = LoggingDriver.steps.select(&:warm_up).map(&:targets).uniq

    assert_equal [STAGES] * 3, (trials.map { |trial| trial.calls.reject { |one| one =~ /match/ } })
    assert_equal [1, [[0, 1], [2]]], [Crowd.most, warm]
    assert_equal [1], LoggingDriver.steps.reject(&:warm_up).map { |step| step.targets.size }.uniq
    assert_equal [[[0], [0]], [[1], [0]], [[0], [0]]], trials.map(&:moves)
    waves = stages.group_by { |facts| facts[:variant] }
                  .transform_values { |all| all.filter_map { |facts| facts[:wave] }.uniq }
    assert_equal({ "a" => [%w[a b]], "b" => [%w[a b]], "c" => [] }, waves.slice("a", "b", "c"))
    assert_equal %i[warm], stages.select { |facts| facts[:wave] }.map { |one| one[:stage] }.uniq
  end

  test "the servers of a duet boot at once, as they are loaded" do
    Crowd.inside = Crowd.most = 0
    trials = %w[a b].each_with_index.map { |name, at| Crowd.new(name).tap { |one| halve(one, at) } }
    layout = Mohs::Cohort::Layout.for("duet", %w[a b], cpus: [0, 1], servers: 1)
    session(trials, layout:).call

    assert_equal 2, Crowd.most
  end

  test "what one of them raises is noticed while the other still boots" do
    trials = %w[a b].each_with_index.map { |name, at| Trial.new(name).tap { |one| halve(one, at) } }
    trials[0].define_singleton_method(:boot) { sleep 20 }
    trials[1].define_singleton_method(:boot) { raise Mohs::EnvironmentError, "no room" }
    layout = Mohs::Cohort::Layout.for("duet", %w[a b], cpus: [0, 1], servers: 1)
    since = Mohs::Clock.mono_ns
    assert_raises(Mohs::EnvironmentError) { session(trials, layout:).call }

    assert_operator Mohs::Clock.mono_ns - since, :<, 10e9
  end

  test "what fails in a warm-up beside others is no result, and all are stopped" do
    a, b = %w[a b].map { |name| Trial.new(name, fails: name == "b" ? { warm: "locked" } : {}) }
    error = assert_raises(Mohs::Cohort::Session::Disturbed) { in_waves(a, b) }

    assert_equal [%w[b], [nil, nil]], [error.variants, [a, b].map(&:outcome)]
    assert_equal "locked", error.failures["b"][:reason].to_s
    assert_equal(%i[hurry hurry], [a, b].map { |one| one.calls.last })
  end

  # One answer of the second server is none.
  def once(error)
    Class.new(LoggingDriver) do
      define_method(:initialize) do |**options|
        failed = ->(target, number) { target == 1 && number == 5 }
        super(**options, script: ->(*at) { failed.call(*at) ? error : 1_000_000 })
      end
    end
  end

  test "a connection that closed as a request was sent disturbs nobody" do
    %w[closed_between_requests reset_between_requests].each do |race|
      trials = %w[a b].map { |name| Trial.new(name) }
      in_waves(*trials, driver: once(race))

      assert_equal [nil, nil], trials.map(&:outcome), race
    end
  end

  test "neither is one whose answers were wrong there, if only some" do
    once_wrong = once("wrong_status")
    trials = %w[a b].map { |name| Trial.new(name) }
    error = assert_raises(Mohs::Cohort::Session::Disturbed) do
      in_waves(*trials, driver: once_wrong)
    end

    assert_equal({ "b" => { reason: nil, errors: { "wrong_status" => 1 } } }, error.failures)
    once_wrong.steps = []
    session(trials = %w[a b].map { |name| Trial.new(name) }, driver: once_wrong).call
    assert_equal [nil, nil], trials.map(&:outcome), "one at a time it is measured as it is"
  end

  test "one that can't be moved to its core ends alone" do
    a, b = %w[a b].map { |name| Trial.new(name) }
    def b.move(_cpus) = raise(Mohs::TrialError.new("it is kept", code: "not_moved"))
    in_waves(a, b)

    assert_equal [nil, "not_moved"], [a.outcome, b.outcome[:reason].code]
    assert_includes a.calls, :finish
  end

  test "of two servers of each variant, each gets the requests that are asked for" do
    sent = [%w[a b], %w[a b b a]].map do |names|
      trials = names.map.with_index { |name, at| Trial.new(name).tap { |one| halve(one, at % 2) } }
      layout = Mohs::Cohort::Layout.for("duet", %w[a b], cpus: [0, 1], servers: names.size / 2)
      session(trials, layout:, requests: 8000).call
      trials.map { |trial| trial.samples.select(&:block).sum { |one| one.result.good } }.min
    end

    assert sent.all? { |count| count >= 8000 }, sent
  end

  def halve(trial, worker)
    trial.define_singleton_method(:worker) { worker }
  end

  # Serves the first target in so many ms, the second in others.
  def paced(*cost_ms)
    Class.new(LoggingDriver) do
      define_method(:initialize) do |**options|
        super(**options, script: ->(target, _) { (cost_ms[target] * 1e6).to_i })
      end
    end
  end

  def warm_steps(*cost_ms)
    driver = paced(*cost_ms)
    trials, = in_waves(Trial.new("a"), Trial.new("b"), driver:)
    [driver.steps.select(&:warm_up).map(&:targets), trials]
  end

  test "one that is warm waits idle until the other is" do
    targets, = warm_steps(0.9, 1.5)

    assert_equal [[0, 1], [0]], targets.uniq
  end

  test "servers whose pages take far longer warm up in turn, once that is known" do
    targets, (fast, slow) = warm_steps(0.3, 60)
    alone, = through(Trial.new("b"), driver: paced(60).tap { |one| one.steps = [] })

    assert_equal [[[0, 1], 8]], targets.tally.first(1)
    assert_equal [[0, 1], [0], [1]], targets.uniq
    assert_equal %i[warm warm], [fast, slow].map { |trial| trial.warm_up.outcome }
    assert_equal alone.warm_up.requests, slow.warm_up.requests
  end

  test "what the run has no time for is left out before it is warmed up, and the rest goes on" do
    trials = %w[a b c d].map { |name| Mohs::TrialDouble.new(name) }
    asked = []
    late = lambda do |cold|
      asked << cold
      asked.size == 3 ? %w[d a] : []
    end
    session(trials, late:).call

    assert_equal [%w[a b c d], %w[b c d], %w[c d], [], []], asked
    assert_equal [nil, nil, nil, "lost"], trials.map { |trial| trial.outcome&.fetch(:state) }
    assert_equal [true, true, true, false], trials.map { |trial| trial.calls.include?(:finish) }
    refute_includes trials.last.calls, :warming
  end

  test "a setting that is not what was asked for ends the cohort before any load" do
    same = -> { Mohs::TrialDouble.new("b", fails: { must_differ: "both YJIT" }) }
    base, other = through(Mohs::TrialDouble.new("a"), same.call)

    assert_equal ["lost", "both YJIT"], [base.outcome[:state], other.outcome[:reason].summary]
    [base, other].each { |trial| assert_empty trial.calls & %i[check warming] }
    base, other, third = through(Mohs::TrialDouble.new("a"), same.call, Mohs::TrialDouble.new("c"))
    assert_equal [nil, "both YJIT", nil],
                 [base.outcome, other.outcome[:reason].summary, third.outcome]
    assert_includes third.calls, :finish
  end

  test "settings that only a warm server shows end the cohort before it is measured" do
    same = -> { Mohs::TrialDouble.new("b", fails: { must_differ_warm: "both run none" }) }
    base, other = through(Mohs::TrialDouble.new("a"), same.call)

    assert_equal ["lost", "both run none"], [base.outcome[:state], other.outcome[:reason].summary]
    [base, other].each do |trial|
      assert_equal %i[warmed attest_warm stop], trial.calls.last(3)
      assert_equal trial.sent, trial.recording.size
    end
    base, other, third = through(Mohs::TrialDouble.new("a"), same.call, Mohs::TrialDouble.new("c"))
    assert_equal [nil, "both run none", nil],
                 [base.outcome, other.outcome[:reason].summary, third.outcome]
    assert_includes third.calls, :finish
  end

  test "where only the end shows that two are the same, the first one's figures stay" do
    other = Mohs::TrialDouble.new("b", fails: { must_differ_at_end: "both run none" })
    base, other = through(Mohs::TrialDouble.new("a"), other)

    assert_equal [nil, "both run none"], [base.outcome, other.outcome[:reason].summary]
    [base, other].each { |trial| assert_includes trial.calls, :measured }
  end

  def session(trials, driver: Mohs::Drivers.fetch("mock"), layout: nil, **options)
    names = trials.map(&:name)
    spec = Mohs::Plan::CohortSpec.new(round: 1, position: 0, baseline: names.first, variants: names,
                                      blocks: [names], estimate_s: 1)
    layout ||= Mohs::Cohort::Layout.for("apart", names)
    Mohs::Cohort::Session.new(trials:, spec:, layout:, seed: 1, driver: driver.method(:new),
                              **options)
  end
end
