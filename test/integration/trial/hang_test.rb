# frozen_string_literal: true

require "test_helper"
require "socket"

# Servers that take their time to stop, as processes of their own, and those that never will.
class HangTest < Mohs::TestCase
  # Blocks in libc, as a thread does that waits for another which nobody wakes.
  STUCK = 'trap("TERM", "IGNORE"); puts :up; ' \
          'Fiddle::Function.new(Fiddle.dlopen(nil)["sem_wait"], [Fiddle::TYPE_VOIDP], ' \
          'Fiddle::TYPE_INT).call("\0" * 32)'

  # Seconds until it has stopped, and whether its file was written.
  def stop(code, grace_s: 2)
    with_files do |folder|
      file, log = %w[written log].map { |name| File.join(folder, name) }
      argv = [RbConfig.ruby, "-rfiddle", "-rsocket", "-e", "F = ARGV[0]; #{code}", file]
      child = Mohs::Process::Spawner.new.spawn(Mohs::Process::Command.new(argv:), log:)
      deadline = Mohs::Clock.deadline(30)
      sleep 0.01 until child.log_tail(1) == "up\n" || Mohs::Clock.mono_ns > deadline
      since = Mohs::Clock.mono_ns
      hang = Mohs::Trial::IdleWait::Hang.new { child.pids }
      child.stop(signal: "TERM", grace_s:) { hang.call }
      [(Mohs::Clock.mono_ns - since) / 1e9, File.exist?(file)]
    ensure
      child&.kill
    end
  end

  SYNC = "$stdout.sync = true;"
  UP = "#{SYNC} puts :up;"

  test "one that writes after a while what it has to completes it" do
    seconds, written = stop("at_exit { sleep 0.6; File.write(F, 1) }; #{UP} sleep")

    assert written
    assert_operator seconds, :>, 0.5
  end

  test "so does one whose thread takes longer than it is looked at" do
    late = "Thread.new { sleep 1.4; File.write(F, 1) }.join"

    assert stop("at_exit { #{late} }; #{UP} sleep", grace_s: 20).last
  end

  test "one that waits for itself is not waited for, unless somebody may still answer it" do
    assert_in_delta 5, stop("#{SYNC} #{STUCK}", grace_s: 20).first, 4.1
    connected = 'server = TCPServer.new("127.0.0.1", 0); ' \
                'SOCKETS = [TCPSocket.new("127.0.0.1", server.addr[1]), server.accept];'
    assert_operator stop("#{connected} #{SYNC} #{STUCK}").first, :>=, 2
  end
end
