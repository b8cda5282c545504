# frozen_string_literal: true

require "test_helper"

class CpuTest < Mohs::TestCase
  # Works for a tenth of a second, says so, and waits to be ended.
  WORK = "def cpu_s = Process.clock_gettime(Process::CLOCK_PROCESS_CPUTIME_ID); " \
         "nil until cpu_s > 0.1; puts; $stdout.flush; $stdin.read"

  test "a process that works gathers ticks" do
    before = Mohs::Probes::Cpu.ticks([::Process.pid]).fetch(::Process.pid)
    deadline = ::Process.clock_gettime(::Process::CLOCK_PROCESS_CPUTIME_ID) + 0.05
    nil until ::Process.clock_gettime(::Process::CLOCK_PROCESS_CPUTIME_ID) > deadline

    assert_operator Mohs::Probes::Cpu.ticks([::Process.pid]).fetch(::Process.pid), :>, before
  end

  test "a process that is gone is left out" do
    pid = ::Process.spawn("true").tap { |child| ::Process.wait(child) }

    assert_empty Mohs::Probes::Cpu.ticks([pid])
    assert_equal 0, Mohs::Probes::Cpu.tree_ns([pid])
    assert_equal [Integer, NilClass],
                 Mohs::Probes::Cpu.clocks_ns([::Process.pid, pid]).map(&:class)
  end

  test "the time of a process is its clock's, in nanoseconds" do
    before = waited_ns
    own = Mohs::Probes::Cpu.tree_ns([::Process.pid])
    after = waited_ns

    tick = 2 * Mohs::Probes::Cpu::TICK_NS
    assert_includes (before - tick)..(after + tick), own
  end

  test "the time of a process that ends stays with who waited for it" do
    IO.popen([RbConfig.ruby, "--disable=gems", "-e", WORK], "r+") do |child|
      child.gets
      @running = Mohs::Probes::Cpu.tree_ns([::Process.pid, child.pid])
      @without = Mohs::Probes::Cpu.tree_ns([::Process.pid])
    end
    ended = Mohs::Probes::Cpu.tree_ns([::Process.pid])

    assert_operator @running - @without, :>, 90_000_000
    assert_operator ended, :>, @running - (2 * Mohs::Probes::Cpu::TICK_NS)
  end

  private

  # Of this process and the children that it has waited for.
  def waited_ns
    times = ::Process.times
    own = ::Process.clock_gettime(::Process::CLOCK_PROCESS_CPUTIME_ID, :nanosecond)
    own + ((times.cutime + times.cstime) * 1_000_000_000)
  end
end
