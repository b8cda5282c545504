# frozen_string_literal: true

require "test_helper"

# What may be loaded. Nothing here sends: addresses are of nets that stand for examples (RFC 5737).
class LoadServerTest < Mohs::TestCase
  Target = Mohs::LoadRun::Server

  HERE = [Addrinfo.tcp("127.0.0.1", 80), Addrinfo.tcp("::1", 80)].freeze
  THERE = [Addrinfo.tcp("192.0.2.7", 80)].freeze

  def refused(...) = assert_raises(Mohs::UsageError) { Target.admit(...) }.message

  test "this machine needs no leave" do
    assert_equal HERE, Target.admit("localhost", HERE, nil)
    assert_equal HERE, Target.admit("localhost", HERE, "localhost")
  end

  test "another is refused, with what to type where it is one's own" do
    message = refused("shop.example", THERE, nil)

    assert_match(/shop\.example .*this machine/, message)
    assert_includes message, "--i-own shop.example"
    refused("both.example", HERE + THERE, nil)
  end

  test "the very host that is named may be loaded, however it is spelt" do
    { "shop.example" => "Shop.Example.", "192.0.2.7" => "192.0.2.7",
      "[2001:db8::1]" => "2001:db8::1" }.each do |name, own|
      assert_equal THERE, Target.admit(name, THERE, own)
    end
  end

  test "any other name is refused, also a part of it, its address, and this machine's" do
    ["example", "shop.example.org", "192.0.2.7", "*", ""].each do |own|
      assert_match(/--i-own names .* shop\.example: /, refused("shop.example", THERE, own))
    end
    assert_match(/address .*localhost/, refused("localhost", HERE, "shop.example"))
  end

  test "a unix socket has no host" do
    error = assert_raises(Mohs::UsageError) { Target.parse("unix:/run/app.sock", own: "localhost") }
    assert_match(/--i-own names a host/, error.message)
  end

  def with_socket
    with_files do |dir|
      path = File.join(dir, "s")
      UNIXServer.open(path) { yield path }
    end
  end

  test "a unix socket is an address, with a path behind it" do
    with_socket do |path|
      target = Target.parse("unix:#{path}:/page?a=1")
      assert_equal [nil, path, "/page?a=1", path],
                   [target.host, target.unix, target.path, target.to_s]
      assert_equal "/", Target.parse("unix://#{path}").path
    end
  end

  test "a socket at which nothing listens is told with the reason" do
    with_socket do |path|
      File.write("#{path}.file", "")
      { "#{path}.gone" => "No such file or directory", "#{path}.file" => "Connection refused" }
        .each do |socket, reason|
        error = assert_raises(Mohs::EnvironmentError) { Target.parse("unix:#{socket}") }
        assert_includes error.message, "#{socket} (#{reason}). "
      end
    end
    long = assert_raises(Mohs::UsageError) { Target.parse("unix:/#{'x' * 120}") }
    assert_match(/\A\/x+: too long unix socket path/, long.message)
  end

  test "an address is asked over the socket of --unix, whatever its host is" do
    with_socket do |path|
      target = Target.parse("http://shop.example/page?a=1", unix: path)
      assert_equal [path, "/page?a=1", nil, nil, false],
                   target.to_h.values_at(:unix, :path, :host, :port, :owned)
    end
  end

  test "a socket is named once, and is of this machine" do
    twice = assert_raises(Mohs::UsageError) { Target.parse("unix:/a.sock", unix: "/b.sock") }
    assert_match(/--unix .*unix:/, twice.message)
    owned = assert_raises(Mohs::UsageError) { Target.parse("localhost", unix: "/b", own: "x") }
    assert_match(/--i-own names a host/, owned.message)
  end

  test "the core's door is shut to other machines as well" do
    target = Mohs::Load::Target.new(host: "192.0.2.7", port: 80)
    error = assert_raises(Mohs::UsageError) { Mohs::Load::Address.of(target) }

    assert_match(/192\.0\.2\.7 .*this machine/, error.message)
    owned = Mohs::Load::Target.new(host: "192.0.2.7", port: 80, owned: true)
    assert_equal THERE.first.to_sockaddr, Mohs::Load::Address.of(owned)
  end
end
