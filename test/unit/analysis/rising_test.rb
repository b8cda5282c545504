# frozen_string_literal: true

require "test_helper"

# A trial whose rate still rose when its warm-up was over: no row, verdict or claim has its rate.
class RisingTest < Mohs::TestCase
  include Mohs::Published
  include Mohs::ColdStarts
  include Mohs::Tuned
  include Mohs::Screens

  # The golden file of its sentences (Screens#assert_said).
  SAID = "said-analysis"

  CURVE = { rising: true, first_per_s: 64.2, last_per_s: 696.0, rise: 0.41, compilers: 0.3,
            warm_s: 500.0, most_s: 30 }.freeze
  FINDING = Mohs::Analysis::Checks::Steady.new
                                          .call({ warm_up: { outcome: "capped", seconds: 180.2,
                                                             requests: 65_536, curve: CURVE } })

  # Makes the trials of a variant what Trial::Facts makes of one that still got faster.
  def rise(result, name)
    result[:cohorts].flat_map { |cohort| cohort[:trials] }.each do |trial|
      next unless trial[:variant] == name

      trial[:state] = "invalid"
      trial[:facts] = { **trial[:facts], checks: [Mohs::Analysis::Checks.dump(FINDING)] }
    end
    result
  end

  def rising(name = "b", rates: { "a" => 1000.0, "b" => 1500.0 })
    rise(SampleResult.new(rates).to_h, name)
  end

  test "its row has no rate, but its curve, when it should be warm, and what to type" do
    row = Mohs::Stored.document(rising)[:rows].find { |one| one[:variant] == "b" }

    assert_equal ["invalid", nil], [row[:state], row.dig(:throughput_per_s, :value)]
    assert_match(%r{65 536 requests in 3 min: 64/s .* 696/s .*\(\+41 % .* 30 % .*\); },
row[:reason])
    assert_match(/; warm .* 9 min \(--warm-up 9m /, row[:reason])
  end

  def text(**values)
    finding = Mohs::Analysis::Finding.new(**FINDING.to_h, values: { **FINDING.values, **values })
    Mohs::Report::Render.call(finding)
  end

  # The end of the sentence, with these values in place of those above.
  def hint(**values)
    text(**values)[/; .*/]
  end

  test "a JVM that is not shown to be level, or whose compilers can't be seen, may still rise" do
    may, unknown, works = [{ rise: 0.03, compilers: 0.01 }, { rise: 0.03, compilers: nil },
                           { rise: 0.03, compilers: 0.06 }].map { |values| text(**values) }
    assert_match(/\Amay still be rising after .*\(\+3.0 % .* took 1 % /, may)
    assert_said(unknown)
    assert_match(/\Astill rising after .* took 6 % /, works)
  end

  test "what gives it longer is the limit of its engine, twice the time, or when it is warm" do
    given = [/unknown .*--warm-up 10m/, /15 min .*--warm-up 15m/, /unknown .*--warm-up 7m/,
             /unknown .*more batches/]
    hints = [hint(warm_s: nil, most_s: 600), hint(warm_s: 900.0, most_s: 600),
             hint(warm_s: nil, most_s: 180), hint(warm_s: nil, most_s: nil)]
    given.zip(hints) { |fact, text| assert_match fact, text }
  end

  test "while compilers work, it is known before when it can't be warm" do
    assert_match(/20 min .*--warm-up 20m/, hint(warm_s: nil, earliest_s: 1200.0, most_s: 600))
    assert_match(/4 min .*--warm-up 10m/, hint(warm_s: nil, earliest_s: 240.0, most_s: 600))
  end

  test "its cause is a code with values" do
    document = Mohs::Stored.document(rising)
    assert_equal [["steady.rising", ["b"]]],
                 document[:reasons].map { |one| one.values_at(:code, :variants) }
    assert_equal 696.0, Mohs::Stored.analysis(rising).rows.last.cause.values[:last_per_s]
  end

  test "another variant stands in for a baseline that still got faster" do
    run = Mohs::Stored.analysis(rising("a", rates: { "a" => 1.0, "b" => 2.0, "c" => 2.0 }))
    assert_equal "b", run.baseline
  end

  test "no verdict rests on it" do
    comparison = Mohs::Stored.comparison(rise(CompareResult.new([0.3] * 3).to_h, "b"))
    fault = comparison.fault

    assert_equal [:invalid, "side_invalid"], [comparison.verdict.outcome, fault.code]
    assert_equal "steady.rising", fault.values.dig(:spoiled, :code)
    assert_match(/still rising after 65 536 requests/, Mohs::Report::Render.call(fault))
  end

  test "three boots of thirty that seemed to rise are chance, three of twenty are not" do
    found = [30, 20].map do |count|
      result = CompareResult.new([0.02, -0.03, 0.01, 0.0, 0.03, -0.02].cycle.first(count)).to_h
      rise({ cohorts: result[:cohorts].values_at(1, 7, 13) }, "b")
      Mohs::Stored.comparison(result)
    end

    assert_equal [3, 3], (found.map { |one| one.void.size })
    assert_equal [nil, "side_invalid"], (found.map { |one| one.fault&.code })
  end

  test "no claim is judged by it, whatever it claims" do
    claims = <<~YAML
      - {text: A, place: p, table: all, ratio: {of: jit, to: old, published: 1.3, tolerance: 10 %}}
      - {text: B, place: p, table: all, ratio: {of: jit, to: old, published: 0.3, tolerance: 10 %}}
      - {text: C, place: p, table: all, ratio: {of: new, to: old, published: 1.3, tolerance: 10 %}}
    YAML
    rates = { "old" => 1000, "new" => 1300, "jit" => 1300 }
    found = judged(claims, rates) { |result| rise(result, "jit") }

    assert_equal %w[undecided undecided agrees], found.map(&:outcome)
    assert_equal "steady.rising", found.first.findings.first.values.dig(:spoiled, :code)
  end

  test "a setting of a tuning is out, with the curve as its reason" do
    sample = SampleTuning.new(SPEEDS, shapes: SHAPES, rounds: 3).to_h
    found = Mohs::Stored.analysis(rise(sample, "2x5"))
    setting = setting(found.result, "2x5")

    assert_equal ["failed", nil, "steady.rising"],
                 [setting.state, setting.rate, setting.reason.code]
    assert_match(/\Astill rising after 65 536/, Mohs::Report::Render.reason(setting.reason).to_s)
    refute_includes found.result.schedule.searches.names, "2x5"
  end

  test "its batches from a cold start are shown all the same: they are its curve" do
    result = rising
    record_cold_starts(result, slow: 15)
    levels = Mohs::Stored.analysis(result).cold_start.levels

    assert_equal %w[a b], levels.map(&:name)
    assert_equal [["a"], ["b"]], [%w[measured], %w[invalid]].map { |states|
      result[:cohorts].first[:trials].select { |one| states.include?(one[:state]) }
                                     .map { |one| one[:variant] }
    }
  end

  test "a trial that is invalid for another reason has no batches to show" do
    result = rising
    record_cold_starts(result, slow: 15)
    other = Mohs::Analysis::Finding.new(code: "jit.changed", severity: :bad,
                                        values: { boot: "off", ending: "yjit" })
    result[:cohorts].flat_map { |cohort| cohort[:trials] }.select { |one| one[:variant] == "b" }
                    .each { |one| one[:facts][:checks] = [Mohs::Analysis::Checks.dump(other)] }

    assert_equal %w[a], Mohs::Stored.analysis(result).cold_start.levels.map(&:name)
  end
end
