# frozen_string_literal: true

require "test_helper"

class ReportModelTest < Mohs::TestCase
  include Mohs::Screens

  # The golden file of its sentences (Screens#assert_said).
  SAID = "said-report"

  RATES = { "3.1.2" => 1204, "3.4.5" => 1260, "3.4.5 --yjit" => 1652,
            "3.3.8 --yjit" => 1650 }.freeze

  def build(rates = RATES, **options)
    sample = SampleResult.new(rates, **options)
    result = sample.to_h
    yield result, sample if block_given?
    Mohs::Stored.document(result)
  end

  def row(document, name) = document[:rows].find { |one| one[:variant] == name }

  def outcome(document, name) = row(document, name)[:verdict][:outcome]

  test "variants of known speed get the verdicts they deserve, the fastest on top" do
    document = build
    assert_equal %w[3.4.5 3.1.2], document[:rows].map { |one| one[:variant] }.last(2)
    outcomes = document[:rows].map { |one| one[:verdict][:outcome] }
    assert_equal %w[faster faster faster baseline], outcomes
    assert_in_delta 1652 / 1204.0, row(document, "3.4.5 --yjit")[:verdict][:effect], 0.02
    low, high = row(document, "3.4.5 --yjit")[:verdict][:interval]
    assert_includes low..high, 1652 / 1204.0
  end

  test "those that can't be told apart share a mark, and the baseline has none" do
    document = build
    variants = document[:rows].first(2).map { |one| one[:variant] }
    assert_equal [{ mark: "a", variants: }], document[:groups]
    assert_equal ["a", "a", nil, nil], document[:rows].map { |one| one[:group] }
  end

  test "figures are estimates over boots, warm-up left out" do
    rate = row(build, "3.1.2")[:throughput_per_s]
    assert_in_delta 1204, rate[:value], 12
    assert_operator rate[:low], :<, rate[:value]
    assert_operator rate[:high], :>, rate[:value]
    base = row(build, "3.1.2")
    assert_equal 3 * 20 * 1000, base[:requests]
    assert_in_epsilon 0.9e6 / rate[:value], base[:cpu_us_per_request][:value], 0.01
    assert_in_delta 304, base[:boot_ms][:value], 6
    assert_in_delta 28_000_000, base[:memory_bytes][:value], 1
    assert_equal 35_000_000, base[:peak_memory_bytes]
  end

  test "one round gives values, but no interval and no verdict" do
    document = build(rounds: 1)
    one = row(document, "3.4.5 --yjit")
    assert_equal [nil, nil], one[:throughput_per_s].values_at(:low, :high)
    assert_equal "undecided", one[:verdict][:outcome]
    assert_nil one[:verdict][:interval]
    assert_said(*one[:verdict][:reasons])
    assert_in_delta 1.37, one[:verdict][:effect], 0.05
  end

  test "a pause in a fifth of the slices does not move what is typical, but the total" do
    document = build({ "a" => 1000, "b" => 1000 }) do |result, _|
      result[:cohorts].each do |cohort|
        slices = cohort[:trials].last[:slices].select { |slice| slice[:block] }
        slices.values_at(0, 7, 13).each { |slice| slice[:wall_ns] *= 5 }
      end
    end
    paused = row(document, "b")
    assert_in_delta 1000, paused[:throughput_per_s][:value], 15
    assert_operator paused[:total_throughput_per_s][:value], :<, 700
  end

  test "a row with one good trial is measured, and its failures are told" do
    document = build do |result, sample|
      died = sample.failed("3.4.5", state: "failed", reason: "died\nbacktrace")
      result[:cohorts][0][:trials][1] = died
      result[:cohorts][1][:trials][1] = sample.failed("3.4.5", state: "lost", reason: nil)
    end
    one = row(document, "3.4.5")
    assert_equal ["measured", nil], one.values_at(:state, :reason)
    assert_equal({ started: 3, measured: 1 }, one[:trials])
    assert_equal([{ round: 1, state: "failed", reason: "died\nbacktrace" },
                  { round: 2, state: "lost", reason: "mohs ended while it ran" }], one[:failures])
    assert_equal "undecided", one[:verdict][:outcome]
    note = document[:notes].find { |report| report[:name] == "trials" }
    assert_equal "3.4.5: 1 of 2 trials failed: died", note[:text]
  end

  test "failures of one code and values are told once, whatever their words" do
    died = ->(summary, by) { Mohs::Reason.new(summary:, code: "died", values: { by: }) }
    reasons = [died.call("one", 9), died.call("two", 9), died.call("three", 11)]
    document = build(rounds: 4) do |result, sample|
      result[:cohorts].zip(reasons) do |cohort, reason|
        next unless reason

        failed = sample.failed("3.4.5", state: "failed", reason: reason.to_s)
        cohort[:trials][1] = { **failed, facts: { reason_parts: reason.to_h } }
      end
    end

    assert_equal ["3.4.5: 3 of 4 trials failed: one; three"],
                 document[:notes].filter_map { |note| note[:text] if note[:name] == "trials" }
  end

  test "a row without a good trial says why, with the log" do
    document = build do |result, sample|
      result[:cohorts].each { |cohort| cohort[:trials][1] = sample.failed("3.4.5") }
    end
    one = row(document, "3.4.5")
    assert_equal "refused", one[:state]
    assert_said(one[:reason])
    assert_equal "line one\nline two\n", one[:log_tail]
    assert_equal "invalid", one[:verdict][:outcome]
    assert_nil one[:throughput_per_s][:value]
    assert_equal one, document[:rows].last
    assert_nil row(document, "3.1.2")[:log_tail]
  end

  test "a variant refused before the start has a row at once, one not reached is waiting" do
    document = build(rounds: 0) do |result, _|
      cohorts = [{ round: 1, baseline: "3.1.2", variants: RATES.keys }]
      result[:run][:plan] = { rounds: 3, cohorts:, dropped: [] }
      refused = { refusal: "needs Java 21", refusal_log: "class file 65.0" }
      result[:run][:study][:variants][1].update(refused)
      result[:run].update(state: "running", finished_ms: nil)
    end
    states = RATES.keys.map { |name| row(document, name)[:state] }
    assert_equal %w[waiting refused waiting waiting], states
    assert_equal ["needs Java 21", "class file 65.0"],
                 row(document, "3.4.5").values_at(:reason, :log_tail)
    assert_equal [{ variants: ["3.4.5"], reason: "needs Java 21", remedy: nil, code: nil,
                    covered: true }], document[:reasons]
    assert_nil document[:seconds]
    assert_equal({ planned: 3, done: 0, closer: 12 }, document[:rounds])
  end

  test "variants refused for one cause share a reason, whatever Ruby its words name" do
    reasons = %w[2.7.8 3.0.6].map do |ruby|
      Mohs::Reason.new(summary: "the Gemfile does not allow #{ruby}", code: "ruby_not_allowed",
                       values: { by: "the Gemfile" })
    end
    document = build(rounds: 0) do |result, _|
      result[:run][:study][:variants].last(2).zip(reasons) do |variant, reason|
        variant.update(refusal: reason.to_s, refusal_parts: reason.to_h)
      end
    end

    assert_equal [[RATES.keys.last(2), "the Gemfile does not allow 2.7.8", "ruby_not_allowed"]],
                 document[:reasons].map { |one| one.values_at(:variants, :reason, :code) }
    assert_equal "the Gemfile does not allow 3.0.6", row(document, RATES.keys.last)[:reason]
  end

  test "a trial that is still under way is no failure" do
    document = build(rounds: 1) do |result, sample|
      result[:cohorts][0][:state] = "running"
      started = sample.failed("3.4.5", state: "started", reason: nil).merge(log_tail: nil)
      result[:cohorts][0][:trials][1] = started
    end
    assert_equal ["waiting", []], row(document, "3.4.5").values_at(:state, :failures)
    assert_equal 0, document[:rounds][:done]
  end

  test "too few rounds for an interval put nobody into a group" do
    rates = { "a" => 1000, "b" => 1300, "c" => 1301 }

    few = [1, 2].map { |rounds| build(rates, rounds:) }
    assert_equal [[], []], few.map { |document| document[:groups] }
    assert_equal [nil], few.flat_map { |document| document[:rows] }.map { |one| one[:group] }.uniq
    assert_equal [%w[b c]], build(rates)[:groups].map { |group| group[:variants].sort }
  end

  test "whether a comparison would get the requests that a p99 lacks" do
    slow = lambda do |rates, count, **study|
      document = build(rates) do |result, _|
        result[:run][:study].update(study)
        result[:cohorts].flat_map { |cohort| cohort[:trials] }.each do |trial|
          latency = { **trial[:facts][:latency], count: }
          trial[:facts] = { **trial[:facts], latency: }
        end
      end
      document[:rows].first.dig(:latency_ms, :missing_values, :p99)
    end
    two, jobs = { "a" => 1000, "b" => 1000 }, Mohs::Study::Jobs.parse(count: 100).to_h

    assert_equal [true, false, false],
                 [slow.call(two, 380), slow.call(two, 120), slow.call(two.slice("a"), 380)]
                   .map { |lacks| !lacks[:comparison].nil? }
    assert_equal({ had: 380, needed: 381 }, slow.call(two, 380, jobs:), "that is no load of URLs")
  end

  test "what the budget cut has no row" do
    document = build do |result, _|
      result[:run][:study][:variants] << { name: "jruby-10", refusal: nil }
      result[:run][:plan][:dropped] <<
        { name: "jruby-10", code: "dropped_variant",
          values: { rounds: 3, enough_s: 200, budget_s: 60.0 } } <<
        { rounds: 1, of: 3, code: "dropped_rounds",
          values: { round_s: 21, budget_s: 60.0, needed: nil } }
    end
    assert_nil row(document, "jruby-10")
    variant, rounds = document[:dropped]
    assert_equal ["jruby-10", "dropped", "dropped_variant"],
                 variant.values_at(:variant, :state, :code)
    assert_said(variant[:reason])
    assert_said(*rounds.values_at(:variant, :reason))
  end

  test "a budget without an interval says which would have one" do
    cuts = [{ rounds: 1, of: 3, code: "dropped_rounds",
              values: { round_s: 45, budget_s: 120.0, needed: 3 } }]

    assert_match(/ no interval \(--budget 3m\)\z/,
                 Mohs::Report::Render.cuts(cuts, Mohs::Study.new.procedure).first[:reason])
  end

  test "what a budget cut fits in another budget, whatever variants and rounds were named" do
    values = { announced_s: 180, enough_s: 1320, all_s: 400, rounds: 10 }
    cuts = %w[cut_variant cut_rounds].map { |code| { name: code, code:, values: } }
    reasons = Mohs::Report::Render.cuts(cuts, Mohs::Study.new.procedure).map { |cut| cut[:reason] }

    assert_said(*reasons)
  end

  test "what was cut to keep the time has no row, unless it was measured before" do
    values = { announced_s: 112, enough_s: 250, rounds: 7 }
    document = build do |result, sample|
      result[:run][:study][:variants] << { name: "late", refusal: nil }
      result[:cohorts].first[:trials] << { **sample.trial("late", 1000), state: "lost" }
      cuts = %w[late b].map { |name| { name:, code: "cut_variant", values: } }
      result[:run][:plan][:dropped] +=
        [*cuts, { rounds: 4, of: 7, code: "cut_rounds", values: }]
    end

    assert_nil row(document, "late")
    assert_equal({ "late" => "cut_variant", "b" => "cut_variant", "4 of 7 rounds" => "cut_rounds" },
                 document[:dropped].last(3).to_h { |cut| cut.values_at(:variant, :code) })
    assert_equal [values], document[:dropped].last(3).map { |cut| cut[:values] }.uniq
  end

  test "candidates of different cohorts are compared by their own baselines" do
    rates = { "base" => 1000, "x" => 1300, "y" => 1300.5, "z" => 2000 }
    document = build(rates) do |result, sample|
      # Each cohort at another speed of the host.
      result[:cohorts] = [%w[base x], %w[base y z]].product([1, 2, 3]).map do |names, round|
        host = 1 + (0.2 * round * names.size)
        trials = names.map { |name| sample.trial(name, rates[name] * host) }
        sample.cohort(round, []).merge(trials:)
      end
    end
    assert_equal [%w[x y]], document[:groups].map { |group| group[:variants].sort }
    assert_equal "z", document[:rows].first[:variant]
    assert_in_delta 1.3, row(document, "x")[:verdict][:effect], 0.02
  end

  test "a lead that grows while it is measured is called not steady" do
    document = build({ "a" => 1000, "b" => 1100 }, rounds: 4, block_sd: 0.003) do |result, _|
      result[:cohorts].each do |cohort|
        cohort[:trials].last[:slices].select { |slice| slice[:block] }.each do |slice|
          slice[:wall_ns] = (slice[:wall_ns] / (1 + (0.01 * slice[:block]))).round
        end
      end
    end
    verdict = row(document, "b")[:verdict]
    assert_equal "faster", verdict[:outcome]
    assert_said(verdict[:reasons].first)
    assert_includes document[:notes].map { |note| note[:text] }, "b: #{verdict[:reasons].first}"
  end

  test "steady ones are not" do
    called = 60.times.count do |seed|
      build(seed:, blocks: 6)[:rows].any? { |one| one[:verdict][:reasons].grep(/steady/).any? }
    end
    assert_operator called, :<=, 10 # 5 % of 60 and four standard errors
  end

  test "where throughput decides nothing, CPU time that has decided is named" do
    document = build({ "a" => 1000, "b" => 1150 }, block_sd: 0.02) do |result, _|
      [0.9, 1.0, 1.04].zip(result[:cohorts]) do |pause, cohort|
        slices = cohort[:trials].last[:slices]
        slices.each { |slice| slice[:wall_ns] = (slice[:wall_ns] * pause).round }
      end
    end
    verdict = row(document, "b")[:verdict]
    assert_equal "undecided", verdict[:outcome]
    assert_said(verdict[:reasons].last)
    assert_said(document[:sentence])
  end

  test "five things that are one are hardly ever called different" do
    rates = %w[a b c d e].to_h { |name| [name, 1000] }
    found = 60.times.count do |seed|
      outcomes = build(rates, seed:, blocks: 6)[:rows].map { |one| one[:verdict][:outcome] }
      outcomes.include?("faster") || outcomes.include?("slower")
    end
    assert_operator found, :<=, 10 # 5 % of 60 and four standard errors
  end

  test "what came back from the store as JSON reads the same" do
    result = SampleResult.new(RATES).to_h
    stored = JSON.parse(JSON.generate(result), symbolize_names: true)
    assert_equal Mohs::Stored.document(result), Mohs::Stored.document(stored)
  end
end
