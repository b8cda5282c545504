# frozen_string_literal: true

require "test_helper"

# `mohs load https://...` with the real driver against real servers that end TLS themselves.
class CLILoadTlsTest < Mohs::TestCase
  include Mohs::CLIHelper
  include Mohs::Leftovers
  include Mohs::LoadHelper

  NAMED = ->(name: "native", **options) { Mohs::Drivers.fetch(name).new(**options) }
  FALCON = "https://localhost:%<port>d"
  PUMA = "ssl://127.0.0.1:%<port>d?key=key.pem&cert=cert.pem&verify_mode=none"
  LIMIT_S = 30

  test "Puma with ssl:// is loaded like any other, on kept connections" do
    puma do |port|
      output = load("https://127.0.0.1:#{port}/page", "-n", "400", "-c", "4", "-t", "2")
      assert_equal 0, output.status, output.err
      assert_equal "GET /page at https://127.0.0.1:#{port} · closed loop, 4 connections, " \
                   "400 requests\n", output.err
      assert_match(/ 400 sent, .* 200 .* 5 bytes\.$/, output.out)
      assert_match(/^connections 4 asked, \d+ opened, 0 lost · 100 to 100 requests each$/,
                   output.out)
      assert_match(/^TLS: \d+ handshakes, [\d.]+ ms/, output.out)
    end
  end

  test "each new connection shakes hands, whoever closes it, and with many at once" do
    puma do |port|
      %w[--close --close=fin --close=rst].each do |close|
        json = json(port, "-n", "120", "-c", "4", close)
        assert_equal [120, 120, 0], [json[:requests][:good], *counts(json)], close
        assert_operator json[:tls][:p50_ms], :>, 0
      end
      json = json(port, "-n", "2000", "-c", "64")
      assert_empty Mohs::JSONContract.new("`load`").faults(json)
      assert_equal [2000, 0], [json[:requests][:good], json[:connections][:lost]]
      assert_operator json[:tls][:handshakes], :>=, 64
    end
  end

  slow_test "a rate, and the highest one, of requests over TLS" do
    puma do |port|
      json = json(port, "--rate", "200", "-d", "1s", "--close")
      assert_equal [200, [200, 0]], [json[:requests][:good], counts(json)]
      # A handshake is not the driver's delay.
      assert_equal({ p50: nil, p99: nil }, json[:send_lag_ms])
      refute_includes json[:checks].map { |check| check[:name] }, "send_lag"

      json = json(port, "--find-rate", "p99 < 200ms", "-d", "10s")
      assert_operator json[:rate_per_s][:value], :>, 100
    end
  end

  test "what was recorded says which requests waited for a handshake" do
    puma do |port|
      with_files do |dir|
        file, table = %w[load.mohs load.csv].map { |name| File.join(dir, name) }
        load("https://127.0.0.1:#{port}/", "-n", "20", "-c", "2", "--close", "--raw", file,
             "--csv", table, "--quiet")
        assert_equal 20, File.readlines(table).grep(/shaken/).size
        json = mohs("show", file, "--json").json
        assert_equal [20, 0], counts(json)
      end
    end
  end

  slow_test "Falcon, which makes its own certificate, is loaded over HTTP/1.1" do
    falcon do |port|
      output = load("https://localhost:#{port}/", "-n", "200", "-c", "4", "--json", "--quiet")
      assert_equal [0, 200], [output.status, output.json[:requests][:good]], output.err
      assert_equal [4, 0], counts(output.json)
    end
  end

  test "a server without TLS, and one that wants it, are told with the address to use" do
    plainly = ->(socket) { socket.readpartial(99) && socket.write("HTTP/1.1 400 Bad\r\n") }
    open_raw(plainly) do |plain|
      output = load("https://127.0.0.1:#{plain}/")
      assert_equal 4, output.status
      assert_match(/127\.0\.0\.1:#{plain}: .*\(wrong version number\)\./, output.err)
      assert_includes output.err, "use http://127.0.0.1:#{plain}"
    end
    puma do |port|
      output = load("http://127.0.0.1:#{port}/")
      assert_equal 4, output.status
      assert_match(%r{127\.0\.0\.1:#{port} .*TLS.* https://127\.0\.0\.1:#{port}}, output.err)
    end
  end

  test "a server whose error comes in plain HTTP is not asked for TLS" do
    begun = []
    failing = lambda do |socket|
      begun << socket.readpartial(1)
      socket.write("HTTP/1.1 500 No\r\nContent-Length: 0\r\n\r\n")
    end
    open_raw(failing) do |port|
      assert_match(/\b500\b/, load("http://127.0.0.1:#{port}/").err)
      assert_equal ["G"], begun.uniq
    end
  end

  test "a server that says nothing to a handshake, or hangs up, is refused in time" do
    open_raw(->(socket) { socket.read(1) && sleep(10) }) do |port|
      assert_match(/TLS .*\(Connection timed out\)/,
                   load("https://127.0.0.1:#{port}/").err)
    end
    open_raw(->(socket) { socket.read(1) }) do |port|
      assert_match(/TLS .*\(.*(?:hung up|reset|eof)/i,
                   load("https://127.0.0.1:#{port}/").err)
    end
  end

  test "a mohs that was built without OpenSSL says what to install" do
    with_core_tls(false) do
      output = load("https://127.0.0.1:1/")
      assert_equal 4, output.status
      assert_match(/https:.* needs OpenSSL.*libssl-dev/, output.err)
    end
  end

  WITHOUT_OPENSSL = <<~'RUBY'
    module Kernel
      alias_method :require_any, :require
      def require(name) = name == "openssl" ? raise(LoadError, name) : require_any(name)
    end
    require "socket"
    require "mohs"
    begin
      Mohs::Http::Tls.over(Socket.tcp("127.0.0.1", ARGV[0].to_i))
    rescue Mohs::EnvironmentError
      print Mohs::Http::Tls.spoken?("127.0.0.1", ARGV[0].to_i)
    end
  RUBY

  test "a Ruby without OpenSSL finds no TLS, and says what to install" do
    open_raw(->(socket) { socket.read(1) }) do |port|
      command = [RbConfig.ruby, "-I", $LOAD_PATH.join(":"), "-e", WITHOUT_OPENSSL, port.to_s]
      assert_equal "false", IO.popen(command, &:read)
    end
  end

  test "what does not go over TLS is refused in a sentence" do
    { "--stream" => [], "--websocket" => [], "--driver wrk" => %w[--driver wrk],
      "--slow-read" => %w[--slow-read 1kB] }.each do |name, given|
      output = load("https://127.0.0.1:1/", *(given.empty? ? [name] : given))
      assert_equal 2, output.status
      assert_includes output.err, "#{name} needs http://"
    end
    assert_match(/--unix is for http:/, load("https://127.0.0.1:1/", "--unix", "/none").err)
    assert_match(/--i-own is for http:/, load("https://a.example/", "--i-own", "a.example").err)
    assert_match(/not this machine/, load("https://192.0.2.1/").err)
  end

  private

  def load(*argv) = mohs("load", *argv, driver: NAMED)

  def json(port, *argv)
    output = load("https://127.0.0.1:#{port}/", "--json", "--quiet", *argv)
    assert_equal 0, output.status, output.err
    output.json
  end

  def with_core_tls(value)
    was = Mohs::Core.send(:remove_const, :TLS)
    Mohs::Core.const_set(:TLS, value)
    yield
  ensure
    Mohs::Core.send(:remove_const, :TLS)
    Mohs::Core.const_set(:TLS, was)
  end

  def counts(json) = json[:tls].values_at(:handshakes, :failed)

  def puma(&)
    with_files("config.ru" => Mohs::ServerProcess::HELLO["config.ru"],
               "key.pem" => Mohs::TlsServer.key.to_pem,
               "cert.pem" => Mohs::TlsServer.certificate.to_pem) do |dir|
      boot(dir, "puma", "-q", "-t", "5:5", "config.ru", "-b", PUMA, &)
    end
  end

  def falcon(&)
    with_files("config.ru" => Mohs::ServerProcess::HELLO["config.ru"]) do |dir|
      boot(dir, "falcon", "serve", "-n", "1", "-b", FALCON, &)
    end
  end

  def boot(dir, name, *argv)
    Mohs::Process::Port.lease do |port|
      log = File.join(dir, "log")
      argv = ["ruby", Mohs::ServerGems.executable(name),
              *argv.map { |word| word.sub("%<port>d", port.to_s) }]
      env = { "RACK_ENV" => "production", "HOME" => dir, **Mohs::ServerGems.env }
      command = Mohs::Process::Command.new(argv:, chdir: dir, env:)
      child = Mohs::Process::Spawner.new.spawn(command, log:)
      wait_for(LIMIT_S) { Mohs::Http::Tls.spoken?("127.0.0.1", port) }
      yield port
    ensure
      child&.kill
    end
  end
end
