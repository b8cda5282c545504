# frozen_string_literal: true

require "test_helper"

# `mohs load` beside slow clients, in process, with the real driver.
class CLILoadSlowTest < Mohs::TestCase
  include Mohs::CLIHelper
  include Mohs::Served
  include Mohs::LoadHelper
  include Mohs::Screens

  # The golden file of its sentences (Screens#assert_said).
  SAID = "said-load-slow"

  PAGE = "a" * 40_000

  # Serves one connection after the other, as a server of one process without a buffer does: each
  # request, with its body, is read before any other.
  def one_at_a_time
    served_by = lambda do |server|
      loop do
        readable, = IO.select([server, *@open])
        readable.each { |one| one == server ? @open << server.accept : answer(one) }
      end
    end
    @open = []
    TCPServer.open("127.0.0.1", 0) do |server|
      serving = Thread.new { served_by.call(server) }
      yield server.addr[1]
    ensure
      serving.kill.join
      @open.each(&:close)
    end
  end

  def answer(socket)
    head = socket.gets("\r\n\r\n") or return hang_up(socket)
    length = head[/^Content-Length: (\d+)/i, 1].to_i
    read = socket.read(length).to_s.bytesize
    body = head.start_with?("HEAD") ? "" : PAGE
    socket.write("HTTP/1.1 200 OK\r\nContent-Length: #{PAGE.bytesize}\r\n\r\n", body)
    hang_up(socket) if read < length
  rescue SystemCallError
    hang_up(socket)
  end

  def hang_up(socket)
    @open.delete(socket)
    socket.close
  end

  def loaded(*options, port:)
    load("127.0.0.1:#{port}/", "-c", "2", "-d", "2s", *options)
  end

  test "a server that waits for a slow body is slow for the others" do
    with_files("body" => "b" * 500) do |dir|
      one_at_a_time do |port|
        output = loaded("--post", "/", "--body", File.join(dir, "body"), "--slow-body", "2kB",
                        "--json", port:)
        json, slow = output.json, output.json[:slow]

        assert_equal [0, ""], [output.status, output.err[/fault/].to_s]
        assert_empty Mohs::JSONContract.new("`load`").faults(json)
        assert_equal ["body", 2000.0, 1], slow.values_at(:part, :bytes_per_s, :count)
        assert_operator slow[:completed], :>=, 1
        assert_equal [0, {}], slow.values_at(:failed, :errors)
        # 500 bytes at 2 kB/s: others wait for 200 ms, as the first of five pieces comes at once.
        assert_operator json[:latency_ms][:max], :>=, 150
        assert_operator json[:rate_per_s], :<, slow[:without][:rate_per_s]
      end
    end
  end

  test "a report has the latencies without slow clients, and what became of these" do
    with_files do |dir|
      page = File.join(dir, "slow.md")
      output = one_at_a_time do |port|
        loaded("--slow-read", "80kB", "--report", page, port:)
      end

      assert_equal 0, output.status, output.err
      text = File.read(page)
      assert_match(/^\| service, without them \|/, text)
      assert_match(/slow clients.* requests answered, 0 failed/, text)
    end
  end

  test "slow readers get their pages at their rate" do
    one_at_a_time do |port|
      output = loaded("--slow-read", "80kB", "--slow", "200%", "--json", port:)
      slow = output.json[:slow]
      seconds = output.json[:duration_s]

      assert_equal 0, output.status
      assert_equal ["read", 4, 4], slow.values_at(:part, :count, :opened)
      # Each reads as much as it may, less what it waits for its turn.
      assert_operator slow[:received_bytes], :<=, 4 * 80_000 * (seconds + 2)
      assert_operator slow[:received_bytes], :>=, 0.2 * 4 * 80_000 * seconds
    end
  end

  test "a slow reader's HEAD request is answered without a body" do
    one_at_a_time do |port|
      slow = loaded("--head", "/", "--slow-read", "10kB", "--json", port:).json[:slow]

      assert_operator slow[:completed], :>=, 2
      assert_equal 0, slow[:failed]
    end
  end

  test "the screen says what they cost" do
    one_at_a_time do |port|
      output = loaded("--slow-read", "10kB", port:)

      assert_match(/closed loop, 2 connections, 1 s, then again beside a client that reads 10 kB/,
                   output.err)
      assert_includes output.err, "again, beside slow clients\n"
      assert_match(%r{^Beside a client that reads 10 kB/s, the others' requests take }, output.out)
      assert_match(/^latency \(service, without them, ms\) /, output.out)
      assert_match(/^slow clients 1 connection · /, output.out)
    end
  end

  test "Ctrl-C in the first load leaves a load as any" do
    one_at_a_time do |port|
      output = load("127.0.0.1:#{port}/", "-c", "2", "-d", "60s", "--slow-read", "10kB",
                    err: Impatient.new)

      assert_equal 130, output.status
      refute_includes output.out, "Beside"
    end
  end

  test "a request without a body can't be sent slowly" do
    one_at_a_time do |port|
      output = loaded("--slow-body", "1", port:)

      assert_equal 2, output.status
      assert_said(output.err.chomp)
    end
  end

  test "options that make no sense are refused" do
    typed = [%w[--slow 3], %w[--slow-read 1 --slow-body 1], %w[--slow-read 1 -n 5],
             %w[--slow-read 1 --batches 2x2], %w[--slow-read 1 --stream],
             %w[--slow-read 1 --driver wrk], ["--slow-read", "1", "--find-rate", "p99 < 5ms"],
             %w[--slow-read 1 -d 1s], %w[--slow-read fast], %w[--slow-read 2MB],
             %w[--slow-read 1 --slow 0%]]
    outputs = typed.map { |options| load("127.0.0.1:1", *options) }

    assert_equal [2], outputs.map(&:status).uniq
    assert_said(*outputs.map { |output| output.err.chomp })
  end
end
