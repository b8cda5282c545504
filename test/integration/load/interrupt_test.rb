# frozen_string_literal: true

require "test_helper"

module Mohs
  # However a load is interrupted, it ends soon, and what was measured is there.
  class InterruptTest < TestCase
    include LoadHelper

    FOREVER = [Load::Step.new(duration_ns: 600_000_000_000)].freeze
    SOON_S = 5 # 0.1 s is usual; this holds on a machine that does ten other things

    test "Thread#raise" do
      interrupted do |driver|
        loading = Thread.new { driver.run(FOREVER) }
        loading.report_on_exception = false
        sleep 0.01 until loading.stop?
        sleep 0.05
        loading.raise(Interrupt)
        assert_raises(Interrupt) { loading.value }
      end
    end

    test "an exception from the live block" do
      interrupted do |driver|
        error = assert_raises(RuntimeError) do
          driver.run(FOREVER) { |live| raise "enough" if live.completed.positive? }
        end
        assert_equal "enough", error.message
      end
    end

    test "break from the live block" do
      interrupted { |driver| driver.run(FOREVER) { |live| break if live.completed.positive? } }
    end

    test "a handled signal does not disturb the load" do
      seen = 0
      before = trap("USR1") { seen += 1 }
      FakeServer.open do |server|
        with_driver([target_on(server)]) do |driver|
          sender = Thread.new { 5.times { sleep(0.01) && ::Process.kill("USR1", ::Process.pid) } }
          result = driver.run([Load::Step.new(duration_ns: 150_000_000)]).first
          sender.join
          assert_empty result.errors
          assert_operator result.wall_ns, :>, 100_000_000
        end
      end
      assert_operator seen, :>, 0
    ensure
      trap("USR1", before || "DEFAULT")
    end

    test "while it loads, nothing else may be asked of it" do
      interrupted do |driver|
        driver.run(FOREVER) do |live|
          assert_raises(RuntimeError) { driver.recording(0) }
          assert_raises(RuntimeError) { driver.run(FOREVER) }
          break if live.completed.positive?
        end
      end
    end

    CHILD = <<~'RUBY'
      require "mohs"
      target = Mohs::Load::Target.new(host: "127.0.0.1", port: ARGV[0].to_i)
      driver = Mohs::Drivers.fetch("native").new(targets: [target])
      begin
        driver.run([Mohs::Load::Step.new(duration_ns: 600_000_000_000)]) do |live|
          $stdout.syswrite("up\n") if live.completed > 0
        end
      rescue Interrupt
        good = driver.recording(0).good
        puts "kept #{good > 0 && driver.results.first.good == good}"
      end
    RUBY

    test "Ctrl-C to a process" do
      FakeServer.open do |server|
        setup = File.join(Mohs.root, "vendor/bundle/bundler/setup.rb")
        command = [RbConfig.ruby, "-I", File.join(Mohs.root, "lib"), "-r", setup, "-e", CHILD,
                   server.port.to_s]
        IO.popen(command) do |child|
          assert_equal "up\n", child.gets
          ::Process.kill("INT", child.pid)
          asked = Clock.mono_ns
          assert_includes child.read, "kept true"
          assert_operator Clock.mono_ns - asked, :<, SOON_S * 1_000_000_000
        end
      end
    end

    private

    # Yields a driver whose load is to be interrupted; then checks what is left.
    def interrupted
      FakeServer.open do |server|
        with_driver([target_on(server)]) do |driver|
          started = Clock.mono_ns
          yield driver
          assert_operator Clock.mono_ns - started, :<, SOON_S * 1_000_000_000
          result = driver.results.first
          assert_operator result.good, :>, 0
          assert_equal result.sent, driver.recording(0).size
          assert_equal result.sent, result.good + result.errors.fetch("in_flight_at_end", 0)
          assert_equal 4, driver.run([Load::Step.new(count: 4)]).first.good
        end
      end
    end
  end
end
