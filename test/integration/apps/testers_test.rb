# frozen_string_literal: true

require "test_helper"
require_relative "../../../apps/testers/comparison"

# apps/testers without a Rack server: its server that keeps the truth, and the testers that are
# installed.
class TestersTest < Mohs::TestCase
  FILE = File.join(Mohs.root, "apps/testers/testers.rb")

  # A shell command as a tester; $0 is the port.
  class Command < Testers::Tool
    NAME = "command"

    def initialize(script, counts: true)
      super()
      @script = script
      @counts = counts
    end

    def argv(load) = ["sh", "-c", @script, load.port]

    def counts? = @counts
  end

  def with_truth
    truth = Testers::Truth.new
    yield truth
  ensure
    truth&.stop
  end

  # [status, connection header] of one request on an open connection.
  def ask(socket, version: "1.1", header: "")
    socket.write("GET / HTTP/#{version}\r\nHost: a\r\n#{header}\r\n")
    head = +""
    head << socket.gets until head.end_with?("\r\n\r\n")
    assert_equal "truth", socket.read(5)

    [head[/ (\d+) /, 1].to_i, head[/^Connection: (\S+)/, 1]]
  end

  def installed(name)
    Testers.tool(name).tap(&:verify)
  rescue RuntimeError => error
    skip error.message
  end

  def connect(truth, &) = TCPSocket.open("127.0.0.1", truth.port, &)

  def load(truth, **what)
    Testers::Load.new(port: truth.port, connections: 1, threads: 1, **what)
  end

  # What is awaited in time, else nil.
  def awaited(limit_s = 10)
    deadline = Mohs::Clock.deadline(limit_s)
    sleep 0.01 until (found = yield) || Mohs::Clock.mono_ns > deadline
    found
  end

  def gone?(pid)
    Process.kill(0, pid)
    false
  rescue Errno::ESRCH
    true
  end

  test "the server waits and fails as it is told, and keeps the truth about it" do
    with_truth do |truth|
      truth.start(delay_ns: 1_000_000, slow_ns: 30_000_000, nth_slow: 3, nth_error: 4)
      statuses = connect(truth) { |socket| Array.new(12) { ask(socket).first } }
      times = truth.answers.map { |came, left| left - came }
      slow = [3, 6, 9, 12].map { |one| one - 1 }

      assert_equal [200, 200, 200, 500] * 3, statuses
      times.each_with_index do |time, at|
        assert_operator time, :>=, slow.include?(at) ? 30_000_000 : 1_000_000
      end
      assert_equal 12, times.size
      assert_equal [12, 3, 1, 1], truth.counts.to_a.first(4)
      assert_operator truth.counts.per_s, :<, 12 / 0.12
    end
  end

  test "the server knows connections that carried nothing" do
    with_truth do |truth|
      truth.start
      connect(truth) do |one|
        connect(truth) { ask(one) }

        assert_equal [1, 0, 2, 1], truth.counts.to_a.first(4)
      end
    end
  end

  test "the server closes a connection for whom does not want to keep it" do
    with_truth do |truth|
      truth.start
      { ["1.1", ""] => "keep-alive", ["1.1", "Connection: close\r\n"] => "close",
        ["1.0", ""] => "close", ["1.0", "connection: Keep-Alive\r\n"] => "keep-alive" }
        .each do |(version, header), expected|
        connect(truth) do |socket|
          assert_equal [200, expected], ask(socket, version:, header:)
          assert_nil socket.read(1) if expected == "close"
        end
      end
    end
  end

  test "each load starts from nothing, without the connections of the last" do
    with_truth do |truth|
      truth.start(nth_error: 1)
      connect(truth) do |socket|
        assert_equal 500, ask(socket).first
        socket.write("GET / HTTP/1.1\r\n\r\n")
        truth.start

        assert_equal [0, 0, 0, 0], truth.counts.to_a.first(4)
        connect(truth) { |other| assert_equal 200, ask(other).first }
        assert_equal [1, 0, 1, 1], truth.counts.to_a.first(4)
      end
    end
  end

  test "the server says when as many requests are answered as it was told" do
    with_truth do |truth|
      truth.start(target: 3)
      connect(truth) do |socket|
        2.times { ask(socket) }

        refute truth.done?(0.01)
        ask(socket)

        assert truth.done?(10)
        ask(socket)

        assert_equal 4, truth.counts.answered
      end
      truth.start(target: 3)

      refute truth.done?(0.01)
    end
  end

  test "the server ends with its master, and its program is gone at once" do
    Dir.mktmpdir("mohs-test") do |folder|
      code = "$stdout.sync = true; t = Testers.start(ENV); " \
             "puts t.instance_variable_get(:@truth).pid; puts Dir.children(Dir.tmpdir).size; sleep"
      pipe = IO.popen([{ "TMPDIR" => folder, "TESTER" => "ruby" }, RbConfig.ruby, "-r", FILE, "-e",
                       code])
      server, files = [pipe.gets, pipe.gets].map(&:to_i)
      Process.kill(:KILL, pipe.pid)
      pipe.close

      assert_equal 0, files
      assert awaited { gone?(server) }
    end
  end

  test "without a C compiler it ends with the remedy" do
    code = "RbConfig::CONFIG['CC'] = '/nowhere/cc -m64'; Testers.start(ENV)"
    argv = [RbConfig.ruby, "-r", FILE, "-e", code]
    result = Mohs::Process::Capture.call(
      Mohs::Process::Command.new(argv:, env: { "TESTER" => "ruby" }, chdir: "/"), timeout_s: 30
    )

    assert_includes result.stderr, "needs a C compiler (/nowhere/cc): apt install gcc"
  end

  Testers::TOOLS.each_key do |name|
    test "#{name} sends what it is told, again and again" do
      tool = installed(name)
      with_truth do |truth|
        settings = Testers.settings("REQUESTS" => "320", "CONNECTIONS" => "4")
        bench = Testers::Bench.new(tool, settings, truth:, runner: (runner = tool.runner(truth)))
        2.times { assert_operator bench.call, :>=, 320 }
        used = truth.counts.used

        name == "siege-default" ? assert_equal(320, used) : assert_operator(used, :<=, 5)
      ensure
        runner&.close
      end
    end

    test "what #{name} says is held against the truth" do
      with_truth do |truth|
        row = Testers::Comparison.new(truth, requests: 3200).call(installed(name))

        assert_nil row.problem
        assert_in_delta row.errors.last, row.errors.first, 3 # some may be in flight at the end
        assert_operator row.errors.last, :>=, 2800 / 64
        assert_operator row.max.first, :>=, 39.9 # ms
        assert_operator row.p50.last, :>=, 1.0
        assert_operator row.per_s.first, :>, 0
        assert_operator row.step_ns, :<=, 1e7
      end
    end
  end

  test "wrk uses no more connections than its threads can share" do
    with_truth do |truth|
      row = Testers::Comparison.new(truth, requests: 3200).call(installed("wrk"))

      assert_equal [14, 12], row.connections.values_at(0, 2)
    end
  end

  test "a tester that hangs is killed in time, and one that fails has failed" do
    with_truth do |truth|
      load = load(truth, requests: 1, limit_s: 0.3)
      lives = { "echo $$; exec sleep 60" => :hung, "echo $$; exit 3" => :failed,
                "echo $$; exit 0" => :ok }.map do |script, status|
        life = Testers::Runner.new(Command.new(script), truth).call(load)

        assert_equal status, life.status
        life
      end
      lives.each { |life| assert gone?(life.output.to_i) }
    end
  end

  test "one that does not count is stopped when the server is done, or it hangs" do
    with_truth do |truth|
      load = load(truth, requests: 2, limit_s: 5)
      runner = Testers::Runner.new(Command.new("exec sleep 60", counts: false), truth)
      truth.start(target: 2)
      asks = Thread.new { connect(truth) { |socket| 2.times { ask(socket) } } }

      assert_equal :ok, runner.call(load).status
      asks.join
      load.limit_s = 0.3
      truth.start(target: 2)

      assert_equal :hung, runner.call(load).status
    end
  end

  test "a resident that hangs is started anew for the next load" do
    script = "echo end; read load; [ -e $1/once ] || { touch $1/once; exec sleep 60; }; " \
             "echo did $load; echo end; read load"
    Dir.mktmpdir("mohs-test") do |folder|
      tool = Class.new(Testers::Tool) do
        const_set(:NAME, "resident")
        define_method(:argv) { |_load| ["bash", "-c", "exec 3>&-; #{script}", "bash", folder] }
      end.new
      runner = Testers::Resident.new(tool)
      load = Testers::Load.new(port: 1, requests: 2, connections: 3, threads: 4, limit_s: 0.5)

      assert_equal :hung, runner.call(load).status
      life = runner.call(load.dup.tap { |one| one.limit_s = 10 })

      assert_equal [:ok, "did 1 2 3 4\nend\n"], [life.status, life.output]
    ensure
      runner&.close
    end
  end
end
