# frozen_string_literal: true

require "test_helper"

class ReadinessTest < Mohs::TestCase
  REQUEST = Mohs::App::Request.build(path: "/")

  # A child that lives until it is told otherwise.
  class Child
    attr_accessor :alive, :pids
    attr_reader :started_ns

    def initialize
      @alive = true
      @pids = []
      @started_ns = Mohs::Clock.mono_ns
    end

    def alive? = @alive
    def exit_status = "exit 1"
    def log_tail(_lines) = "boom\n"
  end

  def setup
    @child = Child.new
    @listener = TCPServer.new("127.0.0.1", 0)
  end

  def teardown
    @server&.kill&.join
    @listener.close unless @listener.closed?
  end

  test "boot time ends with the first whole answer" do
    serve { |socket| socket.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok") }

    assert_operator readiness.wait(5), :<=, Mohs::Clock.mono_ns - @child.started_ns
    assert_equal ["GET / HTTP/1.1\r\n"], @asked.uniq
  end

  test "an answer without its workers is none" do
    serve { |socket| socket.write("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n") }
    asked = 0
    readiness { [(asked += 1) > 3 ? 1 : 0, 1] }.wait(5)

    assert_equal 4, asked
  end

  test "a server whose workers are never all seen is refused as what it does: it answers" do
    serve { |socket| socket.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok") }
    error = assert_raises(Mohs::TrialError) { readiness { [1, 2] }.wait(0.2) }

    assert_equal "it answered, but 1 of 2 workers were seen ready within 0.2 s of its start",
                 error.message
    assert_equal [:refused, ["workers_missing", { seen: 1, of: 2 }]],
                 [error.state, error.reason.cause]
  end

  test "a server that keeps the connection open is not waited for" do
    serve(close: false) { |socket| socket.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok") }

    assert_operator readiness.wait(5), :<, 4_000_000_000
  end

  test "the answer to HEAD ends with its head, whatever length it tells" do
    serve(close: false) { |socket| socket.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n") }

    request = Mohs::App::Request.build(method: "head", path: "/")

    assert_operator readiness(request).wait(5), :<, 4_000_000_000
  end

  test "an answer without an end is read to the limit, once, and refused" do
    serve do |socket|
      socket.write("HTTP/1.1 200 OK\r\n\r\n")
      loop { socket.write("x" * 1_000_000) }
    rescue Errno::EPIPE, Errno::ECONNRESET
      nil
    end
    error = assert_raises(Mohs::TrialError) { readiness.wait(60) }

    assert_equal "GET / answered with a response that has no end (more than 64 MB), which can't " \
                 "be measured. Name another page: --get /path", error.message
    assert_equal [:refused, 1], [error.state, @asked.size]
  end

  test "a server that drips its header is refused as what it does" do
    serve do |socket|
      socket.write("HTTP/1.1 200 OK\r\n")
      loop { socket.write("a: b\r\n") && sleep(0.05) }
    rescue Errno::EPIPE, Errno::ECONNRESET
      nil
    end
    error = assert_raises(Mohs::TrialError) { readiness.wait(0.5) }

    assert_match(/\Ano answer within 0.5 s of its start: .* \d+ bytes of a header that did not end/,
                 error.message)
  end

  test "another process that has taken the port gets no request" do
    serve { |socket| socket.write("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n") }
    other = ::Process.spawn("sleep", "30")
    @child.pids = [other]
    error = assert_raises(Mohs::TrialError) { readiness.wait(0.3) }

    assert_match(/\Ano answer within/, error.message)
    assert_empty @asked.compact
  ensure
    ::Process.kill("KILL", other)
    ::Process.wait(other)
  end

  test "a large answer is read to its end" do
    body = "x" * 20_000_000
    whole = Queue.new
    serve do |socket|
      socket.write("HTTP/1.1 200 OK\r\nContent-Length: #{body.size}\r\n\r\n#{body}")
      whole << true
    end
    readiness.wait(30)

    assert(Timeout.timeout(30) { whole.pop })
  end

  test "an application that is still loading gets time to recover" do
    answers = ["503 Service Unavailable", "503 Service Unavailable", "200 OK"]
    serve do |socket|
      socket.write("HTTP/1.1 #{answers.shift || '200 OK'}\r\nContent-Length: 0\r\n\r\n")
    end
    readiness.wait(5)

    assert_empty answers
  end

  test "an application that keeps answering 500 is ready all the same: that is its answer" do
    serve { |socket| socket.write("HTTP/1.1 500 Oh\r\nContent-Length: 0\r\n\r\n") }
    took = readiness.wait(30)

    assert_operator took, :>=, Mohs::Trial::Readiness::RECOVERY_S * 1_000_000_000
  end

  ["", "\x00\xFF no HTTP\r\n\r\n", "HTTP/1.1 999 What\r\n\r\n", "HTTP/1.1 200"].each do |answer|
    test "#{answer.inspect} is no answer" do
      answers = [answer]
      serve { |socket| socket.write(answers.shift || "HTTP/1.0 404 Not Found\r\n\r\n") }
      readiness.wait(5)

      assert_equal 2, @asked.size
    end
  end

  test "an answer that ends before its length is none" do
    answers = ["HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\ncut"]
    serve { |socket| socket.write(answers.shift || "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n") }
    readiness.wait(5)

    assert_equal 2, @asked.size
  end

  test "an answer that comes in pieces, its length last, is waited for" do
    pieces = ["HTTP/1.1 200 OK\r\nContent-Le", "ngth: 4\r\n", "\r\nab", "cd"]
    serve(close: false) do |socket|
      pieces.each { |piece| socket.write(piece) && socket.flush && sleep(0.02) }
    end

    assert_operator readiness.wait(5), :>=, 60_000_000
    assert_equal 1, @asked.size
  end

  test "a unix socket is asked like a port" do
    with_files do |folder|
      path = File.join(folder, "s")
      @listener.close
      @listener = UNIXServer.new(path)
      serve { |socket| socket.write("HTTP/1.1 204 No Content\r\n\r\n") }
      readiness(bind: Mohs::Servers::Bind.new(unix: path)).wait(5)

      assert_equal ["GET / HTTP/1.1\r\n"], @asked
    end
  end

  test "a server that ended is refused, with how it ended" do
    @child.alive = false
    error = assert_raises(Mohs::TrialError) { readiness.wait(5) }

    assert_equal [:refused, "ended_before_answer"], [error.state, error.reason.code]
    assert_match(/\(exit 1\)\z/, error.message)
  end

  test "a server that became a daemon is told from one that ended" do
    @child.alive = false
    @child.pids = [4711]
    error = assert_raises(Mohs::TrialError) { readiness.wait(5) }

    assert_match(/\Athe server daemonized; /, error.message)
  end

  test "an answer that has no end is refused at once, and not asked for again" do
    serve(close: false) do |socket|
      socket.write("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\ndata: 1\n\n")
    end
    error = assert_raises(Mohs::TrialError) { readiness.wait(60) }

    assert_equal :refused, error.state
    assert_match(/\AGET \/ answered .*no end/, error.message)
    assert_equal 1, @asked.size
  end

  test "a server that never answers is refused at the limit" do
    serve { |_| nil }
    error = assert_raises(Mohs::TrialError) { readiness.wait(0.2) }

    assert_match(/\Ano answer .*0\.2 s/, error.message)
  end

  test "a port that nobody listens on is tried until the limit" do
    port = @listener.addr[1]
    @listener.close

    assert_raises(Mohs::TrialError) { readiness(port:).wait(0.1) }
  end

  private

  def serve(close: true)
    @asked = []
    @server = Thread.new do
      loop do
        socket = @listener.accept
        @asked << socket.gets("\r\n")
        socket.gets("\r\n\r\n")
        yield socket
        socket.close if close
      end
    end
  end

  def readiness(request = REQUEST, port: @listener.addr[1], bind: bound(port), &workers)
    Mohs::Trial::Readiness.new(bind:, child: @child, request:, &workers || -> { [1, 1] })
  end

  def bound(port) = Mohs::Servers::Bind.new(host: "127.0.0.1", port:)
end
