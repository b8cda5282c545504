# frozen_string_literal: true

require "test_helper"

# What test/support/doors.rb keeps unit tests from.
class DoorsTest < Mohs::TestCase
  CALLS = {
    "TCPServer#initialize" => -> { TCPServer.new("127.0.0.1", 0) },
    "TCPSocket#initialize" => -> { TCPSocket.new("127.0.0.1", 1) },
    "UNIXServer#initialize" => -> { UNIXServer.new("/nowhere/socket") },
    "UNIXSocket#initialize" => -> { UNIXSocket.new("/nowhere/socket") },
    "UNIXSocket.pair" => -> { UNIXSocket.pair },
    "Socket#initialize" => -> { Socket.tcp("127.0.0.1", 1) },
    "Kernel#`" => -> { `true` },
    "Kernel#system" => -> { system("true") },
    "Kernel#spawn" => -> { Open3.capture2("true") },
    "Kernel#fork" => -> { fork { exit!(0) } },
    "Kernel#exec" => -> { exec("true") },
    "IO.popen" => -> { IO.popen("true") },
    "Process.spawn" => -> { Process.spawn("true") },
    "Mohs::Core.supervise" => lambda {
      Mohs::Process::Spawner.new.start(Mohs::Process::Command.new(argv: ["true"]),
                                       out: $stdout, err: $stderr)
    },
    "Mohs::Core::Engine#run" => -> { Mohs::Core::Engine.allocate.run([]) },
    "Mohs::Core.watchdog" => -> { Mohs::Core.watchdog(roots: [], silence_ms: 1, limit_ms: 1) },
    "Mohs::Core::NullServer#start" => -> { Mohs::Core::NullServer.new(5, nil).start(1) },
  }.freeze

  CALLS.each do |name, call|
    test "#{name} fails a unit test, also in a thread and where all errors are rescued" do
      raised = Thread.new do
        call.call
      rescue Mohs::Doors::Opened => e
        e
      end.value

      assert_match(/\Aa unit test opens no socket .*#{Regexp.escape(name)} from/, raised.message)
      assert_equal raised.message, Mohs::Doors.take
    end
  end

  test "doors are open to all other tests" do
    Mohs::Doors.closed = false

    assert system("true")
    assert_nil Mohs::Doors.take
  end

  test "only tests below test/unit are kept from them" do
    assert Mohs::Doors.unit?(__FILE__)
    refute Mohs::Doors.unit?(__FILE__.sub("/unit/", "/integration/"))
  end
end
