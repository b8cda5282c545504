# frozen_string_literal: true

require "test_helper"

module Mohs
  # Where local ports run out, in a network of its own: there anybody may say which ports there are.
  class PortsTest < TestCase
    include LoadHelper

    UNSHARE = %w[unshare --user --map-root-user --net].freeze

    # Brings the loopback interface up, and leaves ten local ports from 40000 on to connect from.
    NETWORK = <<~'RUBY'
      require "json"
      require "mohs"
      require "#{Mohs.root}/test/support/fake_server"
      UP = 0x8914 # SIOCSIFFLAGS of linux/sockios.h, here with IFF_UP
      Socket.new(:INET, :STREAM).ioctl(UP, ["lo", 1].pack("a16sx14"))
      def allow(ports) = File.write("/proc/sys/net/ipv4/ip_local_port_range", ports)
      File.write("/proc/sys/net/ipv4/tcp_tw_reuse", "2") # on loopback: after a second

      def load(port, count: nil, duration_ns: nil, **target)
        target = Mohs::Load::Target.new(host: "127.0.0.1", port:, **target)
        driver = Mohs::Drivers.fetch("native").new(targets: [target], gone_s: 0.2)
        result = driver.run([Mohs::Load::Step.new(count:, duration_ns:)]).first
        driver.close
        [result.sent, result.good, result.errors, result.connections[:opened]]
      end
    RUBY

    def setup
      return if system(*UNSHARE, "true", out: File::NULL, err: File::NULL)

      skip "this machine lets nobody make a network of his own"
    end

    test "where nobody listens, we are refused, and never connected to ourselves" do
      sent, good, errors, opened = counts(<<~RUBY)
        allow("40000 40000")
        puts JSON.generate(load(40_000, duration_ns: 300_000_000, connections: 2))
      RUBY
      assert_operator sent, :>, 2
      assert_equal [0, { "refused" => sent }, 0], [good, errors, opened]
    end

    test "kept connections beyond the ports are told, and the others are served" do
      assert_equal [64, 40, { "no_local_port" => 24 }, 10],
                   served("connections: 16, count: 64")
    end

    test "two source addresses have twice the ports" do
      sources = 'source_addresses: ["127.0.0.2", "127.0.0.3"]'
      assert_equal [64, 64, {}, 16], served("connections: 16, count: 64, #{sources}")
    end

    test "ports of closed connections are told while they rest, and used again after it" do
      first, second = served("connections: 4, count: 20, keep_alive: :fin", again_s: 1.2)
      assert_equal [20, 10, { "no_local_port" => 10 }, 10], first
      assert_equal [20, 10, { "no_local_port" => 10 }, 10], second
    end

    test "a reset leaves no port at rest" do
      assert_equal [60, 60, {}, 60], served("connections: 4, count: 60, keep_alive: :rst")
    end

    private

    # What load to a server says where there are ten local ports; with again_s twice, so far apart.
    def served(load, again_s: nil)
      again = "puts JSON.generate([first, sleep(#{again_s}) && load(server.port, #{load})])"
      counts(<<~RUBY)
        Mohs::FakeServer.open do |server|
          allow("40000 40009")
          first = load(server.port, #{load})
          #{again_s ? again : 'puts JSON.generate(first)'}
        end
      RUBY
    end

    def counts(script) = JSON.parse(in_child(NETWORK + script, wrapper: UNSHARE).lines.last)
  end
end
