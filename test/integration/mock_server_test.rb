# frozen_string_literal: true

require "test_helper"

# The mock server tells the truth until it is told to lie: each fault is what a trial must survive.
class MockServerTest < Mohs::TestCase
  HEAD = "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 5\r\n"
  OK = "#{HEAD}Connection: close\r\n\r\nHello"

  test "it answers well" do
    boot { |server| assert_equal OK, server.get }
  end

  test "it keeps a connection, answers HEAD without a body, and reads bodies" do
    boot do |server|
      socket = server.connect
      socket.write("HEAD / HTTP/1.1\r\nHost: x\r\n\r\n")
      assert_equal "#{HEAD}\r\n", socket.gets("\r\n\r\n")
      socket.write("POST / HTTP/1.1\r\nContent-Length: 3\r\n\r\nabc")
      socket.write("GET / HTTP/1.1\r\nConnection: close\r\n\r\n")
      assert_equal 2, socket.read.scan("HTTP/1.1 200 OK").size
    ensure
      socket&.close
    end
  end

  test "500 and wrong answers are whole, and the connection stays" do
    boot("MOHS_MOCK_FAULT" => "500", "MOHS_MOCK_AFTER" => "1") do |server|
      assert_equal ["500", "500"], (server.twice.map { |answer| answer[%r{\AHTTP/1.1 (\d+)}, 1] })
    end
    boot("MOHS_MOCK_FAULT" => "wrong", "MOHS_MOCK_AFTER" => "1") do |server|
      assert_match(/\n\r\nIfmmp\z/, server.twice.last)
    end
  end

  test "a truncated body ends before its length" do
    boot("MOHS_MOCK_FAULT" => "truncated", "MOHS_MOCK_AFTER" => "1") do |server|
      assert_match(/Content-Length: 10\r\n\r\nHelloHell\z/, server.get)
    end
  end

  test "garbage is no HTTP" do
    boot("MOHS_MOCK_FAULT" => "garbage", "MOHS_MOCK_AFTER" => "1") do |server|
      refute_match(/\AHTTP/, server.get)
    end
  end

  test "silence holds the connection without an answer, on this connection only" do
    boot("MOHS_MOCK_FAULT" => "silence", "MOHS_MOCK_AFTER" => "1") do |server|
      socket = server.connect
      socket.write("GET / HTTP/1.1\r\n\r\n")
      assert_nil socket.wait_readable(0.2)
      assert_predicate server.child, :alive?
    ensure
      socket&.close
    end
  end

  test "it dies after as many answers as it was told, with a status of its own" do
    boot("MOHS_MOCK_FAULT" => "die", "MOHS_MOCK_AFTER" => "3") do |server|
      2.times { assert_equal OK, server.get } # the first was to see whether it is up
      died = begin
        server.get
      rescue SystemCallError
        ""
      end
      assert_empty died
      assert_equal "exit 3", server.child.wait(20).to_s
    end
  end

  test "it refuses to boot, and says so" do
    error = assert_raises(RuntimeError) do
      boot("MOHS_MOCK_FAULT" => "refuse") { flunk "it booted" }
    end
    assert_equal "no server: exit 1\nmock: told to refuse\n", error.message
  end

  test "it boots and answers as slowly as it is told" do
    started = Mohs::Clock.mono_ns
    env = { "MOHS_MOCK_BOOT_S" => "0.3", "MOHS_MOCK_DELAY_MS" => "100", "MOHS_MOCK_BODY" => "slow" }
    boot(env) do |server|
      assert_operator Mohs::Clock.mono_ns - started, :>, 400_000_000
      assert_match(/Content-Length: 4\r\n.*slow\z/m, server.get)
    end
  end

  private

  def boot(env = {}, &block)
    with_files { |folder| Mohs::ServerProcess.boot("mock:1x3", folder:, env:, &block) }
  end
end
