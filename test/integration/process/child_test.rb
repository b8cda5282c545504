# frozen_string_literal: true

require "test_helper"
require "mohs/core"

module Mohs
  module Process
    class ChildTest < TestCase
      test "the command gets its arguments, environment and folder; its output goes to the log" do
        with_files do |folder|
          script = 'echo "$0 $A"; pwd; echo oops >&2'
          argv = ["sh", "-c", script, "arg"]
          child = launch(Command.new(argv:, env: { "A" => "b" }, chdir: folder), folder)
          assert_equal ExitStatus.new(code: 0), child.wait(10)
          assert_equal "arg b\n#{File.realpath(folder)}\noops\n", child.log_tail(9)
          child.kill
        end
      end

      test "the log is appended to, and its tail is the last lines as valid UTF-8" do
        with_files("log" => "first\n") do |folder|
          child = launch(sh('printf "a\nb\nc\377\n"'), folder)
          child.wait(10)
          child.kill
          assert_equal "b\nc?\n", child.log_tail(2)
          assert_equal "first\na\nb\nc?\n", child.log_tail(100)
        end
      end

      test "what a command colours its log with, and what else a terminal obeys, is left out" do
        with_files do |folder|
          written = "\\033[31mred\\033[0m\\r\\n\\a\\033]0;x\\a-\\033[2J\\n"
          child = launch(sh("printf '#{written}'"), folder)
          child.wait(10)
          child.kill
          assert_equal "red\n?-\n", child.log_tail(9)
        end
      end

      test "a variable of nil is unset, the others of the base remain" do
        with_files do |folder|
          spawner = Spawner.new(base_env: { "PATH" => ENV.fetch("PATH"), "A" => "a", "B" => "b" })
          command = sh('echo "${A-none} $B"', env: { "A" => nil })
          child = spawner.spawn(command, log: File.join(folder, "log"))
          child.wait(10)
          assert_equal "none b\n", child.log_tail(1)
          child.kill
        end
      end

      test "the exit code and the fatal signal are told apart" do
        with_files do |folder|
          assert_equal "exit 7", ended(sh("exit 7"), folder).to_s
          assert_equal "killed by SIGSEGV", ended(sh("kill -SEGV $$"), folder).to_s
          refute_predicate ended(sh("kill -SEGV $$"), folder), :success?
          assert_predicate ended(sh("true"), folder), :success?
        end
      end

      test "waiting ends at its deadline while the command lives" do
        with_files do |folder|
          child = launch(sh("sleep 60"), folder)
          assert_nil child.wait(0.05)
          assert_predicate child, :alive?
          assert_nil child.exit_status
          child.kill
          refute_predicate child, :alive?
          assert_equal "killed by SIGKILL", child.exit_status.to_s
        end
      end

      test "the moment of exec is between the call and its return" do
        with_files do |folder|
          before = Clock.mono_ns
          child = launch(sh("true"), folder)
          assert_operator before, :<, child.started_ns
          assert_operator child.started_ns, :<, Clock.mono_ns
          child.kill
        end
      end

      test "stop sends the signal, and says whether it was enough" do
        with_files do |folder|
          child = launch(sh("trap 'exit 5' INT; echo ready; while :; do sleep 0.01; done"), folder)
          await { child.log_tail(1) == "ready\n" }
          assert_equal :stopped, child.stop(signal: "INT", grace_s: 20)
          assert_equal ExitStatus.new(code: 5), child.exit_status

          deaf = launch(sh("trap '' TERM; echo deaf; while :; do sleep 0.01; done"), folder)
          await { deaf.log_tail(1) == "deaf\n" }
          assert_equal :killed, deaf.stop(signal: "TERM", grace_s: 0.05)
          assert_equal "killed by SIGKILL", deaf.exit_status.to_s
        end
      end

      test "a signal reaches the command, and nobody once it has ended" do
        with_files do |folder|
          child = launch(sh("exec sleep 61"), folder)
          child.signal("TERM")
          assert_equal "killed by SIGTERM", child.wait(10).to_s
          await { child.pids.empty? }
          child.signal("TERM")
          child.kill
          assert_empty child.pids
        end
      end

      test "daemons, sessions and orphans stay in the tree, outlive the command, and end by kill" do
        with_files do |folder|
          child = launch(sh("(setsid sh -c 'sleep 62 & sleep 63' &) ; exit 0"), folder)
          assert_predicate child.wait(10), :success?
          await { child.pids.size == 3 }
          pids = child.pids
          child.kill
          assert_empty child.pids
          assert_empty pids.select { |pid| File.exist?("/proc/#{pid}") }
        end
      end

      # ls has one more descriptor open: the folder that it lists.
      BARE = "0\n1\n2\n3\nSigBlk: 0000000000000000\nSigIgn: 0000000000000000\n/dev/null\n"

      test "the command starts with three descriptors and no signal ignored or blocked" do
        with_files do |folder|
          held = File.open("/dev/null")
          held.close_on_exec = false
          before = trap("INT", "IGNORE")
          signals = "grep -E 'SigBlk|SigIgn' /proc/self/status"
          child = launch(sh("ls /proc/self/fd; #{signals}; readlink /proc/self/fd/0"), folder)
          child.wait(10)
          assert_equal BARE, child.log_tail(9)
          child.kill
        ensure
          trap("INT", before)
          held.close
        end
      end

      test "it has a process group of its own and the CPUs that it was given" do
        with_files do |folder|
          cpu = CpuSet.available.last
          child = Spawner.new.spawn(sh("sleep 64"), log: File.join(folder, "log"), cpus: [cpu])
          assert_equal child.pid, ::Process.getpgid(child.pid)
          refute_equal ::Process.getsid, ::Process.getsid(child.pid)
          assert_equal [cpu], Core.affinity(child.pid)
          child.kill
        end
      end

      test "what cannot be started is a child that ended, and its log says why" do
        with_files("plain" => "no program") do |folder|
          missing = launch(Command.new(argv: ["mohs-no-such"]), folder)
          assert_equal [127, nil, []], [missing.exit_status.code, missing.pid, missing.pids]
          assert_equal "mohs: cannot start mohs-no-such: No such file or directory\n",
                       missing.log_tail(1)

          plain = launch(Command.new(argv: [File.join(folder, "plain")]), folder)
          assert_equal 126, plain.exit_status.code
          assert_match(/cannot start .*plain: Permission denied/, plain.log_tail(1))

          nowhere = launch(Command.new(argv: ["true"], chdir: "/mohs-no-such"), folder)
          assert_equal "mohs: cannot enter the folder /mohs-no-such: No such file or directory\n",
                       nowhere.log_tail(1)
          [missing, plain, nowhere].each(&:kill)
        end
      end

      test "CPUs that do not exist are said" do
        with_files do |folder|
          child = Spawner.new.spawn(sh("true"), log: File.join(folder, "log"), cpus: [1023])
          assert_match(/CPUs: Invalid argument/, child.log_tail(1))
          child.kill
        end
      end

      WORKERS = "(setsid sh -c 'sleep 65 & exec sleep 65' &) ; sleep 65 & exec sleep 65"

      test "a killed supervisor takes the command and its workers along and is told as such" do
        %i[supervisor parent].each do |which|
          with_files do |folder|
            child = launch(sh(WORKERS), folder)
            await { child.pids.size == 4 }
            pids = child.pids
            killed = child.supervisor
            killed = Integer(File.read("/proc/#{killed}/stat").split[3], 10) if which == :parent
            refute_equal ::Process.pid, killed
            ::Process.kill("KILL", killed)
            assert_equal "killed by SIGKILL", child.wait(10).to_s
            child.kill
            assert_empty child.pids
            assert_empty pids.select { |pid| File.exist?("/proc/#{pid}") }
          end
        end
      end

      test "what can't be killed is said once, with what to do, and nothing waits for it" do
        control, reports = IO.pipe, IO.pipe
        guard = ::Process.spawn("true")
        own = ::Process.pid
        reported = [[Child::READY, 1], [Child::SPAWNED, own], [Child::LEFT, own]]
        reports.last.syswrite(reported.map { |pair| [*pair, 1].pack(Child::REPORT) }.join)
        child = Child.new(pid: guard, control: control.last.fileno,
                          reports: reports.first.fileno, log: nil)
        [control.last, reports.first].each { |io| io.autoclose = false }
        error = assert_raises(EnvironmentError) { child.kill }

        assert_match(/\Aprocess #{own} \(.*ruby.* can't be killed: .* end it/, error.message)
        assert_nil child.kill
        assert_raises(Errno::ECHILD) { ::Process.wait(guard) }
      ensure
        [control.first, reports.last].each(&:close)
      end

      test "nothing stays open and no supervisor stays behind" do
        with_files do |folder|
          launch(sh("true"), folder).kill
          before = open_files
          orphans = Tree.children(::Process.pid) # of other tests, in a container's first process
          5.times { launch(sh("sleep 66"), folder).kill }
          assert_empty open_files - before
          left = Tree.children(::Process.pid) - orphans
          assert_empty(left.map { |pid| File.read("/proc/#{pid}/comm") }.grep(/\Amohs-/))
        end
      end

      private

      # What is open. The garbage collector may close what other tests left, so only what is new
      # counts.
      def open_files
        Dir.children("/proc/self/fd").filter_map do |number|
          [number, File.readlink("/proc/self/fd/#{number}")]
        rescue Errno::ENOENT # of the listing itself
          nil
        end
      end

      def sh(script, **options) = Command.new(argv: ["sh", "-c", script], **options)

      def launch(command, folder) = Spawner.new.spawn(command, log: File.join(folder, "log"))

      def ended(command, folder)
        child = launch(command, folder)
        child.wait(10).tap { child.kill }
      end

      def await(limit_s = 20)
        deadline = Clock.deadline(limit_s)
        sleep 0.005 until (held = yield) || Clock.mono_ns > deadline
        assert held, "waited #{limit_s} s in vain"
      end
    end
  end
end
