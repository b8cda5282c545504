# frozen_string_literal: true

require "test_helper"

class IdleWaitTest < Mohs::TestCase
  Step = Struct.new(:wall_ns, :cpu_ns, keyword_init: true)

  # A clock, and the CPU time of two processes, that the test sets.
  class Machine
    attr_accessor :mono_ns, :cpu

    def tree_ns(pids) = pids.sum { |pid| cpu.fetch(pid, 0) }
  end

  def setup
    @machine = Machine.new
    @machine.mono_ns = 1000
    @machine.cpu = { 1 => 70, 2 => 30 }
    @rest = Mohs::Trial::IdleWait.new([1, 2], 1, probe: @machine, clock: @machine)
    @machine.mono_ns = 1800
    @machine.cpu = { 1 => 170, 2 => 90, 3 => 7 }
  end

  # The kernel's files about two processes, 1 the parent of 2: { pid => [[comm, wchan, limit]] }.
  def waiting(threads)
    files = threads.flat_map do |pid, all|
      parts = all.each_with_index.flat_map do |(comm, wchan, limit), at|
        syscall = limit ? "202 0x55 0x89 0x0 #{limit} 0x0 0x1 0x7f 0x7f\n" : "running\n"
        { comm: "#{comm}\n", wchan:, syscall: }.map { |name, is| ["#{pid}/task/#{at}/#{name}", is] }
      end
      [["#{pid}/stat", "#{pid} (a) b) S #{pid - 1} 1 1\n"], *parts]
    end
    with_files(files.to_h) { |proc| yield proc }
  end

  JOIN = ["ruby", "futex_do_wait", "0x0"].freeze
  SLEEP = ["ruby", "futex_wait_queue", "0x7ffcdfa169f0"].freeze
  TIMER = ["ruby", "do_epoll_wait", "0xffffffff"].freeze

  def hang(proc, pids = [1, 2])
    Mohs::Trial::IdleWait::Hang.new(probe: @machine, clock: @machine, proc:) { pids }
  end

  test "a tree hangs if it has done nothing for a while, and nobody in it came or went" do
    waiting({ 1 => [SLEEP], 2 => [JOIN, TIMER, JOIN] }) do |proc|
      pids = [1, 2]
      hang = Mohs::Trial::IdleWait::Hang.new(probe: @machine, clock: @machine, proc:) { pids }
      found = [[0.6, 0, [1, 2]], [0.5, 0.1, [1, 2]], [0.9, 0, [1, 2]], [0.2, 0, [2]],
               [0.8, 0, [2]], [0.3, 0, [2]]].map do |wall_s, cpu_s, living|
        @machine.mono_ns += wall_s * 1e9
        @machine.cpu[1] += cpu_s * 1e9
        pids = living
        hang.call
      end

      assert_equal [false, false, false, false, false, true], found
    end
  end

  { "in a worker that joins its threads, beside Puma's own" =>
      [true, [JOIN, TIMER, ["puma wrkr check", "poll_schedule_timeout", "0x0"],
              ["puma stat pld", "futex_do_wait", "0x7f61"]]],
    "in a worker that sleeps" => [false, [SLEEP, TIMER]],
    "in a worker whose thread sleeps" => [false, [JOIN, SLEEP]],
    "in one that waits for a disk" => [false, [JOIN, ["ruby", "io_schedule", "0x0"]]],
    "in one that waits for an answer" => [false, [["ruby", "poll_schedule_timeout", "0x0"]]],
    "in one that waits until a time for its connections" =>
      [false, [["ruby", "ep_poll", "0x64"]]],
    "in one that runs" => [false, [["ruby", "0", nil]]] }.each do |what, (hangs, worker)|
    test "#{what} it #{hangs ? 'hangs' : 'may go on'}" do
      waiting({ 1 => [SLEEP], 2 => worker }) do |proc|
        hang = hang(proc)
        @machine.mono_ns += 2e9

        assert_equal hangs, hang.call
      end
    end
  end

  test "where the kernel does not say what threads wait for, a tree may go on" do
    with_files("1/stat" => "1 (a) S 0") do |proc|
      hang = hang(proc, [1])
      @machine.mono_ns += 2e9

      refute hang.call
    end
  end

  test "what its steps took is left out, a process that is new is counted" do
    steps = [900, 100, 100].map { |wall_ns| Step.new(wall_ns:, cpu_ns: wall_ns / 2) }

    assert_equal({ wall_ns: 600, cpu_ns: 67 }, @rest.call([1, 2, 3], steps))
    assert_equal({ wall_ns: 800, cpu_ns: 160 }, @rest.call([1, 2], steps.first(1)))
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

    assert_equal({ wall_ns: 800, cpu_ns: 67 }, @rest.call([1, 2, 3], steps, compilers: true))
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
