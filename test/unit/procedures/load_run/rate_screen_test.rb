# frozen_string_literal: true

require "test_helper"

module Mohs
  # The document of a search for a rate, its screen and its progress.
  class RateScreenTest < TestCase
    include Screens

    # The golden file of its sentences (Screens#assert_said).
    SAID = "said-load-runs"

    LIMIT = Load::Limit.parse("p99 < 50ms")
    KNOWN = Stats::Interval.new(value: 902.4, low: 863.0, high: 941.0, count: 3)
    PROBE = Analysis::Rate::Probed.new(rate_per_s: 1341.0, seconds: 5.0, outcome: "not_held",
                                         figure_ns: nil, offered: 6934, late: 2165,
                                         errors: { "in_flight_at_end" => 10 }, interval: KNOWN)
    GOOD = PROBE.class.new(**PROBE.to_h, rate_per_s: 696.2, outcome: "below", figure_ns: 16_600_000,
                           late: 0, errors: {})
    LATE = Analysis::Finding.new(code: "send_lag.late_for_limit", severity: :bad,
                                 values: { quantile: "p99", lag_ns: 12_000_000 })
    SPOILED = PROBE.class.new(**GOOD.to_h, outcome: "spoiled", reason: LATE)
    ANSWER = App::Answer.new(request: App::Request.build(path: "/page"), status: 200, length: 2,
                             kind: :body)
    WHY = "the driver sent late: p99 12 ms after requests were due"

    def result(**changes)
      LoadRun::RateResult.new(outcome: "found", interval: KNOWN, limit: LIMIT,
                                   capacity_per_s: 959.0, arrivals: :poisson, budget_s: 60,
                                   needed_s: 48.0, seconds: 52.4, probes: [PROBE, GOOD], **changes)
    end

    def document(empty_per_s: nil, **changes)
      asked = { connections: 10, threads: 1, max_connections: nil }
      LoadRun::RateDocument.new(result(answers: [ANSWER], asked:, empty_per_s:, **changes),
                            server: "127.0.0.1:3000").document
    end

    def screen(**changes) = Report::Terminal.new.call({ command: "load", **document(**changes) })

    test "the answer, every probe by its rate, and what it rests on" do
      assert_equal <<~TEXT, screen
        127.0.0.1:3000 · GET /page · 10 connections
        p99 stays below 50 ms up to 902 requests/s [863, 941].
        requests/s  p99, ms
               696     16.6  below
             1 341        –  rate not held, 2 165 of 6 934 late, errors 10
        52 s, 2 probes · requests due at random (Poisson) · a closed loop reaches 959 requests/s · 95 %
          interval
      TEXT
      assert_includes screen(probes: [SPOILED]), "  spoiled, #{WHY}\n"
      assert_includes screen(arrivals: :constant), " · requests due evenly · "
    end

    test "a rate was found, or a lower bound of it" do
      good = %w[found at_least none gone spoiled undecided].select do |outcome|
        LoadRun::RateDocument.outcome({ outcome: }) == :ok
      end

      assert_equal %w[found at_least], good
    end

    test "what the driver could send is told, and warned of where it is little" do
      text = screen(empty_per_s: 90_240.0)
      assert_match(/ interval · headroom 100x$/, text)
      refute_match(/at most/, text)
      assert_said(paragraph(screen(empty_per_s: 1804.8), "headroom:"))
      assert_nil document(empty_per_s: 9.0, interval: nil, outcome: "none")[:headroom]
    end

    FEW = "at these rates a probe has too few requests for p99, which makes the interval too " \
          "narrow: use -d 4m"

    test "a probe of too few requests is a finding of the document" do
      found = document(needed_s: 240.0)[:checks]

      assert_equal [{ name: "short_probes", ok: false, level: "warn", code: "short_probes",
                      values: { figure: "p99", needed_s: 240.0 }, detail: FEW }], found
      assert_includes screen(needed_s: 240.0).split.join(" "), " short probes: #{FEW}"
      assert_empty document(needed_s: 120.0)[:checks]
    end

    test "what came of it in a sentence" do
      %w[none at_least gone undecided].each do |outcome|
        assert_said(LoadRun::RateDocument.new(result(outcome:)).sentence)
      end
      assert_said(LoadRun::RateDocument.new(result(outcome: "spoiled", probes: [SPOILED])).sentence)
      assert_said(LoadRun::RateDocument.new(result(outcome: "gone", probes: [])).sentence)
    end

    test "the document has the keys of the contract, whatever came of it" do
      [document, document(probes: [SPOILED], interval: nil, outcome: "spoiled"),
       document(probes: [], interval: nil, outcome: "gone", capacity_per_s: nil, needed_s: nil)]
        .each do |one|
        envelope = Report::Document.envelope("load", one)
        assert_empty JSONContract.new("`load --find-rate`").faults(envelope)
      end
    end

    def progress(live:, columns: 120, finding: nil)
      out = CLIHelper::Terminal.new
      clock = Struct.new(:mono_ns).new(0)
      style = Report::Terminal::Style.new(width: columns)
      progress = LoadRun::RateProgress.new(out, live:, style:, limit: LIMIT, clock:)
      probe = Analysis::RateSearch::Probe.new(rate_per_s: 696.2, fill_s: 1.0, section_s: 2.0,
                                          sections: 2)
      [[:closed_loop, {}], [:capacity, { rate_per_s: 1000.0, finding: }],
       [:probe, { probe:, interval: KNOWN, number: 3 }], [:probed, { probed: GOOD }]]
        .each do |event|
        clock.mono_ns += 1_000_000_000
        progress.call(*event)
      end
      progress.close
      out.string
    end

    test "on a terminal one line narrows, and is wiped" do
      report = progress(live: true)
      assert_equal "\r  1.0 s  closed loop\e[K", report[/\A\r[^\r]+/]
      assert_includes report, "\r  3.0 s  ▏#{' ' * 22}━━━#{' ' * 7}▕  p99 < 50 ms up to 902 " \
                            "[863, 941]  probe 3: 696/s for 5.0 s\e[K"
      assert_operator report, :end_with?, "\r\e[K"
      refute_includes report, "\n"
    end

    test "a search that cannot have enough requests says that first, as its document does" do
      finding, = result(needed_s: 240.0).checks
      first, * = progress(live: false, finding:).split("\n   4.0 s")
      assert_equal FEW, first.split.join(" ")
      assert_said(progress(live: true, finding:))
    end

    test "elsewhere each probe has a line" do
      assert_equal "   4.0 s  696 requests/s: p99 16.6 ms, below; p99 < 50 ms up to 902 " \
                   "[863, 941]\n", progress(live: false)
    end
  end
end
