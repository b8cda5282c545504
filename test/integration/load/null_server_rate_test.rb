# frozen_string_literal: true

require "test_helper"

module Mohs
  class NullServerRateTest < TestCase
    NATIVE = ->(**options) { Drivers.fetch("native").new(**options) }

    def setup
      skip "a single core has no headroom to ask for" if Process::CpuSet.available.one?
    end

    def target(**request)
      requests = [Load::Request.new(check: Load::Check.new(statuses: [404]), **request)]
      Load::Target.new(host: "127.0.0.1", port: 1, connections: 3, requests:)
    end

    test "a server that does nothing answers each request, whatever is right elsewhere" do
      driver = nil
      made = ->(**options) { driver = NATIVE.call(**options) }
      headroom = Load::NullServerRate.new(driver: made, threads: 2)
      [[{}, 0], [{ method: "POST", body: "x" * 3000, headers: { "X-A" => "b" } }, 70_000],
       [{ method: "HEAD" }, 0]].each do |request, body_bytes|
        per_s = headroom.call(target(**request), body_bytes:)
        result = driver.results.first
        assert_equal [{}, 3, 0], [result.errors, *result.connections.values_at(:opened, :lost)]
        assert_in_delta result.good * 1e9 / result.span_ns, per_s
        assert_equal body_bytes * result.good, result.bytes
      end
    end

    test "the round trip of one request alone, to any address of this machine" do
      ["127.0.0.1", "::1"].each do |host|
        trip = Load::NullServerRate.new(driver: NATIVE, host:).round_trip(target, body_bytes: 10)
        assert_operator trip[:p50_ns], :>, 0
        assert_operator trip[:p99_ns], :>=, trip[:p50_ns]
      rescue NoMethodError
        raise unless host == "::1" && Socket.ip_address_list.none?(&:ipv6_loopback?)
      end
      elsewhere = Load::NullServerRate.new(driver: NATIVE, host: "192.0.2.1")
      assert_nil elsewhere.round_trip(target, body_bytes: 10)
    end

    test "where connections are for a request each, so they are there" do
      driver = nil
      made = ->(**options) { driver = NATIVE.call(**options) }
      closing = Load::Target.new(**target.to_h, keep_alive: :asked)
      assert_operator Load::NullServerRate.new(driver: made).call(closing, body_bytes: 10), :>, 0
      result = driver.results.first
      assert_equal [{}, result.good], [result.errors, result.connections[:opened]]
    end

    test "it opens a hundred connections at most, and is unknown where requests failed" do
      seen = []
      broken = lambda do |targets:, **|
        seen << targets.first.connections
        Drivers::Mock.new(targets:, script: ->(_, number) { number.zero? ? "timeout" : 10_000_000 })
      end
      many = Load::Target.new(**target.to_h, connections: 20_000)
      assert_nil Load::NullServerRate.new(driver: broken).call(many, body_bytes: 1)
      assert_equal [100], seen
    end

    test "it is unknown where the system has no room for it" do
      refused = ->(**) { raise Errno::EMFILE }
      assert_nil Load::NullServerRate.new(driver: refused).call(target, body_bytes: 1)
    end

    test "the server is there once, and gone after it" do
      server = Core::NullServer.new(5, nil)
      server.start(10)
      assert_raises(ArgumentError) { server.start(10) }
      port = server.port
      server.close
      assert_raises(Errno::ECONNREFUSED) { TCPSocket.open("127.0.0.1", port) }
    end
  end
end
