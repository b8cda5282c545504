# frozen_string_literal: true

require "test_helper"

class SessionTest < Mohs::TestCase
  # A trial without a server: says what was done with it, and fails where it is told to.
  class Trial
    Setup = Struct.new(:engine, :expected_jit)
    Child = Struct.new(:supervisor)

    attr_reader :name, :calls, :samples, :outcome, :recording, :warm_up, :setup

    def initialize(name, fails: {})
      @name = name
      @fails = fails
      @calls = []
      @samples = []
      @setup = Setup.new("ruby")
    end

    %i[boot attest check warmed measuring finish].each do |stage|
      define_method(stage) { tell(stage) }
    end

    def child = Child.new(7)
    def stop(grace_s: nil) = tell(grace_s ? :hurry : :stop)
    def match_answers(other) = tell(:"match_#{other.name}")
    def worker = 0
    def attested = { jit: "off" }
    def sent = @samples.sum { |_, _, result| result.sent }
    def target = Mohs::Load::Target.new(name: @name, connections: 2)
    def lasting = [1]
    def over? = !@outcome.nil?
    def loaded(block, position, result) = @samples << [block, position, result]
    def recorded(recording, _specimen) = @recording = recording
    def end_as(error) = @outcome = { state: error.state.to_s, reason: error.message }

    def warming(rule)
      tell(:warming)
      @warm_up = rule
    end

    def must_answer(_count)
      fail_at(@samples.last&.first ? :measure : :warm)
    end

    private

    def tell(stage)
      @calls << stage
      fail_at(stage)
    end

    def fail_at(stage)
      raise Mohs::TrialError.new(@fails[stage], state: :failed) if @fails[stage]
    end
  end

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

  STAGES = %i[boot attest check warming warmed measuring finish stop].freeze

  test "a trial goes through its stages and is loaded, warm-up first" do
    trial = through(Trial.new("a")).first

    assert_equal STAGES, trial.calls
    assert_equal [nil, 0], trial.samples.map(&:first).uniq.first(2)
    assert_equal trial.recording.size, trial.samples.sum { |_, _, result| result.sent }
  end

  # Has a process and a driver thread of its own, and tells where it was when it was loaded.
  class Wanderer < Trial
    attr_reader :worker, :pids, :halves
    attr_accessor :half

    def initialize(name, worker, pid)
      super(name)
      @worker = worker
      @pids = [pid]
      @halves = []
    end

    def loaded(block, *)
      super
      @halves << [half, Mohs::Core.affinity(pids.first)] if block&.zero?
    end
  end

  # Keeps where its threads were.
  class PinnedDriver < Mohs::Drivers::Mock
    class << self
      attr_accessor :pinned
    end

    def pin(cpus) = (self.class.pinned ||= []) << cpus
  end

  test "one server of each: they change halves between slices, and their driver threads too" do
    first, second = Mohs::Process::CpuSet.available
    skip "there is one core" unless second
    pids = Array.new(2) { spawn("sleep", "30") }
    a, b = %w[a b].each_with_index.map { |name, at| Wanderer.new(name, at, pids[at]) }
    layout = Mohs::Cohort::Layout.for("duet", %w[a b], cpus: [first, second], servers: 1)
    session([a, b], layout:, driver: PinnedDriver).call

    assert_equal [[0, [first]], [1, [second]]], a.halves
    assert_equal [[1, [second]], [0, [first]]], b.halves
    assert_equal [[first, second], [second, first]], PinnedDriver.pinned.first(2)
    blocks = [a, b].map { |trial| trial.samples.map { |sample| sample.first(2) }.select(&:first) }
    assert_equal [[0, 0], [0, 1], [1, 0]], blocks.first.first(3)
    assert_equal(*blocks)
  ensure
    pids&.each { |pid| Process.kill(:KILL, pid) && Process.wait(pid) }
  end

  test "trials take turns in mirrored blocks, as long each" do
    a, b = through(Trial.new("a"), Trial.new("b"))
    positions = [a, b].map do |trial|
      trial.samples.filter_map { |block, position, _| position if block&.zero? }
    end

    assert_equal [[0, 3], [1, 2]], positions
    assert_equal a.samples.count(&:first), b.samples.count(&:first)
    assert_includes b.calls, :match_a
  end

  %i[boot attest check].each do |stage|
    test "a server that fails at #{stage} ends alone" do
      bad, good = through(Trial.new("bad", fails: { stage => "broken" }), Trial.new("good"))

      assert_equal({ state: "failed", reason: "broken" }, bad.outcome)
      assert_empty bad.samples
      assert_equal [nil, STAGES], [good.outcome, good.calls]
    end
  end

  test "a server that fails in warm-up is not measured" do
    bad, good = through(Trial.new("bad", fails: { warm: "died" }), Trial.new("good"))

    assert_equal "died", bad.outcome[:reason]
    assert_equal [nil], bad.samples.map(&:first).uniq
    assert good.samples.any?(&:first)
  end

  test "a server that stops answering costs one block, and its requests are kept" do
    bad, good = through(Trial.new("bad", fails: { measure: "died" }), Trial.new("good"))

    assert_equal [0], bad.samples.filter_map(&:first).uniq
    assert_operator good.samples.filter_map(&:first).uniq.size, :>, 1
    assert_equal bad.recording.size, bad.samples.sum { |_, _, result| result.sent }
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

    assert_equal [:up, [7, 7], %i[warmed warmed]], shield.calls.first
    assert_equal [[:down, 2], [:down, :none]], shield.calls.drop(1)
    assert_equal [0, 2, 0], ShieldedDriver.given.chunk(&:itself).map(&:first)
  end

  test "the shield is taken back whatever happens" do
    trials = [Trial.new("a")]
    def (trials.first).finish = raise(Interrupt)
    shield = Shield.new(trials)

    assert_raises(Interrupt) { session(trials, shield:).call }
    assert_equal :down, shield.calls.last.first
  end

  test "who watches is told each stage" do
    told = []
    through(Trial.new("a"), emit: ->(**stage) { told << stage[:stage] })

    assert_equal %i[boot attest check warm measure finish], told.uniq
  end

  test "who watches is told the rate of a warm-up, and when a compiler is waited for" do
    told = []
    trial = Trial.new("a")
    def trial.attested = { jit: "mjit" }
    def trial.pids = []
    through(trial, emit: ->(**stage) { told << stage })

    assert_equal 0, told.find { |stage| stage[:stage] == :warm }[:requests]
    last = told.reverse.find { |stage| stage[:stage] == :warm }
    assert_in_delta trial.warm_up.rate, last[:per_s]
    assert_equal [{ variant: "a", stage: :settle }], told.select { |one| one[:stage] == :settle }
  end

  private

  def through(*trials, **options)
    session(trials, **options).call
    trials
  end

  def session(trials, driver: Mohs::Drivers.fetch("mock"), layout: nil, **options)
    names = trials.map(&:name)
    spec = Mohs::Plan::CohortSpec.new(round: 1, position: 0, baseline: names.first, variants: names,
                                      blocks: [names], estimate_s: 1)
    layout ||= Mohs::Cohort::Layout.for("rounds", names)
    Mohs::Cohort::Session.new(trials:, spec:, layout:, seed: 1, driver:, **options)
  end
end
