# frozen_string_literal: true

require "test_helper"

class ChecksTest < Mohs::TestCase
  SLICE = {
    warm_up: false, sent: 1000, good: 1000, errors: {}, wall_ns: 100_000_000,
    latency_sum_ns: 398_000_000, driver_cpu_ns: 10_000_000,
  }.freeze
  CONNECTIONS = { asked: 4, opened: 0, lost: 0, served: 4 }.freeze
  WORKERS = { declared: 2, at_end: 2, served: 2 }.freeze

  def check(name, facts) = Mohs::Checks.fetch(name).new.call(facts)

  def slices(count = 3, **changes) = [SLICE.merge(changes)] * count

  def assert_level(level, result, text = //)
    assert_equal level, result[:level], result[:detail]
    assert_match text, result[:detail]
  end

  def little_law(connections: CONNECTIONS, **slice)
    check("little_law", slices: slices(**slice), connections:)
  end

  test "Little's law holds within 2 %, and what the end of a slice costs" do
    assert_same true, little_law[:ok]
    # 175 ms an answer in slices of 500 ms: up to 3/4 of that the others rest at the end.
    slow = { sent: 10, good: 10, wall_ns: 500_000_000, latency_sum_ns: 1_750_000_000 }
    assert_same true, little_law(**slow)[:ok]
  end

  test "Little's law is broken by a driver that idles, and by latencies counted twice" do
    assert_level "warn", little_law(latency_sum_ns: 370_000_000), /7\.\d % below/
    assert_level "warn", little_law(latency_sum_ns: 420_000_000), /5 % above/
  end

  test "one connection has no end of a slice to allow for" do
    result = little_law(connections: CONNECTIONS.merge(asked: 1), latency_sum_ns: 96_000_000)
    assert_level "warn", result, /4 % below the number of connections, 1:/
  end

  test "Little's law says nothing of failed requests or no measurement" do
    [little_law(errors: { "timeout" => 1 }), little_law(warm_up: true), little_law(good: 0)]
      .each { |result| assert_nil result[:ok] }
  end

  OPEN = { offered: 1000, unsent: 0, late: 0, lag_ns: { p50: 40_000, p99: 150_000 } }.freeze

  test "Little's law is one of closed loops" do
    assert_nil little_law(latency_sum_ns: 370_000_000, **OPEN)[:ok]
  end

  def open_loop(name, **changes) = check(name, slices: slices(**OPEN, **changes))

  test "an offered rate is held where all but a hundredth was sent in time" do
    assert_level "ok", open_loop("offered_rate", late: 10), /3000 fell due/
    assert_level "warn", open_loop("offered_rate", late: 11), /33 were not sent within the time;/
    assert_level "warn", open_loop("offered_rate", late: 20, unsent: 400), /1260 .*, 1200 never;/
    assert_nil check("offered_rate", slices: slices)[:ok]
    assert_nil open_loop("offered_rate", warm_up: true)[:ok]
  end

  test "a few late ones of a few say nothing about the rate" do
    few = { offered: 30, late: 10 }
    assert_same true, check("offered_rate", slices: [SLICE.merge(OPEN, few)])[:ok]
    assert_level "warn", check("offered_rate", slices: [SLICE.merge(OPEN, few, late: 11)])
  end

  test "a driver that sends a millisecond late says so" do
    assert_level "ok", open_loop("send_lag"), /p99 0.15 ms/
    late = open_loop("send_lag", lag_ns: { p50: 1, p99: 2_500_000 })
    assert_level "warn", late, /p99 2.5 ms after requests were due/
    assert_nil open_loop("send_lag", lag_ns: { p50: nil, p99: nil })[:ok]
    assert_nil check("send_lag", slices: slices)[:ok]
  end

  def driver_share(threads: 1, **slice)
    check("driver_share", slices: slices(**slice), threads:)
  end

  test "a driver above 85 % of its core spoils the trial, above a half it warns" do
    assert_level "invalid", driver_share(driver_cpu_ns: 86_000_000), /client-bound.*86 %/
    assert_level "warn", driver_share(driver_cpu_ns: 60_000_000), /60 %/
    assert_level "ok", driver_share(driver_cpu_ns: 86_000_000, threads: 2), /43 %/
    assert_nil driver_share(warm_up: true)[:ok]
  end

  def idle(wall_ms, cpu_ms)
    check("idle", idle: { wall_ns: wall_ms * 1_000_000, cpu_ns: cpu_ms * 1_000_000 })
  end

  test "a server that works while others are measured warns above 2 %, and never spoils" do
    assert_level "ok", idle(8000, 150), /1.9 % of a core while others were measured\z/
    assert_level "warn", idle(8000, 170), /2.1 % of a core/
    assert_level "warn", idle(8000, 6200), /78 % of a core.*slowed them \(a JIT still compiling/
    assert_level "ok", idle(8000, -3), / 0 % of a core/
  end

  test "of one that hardly rested nothing is said, whatever it took" do
    assert_nil idle(499, 400)[:ok]
    assert_nil check("idle", idle: nil)[:ok]
  end

  def trend(*latencies_ms)
    told = latencies_ms.map { |ms| SLICE.merge(latency_sum_ns: ms * 1_000_000) }
    check("trend", slices: [SLICE.merge(warm_up: true, latency_sum_ns: 1), *told])
  end

  test "answers that take longer and longer are told, with by how much" do
    assert_level "warn", trend(*(100..159)), /5\d % longer at the end/
    assert_level "ok", trend(*(100..120)), /none/
    assert_level "ok", trend(*(100..159).to_a.reverse), /none/
  end

  test "a few stalls are no trend, even at the end, nor is a day that goes up and down" do
    assert_level "ok", trend(*([100] * 50), *([900] * 8))
    assert_level "ok", trend(*Array.new(60) { |slice| 100 + (40 * Math.sin(slice / 4.0)) })
  end

  test "of a handful of slices, or none with an answer, no trend can be told" do
    assert_nil trend(*([100] * 7))[:ok]
    assert_nil check("trend", slices: slices(20, good: 0))[:ok]
  end

  # What count_between would count in these latencies.
  def stalls(milliseconds)
    counts = Mohs::Checks::Stalls.count do |low, high|
      milliseconds.count { |latency| (low...high).cover?(latency * 1_000_000) }
    end
    check("stalls", slices: slices(1, good: milliseconds.size), stalls: counts)
  end

  test "a heap at 40 or 200 ms is named with its cause" do
    quick = [0.5] * 900
    delayed = stalls(quick + ([40.2] * 50))
    assert_level "warn", delayed, /\A5\.3 % of the answers took 38 to 45 ms.*delayed ACK/
    assert_level "warn", stalls(quick + ([200.4] * 50)), /195 to 215 ms.*more connections/
    both = stalls(quick + ([40.2] * 50) + ([203] * 50))
    assert_equal 2, both[:detail].split(";").size
  end

  test "answers that take some 40 ms by themselves are no heap, nor are a few stalls" do
    random = Random.new(2)
    assert_level "ok", stalls(Array.new(2000) { 30 + (random.rand * 30) }), /none/
    assert_level "ok", stalls(([0.5] * 2000) + ([40.2] * 9))
  end

  test "what was sent has ended and is recorded, or mohs is at fault" do
    whole = slices(2) + slices(1, good: 990, errors: { "timeout" => 10 })
    assert_level "ok", check("counts", slices: whole, recorded: 3000), /3000 sent/
    assert_level "invalid", check("counts", slices: whole, recorded: 2999), /2999 recorded/
    short = check("counts", slices: slices(3, good: 999), recorded: 3000)
    assert_level "invalid", short, /2997 ended/
  end

  def answers(slices) = check("answers", slices:, answers: [{ kind: "body" }, { kind: "length" }])

  test "one wrong answer spoils the trial" do
    assert_level "ok", answers(slices), /\Asame body or same length each time.*3000/
    wrong = slices(1, good: 900, errors: { wrong_status: 80, "wrong_body" => 20 })
    told = /3\.3 % of the answers were wrong: 80 wrong status, 20 wrong body/
    assert_level "invalid", answers(slices(2) + wrong), told
    assert_level "ok", answers(slices(errors: { "timeout" => 1 }))
  end

  def errors(**slice) = check("errors", slices: slices(**slice))

  test "failed requests warn below the margin and spoil the trial above it" do
    assert_level "ok", errors
    few = errors(good: 999, errors: { "reset_between_requests" => 1 })
    assert_level "warn", few, /0\.1 % .* failed: 3 reset between requests/
    assert_level "invalid", errors(good: 980, errors: { "timeout" => 20 }), /2 %/
    assert_level "ok", errors(errors: { "wrong_body" => 500 }), /none/
  end

  test "it is told how the first wrong answer began" do
    facts = { slices: slices(good: 999, errors: { "bad_status_line" => 1 }),
              specimen: { error: "bad_status_line", status: 0, bytes: '"content-length: 5\r\n"' } }
    assert_level "warn", check("errors", facts),
                 /: 3 bad status line; the first began "content-length: 5\\r\\n"\z/
    other = facts.merge(specimen: { error: "wrong_body", status: 200, bytes: '"x"' })
    assert_level "warn", check("errors", other), /: 3 bad status line\z/
    page = { error: "wrong_status", status: 500, bytes: "<p>#{'x' * 99}".inspect }
    wrong = { slices: slices(good: 0, errors: { "wrong_status" => 1000 }), answers: [],
              specimen: page }
    assert_level "invalid", check("answers", wrong),
                 /3000 wrong status; the first began "<p>x{76}\.\.\.\z/
    assert_nil errors(sent: 0)[:ok]
  end

  def jit(declared, at_boot, at_end) = check("jit", jit: { declared:, at_boot:, at_end: })

  test "a JIT other than declared, or that changed, spoils the trial" do
    [%w[yjit yjit yjit], [nil, "off", "off"], [nil, "jit", "jit"]].each do |states|
      assert_level "ok", jit(*states)
    end
    assert_level "invalid", jit("yjit", "off", "off"), /should be yjit, .* off/
    assert_level "invalid", jit("off", "yjit", "yjit")
    assert_level "invalid", jit("yjit", "yjit", "off"), /yjit after boot and off at the end/
    assert_level "warn", jit(nil, "yjit", "yjit"), /no flag asks/
    assert_nil jit("yjit", nil, nil)[:ok]
  end

  def served(workers: {}, connections: {})
    check("served", workers: WORKERS.merge(workers), connections: CONNECTIONS.merge(connections))
  end

  test "idle workers and starved connections warn, dead workers spoil the trial" do
    assert_level "ok", served, /workers: 2, connections: 4/
    assert_level "ok", served(workers: { served: nil })
    assert_level "warn", served(workers: { served: 1 }), /1 of 2 workers/
    assert_level "warn", served(connections: { served: 1 }), /3 of 4 connections/
    assert_level "invalid", served(workers: { at_end: 1 }), /1 alive/
  end

  def pool(pool, threads) = check("pool", attested: { pool:, threads: })

  test "a database pool smaller than the threads warns" do
    assert_level "ok", pool(5, 5), /5 database connections/
    assert_level "warn", pool(3, 5), /3 connections for 5 threads/
    assert_nil pool(nil, 5)[:ok]
    assert_nil pool(5, "5 and 3")[:ok]
  end

  def steady(outcome, requests, seconds)
    check("steady", warm_up: { outcome:, requests:, seconds: })
  end

  test "a warm-up that ran into its cap is told" do
    assert_level "ok", steady("warm", 4032, 0.52), /4032 requests in 0\.52 s/
    assert_level "warn", steady("capped", 9, 30.2), /not steady.*30 s/
  end

  test "the first spoiling result is the reason" do
    results = [{ level: "warn", detail: "a" }, { level: "invalid", detail: "b" },
               { level: "invalid", detail: "c" }]
    assert_equal "b", Mohs::Checks.spoiled(results)
  end
end
