# frozen_string_literal: true

require "test_helper"
require "net/http"

# The dashboard as a process: it listens, answers, follows a run, and ends at once.
class WebIntegrationTest < Mohs::TestCase
  include Mohs::StoreHelper

  SOON_S = 20
  # A busy machine has its time; an open stream would last for ever.
  STOP_S = 8

  def setup
    super
    @folder = Dir.mktmpdir("mohs-test")
    @store = open_store(File.join(@folder, "mohs.db"))
  end

  def teardown
    close_stores
    FileUtils.rm_rf(@folder)
    super
  end

  test "mohs web prints where it is, answers there, and ends with Ctrl-C" do
    with_web do |url, pid, err|
      assert_match(%r{\Ahttp://127\.0\.0\.1:\d+/\z}, url)
      assert_equal "200", Net::HTTP.get_response(URI(url)).code
      assert_equal [130, ""], [stopped(pid), err.read]
    end
  end

  test "a page that follows a run holds nothing up, and its events arrive as they happen" do
    sample = SampleResult.new({ "a" => 1000, "b" => 1500 }, blocks: 2).to_h
    run = Mohs::StoredResult.write(@store, sample, state: "running")
    with_web do |url, pid|
      uri = URI("#{url}runs/#{run.key}/events")
      Socket.tcp(uri.host, uri.port) do |socket|
        socket.write("GET #{uri.path} HTTP/1.1\r\nhost: localhost\r\n\r\n")
        assert_includes read_until(socket, "event: rows"), "text/event-stream"
        @store.finish_run(run.id, "finished")
        assert_includes read_until(socket, "event: end"), "data: {}"
      end
      assert_equal 130, stopped(pid)
    end
  end

  test "an open stream does not outlive the server" do
    sample = SampleResult.new({ "a" => 1000, "b" => 1500 }, blocks: 2).to_h
    run = Mohs::StoredResult.write(@store, sample, state: "running")
    with_web do |url, pid|
      uri = URI("#{url}runs/#{run.key}/events")
      Socket.tcp(uri.host, uri.port) do |socket|
        socket.write("GET #{uri.path} HTTP/1.1\r\nhost: localhost\r\n\r\n")
        read_until(socket, "event: rows")
        assert_equal 130, stopped(pid)
      end
    end
  end

  test "a program reads the address from a document" do
    with_web("--json") do |_, pid, _, document|
      known = JSON.parse(document, symbolize_names: true)

      assert_equal ["web", nil], known.values_at(:command, :token)
      assert_equal URI(known[:url]).port, known[:port]
      assert_empty Mohs::JSONContract.new("`web`").faults(known)
      assert_equal 130, stopped(pid)
    end
  end

  test "a port in use is said so" do
    with_web do |url|
      port = URI(url).port
      _, err, status = Open3.capture3(env, *command("--port", port.to_s))

      assert_equal 4, status.exitstatus
      assert_match(/port #{port} of 127\.0\.0\.1 is in use.*mohs web --port/, err)
    end
  end

  test "where others can reach it the address has a token, and it says so" do
    with_web("--bind", "0.0.0.0") do |url, _, err|
      refused = Net::HTTP.get_response(URI(url.sub(/\?.*/, "")))

      assert_match(/\?token=[\w-]{32}\z/, url)
      assert_equal "401", refused.code
      assert_equal "302", Net::HTTP.get_response(URI(url)).code
      assert_match(/Other machines .*0\.0\.0\.0/, err.readpartial(1000))
    end
  end

  private

  def env = { "MOHS_DATABASE_URL" => File.join(@folder, "mohs.db") }

  def command(*options) = [File.join(Mohs.root, "bin/mohs"), "web", *options]

  def with_web(*options)
    Open3.popen3(env, *command("--port", "0", *options)) do |_, out, err, thread|
      text = options.include?("--json") ? out.gets("\n}\n") : out.gets
      yield text[/http\S+/], thread, err, text
    ensure
      ::Process.kill("KILL", thread.pid) if thread.alive?
    end
  end

  # Its exit status; fails if it waits for anybody.
  def stopped(thread)
    ::Process.kill("INT", thread.pid)
    assert thread.join(STOP_S), "it did not end"
    thread.value.exitstatus
  end

  def read_until(socket, text)
    read = +""
    deadline = Mohs::Clock.mono_ns + (SOON_S * 1_000_000_000)
    until read.include?(text)
      flunk "nothing came but #{read.inspect}" if Mohs::Clock.mono_ns > deadline
      read << socket.readpartial(4096) if socket.wait_readable(1)
    end
    read
  end
end
