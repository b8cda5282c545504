# frozen_string_literal: true

require "test_helper"

# The walk over a run's cohorts, with an execution that only writes what one would.
class RunnerTest < Mohs::TestCase
  include Mohs::StoreHelper

  # Notes which cohort it was given; the test may have it raise, or leave it to somebody else.
  class Execution
    class << self
      attr_accessor :walked, :during, :installs
    end

    def initialize(store:, cohort_id:, emit:, late:, **)
      @store = store
      @cohort_id = cohort_id
      @emit = emit
      @late = late
    end

    def call
      assert_claimed
      row = @store.cohort(@cohort_id)
      self.class.walked << row[:position]
      self.class.during&.call(row, @store, @emit, @late)
      self.class.installs.each { |report| @emit.call(**report) }
      @emit.call(variant: "a", stage: :boot)
      @store.finish_cohort(@cohort_id, "done", token: "us")
    ensure
      @store.release_stale(row[:run_id]) { |token| token == "us" }
    end

    def assert_claimed = @store.claim(@cohort_id, "us") || raise("claimed already")
  end

  # A store, and what executes its cohorts: each brings the next of the differences. Last in its
  # plan stands the cohort in which each is alone.
  class Growing
    attr_reader :blocks, :left_s, :aim_s

    def initialize(differences, **options)
      @differences = differences
      @options = options
      @blocks = []
      @left_s = []
      @aim_s = []
    end

    def result(_run, **)
      report = CompareResult.new(@differences.first(@blocks.size), planned: @differences.size,
                                                                state: "running", **@options).to_h
      report[:cohorts] << { state: @blocks.size > @differences.size ? "done" : "queued", trials: [],
                          position: @differences.size, spec: { solo: true, variants: %w[a b] } }
      report[:cohorts].each { |cohort| cohort[:spec][:variants] ||= %w[a b] }
      Mohs::Stored.run(report)
    end

    def cohorts(run) = result(run).cohorts
    def given_up(_run) = []

    def release_stale(*) = nil

    def finish_run(*) = nil

    def keep_look(*) = nil

    def new(blocks:, left_s:, aim_s:, **)
      @blocks << blocks
      @left_s << left_s
      @aim_s << aim_s
      self
    end

    def call = true
  end

  def setup
    @folder = Dir.mktmpdir("mohs-runner")
    @store = open_store(File.join(@folder, "mohs.db"))
    Execution.walked = []
    Execution.during = nil
    Execution.installs = []
    @events = []
  end

  def teardown
    close_stores
    FileUtils.rm_rf(@folder)
  end

  test "cohorts are walked in their order, each told at its start and end, to the run's end" do
    measured = walk(run = create(3))

    assert_equal [0, 1, 2], Execution.walked
    each = %i[cohort_started trial cohort_finished]
    assert_equal [*each, *each, *each, :finished], @events.map(&:first)
    assert_equal ["finished", { planned: 3, done: 3, closer: 12 }],
                 [measured.state, measured.rounds]
    assert_equal "finished", @store.run(run[:id])[:state]
    assert_same measured, @events.last.last[:run]
  end

  test "a cohort is as long as those before it say, and the fewest blocks where each is alone" do
    large = Growing.new([0.2, 0.21, 0.19])
    compare(large)
    assert_equal [nil, nil, nil, Mohs::Cohort::Schedule::BLOCKS.min], large.blocks

    wide = Growing.new([0.03, -0.03] * 5)
    compare(wide)
    settled = Mohs::Compare::Spread::SETTLED
    assert_equal [nil] * settled, wide.blocks.first(settled)
    assert(wide.blocks.drop(settled).all?(Integer), "from then on, what was seen says it")
  end

  test "a cohort has the time that the budget has left" do
    cohorts = Growing.new([0.02, -0.02] * 2, budget_s: 21) # of five seconds each
    compare(cohorts)

    assert_equal [21.0, 16.0, 11.0, 6.0], cohorts.left_s
    # Three cohorts are to end before the budget does.
    assert_equal [21 / 3.6, 16 / 2.4, 11 / 1.2, nil].map { |seconds| seconds&.round(6) },
                 cohorts.aim_s.map { |seconds| seconds&.round(6) }
    free = Growing.new([0.2, 0.21, 0.19])
    compare(free)
    assert_equal [[nil], [nil]], [free.left_s.uniq, free.aim_s.uniq]
  end

  test "what a cohort has to install is told as it is before a run" do
    Execution.installs = [{ stage: :install, ruby: "jruby-10", line: "installing puma" },
                          { stage: :installed, ruby: "jruby-10", state: :ok, seconds: 9.0 }]
    walk(create(1))

    assert_equal %i[cohort_started install installed trial cohort_finished finished],
                 @events.map(&:first)
    assert_equal({ ruby: "jruby-10", line: "installing puma" }, @events[1].last)
  end

  test "who watches is told where it stands, and can show the run so far" do
    walk(create(2))
    started, finished = %i[cohort_started cohort_finished].map do |name|
      @events.select { |event| event.first == name }
    end

    assert_equal [[0, 2, 1, %w[a b]], [1, 2, 2, %w[a b]]],
                 started.map { |_, facts| facts.values_at(:cohort, :of, :round, :variants) }
    assert_equal([1, 2], finished.map { |_, facts| facts[:run].rounds[:done] })
    assert_equal(%w[running running], finished.map { |_, facts| facts[:run].state })
  end

  test "what breaks because of Ctrl-C is Ctrl-C; what breaks without is told" do
    Execution.during = lambda do |*|
      raise Interrupt
    ensure
      raise IOError, "half removed"
    end

    assert_equal "interrupted", walk(create(1)).state
    Execution.during = ->(*) { raise IOError, "gone" }
    assert_raises(IOError) { walk(create(1)) }
  end

  # What the trials of a cohort end as, by its position.
  def ending(*states, boot_ns: 1)
    Execution.during = lambda do |cohort, store, *|
      cohort.spec.variants.each do |variant|
        trial = store.start_trial(cohort.id, variant)
        store.finish_trial(trial, { state: states.fetch(cohort.position), boot_ns: }.compact)
      end
    end
  end

  test "variants that all end alike in the first round end the run" do
    %w[refused invalid failed].each do |state|
      Execution.walked = []
      ending(state, state, state)
      measured = walk(create(3))

      assert_equal [[0], "finished", 1],
                   [Execution.walked, measured.state, measured.rounds[:done]]
      assert_equal [state, 2, 3],
                   measured.shared_failure.values.values_at(:state, :variants, :rounds)
    end
  end

  test "a setting that is not what was asked for ends the run after its first cohort" do
    Execution.during = lambda do |row, store, *|
      store.finish_trial(store.start_trial(row[:id], "b"),
                         { state: "invalid", reason: Mohs::Reason.new(code: "same_jit") })
      store.finish_trial(store.start_trial(row[:id], "a"), { state: "lost" })
    end
    measured = walk(create(3, named: true))

    assert_equal [[0], "finished", "b", true],
                 [Execution.walked, measured.state, measured.unmet.variant,
                  measured.ended_by_setting?]
    Execution.walked = []
    refute_predicate walk(create(3)), :ended_by_setting?
    assert_equal [0, 1, 2], Execution.walked, "the others of those that mohs chose"
  end

  test "of a tuning the settings that open its race are enough for that" do
    ending("refused", "refused", "refused")
    rest = { round: 1, position: 2, baseline: "a", variants: %w[a c] }
    variants = [{ name: "c", refusal: nil, env: {} }]
    tuning = { limit: Mohs::Load::Limit.parse("p99 < 200 ms").to_h }
    run = create(2, cohorts: [rest], variants:, tuning:)

    assert_equal "finished", walk(run).state
    assert_equal [0], Execution.walked
    others = variants.map { |one| { **one, flags: %w[--yjit] } }
    [["failed", variants], ["refused", others]].each do |state, untried|
      Execution.walked = []
      ending(state, state, state)
      walk(create(2, cohorts: [rest], variants: untried, tuning:))

      assert_includes Execution.walked, 2, "the others may do better"
    end
  end

  test "those refused before the start have their rows all the same" do
    ending("refused", "refused", "refused")
    rest = { round: 1, position: 2, baseline: nil, variants: %w[c] }
    variants = [{ name: "c", refusal: "no", env: {} }]
    walk(create(2, cohorts: [rest], variants:))

    assert_equal [0, 2], Execution.walked
  end

  test "variants that could not boot, and may next time, are tried again" do
    ending("failed", "measured", boot_ns: nil)
    walk(create(2))

    assert_equal [0, 1], Execution.walked
  end

  test "what mohs itself ended is measured in the next round" do
    ending("lost", "measured")
    walk(create(2))

    assert_equal [0, 1], Execution.walked
  end

  # A run of seven rounds of a and b, announced for so many seconds, in which each boot takes so
  # long (of several, the last from then on); all the rest takes no time.
  def timed(announced_s, boot_s:, **given)
    clock = Mohs::ProgressHelper::HandClock.new
    boots = [*boot_s]
    Execution.during = lambda do |*, emit, _late|
      emit.call(stage: :wait, holder: 1)
      clock.pass(1000)
      %w[a b].each do |variant|
        emit.call(variant:, stage: :boot)
        clock.pass(boots.one? ? boots.first : boots.shift)
      end
      emit.call(variant: "a", stage: :attest)
      %w[a b].each { |variant| emit.call(variant:, stage: :warm, requests: 0) }
      emit.call(stage: :measure, block: 1, of: 1)
    end
    run = create(7, **given)
    [run, walk(run, announced_s:, clock:, open: @open || false)]
  end

  def cuts = @events.select { |name, _| name == :plan_changed }.map(&:last)

  test "a run that would take longer than announced is cut, in the store too" do
    run, measured = timed(56, boot_s: 8)

    assert_equal [[0, 1, 2], "finished", { planned: 3, done: 3, closer: 12 }],
                 [Execution.walked, measured.state, measured.rounds]
    assert_equal [[4, 7]],
                 cuts.flat_map { |cut| cut[:cut].map { |one| one.values_at(:rounds, :of) } }
    assert_equal [181, 48], cuts.map { |cut| cut[:announced_s] }, "boots are slow, warm-ups not"
    assert_equal [3, 3], [@store.run(run.id).plan.rounds, @store.cohorts(run.id).size]
    assert_equal "cut_rounds", @store.run(run.id).plan.dropped.last[:code]
  end

  test "it is cut as soon as the first servers have booted" do
    timed(56, boot_s: 8)

    assert_operator @events.map(&:first).index(:plan_changed), :<,
                    @events.map(&:first).index(:cohort_finished)
  end

  test "what was waited for cuts nothing" do
    timed(56, boot_s: 0.7)

    assert_empty cuts.flat_map { |cut| cut[:cut] }
  end

  test "a run that goes faster than announced gets more rounds, in the store too" do
    run, measured = timed(56, boot_s: 0.7)

    assert_equal [(0..9).to_a, { planned: 10, done: 10, closer: 40 }],
                 [Execution.walked, measured.rounds]
    assert_equal [10, 10], [@store.run(run.id).plan.rounds, @store.cohorts(run.id).size]
    assert_equal 1, cuts.size
  end

  test "a time that nobody was told is announced once, when the first cohort is over" do
    @open = true
    run, = timed(20, boot_s: 8)

    assert_equal [[true, 7, []]], cuts.map { |cut| [cut[:first], cut[:plan].rounds, cut[:cut]] }
    assert_in_delta 7 * 16, cuts.first[:announced_s], 12
    assert_equal [(0..6).to_a, []], [Execution.walked, @store.run(run.id).plan.dropped]
  end

  test "no time is announced if nothing is left to measure" do
    [%w[refused refused], %w[invalid lost same_jit]].each do |a, b, code|
      Execution.during = lambda do |row, store, emit, _|
        { "a" => a, "b" => b }.each do |variant, state|
          reason = Mohs::Reason.new(code:) if code
          store.finish_trial(store.start_trial(row[:id], variant), { state:, reason: }.compact)
          emit.call(variant:, stage: :ended, state:) unless code
        end
      end
      Execution.walked = []
      walk(create(7, named: true), announced_s: 56, open: true)

      assert_equal [[0], []], [Execution.walked, cuts]
    end
  end

  test "no other time is announced by the cohort that ends a run" do
    clock = Mohs::ProgressHelper::HandClock.new
    Execution.during = lambda do |row, store, emit, _|
      %w[a b].each do |variant|
        emit.call(variant:, stage: :boot)
        clock.pass(8)
      end
      emit.call(stage: :measure, block: 1, of: 1)
      next if row.position.zero?

      reason = Mohs::Reason.new(code: "same_jit")
      store.finish_trial(store.start_trial(row[:id], "b"), { state: "invalid", reason: })
      emit.call(variant: "b", stage: :ended, state: "invalid")
    end
    walk(create(7, named: true), announced_s: 56, clock:, open: true)

    assert_equal [[0, 1], [true]], [Execution.walked, cuts.map { |one| one[:first] }]
  end

  test "rounds that a slow first cohort cost come back as soon as a later one is quick" do
    run, measured = timed(56, boot_s: [8, 8, 1])

    assert_equal [(0..6).to_a, 7], [Execution.walked, measured.rounds[:planned]]
    assert_equal [3, 7], cuts.map { |cut| cut[:plan].rounds }.uniq
    assert_empty @store.run(run.id).plan.dropped
  end

  test "a least that does not fit is announced as soon as the first servers have booted" do
    timed(56, boot_s: 40)
    names = @events.map(&:first)

    assert_operator cuts.first[:announced_s], :>=, 240
    assert_operator names.index(:plan_changed), :<, names.index(:cohort_finished)
  end

  test "rounds that were asked for are neither more nor fewer" do
    timed(56, boot_s: 0.7, asked: 7)

    assert_equal (0..6).to_a, Execution.walked
  end

  # Cohorts of four whose boots take what was expected, and their warm-ups so long.
  def warming(warm_s)
    clock = Mohs::ProgressHelper::HandClock.new
    late = []
    Execution.during = lambda do |row, _, emit, ask|
      names = row.spec.variants
      names.each do |variant|
        emit.call(variant:, stage: :boot)
        clock.pass(0.7)
      end
      emit.call(variant: names.first, stage: :attest)
      until names.empty?
        late << ask.call(names)
        late.last.each { |variant| emit.call(variant:, stage: :ended, state: "lost") }
        variant, *names = names - late.last
        break unless variant

        emit.call(variant:, stage: :warm, requests: 0)
        clock.pass(warm_s)
      end
    end
    walk(create_four, announced_s: 112, clock:)
    late
  end

  def create_four
    sample = SampleResult.new(%w[a b c d].to_h { |name| [name, 1000] }, rounds: 7)
    specs = Array.new(7) do |position|
      { round: position + 1, position:, baseline: "a", variants: %w[a b c d] }
    end
    @store.create_run(study: sample.study, plan: sample.plan.merge(cohorts: specs, rounds: 7),
                      fingerprint: {}, provenance: {})
  end

  test "two warm-ups tell which of the others the first cohort need not wait for" do
    late = warming(15)

    assert_equal [[], [], %w[c d]], late.first(3).map(&:sort)
    assert_empty late.drop(3).flatten
    assert_equal %w[cut_variant cut_variant cut_rounds], cuts.first[:cut].map { |cut| cut[:code] }
    assert_operator Execution.walked.size, :>=, 3
  end

  test "servers that are warm in time are all measured" do
    assert_empty warming(1.8).flatten
  end

  test "where nothing may be cut another time is announced" do
    timed(56, boot_s: 40)

    assert_equal [0, 1, 2], Execution.walked
    assert_operator cuts.last[:announced_s], :>=, 240
  end

  # A run of seven rounds that is resumed with a budget; each round takes eight seconds.
  def resumed(budget_s, **given)
    clock = Mohs::ProgressHelper::HandClock.new
    Execution.during = lambda do |_, _, emit, _|
      yield
      %w[a b].each do |variant|
        emit.call(variant:, stage: :boot)
        clock.pass(4)
      end
      %w[a b].each { |variant| emit.call(variant:, stage: :warm, requests: 0) }
      emit.call(stage: :measure, block: 1, of: 1)
    end
    walk(create(7, **given), announced_s: 56, budget_s:, clock:)
  end

  test "a budget for what is left is kept from the start, whatever the plan had" do
    resumed(30, asked: 7) do
      assert_equal [[4, 7]], cuts.first[:cut].map { |one| one.values_at(:rounds, :of) }
    end

    assert_equal [0, 1, 2], Execution.walked
  end

  test "a budget for what is left that not even a round fits in leaves one" do
    resumed(5) do
      assert_equal [[6, 7]], cuts.first[:cut].map { |one| one.values_at(:rounds, :of) }
    end

    assert_equal [0], Execution.walked
  end

  test "a run that nobody announced a time for takes what it takes" do
    timed(nil, boot_s: 40)

    assert_equal [[], 7], [cuts, Execution.walked.size]
  end

  test "Ctrl-C ends the walk with what is known; going on starts with what was under way" do
    run = create(3)
    Execution.during = ->(row, *) { raise Interrupt if row[:position] == 1 }
    measured = walk(run)

    assert_equal ["interrupted", 1], [measured.state, measured.rounds[:done]]
    refute_includes @events.map(&:first), :finished
    Execution.during = nil
    Execution.walked = []
    assert_equal "finished", walk(run).state
    assert_equal [1, 2], Execution.walked
  end

  test "a kill by TERM ends it as Ctrl-C does" do
    run = create(2)
    Execution.during = ->(row, *) { raise SignalException, "TERM" if row[:position] == 1 }

    assert_equal ["interrupted", 1], walk(run).then { |it| [it.state, it.rounds[:done]] }
    assert_equal "interrupted", @store.run(run[:id])[:state]
  end

  HOLDERS = { Mohs::Cohort::Token.own => %w[running running],
              "#{Socket.gethostname}:1:0" => %w[interrupted interrupted],
              "elsewhere:1:2" => %w[running interrupted] }.freeze

  test "a run is under way as long as its mohs lives, which another host's has to show" do
    later_ms = Mohs::Clock.real_ms + 600_000
    HOLDERS.each do |token, states|
      run = create(2)
      cohort = @store.cohorts(run[:id]).first.id
      state = lambda do |**at|
        Mohs::Runner.state(@store.run(run[:id]), @store.cohorts(run[:id]), **at)
      end
      @store.claim(cohort, token)
      assert_equal states, [state.call, state.call(now_ms: later_ms)], token
      @store.finish_cohort(cohort, "done", token:)

      assert_equal states, [state.call, state.call(now_ms: later_ms)], "#{token}, between two"
      @store.finish_run(run[:id], "interrupted")
      assert_equal "interrupted", state.call
    end
  end

  test "a run whose process was killed goes on with the cohort that it held" do
    run = create(2)
    dead = File.read("/proc/sys/kernel/pid_max").to_i # above every process's number
    @store.claim(@store.cohorts(run[:id]).find(&:queued?)[:id], "#{Socket.gethostname}:#{dead}:1")

    walk(run)
    assert_equal [0, 1], Execution.walked
  end

  test "a cohort that a living mohs holds is left to it" do
    run = create(2)
    @store.claim(@store.cohorts(run[:id]).find(&:queued?)[:id], Mohs::Cohort::Token.own)

    measured = walk(run)
    assert_equal ["running", 1, [1]], [measured.state, measured.rounds[:done], Execution.walked]
  end

  test "our own faults end the walk, and leave the run to be resumed" do
    run = create(2)
    Execution.during = ->(*) { raise ArgumentError, "a bug" }

    assert_raises(ArgumentError) { walk(run) }
    assert_equal(["running", %w[queued queued]],
                 [@store.run(run[:id])[:state], @store.cohorts(run[:id]).map { |row| row[:state] }])
  end

  test "a run that is finished stays as it is" do
    run = create(1)
    first = walk(run)
    Execution.walked = []

    finished = walk(run).stored
    assert_equal first.stored.with(finished_ms: nil), finished.with(finished_ms: nil)
    assert_empty Execution.walked
  end

  private

  def walk(run, **time)
    Mohs::Runner.new(store: @store, run_id: run[:id], setups: Object.new, execution: Execution,
                     on_event: ->(*event) { @events << event }, **time).call
  end

  def compare(growing)
    Mohs::Runner.new(store: growing, run_id: 1, setups: Object.new, execution: growing).call
  end

  # So many rounds of a and b, and other cohorts and variants.
  def create(rounds, cohorts: [], variants: [], asked: nil, tuning: nil, named: nil)
    sample = SampleResult.new({ "a" => 1000, "b" => 1000 }, rounds:)
    specs = Array.new(rounds) do |position|
      { round: position + 1, position:, baseline: "a", variants: %w[a b],
        **{ opening: (true if tuning) }.compact }
    end
    study = sample.study.merge({ variants: sample.study[:variants] + variants, rounds: asked,
                                 tuning:, named: }.compact)
    plan = sample.plan.merge({ cohorts: specs + cohorts, estimate_s: (600 if tuning) }.compact)
    @store.create_run(study:, plan:, fingerprint: {}, provenance: {})
  end
end
