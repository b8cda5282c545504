# frozen_string_literal: true

require "test_helper"
require "mohs/core"

module Mohs
  module Process
    # Over real processes. Where the real-time class isn't permitted, what is given instead is
    # tested, and that nobody claims more.
    class ShieldTest < TestCase
      include LoadHelper

      # One child, two threads; a signal makes one more of each.
      BREEDER = <<~RUBY
        breed = -> { fork { sleep }; Thread.new { sleep } }
        breed.call
        Thread.new { loop { Thread.stop; breed.call } }.tap do |thread|
          trap(:USR1) { thread.wakeup }
        end
        sleep
      RUBY
      SPINNER = "nil while true"

      # What a mohs does that is not heard any more once it has put up the shield.
      SILENT = <<~RUBY
        require "mohs"
        command = Mohs::Process::Command.new(argv: ["ruby", "-e", ARGV[0]])
        child = Mohs::Process::Spawner.new.spawn(command, log: File::NULL)
        shield = Mohs::Process::Shield.new(silence_s: 3)
        shield.up([child.supervisor])
        puts [shield.sched_class, child.supervisor].join(" ")
        $stdout.flush
        Process.kill(:STOP, Process.pid)
      RUBY

      UNPRIVILEGED = <<~RUBY
        require "mohs"
        command = Mohs::Process::Command.new(argv: ["ruby", "-e", ARGV[0]])
        child = Mohs::Process::Spawner.new.spawn(command, log: File::NULL)
        shield = Mohs::Process::Shield.new
        shield.up([child.supervisor])
        shield.down
        puts shield.sched_class, shield.to_h[:refusals]
        child.kill
      RUBY

      test "all threads below the supervisors are shielded until its end, later ones too" do
        with_child(BREEDER, threads: 4) do |child|
          shield = Shield.new
          shield.up([child.supervisor])
          given = shield.sched_class
          child.signal("USR1")
          wait_until { threads(child.supervisor) >= 6 }
          assert_equal [given], sched_classes(child.supervisor), "inherited"
          assert_equal Shield::PLAIN, sched_class_of(child.supervisor)
          shield.down(driver: given)
          assert_equal [Shield::PLAIN], sched_classes(child.supervisor)
          result = shield.to_h
          given = Shield::GIVEN[given]
          assert_equal [given, given, nil], result.values_at(:given, :driver, :ended)
          assert_equal result[:threads], result[:shielded] unless given == "none"
        end
      end

      test "mohs itself is never in the real-time class" do
        with_child(SPINNER) do |child|
          shield = Shield.new
          shield.up([child.supervisor])
          classes = Dir["/proc/self/task/*/stat"].map { |path| policy(path) }
          assert_equal [0], classes.uniq, "SCHED_OTHER"
        ensure
          shield.down
        end
      end

      test "where the kernel leaves nothing to others the nice value has to do" do
        files = { "proc/sys/kernel/sched_rt_runtime_us" => "-1\n" }
        with_files(files) do |root|
          with_child(SPINNER) do |child|
            shield = Shield.new(root:)
            shield.up([child.supervisor])
            assert_includes [Shield::NICE, Shield::PLAIN], shield.sched_class
            shield.down
            assert_match(/\Areal-time: .*kernel/, shield.to_h[:refusals].first)
            assert_equal [Shield::PLAIN], sched_classes(child.supervisor)
          end
        end
      end

      test "where the servers' threads can't be found nothing is claimed" do
        with_child(SPINNER) do |child|
          shield = Shield.new
          Tree.stub(:listed?, false) { shield.up([child.supervisor]) }
          assert_equal Shield::PLAIN, shield.sched_class
          shield.down
          assert_match(/\Areal-time: .*threads/, shield.to_h[:refusals].first)
          assert_equal "none", shield.to_h[:given]
        end
      end

      test "a server that spins for ever is out of it at the time limit, and mohs goes on" do
        skip "the real-time class is not permitted here" unless permitted?
        with_child(SPINNER) do |child|
          on_one_cpu(child) do
            shield = Shield.new(limit_s: 1)
            shield.up([child.supervisor])
            wait_until { shield.sched_class == Shield::PLAIN }
            assert_equal [Shield::PLAIN], sched_classes(child.supervisor)
            assert child.alive?
            shield.down
            assert_equal ["real-time", "the limit of 1 s"], shield.to_h.values_at(:given, :ended)
          end
        end
      end

      test "when mohs is silent the shield ends, when it is killed nothing of it is left" do
        skip "the real-time class is not permitted here" unless permitted?
        silent(SPINNER) do |sched_class, supervisor, mohs|
          assert_equal Shield::REAL_TIME, sched_class
          wait_until { sched_classes(supervisor) == [Shield::PLAIN] }
          ::Process.kill(:KILL, mohs)
          wait_until { !File.exist?("/proc/#{supervisor}") }
          wait_until { Tree.children(mohs).empty? }
        end
      end

      test "a watchdog that is ended takes the shield with it" do
        skip "the real-time class is not permitted here" unless permitted?
        with_child(SPINNER) do |child|
          shield = Shield.new
          # The first process of a container also has orphans of other tests, which nobody awaits.
          before = Tree.children(::Process.pid)
          shield.up([child.supervisor])
          watchdog = (Tree.children(::Process.pid) - before).find do |pid|
            comm(pid) == "mohs-watchdog"
          end
          ::Process.kill(:KILL, watchdog)
          wait_until { shield.sched_class == Shield::PLAIN }
          assert_equal [Shield::PLAIN], sched_classes(child.supervisor)
          shield.down
          assert_equal Shield::KILLED, shield.to_h[:ended]
        end
      end

      test "where nothing is permitted nothing is claimed" do
        skip "needs root" unless ::Process.uid.zero?
        sched_class, refusals = unprivileged(SPINNER)
        assert_equal Shield::PLAIN, sched_class
        assert_equal ["real-time: not permitted (root or CAP_SYS_NICE)",
                      "nice: not permitted (root or CAP_SYS_NICE)"], refusals
      end

      test "one that was never up has nothing to tell" do
        shield = Shield.new
        shield.down
        assert_equal [Shield::PLAIN, nil], [shield.sched_class, shield.to_h]
      end

      test "the driver's threads get the servers' scheduling class" do
        FakeServer.open(->(_) { :fine }) do |fake|
          with_driver([target_on(fake)]) do |driver|
            driver.run([Load::Step.new(count: 4)])
            assert_equal Shield::PLAIN, driver.sched_class
            driver.sched_class = Shield::REAL_TIME
            driver.run([Load::Step.new(count: 4)])
            assert_includes [Shield::PLAIN, Shield::REAL_TIME], driver.sched_class
            assert_raises(ArgumentError) { driver.sched_class = 3 }
          end
        end
      end

      private

      def with_child(script, threads: 1)
        command = Command.new(argv: ["ruby", "--disable=gems", "-e", script])
        child = Spawner.new.spawn(command, log: File::NULL)
        wait_until { threads(child.supervisor) >= threads }
        yield child
      ensure
        child&.kill
      end

      def threads(supervisor) = Core.sched_counts_below(supervisor).sum

      # Kinds of them.
      def sched_classes(supervisor)
        counts = Core.sched_counts_below(supervisor)
        counts.each_index.select { |number| counts[number].positive? }
      end

      def sched_class_of(pid) = policy("/proc/#{pid}/stat").clamp(0, 1)

      # proc(5): the 41st field, the third being the first behind the name.
      def policy(path) = File.read(path)[/\) (.*)/m, 1].split[38].to_i

      def comm(pid) = File.read("/proc/#{pid}/comm").chomp

      # A shield over nobody is one as well.
      def permitted?
        shield = Shield.new
        shield.up([])
        shield.sched_class == Shield::REAL_TIME
      ensure
        shield.down
      end

      # With the server on a core that is all we have.
      def on_one_cpu(child)
        before = CpuSet.available
        CpuSet.pin(before.first(1)) { [::Process.pid, child.pid] }
        yield
      ensure
        CpuSet.pin(before) { [::Process.pid] }
      end

      # Yields its servers' scheduling class, their supervisor, and its pid; then kills it.
      def silent(script)
        setup = File.join(Mohs.root, "vendor/bundle/bundler/setup.rb")
        lib = File.join(Mohs.root, "lib")
        mohs = IO.popen([RbConfig.ruby, "-I", lib, "-r", setup, "-e", SILENT, script])
        sched_class, supervisor = mohs.gets.split.map(&:to_i)
        yield sched_class, supervisor, mohs.pid
      ensure
        ::Process.kill(:KILL, mohs.pid)
        mohs.close
      end

      # What a shield without the right to put one up comes to.
      def unprivileged(script)
        result = in_child(UNPRIVILEGED, script, wrapper: %w[setpriv --bounding-set -sys_nice])
        sched_class, *refusals = result.lines(chomp: true)
        [sched_class.to_i, refusals]
      end

      def wait_until(seconds = 20)
        deadline = Clock.deadline(seconds)
        until yield
          flunk "waited #{seconds} s" if Clock.mono_ns > deadline
          sleep 0.01
        end
      end
    end
  end
end
