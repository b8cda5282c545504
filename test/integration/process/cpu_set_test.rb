# frozen_string_literal: true

require "test_helper"
require "mohs/core"

module Mohs
  module Process
    class CpuSetTest < TestCase
      test "one CPU is shared; with more the driver has the last and the server the others" do
        assert_equal({ server: [3], driver: [3] }, CpuSet.plan([3]))
        assert_equal({ server: [0], driver: [1] }, CpuSet.plan([0, 1]))
        assert_equal({ server: [0, 2, 4], driver: [6] }, CpuSet.plan([0, 2, 4, 6]))
      end

      test "what is available is what the kernel says" do
        assert_equal Integer(`nproc`), CpuSet.available.size
      end

      test "all threads of a process are moved, and processes that are gone do not matter" do
        cpu = CpuSet.available.last
        script = "3.times { Thread.new { sleep } }; puts 1; $stdout.flush; $stdin.read"
        child = IO.popen(["ruby", "-e", script], "r+")
        child.gets
        CpuSet.pin([cpu]) { [child.pid, 4_000_000] }
        threads = Dir.children("/proc/#{child.pid}/task")
        assert_operator threads.size, :>=, 4
        assert_equal [[cpu]], threads.map { |tid| Core.affinity(tid.to_i) }.uniq
      ensure
        child.close
      end

      test "processes that start while others are moved are moved, too, however late they come" do
        first, second = CpuSet.available
        skip "there is one core" unless second
        pids = Array.new(6) { spawn("sleep", "30") }
        pids.each { |pid| Core.set_affinity(pid, [first]) }
        asked = 0
        CpuSet.pin([second]) { pids.first(asked += 1) }

        assert_equal [[second]], pids.map { |pid| Core.affinity(pid) }.uniq
        assert_equal 7, asked, "the last time it finds nobody elsewhere"
      ensure
        pids&.each { |pid| ::Process.kill(:KILL, pid) && ::Process.wait(pid) }
      end

      test "where new ones never cease, it ends all the same" do
        here = CpuSet.available
        asked = 0
        pin = -> { CpuSet.pin(here) { (asked += 1) && [::Process.pid] } }
        pin.call
        assert_equal 1, asked, "all are there already"

        Core.stub(:affinity, [99]) { pin.call }
        assert_operator asked, :<=, 51
      end

      test "mohs keeps to the CPUs that it is given, while the block runs and not after" do
        before = CpuSet.available
        inside = CpuSet.keep_to(before.last(1)) { CpuSet.available }

        assert_equal [before.last(1), before], [inside, CpuSet.available]
        assert_raises(IOError) { CpuSet.keep_to(before.last(1)) { raise IOError } }
        assert_equal before, CpuSet.available
        assert_equal before, CpuSet.keep_to([]) { CpuSet.available }
      end

      test "a CPU that cannot be is refused" do
        assert_raises(ArgumentError) { Core.set_affinity(0, [-1]) }
        assert_raises(Errno::EINVAL) { Core.set_affinity(0, [1023]) }
      end
    end
  end
end
