# frozen_string_literal: true

require "test_helper"

module Mohs
  module Process
    class TreeTest < TestCase
      test "a process has its descendants below it, whichever of its threads forked them" do
        script = "$stdout.sync = true; Thread.new { IO.popen(['sleep', '80']); puts 1; sleep };" \
                 "$stdin.read"
        child = IO.popen(["ruby", "-e", script], "r+")
        child.gets
        pids = Tree.pids(child.pid)
        assert_equal [child.pid, "sleep 80"], [pids.first, Tree.command_line(pids.last)]
        assert_includes Tree.children(::Process.pid), child.pid
      ensure
        pids&.last&.then { |pid| ::Process.kill("KILL", pid) }
        child.close
      end

      test "where /proc lists no children, the parent of each process says the same" do
        child = IO.popen(["sh", "-c", "sleep 81 & echo; wait"], "r")
        child.gets
        pids = Tree.pids(child.pid)
        Tree.stub(:listed?, false) do
          assert_equal pids, Tree.pids(child.pid)
          assert_includes Tree.children(::Process.pid), child.pid
          assert_empty Tree.children(4_000_000)
        end
        assert_equal 2, pids.size
      ensure
        pids&.each { |pid| ::Process.kill("KILL", pid) }
        child.close
      end

      test "a process that is not there has no children and no command line" do
        nobody = 4_000_000
        assert_equal [nobody], Tree.pids(nobody)
        assert_empty Tree.children(nobody)
        assert_equal "", Tree.command_line(nobody)
      end
    end
  end
end
