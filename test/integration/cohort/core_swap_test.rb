# frozen_string_literal: true

require "test_helper"

# Servers of a duet that change cores with each other, as processes that do nothing.
class CoreSwapTest < Mohs::TestCase
  # Has a process and a driver thread of its own, and tells where it was when it was loaded.
  class Wanderer < Mohs::TrialDouble
    attr_reader :worker, :pids, :halves

    def initialize(name, worker, pid)
      super(name)
      @worker = worker
      @pids = [pid]
      @halves = []
    end

    def move(cpus) = Mohs::Process::CpuSet.pin(cpus) { pids }

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
    session([a, b], layout).call

    assert_equal [[0, [first]], [1, [second]]], a.halves
    assert_equal [[1, [second]], [0, [first]]], b.halves
    assert_equal [[first, second], [second, first]], PinnedDriver.pinned.first(2)
    blocks = [a, b].map do |trial|
      trial.samples.select(&:block).map { |sample| [sample.block, sample.position] }
    end
    assert_equal [[0, 0], [0, 1], [1, 0]], blocks.first.first(3)
    assert_equal(*blocks)
  ensure
    pids&.each { |pid| Process.kill(:KILL, pid) && Process.wait(pid) }
  end

  test "one that can't be moved ends, unloaded, and the other has nobody to be compared with" do
    first, second = Mohs::Process::CpuSet.available
    skip "there is one core" unless second
    a, b = %w[a b].each_with_index.map { |name, at| Wanderer.new(name, at, Process.pid) }
    def b.move(_cpus) = raise(Mohs::TrialError.new("it is kept", code: "not_moved"))
    def a.move(_cpus) = nil
    layout = Mohs::Cohort::Layout.for("duet", %w[a b], cpus: [first, second], servers: 1)
    session([a, b], layout).call

    assert_equal(%w[partner_failed not_moved], [a, b].map { |one| one.outcome[:reason].code })
    assert_empty(b.samples.select(&:block))
  end

  private

  def session(trials, layout)
    names = trials.map(&:name)
    spec = Mohs::Plan::CohortSpec.new(round: 1, position: 0, baseline: names.first, variants: names,
                                      blocks: [names], estimate_s: 1)
    Mohs::Cohort::Session.new(trials:, spec:, layout:, seed: 1, driver: PinnedDriver.method(:new))
  end
end
