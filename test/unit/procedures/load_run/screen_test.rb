# frozen_string_literal: true

require "test_helper"

class LoadScreenTest < Mohs::TestCase
  include Mohs::Screens

  # The golden file of its sentences (Screens#assert_said).
  SAID = "said-load-runs"

  LATENCY = { kind: "service", min: 0.3, p50: 1.12, p90: 1.8, p99: 3.02, p999: 11.4,
              max: 41.0 }.freeze
  LITTLE = { name: "little_law", ok: true, level: "ok", detail: "holds: 0.3 %" }.freeze

  def document(**changes)
    { command: "load", server: "127.0.0.1:3000", requested: ["GET /"], rate_per_s: 8377.4,
      requests: { asked: nil, sent: 83_770, completed: 83_770, good: 83_770 },
      latency_ms: LATENCY, errors: { total: 0, by_class: {} }, duration_s: 10.0,
      driver_cores: 0.31, threads: 1, checks: [LITTLE],
      connections: { asked: 10, opened: 10, lost: 0, requests_min: 8376, requests_max: 8379 },
      answers: [{ request: "GET /", status: 200, length: 512, kind: "body" }],
      steps: [], batches: [],
      histogram: bars([1, 2, 9, 3, 0, 1, 400, 500, 100, 0, 0, 0, 1]), **changes }
  end

  def bars(counts) = counts.each_with_index.map { |count, at| { from_ms: 0.8 * (2**at), count: } }

  def screen(width: 100, ascii: false, **changes)
    style = Mohs::Report::Terminal::Style.new(width:, ascii:)
    Mohs::Report::Terminal.new(style:).call(document(**changes))
  end

  test "a load where all went well" do
    assert_said(screen)
  end

  test "the first line names the server and what was requested" do
    first = ->(**changes) { screen(**changes).lines.first.chomp }
    many = Array.new(5) { |index| "GET /#{index}" }

    assert_equal "127.0.0.1:3000 · GET /0, GET /1 and 3 more · 10 connections",
                 first.call(requested: many)
    assert_equal "/run/app.sock · shop.yml · 10 connections",
                 first.call(server: "/run/app.sock", requested: [], scenario:
                            { file: "shop.yml", actions: { begun: 0, finished: 0 }, logins: nil,
                              steps: [] })
  end

  test "on a narrow terminal no figure is parted from its name" do
    text = screen(width: 60)
    assert_includes text, <<~TEXT
      latency (service, ms)   min 0.30   p50 1.12   p90 1.80
        p99 3.02   p99.9 11.4   max 41.0
    TEXT
    assert_empty text.lines.grep(/.{61}/)
  end

  test "headroom stands beside the CPU time; of too little of it only the check speaks" do
    headroom = { name: "headroom", ok: true, level: "ok", detail: "12x" }
    assert_said(paragraph(screen(checks: [headroom, LITTLE]), "driver"))
    short = headroom.merge(ok: false, level: "warn", detail: "could send 1.5 times as much")
    text = screen(driver_cores: 0.01, checks: [short])
    assert_said(paragraph(text, "driver 1"), paragraph(text, "headroom:"))
  end

  # A document's batches with such rates, and figures that the screen does not work out itself.
  def batches(rates)
    batches = rates.map do |rate|
      { requests: 1024, errors: 0, duration_s: 1024.0 / rate, answered_per_s: rate,
        latency_ms: { p50: 8000.0 / rate, p99: 30_000.0 / rate, max: 90_000.0 / rate } }
    end
    { batches:, batch_figures: { answered_per_s: course(500, 500, 4000, 4000, 4000),
                                 p50_ms: course(16, 2, 2.5, 16, 2),
                                 p99_ms: course(60, 7.5, 7.5, 60, 7.5) } }
  end

  def course(*values) = %i[first lowest median highest last].zip(values).to_h

  test "batches are told by the first, the last and what lies between, and drawn" do
    rates = [500.0, 1000.0, 2000.0, *[4000.0] * 7]
    assert_includes screen(**batches(rates)), <<~TEXT
      10 batches of 1 024  first  lowest  median  highest   last
               answered/s    500     500   4 000    4 000  4 000  ▁▂▄███████
                  p50, ms   16.0    2.00    2.50     16.0   2.00  █▄▂▁▁▁▁▁▁▁
                  p99, ms   60.0    7.50    7.50     60.0   7.50  █▄▂▁▁▁▁▁▁▁
      connections
    TEXT
      .chomp
    assert_match(/^ +answered\/s +500 +500 +4 000 +4 000 +4 000$/,
                 screen(**batches(rates), width: 65))
    many = screen(**batches([*[500.0] * 15, *[4000.0] * 185]), width: 75)
    assert_match(/^ +answered\/s .*  ▁█{13}$/, many)
    assert_empty many.lines.grep(/.{76}/)
  end

  test "a figure of batches that failed requests hold is shown as what it exceeds" do
    facts = batches([500.0] * 4)
    facts[:batches].last[:latency_ms] = { p50: 1.0, p99: nil, more_than: { p99: 503.0 } }
    facts[:batch_figures][:p99_ms] = { **course(60, 60, 60, nil, nil),
                                       more_than: { highest: 503.0, last: 503.0 } }
    assert_match(/^ +p99, ms   60\.0    60\.0    60\.0    > 503  > 503  ▁▁▁█$/, screen(**facts))
  end

  test "a batch without a right answer has a dash" do
    none = { requests: 3, errors: 3, duration_s: 0.0, answered_per_s: nil,
             latency_ms: { p50: nil, p99: nil, max: nil } }
    batch_figures = %i[answered_per_s p50_ms p99_ms].to_h { |key| [key, course] }
    assert_match(/^1 batch of 3 .*\n.*\n +p50, ms +– +– +– +– +–$/,
                 screen(batches: [none], batch_figures:))
  end

  test "connections that waited for a thread are told, with how many would not" do
    assert_said(paragraph(screen(starved: { connections: 4, longest_ms: 5425.0 }), "4 connections"))
    assert_said(paragraph(screen(starved: { connections: 1, longest_ms: 1000 }), "1 connection"))
    refute_includes screen(starved: nil), "try -c"
  end

  test "a figure that what failed holds is told as a lower bound, and why" do
    latency = { kind: "response", min: 5.17, p50: 9.5, p90: nil, p99: nil, p999: nil, max: nil,
                unanswered: 271, more_than: { p90: 350.2, p99: 4012.3, p999: 7_700.0, max: 6e4 } }
    open_loop = { arrivals: "constant", rate_per_s: 100.0, to_per_s: nil, burst: 1, queued: 263,
                  unsent: 263 }
    service = latency.merge(kind: "service", p50: nil, more_than: { p50: 12.0 })
    text = screen(latency_ms: latency, service_ms: service, open_loop:,
                  send_lag_ms: { p50: nil, p99: nil })

    assert_said(paragraph(text, "latency (response"), text[/^271 requests.*/],
                text[/^latency \(service.*/])
    assert_said(screen(latency_ms: latency.merge(unanswered: 8))[/^8 requests.*/],
                screen(latency_ms: latency.merge(unanswered: 1))[/^1 request .*/])
    refute_includes screen(latency_ms: LATENCY.merge(unanswered: 0, more_than: {})), "rank as"
  end

  test "an open loop tells response and service times, who waited, and when it sent" do
    open_loop = { arrivals: "poisson", rate_per_s: 800.0, to_per_s: nil, burst: 1, queued: 1234 }
    text = screen(open_loop:, send_lag_ms: { p50: 0.031, p99: 0.12 }, checks: [],
                  latency_ms: LATENCY.merge(kind: "response"), service_ms: LATENCY)

    assert_said(text)
    none = screen(open_loop: open_loop.merge(arrivals: "constant", rate_per_s: 0.5),
                  send_lag_ms: { p50: nil, p99: nil }, service_ms: LATENCY)
    assert_includes none, "\n0.5 requests/s due · 1 234 waited for a connection\n"
  end

  test "the fastest are one row, and bars fit a narrow screen" do
    few = screen(histogram: bars([1, 0, 0, 2, 0, 0, 500, 0, 0, 400]), width: 40)

    assert_includes few, <<-TEXT
  from ms    answers  share
     0.80          3  0.3 %   ▏
     51.2        500   55 %   ██████████
      410        400   44 %   ████████
    TEXT
    refute_includes screen(histogram: bars([7])), "from ms"
    refute_includes screen(histogram: []), "from ms"
  end

  test "rates in words" do
    rate = Mohs::LoadRun::Intent.method(:rate)
    assert_equal "100 to 500 requests/s due", rate.call([[100.0, 500.0]], "constant")
    assert_equal "1 000, 2 000 requests/s due at random (Poisson), 5 at once",
                 rate.call([[1000.0, nil], [2000.0, 2000.0]], "poisson", burst: 5)
    assert_said(rate.call([], "times"))
  end

  test "several steps have a line each" do
    step = { rate_per_s: 100.0, to_per_s: nil, answered_per_s: 99.5, offered: 100, late: 0,
             response_ms: { p50: 5.34, p99: 10.6, max: 10.9 }, errors: 0 }
    open_loop = { arrivals: "constant", rate_per_s: nil, to_per_s: nil, burst: 1, queued: 4 }
    text = screen(open_loop:, send_lag_ms: { p50: nil, p99: nil }, service_ms: LATENCY,
                  steps: [step, { **step, rate_per_s: 200.0, to_per_s: 400.0, late: 1200 }])

    assert_includes text, <<~TEXT
      100, 200 to 400 requests/s due · 4 waited for a connection
        requests/s due  answered/s  p50, ms  p99, ms  max, ms   late  errors
                   100        99.5     5.34     10.6     10.9      0       0
            200 to 400        99.5     5.34     10.6     10.9  1 200       0
      connections 10 asked, 10 opened, 0 lost
    TEXT
  end

  test "a narrow terminal cuts no figure of a table" do
    step = { rate_per_s: 100.0, to_per_s: nil, answered_per_s: 99.5, offered: 100, late: 1200,
             response_ms: { p50: 5.34, p99: 10.6, max: 10.9 }, errors: 7 }
    open_loop = { arrivals: "constant", rate_per_s: nil, to_per_s: nil, burst: 1, queued: 4 }
    text = screen(open_loop:, send_lag_ms: { p50: nil, p99: nil }, service_ms: LATENCY,
                  steps: [step], width: 40)

    assert_match(/ 1 200 +7$/, text)
  end

  test "errors are told by class, the most frequent first" do
    text = screen(requests: { sent: 1000, good: 970 },
                  errors: { total: 30, by_class: { "reset" => 10, "status" => 20 } })

    assert_said(text.lines[1], paragraph(text, "errors"))
  end

  test "what the first wrong answer was is told" do
    [[500, '"Oh\\n"'], [302, nil], [0, '"+OK"']].each do |status, bytes|
      errors = { total: 2, by_class: { "x" => 2 }, first_wrong: { error: "x", status:, bytes: } }
      text = screen(errors:)
      assert_said(paragraph(text, "errors"), paragraph(text, "the first"))
    end
  end

  test "what was checked is told as precisely as it was" do
    answer = document[:answers].first

    [[answer.merge(kind: "length")], [answer.merge(kind: "status")], [answer, answer]]
      .each { |answers| assert_said(screen(answers:).lines[1..2].join) }
  end

  test "a failed check of a busy driver is reported" do
    bound = { name: "driver_share", ok: false, level: "invalid",
              detail: "client-bound: the driver took 95 % of its core" }
    text = screen(driver_cores: 1.9, threads: 2, checks: [bound])

    assert_said(paragraph(text, "driver"))
    assert_includes text, "driver share: client-bound: the driver took 95 % of its core"
  end

  test "nothing answered leaves no figures, and says what went wrong" do
    errors = { total: 3, by_class: { "timeout" => 3 } }
    text = screen(requests: { sent: 3, good: 0 }, rate_per_s: 0.0, errors:,
                  latency_ms: LATENCY.transform_values { nil }, histogram: [])

    assert_includes text, "errors 3: timeout 3"
    refute_includes text, "p50"
  end
end
