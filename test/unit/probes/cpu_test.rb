# frozen_string_literal: true

require "test_helper"

class CpuTest < Mohs::TestCase
  test "a process that works gathers ticks" do
    before = Mohs::Probes::Cpu.ticks([::Process.pid]).fetch(::Process.pid)
    deadline = ::Process.clock_gettime(::Process::CLOCK_PROCESS_CPUTIME_ID) + 0.05
    nil until ::Process.clock_gettime(::Process::CLOCK_PROCESS_CPUTIME_ID) > deadline

    assert_operator Mohs::Probes::Cpu.ticks([::Process.pid]).fetch(::Process.pid), :>, before
  end

  test "a process that is gone is left out" do
    pid = ::Process.spawn("true").tap { |child| ::Process.wait(child) }

    assert_empty Mohs::Probes::Cpu.ticks([pid])
  end
end
