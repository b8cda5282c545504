# frozen_string_literal: true

require "test_helper"
require "socket"

class ListenerTest < Mohs::TestCase
  test "the process that listens is found, by IPv4 and IPv6, and not when it has closed" do
    hosts = ["127.0.0.1", ("::1" if Socket.ip_address_list.any?(&:ipv6_loopback?))].compact
    hosts.each do |host|
      server = TCPServer.new(host, 0)
      port = server.addr[1]

      assert_equal [Process.pid], Mohs::Probes::Listener.pids(port)
      server.close
      assert_empty Mohs::Probes::Listener.pids(port)
    end
  end

  test "a connection to the port is nobody who listens there" do
    server = TCPServer.new("127.0.0.1", 0)
    other = TCPServer.new("127.0.0.1", 0)
    client = TCPSocket.new("127.0.0.1", server.addr[1])

    assert_equal [Process.pid], Mohs::Probes::Listener.pids(server.addr[1])
    assert_empty Mohs::Probes::Listener.pids(client.local_address.ip_port)
  ensure
    [server, other, client].compact.each(&:close)
  end

  test "who has accepted a connection serves it" do
    server = TCPServer.new("127.0.0.1", 0)
    client = TCPSocket.new("127.0.0.1", server.addr[1])
    ports = [server.addr[1], client.local_address.ip_port]

    assert_nil Mohs::Probes::Listener.serving(*ports, [Process.pid])
    accepted = server.accept
    assert_equal Process.pid, Mohs::Probes::Listener.serving(*ports, [Process.ppid, Process.pid])
    assert_nil Mohs::Probes::Listener.serving(*ports, [])
  ensure
    [server, client, accepted].compact.each(&:close)
  end

  test "the connections that each process has accepted are counted, by port and by path" do
    Dir.mktmpdir("mohs-test") do |folder|
      path = "#{folder}/s"
      [[tcp = TCPServer.new("127.0.0.1", 0), tcp.addr[1], -> { TCPSocket.new("127.0.0.1", _1) }],
       [UNIXServer.new(path), path, -> { UNIXSocket.new(_1) }]].each do |server, place, connect|
        clients = Array.new(3) { connect.call(place) }
        accepted = Array.new(2) { server.accept }

        assert_equal [0, 2], Mohs::Probes::Listener.accepted(place, [Process.ppid, Process.pid])
      ensure
        [server, *clients, *accepted].each(&:close)
      end
    end
  end

  test "a server is waited for until it has closed its connections, but no longer than asked" do
    server = TCPServer.new("127.0.0.1", 0)
    port = server.addr[1]
    closed = ->(within_s) { Mohs::Probes::Listener.closed?(port, within_s:, look_s: 0.001) }
    client = TCPSocket.new("127.0.0.1", port)
    accepted = server.accept

    refute closed.call(0.01)
    client.close
    refute closed.call(0.01), "the server has not closed its end"
    closing = Thread.new { accepted.close }
    assert closed.call(10)
  ensure
    closing&.join
    [server, client, accepted].compact.each(&:close)
  end

  test "a child that has the socket open too is found as well" do
    server = TCPServer.new("127.0.0.1", 0)
    child = Process.spawn("sleep", "60", server => server)
    sleep 0.01 until File.read("/proc/#{child}/cmdline").start_with?("sleep")

    assert_equal [Process.pid, child].sort, Mohs::Probes::Listener.pids(server.addr[1]).sort
  ensure
    server.close
    Process.kill("KILL", child)
    Process.wait(child)
  end
end
