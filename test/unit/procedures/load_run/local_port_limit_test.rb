# frozen_string_literal: true

require "test_helper"

module Mohs
  class LocalPortLimitTest < TestCase
    include Screens

    # The golden file of its sentences (Screens#assert_said).
    SAID = "said-load-runs"

    HERE = LoadRun::Server.new(host: "127.0.0.1", port: 1, path: "/", owned: false)
    AWAY = LoadRun::Server.new(host: "192.0.2.7", port: 1, path: "/", owned: true)
    PORTS = "32768\t60999\n" # 28 232

    def verify(reuse: 0, range: PORTS, server: HERE, keep_alive: :fin, **changes)
      files = { LoadRun::LocalPortLimit::RANGE => range, LoadRun::LocalPortLimit::REUSE => "#{reuse}\n" }
      declared = LoadRun::Declaration.new(server:, keep_alive:, **changes)
      LoadRun::LocalPortLimit.new(declared, read: files.method(:[])).verify
    end

    def at(*rates) = rates.map { |rate_per_s| Load::Arrivals.new(kind: :constant, rate_per_s:) }

    test "a closed loop is told for how many connections ports last" do
      note = verify(duration_s: 10)
      assert_match(/\Alocal ports .*28232 .* 60 s \(TIME_WAIT\)\. /, note)
      assert_match(/--close=rst .*--source-addresses .*sysctl -w net\.ipv4\.tcp_tw_reuse=1/, note)
      assert_match(/56464 new/, verify(duration_s: 10, source_addresses: %w[127.0.0.2 127.0.0.3]))
      assert_match(/28232/, verify(count: 28_233))
      assert_nil verify(count: 28_232)
    end

    test "a port that may be used again after a second lasts for what loopback reaches" do
      assert_nil verify(reuse: 1, duration_s: 10)
      assert_nil verify(reuse: 2, duration_s: 10)
      few = verify(reuse: 2, range: "1000 1099", duration_s: 9)
      assert_said(few)
      assert_match(/ in 60 s /, verify(reuse: 2, server: AWAY, duration_s: 10))
      assert_nil verify(reuse: 1, server: AWAY, duration_s: 10)
    end

    test "a rate that takes more than there are is refused, or told where the server may close" do
      rate = { arrivals: at(400, 500), duration_s: 100 }
      error = assert_raises(EnvironmentError) { verify(**rate) }
      assert_match(/\Athis rate .*30000 .* 60 s, .*28232 /,
                   error.message)
      assert_said(verify(keep_alive: :asked, **rate))
      assert_nil verify(arrivals: at(470), duration_s: 100)
      assert_nil verify(arrivals: at(500), duration_s: 50)
      assert_nil verify(arrivals: at(20_000), duration_s: 100, reuse: 2)
      assert_nil verify(arrivals: at(2000), count: 28_232)
    end

    test "nothing is said where connections last, are reset, need no port, or nothing is known" do
      assert_nil verify(keep_alive: :on, duration_s: 10)
      assert_nil verify(keep_alive: :rst, duration_s: 10)
      assert_nil verify(server: LoadRun::Server.new(unix: "/s", path: "/"), duration_s: 10)
      assert_nil verify(range: nil, duration_s: 10)
    end
  end
end
