# frozen_string_literal: true

require "test_helper"

class ReproEffectsTest < Mohs::TestCase
  THROUGHPUT = Mohs::Analysis::Metric.fetch("throughput")
  RATES = { "a" => 1000, "b" => 1600, "c" => 1300 }.freeze

  # shares: { variant => the share of the time that the driver had no core, for each round }.
  def waited(**shares)
    cohorts = SampleResult.new(RATES, rounds: 4).to_h[:cohorts]
    SampleResult.let_wait(cohorts, shares)
    Mohs::Repro::Effects.new(Mohs::Stored.cohorts(cohorts), baseline: "a", candidates: %w[b c])
  end

  test "a ratio of gains may be as far off as both of them" do
    none, some = [waited, waited(b: [0.4, 0.0, 0.0, 0.4], c: [0.1] * 4)].map do |found|
      found.gain_ratio(THROUGHPUT, %w[a b], %w[a c]).bias
    end

    assert_in_delta none - Math.log(1 - 0.2) - Math.log(1 - 0.1), some
  end

  # Times of 1, 0.625 and 0.769 ms: what moves one by a share moves their differences by more.
  test "a ratio of overheads may be off by more than a rate where the driver had no core" do
    pairs = [%w[a b], %w[a c]]
    free, late = waited, waited(b: [0.027, 0.0, 0.0, 0.0], c: [0.0] * 4)
    reach = (1.625 / 0.375) + (1.769 / 0.231)

    %i[overhead_ratio total_overhead_ratio].each do |name|
      none, some = [free, late].map { |found| found.public_send(name, *pairs).bias }
      assert_equal 0.0, none
      assert_in_epsilon(-Math.log(1 - (0.027 / 4)) * reach, some, 0.1)
    end
  end
end
