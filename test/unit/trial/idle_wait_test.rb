# frozen_string_literal: true

require "test_helper"

class IdleWaitTest < Mohs::TestCase
  Step = Struct.new(:wall_ns, :cpu_ns, keyword_init: true)

  # A clock, and the CPU time of two processes and of children that have ended, that the test sets.
  class Machine
    attr_accessor :mono_ns, :cpu, :children_ns

    def clocks_ns(pids) = pids.map { |pid| cpu[pid] }

    def tree_ns(pids) = clocks_ns(pids).sum(&:to_i) + children_ns
  end

  def setup
    @machine = Machine.new
    @rest = rest
  end

  def rest(**options)
    @machine.mono_ns = 1000
    @machine.cpu = { 1 => 70, 2 => 30 }
    @machine.children_ns = 5
    rest = Mohs::Trial::IdleWait.new([1, 2], 1, probe: @machine, clock: @machine, **options)
    @machine.mono_ns = 1800
    @machine.cpu = { 1 => 170, 2 => 90, 3 => 7 }
    rest
  end

  test "what its steps took is left out, a process that is new is counted" do
    steps = [900, 100, 100].map { |wall_ns| Step.new(wall_ns:, cpu_ns: wall_ns / 2) }

    assert_equal({ wall_ns: 600, cpu_ns: 67 }, @rest.call([1, 2, 3], steps))
    assert_equal({ wall_ns: 800, cpu_ns: 160 }, @rest.call([1, 2], steps.first(1)))
  end

  test "what its requests run is not counted, nor a process that has ended" do
    steps = [900, 100, 100].map { |wall_ns| Step.new(wall_ns:, cpu_ns: wall_ns / 2) }
    @machine.children_ns = 2000
    @machine.cpu.delete(2)

    assert_equal({ wall_ns: 600, cpu_ns: 0 }, @rest.call([1, 2], steps))
  end

  test "what it does while its figures are read is left out, and the time that this takes" do
    @machine.mono_ns = 1000
    @machine.cpu = { 1 => 70, 2 => 30 }
    read = @rest.outside([1, 2]) do
      @machine.mono_ns += 200
      @machine.cpu = { 1 => 110, 2 => 30 }
      :figures
    end
    @machine.mono_ns = 2000
    @machine.cpu = { 1 => 130, 2 => 30 }

    assert_equal :figures, read
    assert_equal({ wall_ns: 800, cpu_ns: 20 }, @rest.call([1, 2], []))
  end

  test "compilers in processes of their own are held against the whole time" do
    steps = [900, 100, 100].map { |wall_ns| Step.new(wall_ns:, cpu_ns: wall_ns / 2) }

    with_compilers = rest(compilers: true)
    @machine.children_ns = 25

    assert_equal({ wall_ns: 800, cpu_ns: 87 }, with_compilers.call([1, 2, 3], steps))
  end

  test "where a step's CPU time is unknown, so is the rest" do
    before = Step.new(wall_ns: 1, cpu_ns: 1)

    assert_nil @rest.call([1, 2], [before, Step.new(wall_ns: 100, cpu_ns: nil)])
  end

  # Answers the CPU times of the list, one after the other, the last again and again.
  Scripted = Struct.new(:times) do
    def tree_ns(_pids) = times.size > 1 ? times.shift : times.first
  end

  test "a tree is waited for until it rests" do
    working = Scripted.new([0, 10**9, 10**9, 2 * (10**9), 2 * (10**9)])

    assert Mohs::Trial::IdleWait.await(20, probe: working) { [1] }
    assert_equal 1, working.times.size, "it was looked at twice while it worked"
  end

  test "but not for longer than the limit" do
    busy = Object.new
    def busy.tree_ns(_pids) = @ns = @ns.to_i + (10**9)

    refute Mohs::Trial::IdleWait.await(0.1, probe: busy) { [1] }
    refute Mohs::Trial::IdleWait.await(0) { flunk "nothing is asked" }
  end
end
