# frozen_string_literal: true

require "test_helper"

class AnalysisRowTest < Mohs::TestCase
  def cohorts(*states, **changes)
    sample = SampleResult.new({ "x" => 1000 })
    states.each_with_index.map do |state, index|
      trial = state == "measured" ? sample.trial("x") : sample.failed("x", state:, reason: state)
      { round: index + 1, trials: [trial.merge(changes)] }
    end
  end

  def built(variant, cohorts)
    Mohs::Analysis::Row.new(Mohs::Stored.variant(variant), Mohs::Stored.cohorts(cohorts))
  end

  def row(*states, variant: { name: "x", refusal: nil }, **changes)
    built(variant, cohorts(*states, **changes))
  end

  test "one measured trial makes the row measured; else the worst state counts, with its reason" do
    {
      %w[refused measured failed] => ["measured", nil],
      %w[refused failed invalid] => %w[invalid invalid],
      %w[refused failed refused] => %w[failed failed],
      %w[refused] => %w[refused refused],
      %w[lost] => ["waiting", nil],
      %w[lost failed] => %w[failed failed],
      %w[started] => ["waiting", nil],
      [] => ["waiting", nil],
    }.each do |states, expected|
      found = row(*states)
      assert_equal expected, [found.state, found.worst&.reason&.to_s], states.inspect
    end
  end

  test "a refusal known before the start is the reason until a trial has one" do
    refused = { name: "x", refusal: "needs Java 21", refusal_log: "log" }
    early = row(variant: refused)
    assert_equal ["refused", "needs Java 21", "log"],
                 [early.state, early.refusal.summary, early.log_tail]
    assert_equal "refused", row("refused", variant: refused).worst.reason.summary
    assert_nil row("measured", variant: refused).log_tail
  end

  test "the cause is a value that rows share: a reason, or that mohs ended" do
    refused = { name: "x", refusal: "needs Java 21" }

    assert_equal [Mohs::Reason.parse("needs Java 21"), Mohs::Reason.parse("failed"), :lost],
                 [row(variant: refused), row("lost", "failed"),
                  row("failed", reason: nil)].map(&:cause)
    assert_equal [nil, nil], [row("measured"), row].map(&:cause)
  end

  test "the log is that of the last trial that failed" do
    list = cohorts("failed", "failed", "failed")
    list[1][:trials].first[:log_tail] = "second"
    list[2][:trials].first[:log_tail] = nil
    assert_equal "second", built({ name: "x" }, list).log_tail
  end

  test "from four boots on the first, from a cold cache, is left out" do
    boots = ->(count) { [9000, 300, 300, 300].first(count).map { |ms| ms * 1_000_000 } }
    values = [3, 4].map do |count|
      list = cohorts(*["measured"] * count)
      list.zip(boots.call(count)) { |cohort, boot_ns| cohort[:trials].first[:boot_ns] = boot_ns }
      built({ name: "x" }, list).estimates[:boot_ms][:value]
    end
    assert_in_delta 932, values[0], 1 # the geometric mean of 9000, 300 and 300
    assert_in_delta 300, values[1], 0.001
    list = cohorts(*["measured"] * 5)
    [9000, 100, 400, 100, 400].zip(list) do |ms, cohort|
      cohort[:trials].first[:boot_ns] = ms * 1_000_000
    end
    assert_in_delta 200, built({ name: "x" }, list).estimates[:boot_ms][:value], 0.001
  end

  test "errors are summed over trials, by class" do
    list = cohorts("measured", "measured")
    slices = list.map { |cohort| cohort[:trials].first[:slices] }
    slices.each { |of| of.last[:errors] = { timeout: 2, "wrong_body" => 1 } }
    slices[0].first[:errors] = { "timeout" => 100 } # in warm-up
    assert_equal({ "timeout" => 4, "wrong_body" => 2 }, built({ name: "x" }, list).errors)
  end

  test "requests are those of all trials, without warm-up; the peak is the median of theirs" do
    list = cohorts("measured", "measured", "failed")
    list.first(2).each_with_index do |cohort, at|
      cohort[:trials].first[:facts] = { memory: { peak_rss_bytes: 31 + at } }
    end
    found = built({ name: "x" }, list)

    assert_equal [2 * 20 * 1000, 32], [found.requests, found.peak_memory_bytes]
    assert_equal({ started: 3, measured: 2 }, found.trials)
  end

  test "what was measured, or still runs, did not fail" do
    found = row("measured", "failed", "started", "lost", "measured").failures

    assert_equal [[2, "failed"], [4, "lost"]], found.map { |one| [one.round, one.state] }
  end

  test "what was never measured attests nothing" do
    assert_equal [{}, nil], row("failed").then { |one| [one.attested, one.slots] }
  end

  # As attested of two processes that have not started as many of their threads.
  test "slots are threads in all workers, unknown where either is" do
    slots = [{ workers: 2, threads: 5 }, { workers: nil, threads: 5 }, { workers: 2 }, {},
             { workers: 2, threads: "4 and 5" }]
    found = slots.map { |attested| row("measured", facts: { attested: }).slots }

    assert_equal [10, nil, nil, nil, nil], found
  end

  test "what stands in front has figures of its own: its CPU time a request, and its memory" do
    behind = { variant: { name: "x", refusal: nil, front: "nginx" } }
    cost = { cpu_ns: 40_000_000, requests: 2000, memory_bytes: 5_000_000 }
    front = row("measured", "measured", front: cost, **behind).front

    assert_equal "nginx", front[:name]
    assert_in_delta 20.0, front[:cpu_us_per_request][:value]
    assert_in_delta 5_000_000, front[:memory_bytes][:value]
    whole = row("measured").estimates[:cpu_us_per_request][:value]
    assert_in_delta 20.0 / whole, front[:cpu_share]
    assert_equal [nil, nil], [row("measured", front: { **cost, requests: 0 }, **behind).front,
                              row("refused", **behind).front].map { |one| one[:cpu_share] }
    assert_nil row("measured").front
  end

  test "its CPU time is that of a correct response, as the server's is, whatever fails" do
    variant = { name: "x", refusal: nil, front: "nginx" }
    cost = { cpu_ns: 40_000_000, requests: 2000, memory_bytes: 0 }
    slices = SampleResult.new({ "x" => 1000 }).trial("x")[:slices].map do |slice|
      { **slice, good: slice[:sent] / 4 }
    end
    front = row("measured", variant:, front: cost, slices:).front

    assert_in_delta 80.0, front[:cpu_us_per_request][:value]
    slices = slices.map { |slice| { **slice, good: 0 } }
    assert_nil row("measured", variant:, front: cost, slices:).front[:cpu_share]
  end

  test "figures that were not recorded are null" do
    bare = row("measured", facts: {}, boot_ns: nil)
    nothing = { value: nil, low: nil, high: nil }
    assert_equal [nothing, nothing], bare.estimates.values_at(:boot_ms, :memory_bytes)
    assert_equal [nil, {}, [], nil],
                 [bare.peak_memory_bytes, bare.attested, bare.checks, bare.slots]
    assert_nil bare.latency.quantiles[:p50]
  end

  test "rows that never ran side by side are ordered by their rates" do
    slow, fast = [1000, 2000].map do |rate|
      trial = SampleResult.new({ "x" => rate }).trial("x")
      built({ name: "x" }, [{ round: 1, trials: [trial] }])
    end
    assert_in_delta 2.0, fast.relative_to(slow), 0.05
    assert_operator fast.relative_to(nil), :>, slow.relative_to(nil)
  end

  test "an invalid trial without a reason is spoiled by one of its checks" do
    checks = [{ name: "trend", ok: true, level: "ok", code: "trend.none", values: {} },
              { name: "jit", ok: false, level: "invalid", code: "jit.other",
                values: { declared: "yjit", boot: "off" } }]
    failure = row("invalid", reason: nil, facts: { checks: }).worst

    assert_equal checks.last.slice(:code, :values), failure.spoiled.to_h.slice(:code, :values)
    assert_nil row("invalid", reason: nil).worst.spoiled
  end

  # As many of its requests failed as a trial's figures bear, and more.
  test "failed requests count in every boot that had load, with figures or without" do
    list = cohorts("measured", "measured", "measured", "measured", "failed")
    %w[measured invalid failed lost].zip([1, 40, 2, 3], list) do |state, count, cohort|
      trial = cohort[:trials].first
      trial.merge!(state:, slices: [{ block: 0, sent: 1000, errors: { "timeout" => count } }])
    end
    found = built({ name: "x", refusal: nil }, list)

    assert_equal [[1, 1000], [40, 1000], [2, 1000]], found.failed
    assert_equal({ "timeout" => 43 }, found.errors)
  end
end
