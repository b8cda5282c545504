# frozen_string_literal: true

require "test_helper"
require "json"

# The commands of the tools, as data; and what they are not asked to do.
class PeerLaunchTest < Mohs::TestCase
  include Mohs::Screens

  # The golden file of its sentences (Screens#assert_said).
  SAID = "said-drivers"

  POST = { method: "POST", path: "/items?a=1", body: "{\"a\":1}",
           headers: { "Content-Type" => "application/json", "X-A" => "b c" } }.freeze

  def launch(tool, step, threads: 1, request: {}, **target)
    requests = [Mohs::Load::Request.new(**request)]
    place = target[:unix] ? {} : { host: "127.0.0.1", port: 9292 }
    target = Mohs::Load::Target.new(connections: 4, requests:, timeout_s: 7, **place, **target)
    driver = Mohs::Drivers.fetch(tool).new(targets: [target], threads:)
    driver.launch(Mohs::Load::Step.new(**step))
  end

  def line(...) = launch(...).commands.first.join(" ")

  SECONDS = { duration_ns: 3_000_000_000 }.freeze
  COUNT = { count: 80 }.freeze

  test "a length of time" do
    assert_equal "wrk -t 2 -c 4 -d 3s --latency --timeout 7s http://127.0.0.1:9292/",
                 line("wrk", SECONDS, threads: 2)
    assert_equal "ab -q -l -r -e times.csv -s 7 -c 4 -t 3 -n 900000 -k http://127.0.0.1:9292/",
                 line("ab", SECONDS)
    assert_equal "h2load --h1 -t 1 -c 4 -D 3000ms http://127.0.0.1:9292/", line("h2load", SECONDS)
    assert_equal "siege -R siegerc -q -j -b -c 4 -t 3S -f urls", line("siege", SECONDS)
    assert_equal "hey -z 1500ms -c 4 -cpus 2 -m GET -t 7 -disable-redirects -disable-compression " \
                 "http://127.0.0.1:9292/", line("hey", { duration_ns: 1_500_000_000 }, threads: 2)
    assert_equal "oha --no-tui --output-format json -w -z 3000ms -c 4 -m GET -t 7000ms " \
                 "--redirect 0 http://127.0.0.1:9292/", line("oha", SECONDS)
    assert_equal "vegeta -cpus 1 attack -rate 0 -workers 4 -max-workers 4 -connections 4 " \
                 "-duration 3000ms -timeout 7s -redirects -1 -format json -targets targets " \
                 "-output results -keepalive=true", line("vegeta", SECONDS)
    assert_equal %w[vegeta report -type json results], launch("vegeta", SECONDS).commands.last
  end

  test "an exact number of requests" do
    assert_includes line("ab", COUNT), " -n 80 "
    assert_includes line("h2load", COUNT), " -n 80 "
    assert_includes line("siege", COUNT), " -c 4 -r 20 "
    assert_includes line("hey", COUNT), " -n 80 -c 4 "
    assert_includes line("oha", COUNT), " -n 80 "
  end

  test "a body and its headers, in a file of the tool's own" do
    { "ab" => "-H X-A: b c -T application/json -k -p body -m POST http://127.0.0.1:9292/items?a=1",
      "h2load" => "-H Content-Type: application/json -H X-A: b c -d body -H :method: POST http://",
      "hey" => "-H Content-Type: application/json -H X-A: b c -D body http://",
      "oha" => "-H Content-Type: application/json -H X-A: b c -D body http://",
      "siege" => "-H X-A: b c -T application/json -f urls" }.each do |tool, part|
      result = launch(tool, COUNT, request: POST)
      assert_includes result.commands.first.join(" "), part
      assert_equal POST[:body], result.files.fetch("body")
    end
    urls = launch("siege", COUNT, request: POST).files.fetch("urls")
    assert_equal "http://127.0.0.1:9292/items?a=1 POST <body\n", urls
  end

  test "vegeta takes a request as JSON, wrk as a script in which each byte is a number" do
    asked = JSON.parse(launch("vegeta", SECONDS, request: POST).files.fetch("targets"))
    assert_equal POST[:body], asked["body"].unpack1("m0")
    assert_equal ["POST", ["b c"]], [asked["method"], asked["header"]["X-A"]]
    script = launch("wrk", SECONDS, request: { method: "PUT", body: "\"\n\xff" })
             .files.fetch("request.lua")
    assert_equal "wrk.method = \"\\080\\085\\084\"\nwrk.body = \"\\034\\010\\255\"\n", script
    assert_empty launch("wrk", SECONDS).files
    cookie = launch("wrk", SECONDS, request: { headers: { "Cookie" => "a=\"b" } })
    assert_equal ["wrk.headers[\"\\067\\111\\111\\107\\105\\101\"] = " \
                  "\"\\097\\061\\034\\098\"\n"], cookie.files.values
    assert_includes cookie.commands.first.join(" "), " -s request.lua http://"
  end

  test "k6 gets a script: who loads, for how long, what is right" do
    check = Mohs::Load::Check.new(statuses: [200, 304])
    result = launch("k6", COUNT, threads: 2, request: { **POST, check: })
    script = result.files.fetch("load.js")
    options = JSON.parse(script[/options = (.*);$/, 1])
    assert_equal({ "executor" => "shared-iterations", "iterations" => 80, "vus" => 4,
                   "maxDuration" => "3600s", "gracefulStop" => "7s" },
                 options["scenarios"]["load"])
    assert_includes script, "expectedStatuses(200, 304)"
    sent = JSON.parse("[#{script[/http\.request\((.*)\);$/, 1]}]")
    assert_equal ["POST", "http://127.0.0.1:9292/items?a=1", POST[:body]], sent.first(3)
    assert_equal({ "K6_NO_USAGE_REPORT" => "true", "GOMAXPROCS" => "2" }, result.env)
    timed = launch("k6", SECONDS).files.fetch("load.js")
    assert_includes timed, '"executor":"constant-vus","duration":"3000ms"'
  end

  test "connections that are closed after each answer" do
    { "wrk" => "-H Connection: close", "hey" => "-disable-keepalive",
      "oha" => "--disable-keepalive", "vegeta" => "-keepalive=false" }.each do |tool, option|
      assert_includes line(tool, SECONDS, keep_alive: :asked), option
    end
    refute_includes line("ab", COUNT, keep_alive: :asked), " -k "
    assert_includes line("h2load", COUNT, keep_alive: :asked), "-H Connection: close"
    settings = launch("siege", COUNT, keep_alive: :asked).files.fetch("siegerc")
    assert_match(/^connection = close$/, settings)
    assert_includes launch("k6", COUNT, keep_alive: :asked).files.fetch("load.js"),
                    '"noConnectionReuse":true'
  end

  test "a unix socket, where the tool can" do
    assert_includes line("h2load", COUNT, unix: "/run/s"), "-B unix:/run/s http://localhost/"
    assert_includes line("oha", COUNT, unix: "/run/s"), "--unix-socket /run/s http://localhost/"
    assert_includes line("vegeta", SECONDS, unix: "/run/s"), "-unix-socket /run/s"
    error = assert_raises(Mohs::UsageError) { launch("wrk", SECONDS, unix: "/run/s") }
    assert_match(/\Awrk .*unix socket\. .*native driver/, error.message)
  end

  test "an IPv6 address is written in brackets" do
    assert_includes line("wrk", SECONDS, host: "::1"), " http://[::1]:9292/"
  end

  test "targets that a tool can't load are refused when it is made" do
    request = ->(**check) { { check: Mohs::Load::Check.new(**check) } }
    [{ request: request.call(mode: :exact, body: "x") }, { source_addresses: ["127.0.0.2"] },
     { keep_alive: :rst }, { request: request.call(statuses: [404]) }].each do |bad|
      assert_said(assert_raises(Mohs::UsageError) { launch("ab", COUNT, **bad) }.message)
    end
    assert_said(refused("siege", threads: 2))
    assert_said(refused("wrk", threads: 3))
    lines = { method: "POST", body: "a\nb" }
    assert_said(refused("siege", request: lines))
  end

  test "several targets, a mix of requests, another host: not with these" do
    target = Mohs::Load::Target.new(host: "127.0.0.1", port: 1)
    mix = Mohs::Load::Target.new(host: "127.0.0.1", port: 1,
                                 requests: Array.new(2) { Mohs::Load::Request.new })
    away = Mohs::Load::Target.new(host: "192.0.2.1", port: 1)
    { [target, target] => "several targets", [mix] => "a mix",
      [away] => "loopback only" }.each do |targets, what|
      error = assert_raises(Mohs::UsageError) { Mohs::Drivers.fetch("hey").new(targets:) }
      assert_includes error.message, what
    end
  end

  test "a time in a step, and what only whole seconds, closed loops and lone steps allow" do
    target = Mohs::Load::Target.new(host: "127.0.0.1", port: 1)
    driver = Mohs::Drivers.fetch("wrk").new(targets: [target])
    arrivals = Mohs::Load::Arrivals.new(kind: :constant, rate_per_s: 10)
    [{ arrivals: }, { warm_up: true }, { duration_ns: 1_200_000_000 }].each do |change|
      step = Mohs::Load::Step.new(**SECONDS, **change)
      assert_said(assert_raises(Mohs::UsageError) { driver.run([step]) }.message)
    end
    assert_empty driver.run([])
  end

  private

  def refused(tool, **how)
    assert_raises(Mohs::UsageError) { launch(tool, SECONDS, **how) }.message
  end
end
