# frozen_string_literal: true

require "test_helper"

# Where each self-check draws its lines. Their words are in test/fixtures/screens/checks.txt.
class ChecksTest < Mohs::TestCase
  include Mohs::CheckHelper
  include Mohs::Screens

  # The golden file of its sentences (Screens#assert_said).
  SAID = "said-analysis-checks"

  SLICE = {
    block: 0, sent: 1000, good: 1000, errors: {}, wall_ns: 100_000_000, loaded_ns: 100_000_000,
    in_use_ns: 398_000_000, latency_sum_ns: 400_000_000, service_sum_ns: 398_000_000,
    turn_ns: 4_000,
    driver_cpu_ns: 10_000_000,
  }.freeze
  CONNECTIONS = { asked: 4, opened: 0, lost: 0, served: 4 }.freeze
  WORKERS = { declared: 2, at_end: 2, served: 2 }.freeze

  def slices(count = 3, **changes) = [SLICE.merge(changes)] * count

  def busy(in_use_ns) = { in_use_ns:, service_sum_ns: in_use_ns }

  def pulse(**changes) = Mohs::DRIVER_PULSE.merge(changes)

  def little_law(connections: CONNECTIONS, **slice)
    check("little_law", slices: slices(**slice), connections:, threads: 1)
  end

  test "Little's law holds within 2 %" do
    assert_found :ok, :holds, little_law
    assert_found :ok, :holds, little_law(in_use_ns: 404_000_000), gap: 0.01
  end

  test "Little's law says nothing of the time in which connections had nothing more to send" do
    assert_found :ok, :holds, little_law(wall_ns: 300_000_000, service_sum_ns: 600_000_000)
  end

  test "Little's law is broken by a driver that idles, and by latencies counted twice" do
    idle = { in_use_ns: 370_000_000, service_sum_ns: 370_000_000 }
    assert_found :warn, :below, little_law(**idle, turn_ns: 0), gap: 0.075
    assert_found :warn, :above, little_law(in_use_ns: 420_000_000), gap: 0.05, connections: 4
  end

  test "beyond a tenth the server had another load than was asked for: there are no figures" do
    idle = { service_sum_ns: 400_000_000, turn_ns: 0 }
    assert_found :warn, :below, little_law(**idle, in_use_ns: 361_000_000), gap: 0.0975
    assert_found :bad, :below, little_law(**idle, in_use_ns: 359_000_000), gap: 0.1025
    assert_found :bad, :above, little_law(in_use_ns: 450_000_000), gap: 0.125
  end

  # 64 connections to a server that takes 1 s for each, all at once: of the sixth bunch of 5 s the
  # rate had one response.
  test "Little's law finds a rate that counts one bunch too few" do
    bunches = lambda do |s, span_s|
      good = 64 * s
      slice = { block: 0, good:, errors: {}, wall_ns: (s * SECOND) + 9, loaded_ns: s * SECOND,
                in_use_ns: good * SECOND, service_sum_ns: good * SECOND, max_ns: SECOND + 9,
                turn_ns: 0, driver_cpu_ns: 0, span_ns: span_s * SECOND }
      check("little_law", slices: [slice], connections: { asked: 64 }, threads: 1)
    end
    assert_found :ok, :holds, bunches.call(5, 5.0)
    assert_found :warn, :rate_below, bunches.call(5, 320 / 51.4), gap: 1 - (51.4 / 64)
    assert_found :bad, :rate_below, bunches.call(3, 192 / 43.0), gap: 1 - (43.0 / 64)
    assert_found :warn, :rate_below, bunches.call(10, 640 / 57.7), gap: 1 - (57.7 / 64)
  end

  SECOND = 1_000_000_000

  # 100 requests of each connection, of a server with a thread for each.
  def with_threads(slices: 6, threads: 4, **changes)
    law_with_threads([threaded(**changes)] * slices, threads:)
  end

  def threaded(span_ns: 100_000_000, **changes)
    SLICE.merge(good: 400, turn_ns: 0, wall_ns: 101_000_000, in_use_ns: 400_000_000,
                service_sum_ns: 400_000_000, max_ns: 1_000_000, span_ns:, **changes)
  end

  def law_with_threads(slices, threads: 4)
    check("little_law", slices:, connections: CONNECTIONS, threads: 1,
                        attested: { workers: 1, threads: })
  end

  test "Little's law finds a rate that is a tenth too low or too high" do
    assert_found :ok, :holds, with_threads
    assert_found :warn, :rate_below, with_threads(span_ns: 111_111_111)
    assert_found :warn, :rate_above, with_threads(span_ns: 90_909_091)
    assert_found :bad, :rate_above, with_threads(span_ns: 80_000_000), gap: 0.25
  end

  # Others took its core for most of one load: few responses in that time, which had to wait, and
  # a drain that did not.
  test "slices of a host that others load may differ by what a wrong rate would be" do
    slices = [100_000_000, 102_000_000, 98_000_000, 320_000_000, 101_000_000, 99_000_000]
             .map { |span_ns| threaded(span_ns:) }

    assert_found :ok, :holds, law_with_threads(slices)
    wrong = slices.map { |one| { **one, span_ns: 130_000_000 } }
    assert_found :bad, :rate_below, law_with_threads(wrong)
  end

  test "what waits for a thread after the load says nothing against a rate" do
    assert_found :ok, :holds, with_threads(threads: 2, span_ns: 80_000_000)
    assert_found :bad, :rate_below, with_threads(threads: 2, span_ns: 125_000_000)
  end

  test "the fewer requests a slice has of each connection, the less its rate is held to" do
    few = ->(good, span_ns, **more) { with_threads(good:, span_ns:, max_ns: nil, **more) }
    assert_found :ok, :holds, few.call(20, 106_000_000)
    assert_found :warn, :rate_below, few.call(20, 109_000_000)
    uneven = { max_ns: 40_000_000 } # twice the mean of 20 ms
    assert_found :ok, :holds, with_threads(good: 20, span_ns: 115_000_000, **uneven)
    assert_found :warn, :rate_below, with_threads(good: 20, span_ns: 115_000_000, slices: 60,
                                                  **uneven)
    assert_found :warn, :short, few.call(11, 100_000_000), requests: 2.75
    assert_found :ok, :holds, few.call(11, 100_000_000, threads: 3)
  end

  test "a rate over all of a step's time includes its drain" do
    assert_found :ok, :holds, with_threads(span_ns: 101_000_000, service_sum_ns: 300_000_000)
  end

  test "Little's law says nothing of clients that think" do
    found = check("little_law", slices:, connections: CONNECTIONS, threads: 1, scenario: true)
    assert_found :unknown, :scenario, found
  end

  test "Little's law says nothing of failed requests or no measurement" do
    assert_found :unknown, :failures, little_law(errors: { "timeout" => 1 })
    [little_law(block: nil), little_law(good: 0)]
      .each { |found| assert_found :unknown, :unmeasured, found }
  end

  test "what the driver takes for its turns is told, and explains as much" do
    # The mean of 1000 turns of 40 us in the median takes 11.5 % of the 100 ms of 4 connections.
    assert_found :ok, :turns, little_law(**busy(346_000_100), turn_ns: 40_000),
                 gap: 0.13499975
    assert_found :warn, :lost, little_law(**busy(344_000_000), turn_ns: 40_000),
                 gap: 0.14, explained: 0.115
  end

  test "a stop is no part of a usual turn, unless each turn is as long" do
    stopped = lambda do |turn_ns|
      little_law(**busy(300_000_000), turn_ns:, pulse: pulse(waited_ns: 0, gaps_ns: 14_000_000))
    end
    assert_found :ok, :turns, stopped.call(40_000), gap: 0.25
    few = slices(**busy(300_000_000), good: 100, turn_ns: 400_000,
                 pulse: pulse(waited_ns: 0, gaps_ns: 14_000_000))
    found = check("little_law", slices: few, connections: CONNECTIONS, threads: 1)
    assert_found :bad, :lost, found, gap: 0.25, explained: 0.14
  end

  test "of the time in which the driver was awake only as much is stopped as was stolen" do
    held = lambda do |steal_share|
      little_law(**busy(300_000_000), turn_ns: 0,
                 pulse: pulse(waited_ns: 0, gaps_ns: 12_500_000, held_ns: 12_500_000, steal_share:))
    end
    assert_found :ok, :turns, held.call(0.125), gap: 0.25
    assert_found :bad, :lost, held.call(0.0), gap: 0.25, explained: 0.125
  end

  test "or as it waited for its core meanwhile" do
    waits = lambda do |waited_ns|
      little_law(**busy(300_000_000), turn_ns: 40_000,
                 pulse: pulse(waited_ns:, gaps_ns: 6_750_000, held_ns: 6_750_000))
    end
    assert_found :ok, :turns, waits.call(13_500_000), gap: 0.25
    assert_found :warn, :lost, waits.call(6_750_000), gap: 0.25, explained: 0.1825
  end

  test "most of what it waits lies in its turns, and counts once" do
    both = little_law(**busy(300_000_000), turn_ns: 40_000, driver_cpu_ns: 1_000_000,
                      pulse: pulse(waited_ns: 12_500_000))
    assert_found :bad, :lost, both, gap: 0.25, explained: 0.135
  end

  test "what it waits for its core explains as much, and is for another check" do
    short = { **busy(300_000_000), turn_ns: 0 }
    waits = ->(waited_ns) { little_law(**short, pulse: pulse(waited_ns:)) }
    assert_found :ok, :turns, waits.call(25_000_000), gap: 0.25
    assert_found :warn, :lost, waits.call(20_000_000), explained: 0.2
    assert_found :unknown, :uncounted, waits.call(nil)
  end

  test "a time in which the driver was stopped explains as much, and is for another check" do
    stopped = lambda do |gaps_ns|
      little_law(**busy(300_000_000), turn_ns: 0, pulse: pulse(waited_ns: 1_000_000, gaps_ns:))
    end
    assert_found :ok, :turns, stopped.call(25_000_000), gap: 0.25
    assert_found :warn, :lost, stopped.call(20_000_000), explained: 0.2
    assert_found :bad, :below, stopped.call(0), gap: 0.25
    assert_found :bad, :below, stopped.call(nil), gap: 0.25
  end

  test "so does what the hypervisor took" do
    short = { **busy(300_000_000), turn_ns: 0 }
    mine = ->(**values) { little_law(**short, pulse: pulse(waited_ns: 0, gaps_ns: 0, **values)) }
    assert_found :ok, :turns, mine.call(steal_share: 0.24), gap: 0.25
    assert_found :warn, :lost, mine.call(steal_share: 0.2), explained: 0.2
    assert_found :bad, :below, mine.call(steal_share: nil), gap: 0.25
    both = mine.call(steal_share: 0.125, gaps_ns: 12_500_000)
    assert_found :bad, :lost, both, explained: 0.125
  end

  OPEN = { offered: 1000, unsent: 0, late: 0, lag_ns: { p50: 40_000, p99: 150_000 } }.freeze

  test "Little's law is one of closed loops" do
    assert_found :unknown, :open_loop, little_law(service_sum_ns: 370_000_000, **OPEN)
  end

  def open_loop(name, **changes) = check(name, slices: slices(**OPEN, **changes))

  test "an offered rate is held if all but a hundredth was sent in time" do
    assert_found :ok, :held, open_loop("offered_rate", late: 10), offered: 3000
    assert_found :warn, :late, open_loop("offered_rate", late: 11), behind: 33
    assert_found :warn, :never, open_loop("offered_rate", late: 20, unsent: 400), behind: 1260,
                                                                                  unsent: 1200
    assert_found :unknown, :closed_loop, check("offered_rate", slices: slices)
    assert_found :unknown, :closed_loop, open_loop("offered_rate", block: nil)
  end

  test "a few late ones of a few say nothing about the rate" do
    few = { offered: 30, late: 10 }
    assert_found :ok, :held, check("offered_rate", slices: [SLICE.merge(OPEN, few)])
    assert_found :warn, :late, check("offered_rate", slices: [SLICE.merge(OPEN, few, late: 11)])
  end

  test "a driver that sends a millisecond late warns" do
    assert_found :ok, :prompt, open_loop("send_lag"), p99_ns: 150_000
    late = open_loop("send_lag", lag_ns: { p50: 1, p99: 1_000_001 })
    assert_found :warn, :late, late, p99_ns: 1_000_001
    assert_found :ok, :prompt, open_loop("send_lag", lag_ns: { p50: 1, p99: 1_000_000 })
    assert_found :unknown, :never_free, open_loop("send_lag", lag_ns: { p50: nil, p99: nil })
    assert_found :unknown, :closed_loop, check("send_lag", slices: slices)
  end

  def driver_share(threads: 1, **slice)
    check("driver_share", slices: slices(**slice), threads:)
  end

  test "a driver above 85 % of its core spoils the trial, above a half it warns" do
    assert_found :bad, :full, driver_share(driver_cpu_ns: 86_000_000), share: 0.86
    assert_found :warn, :busy, driver_share(driver_cpu_ns: 85_000_000), share: 0.85
    assert_found :warn, :busy, driver_share(driver_cpu_ns: 51_000_000), share: 0.51
    assert_found :ok, :free, driver_share(driver_cpu_ns: 86_000_000, threads: 2), share: 0.43
    assert_found :unknown, :unmeasured, driver_share(block: nil)
  end

  def idle(wall_ms, cpu_ms)
    check("idle", idle: { wall_ns: wall_ms * 1_000_000, cpu_ns: cpu_ms * 1_000_000 })
  end

  test "a server that works while others are measured warns above 2 %, and never spoils" do
    assert_found :ok, :quiet, idle(8000, 160), share: 0.02
    assert_found :warn, :busy, idle(8000, 161), share: 0.020125
    assert_found :warn, :busy, idle(8000, 6200), share: 0.775
    assert_found :ok, :quiet, idle(8000, -3), share: 0.0
  end

  test "of one that hardly rested nothing is said, whatever it took" do
    assert_found :unknown, :always_loaded, idle(499, 400)
    assert_found :warn, :busy, idle(500, 400)
    assert_found :unknown, :missing, check("idle", idle: nil)
  end

  def programs(**facts)
    own = { cpu_ns: 20_000_000, own_ns: 1_000_000_000, requests: 10 }
    check("programs", programs: { **own, **facts })
  end

  test "programs that a server runs are told from 2 % of its own CPU time on, per request" do
    assert_found :ok, :few, programs, share: 0.02
    assert_found :warn, :left_out, programs(cpu_ns: 30_000_000), share: 0.03, mean_ns: 3_000_000
    assert_found :unknown, :unmeasured, programs(cpu_ns: nil)
    assert_found :unknown, :unmeasured, programs(own_ns: nil)
    assert_found :unknown, :unmeasured, programs(own_ns: 0, requests: 0)
  end

  def trend(*latencies_ms)
    timed = latencies_ms.map { |ms| SLICE.merge(latency_sum_ns: ms * 1_000_000) }
    check("trend", slices: [SLICE.merge(block: nil, latency_sum_ns: 1), *timed])
  end

  test "responses that take longer and longer are reported, with by how much" do
    found = trend(*(100..159))
    assert_found :warn, :slower, found
    assert_in_delta 0.58, found.values[:growth], 0.01
    assert_found :ok, :none, trend(*(100..120))
    assert_found :ok, :none, trend(*(100..159).to_a.reverse)
  end

  test "a few stalls are no trend, even at the end, nor is a day that goes up and down" do
    assert_found :ok, :none, trend(*([100] * 50), *([900] * 8))
    assert_found :ok, :none, trend(*Array.new(60) { |slice| 100 + (40 * Math.sin(slice / 4.0)) })
  end

  test "a rise in which a few slices are out of order may be chance" do
    assert_found :warn, :slower, trend(100, 110, 120, 130, 140, 150, 160, 170)
    assert_found :ok, :none, trend(100, 110, 120, 130, 140, 150, 170, 160)
  end

  test "a handful of slices, or none with a response, shows no trend" do
    assert_found :unknown, :few, trend(*([100] * 7)), slices: 7
    assert_found :ok, :none, trend(*([100] * 8))
    assert_found :unknown, :few, check("trend", slices: slices(20, good: 0)), slices: 0
  end

  # What count_between would count in these latencies.
  def stalls(milliseconds, cpu_ms: 0.3, connections: 4)
    counts = Mohs::Analysis::Checks::Stalls.count do |low, high|
      milliseconds.count { |latency| (low...high).cover?(latency * 1_000_000) }
    end
    good = milliseconds.size
    check("stalls", slices: slices(1, good:, cpu_ns: good * cpu_ms * 1e6), stalls: counts,
                    connections: { asked: connections }, workers: WORKERS)
  end

  test "a heap at 40 or 200 ms is found, by its share" do
    quick = [0.5] * 900
    assert_found :warn, :at_40, stalls(quick + ([40.2] * 100)), share_40: 0.1
    assert_found :warn, :at_200, stalls(quick + ([200.4] * 100)), share_200: 0.1
    both = stalls(quick + ([40.2] * 50) + ([203] * 50))
    assert_found :warn, :at_both, both, share_40: 0.05, share_200: 0.05
  end

  test "pages that compute for as long are no cluster, unless that is unknown" do
    alike = [41] * 200
    assert_found :ok, :none, stalls(alike, cpu_ms: 41, connections: 1)
    assert_found :ok, :none, stalls(alike, cpu_ms: 10)
    assert_found :warn, :at_40, stalls(alike, cpu_ms: 9)
    assert_found :warn, :at_200, stalls([205] * 200, cpu_ms: 10), share_200: 1.0
    counts = [{ inside: 200, beside: 0 }] * 2
    assert_found :warn, :at_both, check("stalls", slices: slices(1, good: 200, cpu_ns: nil),
                                                  stalls: counts)
  end

  test "responses that take some 40 ms by themselves are no heap, nor are a few stalls" do
    random = Random.new(2)
    assert_found :ok, :none, stalls(Array.new(2000) { 30 + (random.rand * 30) })
    assert_found :ok, :none, stalls(([0.5] * 2000) + ([40.2] * 9))
    assert_found :warn, :at_40, stalls(([0.5] * 990) + ([40.2] * 10))
    assert_found :ok, :none, stalls(([0.5] * 91) + ([40.2] * 9))
    assert_found :warn, :at_40, stalls(([0.5] * 90) + ([40.2] * 10))
    assert_found :warn, :at_40, stalls(([0.5] * 60) + ([40.2] * 30) + ([35] * 10))
    assert_found :ok, :none, stalls(([0.5] * 60) + ([40.2] * 29) + ([35] * 10))
  end

  test "the ends of heaps: what lies inside, and what beside for comparison" do
    asked = []
    counts = Mohs::Analysis::Checks::Stalls.count do |low, high|
      asked << [low, high].map { |ns| ns / 1e6 }
      asked.size
    end

    assert_equal [[33, 38], [45, 50], [38, 45], [180, 195], [215, 230], [195, 215]], asked
    assert_equal [{ inside: 3, beside: 3 }, { inside: 6, beside: 9 }], counts
  end

  test "connections that took a second to open are told from three and 0.1 % of them on" do
    counts = [[0, 60], [2, 60], [3, 60], [21, 60], [8, 8500], [9, 8500], [9, 0]]
    found = counts.map do |slow, opened|
      check("connects", slices: [SLICE.merge(good: 184_000)], connects: { slow:, opened: })
    end

    assert_equal %w[prompt prompt full_queue full_queue prompt full_queue full_queue],
                 found.map { |one| one.code.delete_prefix("connects.") }
    assert_equal 0.35, found[3].values[:share]
    assert_said(Mohs::Report::Render.call(found[1]))
    late = { offered: 100, lag_ns: { p50: 1, p99: 2 } }
    open = check("connects", slices: [SLICE.merge(late)], connects: { slow: 50, opened: 60 })
    assert_equal :unknown, open.severity, "that is how late the driver was"
  end

  test "what was sent has ended and is recorded, or mohs is at fault" do
    whole = slices(2) + slices(1, good: 990, errors: { "timeout" => 10 })
    assert_found :ok, :complete, check("counts", slices: whole, recorded: 3000), sent: 3000
    assert_found :bad, :differ, check("counts", slices: whole, recorded: 2999), recorded: 2999
    short = check("counts", slices: slices(3, good: 999), recorded: 3000)
    assert_found :bad, :differ, short, ended: 2997
  end

  def answers(slices) = check("answers", slices:, answers: [{ kind: "body" }, { kind: "length" }])

  test "one wrong response spoils the trial" do
    assert_found :ok, :expected, answers(slices), kinds: %w[body length], good: 3000
    wrong = slices(1, good: 900, errors: { "wrong_status" => 80, "wrong_body" => 20 })
    assert_found :bad, :wrong, answers(slices(2) + wrong),
                 share: 100 / 3000.0, errors: [["wrong_status", 80], ["wrong_body", 20]]
    one = slices(1, good: 999, errors: { "wrong_body" => 1 })
    assert_found :bad, :wrong, answers(slices(2) + one)
    assert_found :ok, :expected, answers(slices(errors: { "timeout" => 1 }))
    assert_found :ok, :followed, check("answers", slices:, answers: [], scenario: true), good: 3000
  end

  # 100 of 1000 wrong under load; `alone`: wrong and asked one at a time.
  def asked_again(alone: [0, 60], errors: { "wrong_body" => 100 }, workers: [], **others)
    wrong, asked = alone
    workers = workers.map { |pid, bad, all| { pid:, wrong: bad, asked: all } }
    diagnosis = { connections: 8, alone: { asked:, wrong: }, workers:, difference: nil, **others }
    check("answers", answers: [], slices: slices(1, sent: 1000, good: 900, errors:), diagnosis:)
  end

  test "answers that are wrong at once and right alone mean that threads share state" do
    found = asked_again(processes: 1, threads: 5, instead: "puma:2x1")
    assert_found :bad, :shared_state, found, share: 0.1, alone: 60, alone_wrong: 0, connections: 8,
                                             instead: "puma:2x1"
    assert_found :bad, :shared_state, asked_again(processes: 1, threads: nil)
    assert_found :bad, :at_once, asked_again
  end

  test "too few right ones alone prove nothing" do
    assert_found :bad, :wrong, asked_again(alone: [0, 5], processes: 1, threads: 5)
    assert_found :bad, :wrong, asked_again(alone: [0, 0], processes: 1, threads: 5)
  end

  test "without threads, or by status alone, it is the load that does it" do
    assert_found :bad, :under_load, asked_again(processes: 2, threads: 1)
    assert_found :bad, :under_load, asked_again(connections: 1, processes: 1, threads: 5)
    assert_found :bad, :under_load, asked_again(errors: { "wrong_status" => 100 }, processes: 1)
    both = { "wrong_status" => 50, "wrong_body" => 50 }
    assert_found :bad, :shared_state, asked_again(errors: both, processes: 1, threads: 5)
  end

  test "what is wrong alone too has changed, unless only some workers are" do
    assert_found :bad, :alone_too, asked_again(alone: [1, 60]), alone_wrong: 1
    all = [[1, 30, 30], [2, 30, 30]]
    assert_found :bad, :alone_too, asked_again(alone: [60, 60], workers: all), bad: []
    chance = [[1, 1, 30], [2, 0, 30]]
    assert_found :bad, :alone_too, asked_again(alone: [1, 60], workers: chance), bad: []
    one = [[1, 25, 30], [2, 0, 30]]
    assert_found :bad, :some_workers, asked_again(alone: [25, 60], workers: one),
                 bad: [1], workers: 2
  end

  def errors(**slice) = check("errors", slices: slices(**slice))

  test "failed requests warn below the margin and spoil the trial from there on" do
    assert_found :ok, :none, errors
    few = errors(good: 991, errors: { "reset_between_requests" => 9 })
    assert_found :warn, :failed, few, share: 0.009, errors: [["reset_between_requests", 27]]
    assert_found :bad, :failed, errors(good: 990, errors: { "timeout" => 10 }), share: 0.01
    assert_found :ok, :none, errors(errors: { "wrong_body" => 500 })
    assert_found :unknown, :nothing_sent, errors(sent: 0)
  end

  # Of a server whose first 10 steps are a cold start's, the next one goes on warming up.
  def cold(batches, warm_up: {}, measured: {})
    steps = slices(10, block: nil, **batches) + slices(1, block: nil, **warm_up) +
            slices(90, **measured)
    %w[errors answers].map { |name| check(name, slices: steps, answers: [], cold_batches: 10) }
  end

  test "the batches of a cold start are figures, so what fails or is wrong in them counts" do
    failed, = cold({ good: 980, errors: { "timeout" => 20 } })
    assert_found :bad, :failed, failed, share: 0.02, errors: [["timeout", 200]], cold: true
    few, = cold({ good: 999, errors: { "timeout" => 1 } })
    assert_found :warn, :failed, few, share: 0.001, cold: true
    _, wrong = cold({ good: 999, errors: { "wrong_body" => 1 } })
    assert_found :bad, :wrong, wrong, errors: [["wrong_body", 10]]
  end

  test "the worse of batches and measured slices is reported, and the rest of a warm-up is not" do
    timeouts = ->(count) { { good: 1000 - count, errors: { "timeout" => count } } }
    worse, = cold(timeouts.call(1), measured: timeouts.call(5))
    assert_found :warn, :failed, worse, share: 0.005, errors: [["timeout", 450]]
    refute worse.values.key?(:cold)
    none, = cold({}, warm_up: timeouts.call(900))
    assert_found :ok, :none, none, sent: 100_000
  end

  test "the first wrong response is shown if it is of these classes" do
    facts = { slices: slices(good: 999, errors: { "bad_status_line" => 1 }),
              specimen: { error: "bad_status_line", status: 0, bytes: '"content-length: 5\r\n"' } }
    assert_found :warn, :failed_shown, check("errors", facts), first: '"content-length: 5\r\n"'
    empty = facts.merge(specimen: { error: "bad_status_line", status: 0, bytes: nil })
    assert_found :warn, :failed_shown, check("errors", empty), first: '""'
    other = facts.merge(specimen: { error: "wrong_body", status: 200, bytes: '"x"' })
    assert_found :warn, :failed, check("errors", other)
    refute_includes check("errors", other).values, :first
  end

  test "what is known to be apart is shown in place of a beginning that is the same" do
    facts = { slices: slices(good: 990, errors: { "wrong_body" => 10 }), answers: [] }
    said = [{ offset: 26_000, right: '"a"', wrong: '"b"' }, { same: 4096 }].map do |difference|
      specimen = { error: "wrong_body", status: 200, bytes: '"<html>"', difference: }
      found = check("answers", **facts, specimen:)
      refute_includes found.values, :first
      Mohs::Report::Render.call(found)
    end
    assert_said(said.first)
    assert_said(said.last)
  end

  test "of a long one its first 80 characters are shown" do
    shown = [80, 81].map do |length|
      wrong = { slices: slices(good: 0, errors: { "wrong_status" => 1000 }), answers: [],
                specimen: { error: "wrong_status", status: 500, bytes: "x" * length } }
      check("answers", wrong).values[:first]
    end
    assert_equal ["x" * 80, "#{'x' * 80}..."], shown
  end

  def jit(declared, at_boot, at_end) = check("jit", jit: { declared:, at_boot:, at_end: })

  test "a JIT other than declared, or that changed, spoils the trial" do
    [%w[yjit yjit yjit], %w[off off off], [nil, "off", "off"], [nil, "yjit", "yjit"],
     [nil, "jit", "jit"]].each do |states|
      assert_found :ok, :same, jit(*states)
    end
    assert_found :bad, :other, jit("yjit", "off", "off")
    assert_found :bad, :other, jit("off", "yjit", "yjit")
    assert_found :bad, :changed, jit("yjit", "yjit", "off"), boot: "yjit", ending: "off"
    assert_found :unknown, :unattested, jit("yjit", nil, nil)
  end

  def served(workers: {}, connections: {})
    check("served", workers: WORKERS.merge(workers), connections: CONNECTIONS.merge(connections))
  end

  test "a worker with more connections than threads, where others have threads left, warns" do
    found = lambda do |most, threads = 5|
      check("served", workers: WORKERS.merge(most_connections: most), connections: CONNECTIONS,
                      attested: { threads: })
    end
    assert_found :warn, :crowded, found.call(7), most: 7, threads: 5, connections: 4
    [found.call(5), found.call(nil), found.call(7, nil)]
      .each { |one| assert_found :ok, :all, one }
  end

  test "idle workers and starved connections warn, dead workers spoil the trial" do
    assert_found :ok, :all, served, declared: 2, connections: 4
    assert_found :ok, :all, served(workers: { served: nil })
    assert_found :warn, :idle, served(workers: { served: 1, uneven: 3, slices: 4 }), idle: 1
    assert_found :warn, :uneven, served(workers: { uneven: 1, repeated: 1, slices: 4 }), uneven: 2,
                                                                                         slices: 5
    assert_found :ok, :repeated, served(workers: { uneven: 0, repeated: 1, slices: 9 }), slices: 10
    assert_found :warn, :uneven, served(workers: { uneven: 0, repeated: 2, slices: 9 }), uneven: 2
    assert_found :warn, :starved, served(connections: { served: 1 }), starved: 3
    assert_found :warn, :idle_and_starved,
                 served(workers: { served: 1 }, connections: { served: 1 })
    assert_found :bad, :died, served(workers: { at_end: 1 }), declared: 2, at_end: 1
    assert_found :warn, :replaced, served(workers: { replaced: 1 }), declared: 2, replaced: 1
  end

  def pool(pool, threads, gems = {}) = check("pool", attested: { pool:, threads:, gems: })

  test "a database pool smaller than the threads warns" do
    assert_found :ok, :enough, pool(5, 5), pool: 5, threads: 5
    assert_found :warn, :small, pool(4, 5), pool: 4, threads: 5
    assert_found :unknown, :none, pool(nil, 5)
    assert_found :unknown, :none, pool(5, "5 and 3")
  end

  test "an application with Sequel alone has no pool in config/database.yml" do
    assert_found :warn, :sequel, pool(4, 5, { sequel: "5.98.0" }), pool: 4, threads: 5
    assert_found :warn, :small, pool(4, 5, { sequel: "5.98.0", activerecord: "8.1.0" })
    assert_found :warn, :small, pool(4, 5, nil)
  end

  def steady(outcome, **curve)
    check("steady", warm_up: { outcome:, requests: 4032, seconds: 0.52, curve: }.compact)
  end

  test "a warm-up that ran into its cap warns" do
    assert_found :ok, :warm, steady("warm"), requests: 4032, seconds: 0.52
    assert_found :warn, :capped, steady("capped")
    assert_found :warn, :capped, steady("capped", rising: false, rise: -0.01)
  end

  test "a warm-up too short to tell whether the rate still rises warns of that" do
    assert_found :warn, :short, steady("capped", rising: nil, rise: nil, most_s: 30),
                 requests: 4032, seconds: 0.52, most_s: 30
  end

  test "a rate that still rose, or compilers that still worked, leave no figures" do
    values = { first_per_s: 64.0, last_per_s: 696.0, rise: 0.4, compilers: 0.31, warm_s: 500.0 }
    %w[capped warm].each do |outcome|
      found = steady(outcome, rising: true, **values)
      assert_found :bad, :rising, found, requests: 4032, seconds: 0.52, **values
      assert_equal Mohs::Analysis::Checks::Steady::RISING, found.code
    end
  end

  def of_probe(p50_ms, p99_ms, limit, driver_cpu_ns: 1)
    lag_ns = { p50: p50_ms, p99: p99_ms }.transform_values { |ms| (ms * 1_000_000).round }
    result = Mohs::Load::StepResult.new(**SLICE.except(:block), driver_cpu_ns:, lag_ns:)
    limit = Mohs::Load::Limit.parse(limit)
    Mohs::Analysis::Checks.of_probe(result, limit:, threads: 1)
  end

  test "a probe is spoiled by a lag of more than a fifth of the limit, of its own quantile" do
    assert_nil of_probe(0, 2, "p99 < 10ms")
    assert_found :bad, :late_for_limit, of_probe(0, 3, "p99 < 10ms"), quantile: "p99",
                                                                      lag_ns: 3_000_000
    assert_nil of_probe(2, 9, "p50 < 10ms")
    assert_found :bad, :late_for_limit, of_probe(3, 9, "p50 < 10ms"), quantile: "p50"
    assert_found :bad, :late_for_limit, of_probe(3, 9, "mean < 10ms"), quantile: "p50"
    assert_found :bad, :late_for_limit, of_probe(2.1, 9, "p50 < 10ms"), quantile: "p50"
    assert_found :bad, :full, of_probe(0, 9, "p99 < 10ms", driver_cpu_ns: 99_000_000)
  end
end
