# frozen_string_literal: true

require "test_helper"
require "securerandom"

# What the supervisor is for: whenever mohs is killed, nothing that it started lives on.
class SupervisorTest < Mohs::TestCase
  LIMIT_S = 5

  # A mohs of its own that starts, captures and stops commands as fast as it can: some daemonize in
  # two ways, some fork workers, some are deaf to polite signals.
  SCRIPT = <<~'RUBY'
    require "mohs"
    spawner = Mohs::Process::Spawner.new(base_env: ENV.to_h)
    commands = [
      "(setsid sh -c 'sleep 301 & exec sleep 302' &) ; exec sleep 303",
      "(setsid sleep 304 &) ; exit 0",
      "for i in 1 2 3; do sleep 305 & done; wait",
      "trap '' TERM INT HUP; sleep 306 & wait; sleep 307",
    ].map { |script| Mohs::Process::Command.new(argv: ["sh", "-c", script]) }
    puts "ready"
    $stdout.flush
    loop do
      children = commands.map { |command| spawner.spawn(command, log: "/dev/null") }
      Mohs::Process::Capture.call(commands[1], timeout_s: 0.02, spawner: spawner)
      children.rotate(rand(4)).first(2).each { |child| child.stop(signal: "TERM", grace_s: 0.02) }
      Mohs::Process::Capture.call(commands[2], timeout_s: 0.02, spawner: spawner)
      children.each(&:kill)
    end
  RUBY

  test "kill -9 at any instant leaves no process" do
    random = Random.new(Minitest.seed)
    most = 0
    times(8, 20).times do
      mark = "MOHS_TEST_MARK=#{SecureRandom.hex(8)}"
      pid, output = start(mark)
      output.gets
      sleep random.rand * 0.3
      most = [most, marked(mark).size].max
      kill(pid, output)
      assert_empty left(mark).map { |left| Mohs::Process::Tree.command_line(left) }
    end
    assert_operator most, :>, 2, "the script never got to start anything"
  end

  test "a mohs that ends by itself without stopping its children leaves none either" do
    mark = "MOHS_TEST_MARK=#{SecureRandom.hex(8)}"
    script = SCRIPT.sub("loop do", <<~RUBY)
      exit(0) if spawner.spawn(commands[0], log: "/dev/null").pid
      loop do
    RUBY
    pid, output = start(mark, script)
    output.read
    ::Process.wait(pid)
    assert_empty left(mark)
  ensure
    output.close
  end

  private

  def start(mark, script = SCRIPT)
    output, write = IO.pipe
    paths = $LOAD_PATH.flat_map { |path| ["-I", path] }
    pid = ::Process.spawn([mark.split("=")].to_h, "ruby", *paths, "-e", script, out: write)
    write.close
    [pid, output]
  end

  def kill(pid, output)
    ::Process.kill("KILL", pid)
    ::Process.wait(pid)
    output.close
  end

  # Those of the processes that have our mark in their environment and still live at the deadline.
  def left(mark)
    deadline = Mohs::Clock.deadline(LIMIT_S)
    sleep 0.02 until (pids = marked(mark)).empty? || Mohs::Clock.mono_ns > deadline
    pids
  end

  def marked(mark)
    Dir.children("/proc").grep(/\A\d+\z/).map(&:to_i).select do |pid|
      File.binread("/proc/#{pid}/environ").include?(mark)
    rescue SystemCallError
      false
    end
  end
end
