# frozen_string_literal: true

require "test_helper"

class EarlyRatesTest < Mohs::TestCase
  RATES = { "3.1.2" => 1200, "3.4.5" => 1650, "3.3.8" => 1400 }.freeze

  def early(rounds, names = RATES.keys, rates: RATES)
    result = SampleResult.new(rates, rounds:).to_h
    yield result if block_given?
    Mohs::Rounds::EarlyRates.new(Mohs::Stored.document(result), names)
  end

  test "rates and boots of each, the fastest first, and plainly that nothing is compared" do
    figures = early(1)

    boot = /\(boot \d+ ms\)/
    assert_match(%r{\A1 round, no interval yet: 3\.4\.5 1 6\d\d/s #{boot} · 3\.3\.8 1 \d+/s },
                 figures.to_s)
    assert_match(%r{ · 3\.1\.2 1 [12]\d\d/s #{boot}\z}, figures.to_s)
    assert_equal [false, false], [figures.none?, figures.compared?]
    assert_operator early(2).to_s, :start_with?, "2 rounds, no interval yet: "
  end

  test "by their rates, whatever the order of the rows, which is that of their ratios" do
    rows = { "a" => 9348, "b" => 9902, "base" => 12_000 }.map do |variant, value|
      { variant:, state: "measured", baseline: variant == "base", trials: { measured: 1 },
        verdict: { outcome: "undecided", interval: nil }, throughput_per_s: { value: } }
    end
    figures = Mohs::Rounds::EarlyRates.new({ rows: }, %w[a b base])
    assert_match(/: base 12 000.s · b 9 902.s · a 9 348.s\z/, figures.to_s)
  end

  test "only of those of the cohort" do
    refute_includes early(1, %w[3.1.2 3.4.5]).to_s, "3.3.8"
  end

  test "none where all have an interval, nothing was measured, or there is nothing to compare" do
    assert_equal [true, true], early(3).then { |figures| [figures.none?, figures.compared?] }
    assert_predicate early(1, rates: { "3.4.5" => 1650 }), :none?
    nothing = early(1) { |result| result[:cohorts].first[:trials].each { |t| t[:state] = "lost" } }
    assert_predicate nothing, :none?
  end

  test "what came in later has figures beside those that are compared" do
    late = early(3, %w[3.1.2 3.3.8]) do |result|
      result[:cohorts].first(2).each do |cohort|
        cohort[:trials].reject! { |trial| trial[:variant] == "3.3.8" }
      end
    end

    assert_predicate late, :compared?
    assert_operator late.to_s, :start_with?, "1 round, no interval yet: 3.3.8 1 "
  end
end
