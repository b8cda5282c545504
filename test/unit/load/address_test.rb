# frozen_string_literal: true

require "test_helper"

class LoadAddressTest < Mohs::TestCase
  include Mohs::Screens

  # The golden file of its sentences (Screens#assert_said).
  SAID = "said-load"

  Address = Mohs::Load::Address

  def target(**fields)
    Struct.new(:host, :port, :unix, :owned, keyword_init: true).new(**fields)
  end

  def of(**fields) = Addrinfo.new(Address.of(target(port: 80, **fields))).inspect_sockaddr

  test "loopback of either family, bracketed or not" do
    assert_equal "127.0.0.1:80", of(host: "127.0.0.1")
    assert_equal "127.9.9.9:80", of(host: "127.9.9.9")
    assert_equal "[::1]:80", of(host: "::1")
    assert_equal "[::1]:80", of(host: "[::1]")
  end

  test "another machine only where it is owned" do
    ["192.0.2.1", "2001:db8::1"].each do |host|
      message = assert_raises(Mohs::UsageError) { of(host:) }.message
      assert_match(/\A#{host} /, message)
    end
    assert_equal "192.0.2.1:80", of(host: "192.0.2.1", owned: true)
    assert_equal "[2001:db8::1]:80", of(host: "2001:db8::1", owned: true)
  end

  test "a unix socket, as long as a path may be" do
    assert_equal "/run/puma.sock", of(unix: "/run/puma.sock")
    assert_match(/too long/, assert_raises(Mohs::UsageError) { of(unix: "/#{'a' * 108}") }.message)
  end

  test "what is no address is said" do
    message = assert_raises(Mohs::UsageError) { of(host: "256.1.1.1.invalid") }.message
    assert_said(message)
  end

  test "a local address leaves its port to the kernel" do
    source = Addrinfo.new(Address.source("127.0.0.2"))
    assert_equal ["127.0.0.2", 0], [source.ip_address, source.ip_port]
  end

  test "the Host header brackets IPv6, once" do
    hosts = ["::1", "[::1]", "localhost", "127.0.0.1"]
    headers = hosts.map { |host| Address.host_header(target(host:, port: 3000)) }
    assert_equal %w[[::1]:3000 [::1]:3000 localhost:3000 127.0.0.1:3000], headers
    assert_equal "localhost", Address.host_header(target(unix: "/run/puma.sock"))
  end
end
