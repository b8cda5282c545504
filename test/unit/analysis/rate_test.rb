# frozen_string_literal: true

require "test_helper"

module Mohs
  # What the probes of a search for a rate mean, on servers whose every response time is known.
  class RateTest < TestCase
    BEGAN_NS = 5_000_000_000
    MS = 1_000_000
    Recording = Struct.new(:responses)

    def rate(text = "p50 < 10ms", capacity_per_s: 200, budget_s: 600, **options)
      @limit = Load::Limit.parse(text)
      @search = Analysis::RateSearch.new(limit: @limit, capacity_per_s:, budget_s:)
      Analysis::Rate.new(limit: @limit, capacity_per_s:, budget_s:, threads: 1, **options)
    end

    # What came of the next probe, of requests that fall due evenly; the block: ms that a request
    # took that was due so many seconds after the load began; nil: it had no right answer.
    def probed(rate, seconds: 3, **result, &took_ms)
      probe = rate.next
      arrivals = Load::Arrivals.new(kind: :constant, rate_per_s: probe.rate_per_s)
      step = Load::Step.new(duration_ns: (probe.seconds * 1e9).round, arrivals:)
      due = arrivals.due_ns(duration_ns: step.duration_ns)
      took_ms ||= ->(_) { 5 }
      responses = due.filter_map do |ns|
        ms = took_ms.call(ns / 1e9) and [BEGAN_NS + ns, (ms * MS).round]
      end
      rate.add(probe, step, result(due.size, step.duration_ns, **result),
               Recording.new(responses), seconds:)
    end

    def result(offered, wall_ns, **changes)
      Load::StepResult.new(started_ns: BEGAN_NS, wall_ns:, offered:, sent: offered, good: offered,
                           errors: {}, late: 0, unsent: 0, driver_cpu_ns: 1,
                           lag_ns: { p50: 1, p99: 1 }, **changes)
    end

    SPOILED = { lag_ns: { p50: 5 * MS, p99: 9 * MS } }.freeze

    test "a probe is below or above by its figure; the limit itself is above" do
      report = [5, 9.9, 10, 20].map { |ms| probed(rate) { ms } }

      assert_equal %w[below below above above], report.map(&:outcome)
      assert_equal [5 * MS, 9_900_000, 10 * MS, 20 * MS], report.map(&:figure_ns)
      assert_equal [3, 0, {}, nil], report.first.to_h.values_at(:seconds, :late, :errors, :reason)
    end

    test "a request without a right answer is slower than any" do
      most, few, none = [6, 4, 0].map do |answered|
        numbers = (0..9).cycle
        probed(rate) { 5 if numbers.next < answered }
      end

      assert_equal ["below", 5 * MS], [most.outcome, most.figure_ns]
      assert_equal [["above", nil]] * 2, [few, none].map { |one| [one.outcome, one.figure_ns] }
    end

    test "a probe in whose sections nothing fell due has no figure" do
      nothing = probed(rate(capacity_per_s: 0.02, budget_s: 24))

      assert_equal ["above", nil], [nothing.outcome, nothing.figure_ns]
    end

    test "a right answer that took a thousand limits counts as none" do
      report = [9999, 10_000].map { |ms| probed(rate) { ms }.figure_ns }

      assert_equal [9_999 * MS, nil], report
    end

    test "what was due while queues were still filling is left out, what was due later counts" do
      fill_s, whole_s = rate.next.then { |probe| [probe.fill_s, probe.seconds] }
      early = probed(rate) { |due_s| due_s < fill_s ? 20 : 5 }
      late = probed(rate("p90 < 10ms")) { |due_s| due_s > 0.8 * whole_s ? 20 : 5 }

      assert_equal ["below", 5 * MS], [early.outcome, early.figure_ns]
      assert_equal ["above", 20 * MS], [late.outcome, late.figure_ns]
    end

    test "the search takes the times of each section by itself" do
      finding = rate("p90 < 10ms")
      probe = @search.next
      edge_s = probe.fill_s + probe.section_s
      due = Load::Arrivals.new(kind: :constant, rate_per_s: probe.rate_per_s)
                          .due_ns(duration_ns: (probe.seconds * 1e9).round).map { |ns| ns / 1e9 }
      sizes = [due.count { |s| s >= probe.fill_s && s < edge_s }, due.count { |s| s >= edge_s }]
      @search.add(probe, [[4e6] * sizes[0], [16e6] * sizes[1]], behind_s: 0, seconds: 3)
      report = probed(finding) { |due_s| due_s < edge_s ? 4 : 16 }

      assert_in_delta @search.interval.value, finding.interval.value, 1e-9
      assert_equal finding.interval, report.interval
      assert_in_delta @search.next.rate_per_s, finding.next.rate_per_s, 1e-9
      assert_equal @search.needed_s, finding.needed_s
    end

    test "a rate is not held where more is late than a twentieth of the probe holds" do
      per_s = rate.next.rate_per_s
      allowed = (0.05 * rate.next.seconds * per_s).floor
      allowed = [allowed, (Math.log(1000) / Math.log(2) * 0.01 * per_s).floor].max
      held = probed(rate, late: allowed - 1, unsent: 1)
      lost = probed(rate, late: allowed, unsent: 1, errors: { "timeout" => 3 })

      assert_equal [["below", allowed], ["not_held", allowed + 1]],
                   [held, lost].map { |one| [one.outcome, one.late] }
      assert_equal({ "timeout" => 3 }, lost.errors)
      assert_operator lost.interval.value, :<, held.interval.value
    end

    test "a probe that the driver spoiled says why, and nothing of the rate" do
      finding = rate
      before = finding.interval
      report = probed(finding, **SPOILED)

      assert_equal ["spoiled", "send_lag.late_for_limit"], [report.outcome, report.reason.code]
      assert_equal before, finding.interval
      assert_equal [report], finding.probes
    end

    test "below at every rate is a bound, unless rates are bounded and the search is too short" do
      options = [{ most: 1.1 }, { most: 1.1, budget_s: 1 }, { budget_s: 1 },
                 { most: 1.1, budget_s: 1, searched_s: 600 }]
      outcomes = options.map { |one| rate(**one).tap { |made| probed(made) { 5 } }.outcome }

      assert_equal %w[at_least found at_least at_least], outcomes
    end

    test "a search is found between rates below and above, else it is one of them at every rate" do
      assert_equal "undecided", rate.outcome
      { [5] => "at_least", [20] => "none", [5, 5] => "at_least", [5, 20] => "found",
        [20, 5] => "found" }.each do |times, outcome|
        finding = rate
        times.each { |ms| probed(finding) { ms } }
        probed(finding, **SPOILED)
        assert_equal outcome, finding.outcome, times.inspect
      end
    end

    test "four spoiled probes in a row end a search, fewer leave it undecided" do
      finding = rate
      3.times { probed(finding, **SPOILED) }
      assert_equal "undecided", finding.outcome
      probed(finding, **SPOILED)

      assert_equal ["spoiled", nil], [finding.outcome, finding.next]
    end
  end
end
